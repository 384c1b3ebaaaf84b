/* Checks in kernels that were compiled with debug: asserts, and indices that must be in range.
 *
 * Such a kernel records the first failed check in a struct of its context. On the CPU it then leaves the task, before the bad
 * access. Calls that wait for launches report the failure. */

#pragma once

#include "core/context.h"

#define TAICHI_AOT_FAILURE_SHAPES 16 /* of the first parameters */

/* The first failed check. Kernels write it, on CUDA from the device. */
typedef struct taichi_aot_failure {
  int64_t kernel;         /* the number of the kernel; 0: none has failed */
  int32_t lock;           /* not 0 while a thread of a kernel writes the members below */
  char message[2048];     /* with %d and %f for arguments */
  uint64_t arguments[32]; /* their bits; those of short types have zeros above */
  TiNdShape shapes[TAICHI_AOT_FAILURE_SHAPES]; /* of the launch's arrays, by parameter; without dimensions if unknown */
} taichi_aot_failure;

/* Members of the runtime's struct, to which machine code writes its first failed check. */
typedef struct taichi_aot_check_record {
  char message[2048];
  uint64_t arguments[32];
  int32_t lock;
  int64_t has_failed;
} taichi_aot_check_record;

/* Returns the addresses for the code of this runtime's kernels: of the members above, and of guard_task, guard_part and
 * leave_task. */
int taichi_aot_check_addresses(taichi_aot_runtime *runtime, uint64_t *addresses);
const taichi_aot_failure *taichi_aot_last_failure(void); /* of this thread's last CHECK_FAILED */
int taichi_aot_has_failure(const taichi_aot_context *context); /* one that is not reported yet; needs no lock */
/* Sets whether calls of this thread leave failures to later calls, or to other threads. Returns the previous setting. */
int32_t taichi_aot_keep_failures(int32_t keeps);

/* For C only. */

/* Calls a task of a kernel, or a part of one in a worker, until it returns or leaves. */
void taichi_aot_guard_task(void (*task)(void *), void *context);
void taichi_aot_guard_part(void (*part)(void *, int32_t, int32_t), void *context, int32_t thread, int32_t index);
/* Leaves the innermost guarded function of this thread; returns without one. Frames in between must need no clean-up. */
void taichi_aot_leave_task(void);

/* The lock is held. */
void taichi_aot_take_failure(taichi_aot_context *context, uint64_t address, int64_t kernel); /* of a check record */
int taichi_aot_report_failure(taichi_aot_context *context); /* CHECK_FAILED once for each failure, else 0 */
void taichi_aot_forget_failure(taichi_aot_context *context);
