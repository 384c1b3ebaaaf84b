/* The chunks of recorded launches on the device, one per slot. */

#pragma once

#include "core/base.h"

/* For C only. */

#define TAICHI_AOT_CHUNKS 2
typedef struct taichi_aot_chunks {
  int64_t begun[TAICHI_AOT_CHUNKS];       /* ns: when it was submitted; 0 once that is irrelevant */
  int32_t was_awaited[TAICHI_AOT_CHUNKS]; /* it was still running when it was polled */
  const struct taichi_aot_recording *recordings[TAICHI_AOT_CHUNKS];
  uint32_t sizes[TAICHI_AOT_CHUNKS];      /* iterations */
  uint32_t next;
  int64_t finished; /* ns: when the last one was seen to be finished */
} taichi_aot_chunks;
