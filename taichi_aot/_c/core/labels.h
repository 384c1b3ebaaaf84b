/* Ranges of the host for profilers, by NVTX: NVIDIA's tools name a library in the environment of a process, and that library
 * sets the functions that it wants called. */

#ifndef TAICHI_AOT_LABELS_H
#define TAICHI_AOT_LABELS_H

#include "core/base.h"

void taichi_aot_labels_open(const char *path);
int32_t taichi_aot_labels_listener(void);
void taichi_aot_push_range(const char *name, uint64_t size);
void taichi_aot_pop_range(void);

/* For C alone. */

extern int32_t taichi_aot_has_listener;

/* Inline, because without a listener they must cost nothing. Ranges of a thread are nested. */
static inline void taichi_aot_begin_range(const char *name, uint64_t size) {
  if (taichi_aot_has_listener) taichi_aot_push_range(name, size);
}

static inline void taichi_aot_end_range(void) {
  if (taichi_aot_has_listener) taichi_aot_pop_range();
}

#endif
