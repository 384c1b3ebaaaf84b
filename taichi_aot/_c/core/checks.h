/* Checks in kernels that were compiled with debug: asserts, and indices that must be in range.
 *
 * The code of such a kernel notes the first check that fails in a struct of its context; on the CPU it then leaves the task,
 * before the bad access. Calls that wait for launches report it. */

#ifndef TAICHI_AOT_CHECKS_H
#define TAICHI_AOT_CHECKS_H

#include "core/context.h"

#define TAICHI_AOT_FAILURE_SHAPES 16 /* of the first parameters */

/* The first check that has failed. Kernels write it, on CUDA from the device. */
typedef struct taichi_aot_failure {
  int64_t kernel;         /* the number of the kernel; 0: none has failed */
  int32_t lock;           /* not 0 while a thread of a kernel writes the members below */
  char message[2048];     /* with %d and %f for arguments */
  uint64_t arguments[32]; /* their bits; those of short types have zeros above */
  TiNdShape shapes[TAICHI_AOT_FAILURE_SHAPES]; /* of the launch's arrays, by parameter; without dimensions if unknown */
} taichi_aot_failure;

/* What the code of kernels is to use: the addresses of the members above, for the kernels of this runtime, and of guard_task,
 * guard_part and leave_task. */
int taichi_aot_check_addresses(taichi_aot_runtime *runtime, uint64_t *addresses);
const taichi_aot_failure *taichi_aot_last_failure(void); /* that of the CHECK_FAILED which this thread got last */
int taichi_aot_has_failure(const taichi_aot_context *context); /* one that is not reported yet; needs no lock */
/* Whether calls of this thread leave failures to later calls, or to those of other threads. Returns what was so before. */
int32_t taichi_aot_keep_failures(int32_t keeps);

/* For C alone. */

/* Calls a task of a kernel, or a part of one in a worker, and returns when it returns or leaves. */
void taichi_aot_guard_task(void (*task)(void *), void *context);
void taichi_aot_guard_part(void (*part)(void *, int32_t, int32_t), void *context, int32_t thread, int32_t index);
/* Leaves the innermost guarded function of this thread; returns if there is none. Frames in between must need no clean-up. */
void taichi_aot_leave_task(void);

/* The lock is held. */
int taichi_aot_report_failure(taichi_aot_context *context); /* CHECK_FAILED once for each failure, else 0 */
void taichi_aot_forget_failure(taichi_aot_context *context);

#endif
