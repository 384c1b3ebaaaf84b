/* Recorded launches on CUDA. */

#ifndef TAICHI_AOT_CUDA_RECORDER_H
#define TAICHI_AOT_CUDA_RECORDER_H

#include "core/recorder.h"

int taichi_aot_cuda_can_launch(void);

/* For C alone. */

extern const taichi_aot_recorder taichi_aot_cuda_recorder;
int taichi_aot_cuda_count_memory(taichi_aot_context *context, taichi_aot_memory_numbers *numbers);
int taichi_aot_cuda_launch_on(const taichi_aot_recorded *recorded, void *stream);
void **taichi_aot_cuda_graph_for(taichi_aot_runtime *runtime, const taichi_aot_sequence_item *items, uint32_t count,
                                 taichi_aot_recording *recording, uint32_t size, uint32_t *level);
void taichi_aot_cuda_mark(taichi_aot_context *context, void *stream, const taichi_aot_recording *recording, uint32_t size,
                          uint32_t tasks, int has_more);
int taichi_aot_cuda_trim(taichi_aot_context *context, uint64_t *freed);

#endif
