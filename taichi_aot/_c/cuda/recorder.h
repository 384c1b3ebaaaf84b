/* Recorded launches on CUDA. */

#pragma once

#include "core/recorder.h"

int taichi_aot_cuda_can_launch(void);

/* For C only. */

extern const taichi_aot_recorder taichi_aot_cuda_recorder;
int taichi_aot_cuda_count_memory(taichi_aot_context *context, taichi_aot_memory_numbers *numbers);
int taichi_aot_cuda_trim(taichi_aot_context *context, uint64_t *freed);
