/* Tables. */

#include "core/table.h"

#include <stdlib.h>

static taichi_aot_table_pair *place_of(const taichi_aot_table *table, uint64_t key) {
  const uint32_t mask = (1u << table->bits) - 1;
  uint32_t place = (uint32_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - table->bits));
  while (table->places[place].key != key && table->places[place].key != 0) place = (place + 1) & mask;
  return &table->places[place];
}

/* 0 if the table does not have the key. */
uint64_t taichi_aot_table_find(const taichi_aot_table *table, uint64_t key) {
  return table->places != NULL ? place_of(table, key)->value : 0;
}

/* Doubles the table, or allocates it. Without memory it stays as it is. */
static int grow(taichi_aot_table *table) {
  taichi_aot_table_pair *old = table->places;
  const uint32_t count = old != NULL ? 1u << table->bits : 0;
  const uint32_t bits = old != NULL ? table->bits + 1 : 6;
  uint32_t i;
  taichi_aot_table_pair *places = (taichi_aot_table_pair *)calloc((size_t)1 << bits, sizeof *places);
  if (places == NULL) return (int)TI_ERROR_OUT_OF_MEMORY;
  table->places = places;
  table->bits = bits;
  for (i = 0; i < count; ++i)
    if (old[i].key != 0) *place_of(table, old[i].key) = old[i];
  free(old);
  return 0;
}

/* Adds or replaces the value of a key: 0, or OUT_OF_MEMORY with an unchanged table. The caller names what is lost. */
int taichi_aot_table_put(taichi_aot_table *table, uint64_t key, uint64_t value) {
  const int is_full = table->places == NULL || 2 * (table->count + 1) > 1u << table->bits;
  const int code = is_full ? grow(table) : 0;
  taichi_aot_table_pair *place;
  if (code != 0) return code;
  place = place_of(table, key);
  table->count += place->key == 0;
  place->key = key;
  place->value = value;
  return 0;
}

void taichi_aot_table_clear(taichi_aot_table *table) {
  free(table->places);
  table->places = NULL;
  table->count = 0;
}
