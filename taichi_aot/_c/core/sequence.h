/* Sequences: launches that are repeated in C. */

#pragma once

#include "core/launch.h"
#include "core/policy.h"
#include "core/recorder.h"

/* The number on the device that ends a run, and the state of its checks. */
typedef struct taichi_aot_until {
  taichi_aot_memory *memory;
  int64_t generation; /* equals the memory's while the number may be used */
  uint64_t offset;    /* of the number in the memory */
  struct taichi_aot_staging *staging; /* for reading the memory, or NULL */
  int32_t dtype;      /* TiDataType */
  int32_t side;       /* the run ends above the bound (1), below it (-1) or at it (0) */
  double bound;
  int64_t every;      /* iterations from one check to the next */
  int64_t checked;    /* iterations up to the last check, or the next one */
  double value;       /* of the last check */
  int32_t is_met;     /* by that value */
  int32_t is_reading; /* the call returned from a check, not from launches */
  int32_t may_block;  /* the device has been waited for */
} taichi_aot_until;

int taichi_aot_run_sequence(const taichi_aot_sequence *sequence, int64_t repeat, taichi_aot_position *position);
int taichi_aot_run_until(const taichi_aot_sequence *sequence, int64_t repeat, taichi_aot_position *position,
                         taichi_aot_until *until);
