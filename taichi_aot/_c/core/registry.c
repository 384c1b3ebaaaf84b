/* The registry of a context. Entries are never removed: a freed handle's entry says so until the library reuses the handle. */

#include "core/registry.h"

#include <stdlib.h>

/* NULL for an unknown handle. */
const taichi_aot_registered *taichi_aot_registry_find(const taichi_aot_registry *registry, uint64_t handle) {
  return (const taichi_aot_registered *)(uintptr_t)taichi_aot_table_find(registry, handle);
}

/* Adds or replaces an entry: 0 or OUT_OF_MEMORY. */
int taichi_aot_registry_add(taichi_aot_registry *registry, const taichi_aot_registered *added) {
  taichi_aot_registered *entry = (taichi_aot_registered *)(uintptr_t)taichi_aot_table_find(registry, added->handle);
  int code;
  if (entry == NULL) {
    entry = (taichi_aot_registered *)malloc(sizeof *entry);
    code = entry == NULL ? (int)TI_ERROR_OUT_OF_MEMORY
                         : taichi_aot_table_put(registry, added->handle, (uint64_t)(uintptr_t)entry);
    if (code != 0) {
      free(entry);
      return code;
    }
  }
  *entry = *added;
  return 0;
}

void taichi_aot_registry_clear(taichi_aot_registry *registry) {
  uint32_t i;
  for (i = 0; registry->places != NULL && i < 1u << registry->bits; ++i)
    free((void *)(uintptr_t)registry->places[i].value);
  taichi_aot_table_clear(registry);
}
