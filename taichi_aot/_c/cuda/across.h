/* Sequences over several devices of CUDA. */

#ifndef TAICHI_AOT_CUDA_ACROSS_H
#define TAICHI_AOT_CUDA_ACROSS_H

#include "cuda/exchange.h"
#include "core/recorder.h"

#define TAICHI_AOT_STEP_LAUNCH 0
#define TAICHI_AOT_STEP_BEGIN 1 /* of an exchange */
#define TAICHI_AOT_STEP_END 2

typedef struct taichi_aot_across_step {
  int32_t kind;  /* TAICHI_AOT_STEP_... */
  uint32_t item; /* the number of the launch */
  const taichi_aot_exchange *exchange; /* or NULL */
} taichi_aot_across_step;

/* Each exchange that begins also ends. */
typedef struct taichi_aot_across {
  taichi_aot_runtime **runtimes; /* sorted by the addresses of their contexts */
  uint32_t runtime_count;
  uint32_t item_count;
  taichi_aot_sequence_item *items; /* without stepped scalars */
  taichi_aot_across_step *steps;
  uint32_t step_count;
  taichi_aot_recording *recording; /* of the first runtime */
} taichi_aot_across;

int taichi_aot_cuda_run_across(const taichi_aot_across *across, int64_t repeat, int64_t *iteration);

#endif
