/* Tables from addresses, which are not 0, to 64-bit numbers. Open addressing, at most half full; nothing is removed. */

#pragma once

#include "core/base.h"

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
