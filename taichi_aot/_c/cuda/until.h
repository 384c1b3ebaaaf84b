/* On CUDA, sequences that end when a number says so, without the host. */

#ifndef TAICHI_AOT_CUDA_UNTIL_H
#define TAICHI_AOT_CUDA_UNTIL_H

#include "core/sequence.h"

/* For C alone. */

/* Functions of the backend. */
int taichi_aot_cuda_run_until(const taichi_aot_sequence_item *items, uint32_t count, int64_t repeat,
                              taichi_aot_recording *recording, taichi_aot_position *position, taichi_aot_until *until);
void taichi_aot_cuda_free_until(taichi_aot_context *context, taichi_aot_recording *recording);

#endif
