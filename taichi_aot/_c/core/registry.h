/* The registry of a context: its known handles of memory and images. */

#pragma once

#include "core/table.h"

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

typedef taichi_aot_table taichi_aot_registry; /* of copies, by their handles */

const taichi_aot_registered *taichi_aot_registry_find(const taichi_aot_registry *registry, uint64_t handle);
int taichi_aot_registry_add(taichi_aot_registry *registry, const taichi_aot_registered *added);
void taichi_aot_registry_clear(taichi_aot_registry *registry);
