/* The chunks of recorded launches that the device works on, one in each slot. */

#ifndef TAICHI_AOT_CHUNKS_H
#define TAICHI_AOT_CHUNKS_H

#include "core/base.h"

/* For C alone. */

#define TAICHI_AOT_CHUNKS 2
typedef struct taichi_aot_chunks {
  int64_t begun[TAICHI_AOT_CHUNKS];       /* ns: when it was submitted; 0 if that does not matter any more */
  int32_t was_awaited[TAICHI_AOT_CHUNKS]; /* the device still worked on it when it was asked for */
  const struct taichi_aot_recording *recordings[TAICHI_AOT_CHUNKS]; /* to which it belongs, or did */
  uint32_t sizes[TAICHI_AOT_CHUNKS];      /* iterations */
  uint32_t next;    /* the slot that is used next */
  int64_t finished; /* ns: when the last of them was seen to be done */
} taichi_aot_chunks;

#endif
