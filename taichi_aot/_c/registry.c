/* The registry of a context: open addressing, at most half full. Places are never given back: the entry of a freed handle
 * says so until the library uses the handle again. */

#include "registry.h"

#include <stdlib.h>

static taichi_aot_registered *place_of(const taichi_aot_registry *registry, uint64_t handle) {
  const uint32_t mask = (1u << registry->bits) - 1;
  uint32_t place = (uint32_t)((handle * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - registry->bits));
  while (registry->places[place].handle != handle && registry->places[place].handle != 0) place = (place + 1) & mask;
  return &registry->places[place];
}

/* NULL if nothing is known of the handle. */
const taichi_aot_registered *taichi_aot_registry_find(const taichi_aot_registry *registry, uint64_t handle) {
  const taichi_aot_registered *found;
  if (registry->places == NULL) return NULL;
  found = place_of(registry, handle);
  return found->handle != 0 ? found : NULL;
}

static int grow(taichi_aot_registry *registry) {
  taichi_aot_registered *old = registry->places;
  const uint32_t count = old != NULL ? 1u << registry->bits : 0;
  const uint32_t bits = old != NULL ? registry->bits + 1 : 6;
  uint32_t i;
  taichi_aot_registered *places = (taichi_aot_registered *)calloc((size_t)1 << bits, sizeof *places);
  if (places == NULL) return 0;
  registry->places = places;
  registry->bits = bits;
  for (i = 0; i < count; ++i)
    if (old[i].handle != 0) *place_of(registry, old[i].handle) = old[i];
  free(old);
  return 1;
}

/* Adds or replaces what is known of a handle; 0 if out of memory. */
int taichi_aot_registry_add(taichi_aot_registry *registry, const taichi_aot_registered *added) {
  taichi_aot_registered *place;
  if ((registry->places == NULL || 2 * (registry->count + 1) > 1u << registry->bits) && !grow(registry)) return 0;
  place = place_of(registry, added->handle);
  registry->count += place->handle == 0;
  *place = *added;
  return 1;
}

void taichi_aot_registry_clear(taichi_aot_registry *registry) {
  free(registry->places);
  registry->places = NULL;
  registry->count = 0;
}
