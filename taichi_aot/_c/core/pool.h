/* The threads that run the parallel loops of kernels on the CPU: one pool per process. */

#ifndef TAICHI_AOT_POOL_H
#define TAICHI_AOT_POOL_H

#include <stdint.h>

uint64_t taichi_aot_pool_function(void);
void taichi_aot_pool_resize(int32_t threads);

/* For C alone. */

typedef void taichi_aot_task(void *context, int thread, int index);

/* Calls `task` once for each index below `tasks`, on the calling thread and up to `threads` - 1 others. Two calls at the same
 * time have different numbers of threads, all below `threads`. Returns when all calls have. The pool is that of the process,
 * whatever `pool` is: the signature is that of the library's own. */
void taichi_aot_pool_run(void *pool, int tasks, int threads, void *context, taichi_aot_task *task);

#endif
