/* Tables from addresses and handles, which are not 0, to 64-bit numbers. Open addressing, at most half full; nothing is removed. */

#pragma once

#include "core/base.h"

/* A known handle of memory or an image. */
typedef struct taichi_aot_registered {
  uint64_t handle; /* TiMemory or TiImage */
  const struct taichi_aot_memory *memory;
  int64_t generation; /* equals the memory's until it is freed */
  uint64_t size;      /* bytes; 0 for an image */
  TiImageExtent extent;
  TiFormat format;
  TiImageUsageFlags usage;
  int32_t is_read_only;
} taichi_aot_registered;

/* For C only. */

typedef struct taichi_aot_table_pair {
  uint64_t key; /* 0: a free place */
  uint64_t value;
} taichi_aot_table_pair;

typedef struct taichi_aot_table {
  taichi_aot_table_pair *places; /* 2^bits */
  uint32_t count;
  uint32_t bits;
} taichi_aot_table;

uint64_t taichi_aot_table_find(const taichi_aot_table *table, uint64_t key);
int taichi_aot_table_put(taichi_aot_table *table, uint64_t key, uint64_t value);
void taichi_aot_table_clear(taichi_aot_table *table);

/* The registry of a context: copies of what is known of handles, by these. Entries are never removed: a freed handle's entry says
 * so until the library reuses the handle. */
typedef taichi_aot_table taichi_aot_registry;
const taichi_aot_registered *taichi_aot_registry_find(const taichi_aot_registry *registry, uint64_t handle);
int taichi_aot_registry_add(taichi_aot_registry *registry, const taichi_aot_registered *added);
void taichi_aot_registry_clear(taichi_aot_registry *registry);
