/* The threads that run the parallel loops of kernels on the CPU: one pool per process. */

#pragma once

#include <stdint.h>

/* The address of the function that runs loops; `draws`: loops that may draw random numbers. */
uint64_t taichi_aot_pool_function(int32_t draws);
void taichi_aot_pool_resize(int32_t threads);

/* For C only. */

typedef void taichi_aot_task(void *context, int thread, int index);

/* Calls `task` once for each index below `tasks`, on the calling thread and up to `threads` - 1 others, and returns when all
 * calls have. Concurrent calls get different thread numbers below `threads`. `pool` is ignored, because the signature is the
 * library's. */
void taichi_aot_pool_run(void *pool, int tasks, int threads, void *context, taichi_aot_task *task);

/* The same for a loop whose tasks draw random numbers: those of a group run one after the other and are passed the number of
 * the group, which has a state, as that of their thread. So the numbers do not depend on the threads. */
void taichi_aot_pool_run_drawing(void *pool, int tasks, int threads, void *context, taichi_aot_task *task);
