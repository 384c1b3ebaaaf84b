/* Failed checks of kernels: recording them, leaving the task, and reporting them. */

#include "core/checks.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
/* Without a frame `longjmp` does not unwind: the code of kernels has no tables for that. */
#define save_here(place) (setjmp(place) || (((_JUMP_BUFFER *)(place))->Frame = 0))
#define go_back(place) longjmp(place, 1)
#else
#define save_here(place) _setjmp(place) /* without the mask of signals */
#define go_back(place) _longjmp(place, 1)
#endif

/* The members of the struct lie so, and a failure has room for them. */
_Static_assert(offsetof(taichi_aot_check_record, arguments) == 2048 && offsetof(taichi_aot_check_record, lock) == 2304 &&
                 offsetof(taichi_aot_check_record, has_failed) == 2312 &&
                 sizeof(((taichi_aot_failure *)0)->message) == sizeof(((taichi_aot_check_record *)0)->message) &&
                 sizeof(((taichi_aot_failure *)0)->arguments) == sizeof(((taichi_aot_check_record *)0)->arguments),
               "the record of failed checks has another layout");

static TAICHI_AOT_THREAD_LOCAL jmp_buf *innermost;
static TAICHI_AOT_THREAD_LOCAL taichi_aot_failure last;
static TAICHI_AOT_THREAD_LOCAL int32_t keeps_failures;


void taichi_aot_guard_task(void (*task)(void *), void *context) {
  jmp_buf place, *const outer = innermost;
  if (!save_here(place)) {
    innermost = &place;
    task(context);
  }
  innermost = outer;
}

void taichi_aot_guard_part(void (*part)(void *, int32_t, int32_t), void *context, int32_t thread, int32_t index) {
  jmp_buf place, *const outer = innermost;
  if (!save_here(place)) {
    innermost = &place;
    part(context, thread, index);
  }
  innermost = outer;
}

void taichi_aot_leave_task(void) {
  if (innermost != NULL) go_back(*innermost);
}


static taichi_aot_failure *spare; /* of a destroyed context */

/* Allocates the failure of a context once, for as long as its kernels' code. */
static int make_failure(taichi_aot_context *context) {
  if (context->failure != NULL) return 0;
  if (context->backend->make_failure != NULL) return context->backend->make_failure(context);
  context->failure = (taichi_aot_failure *)taichi_aot_take_pointer(&spare);
  if (context->failure != NULL) {
    memset(context->failure, 0, sizeof *context->failure);
    return 0;
  }
  context->failure = (taichi_aot_failure *)calloc(1, sizeof *context->failure);
  return context->failure != NULL ? 0 : taichi_aot_no_memory("the checks of kernels");
}

#define ADDRESS(pointer) ((uint64_t)(uintptr_t)(pointer))

int taichi_aot_check_addresses(taichi_aot_runtime *runtime, uint64_t *addresses) {
  const taichi_aot_failure *failure;
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  status = make_failure(runtime->context);
  failure = runtime->context->failure;
  if (status == 0) {
    addresses[0] = ADDRESS(&failure->kernel);
    addresses[1] = ADDRESS(&failure->lock);
    addresses[2] = ADDRESS(failure->message);
    addresses[3] = ADDRESS(failure->arguments);
    addresses[4] = ADDRESS(taichi_aot_guard_task);
    addresses[5] = ADDRESS(taichi_aot_guard_part);
    addresses[6] = ADDRESS(taichi_aot_leave_task);
  }
  return taichi_aot_leave_after(runtime, NULL, status);
}

int taichi_aot_has_failure(const taichi_aot_context *context) {
  const volatile taichi_aot_failure *failure = context->failure;
  return failure != NULL && failure->kernel != 0 && failure->lock == 0; /* a later launch may be writing it */
}

void taichi_aot_take_failure(taichi_aot_context *context, uint64_t address, int64_t kernel) {
  taichi_aot_check_record *record = (taichi_aot_check_record *)(uintptr_t)address;
  taichi_aot_failure *failure = context->failure;
  if (failure != NULL && failure->kernel == 0) {
    memcpy(failure->message, record->message, sizeof failure->message);
    memcpy(failure->arguments, record->arguments, sizeof failure->arguments);
    failure->kernel = kernel;
  }
  record->has_failed = 0;
}

int taichi_aot_report_failure(taichi_aot_context *context) {
  if (keeps_failures || !taichi_aot_has_failure(context)) return 0;
  memcpy(&last, context->failure, sizeof last);
  memset(context->failure->shapes, 0, sizeof context->failure->shapes);
  context->failure->kernel = 0;
  return TAICHI_AOT_CHECK_FAILED;
}

const taichi_aot_failure *taichi_aot_last_failure(void) { return &last; }

int32_t taichi_aot_keep_failures(int32_t keeps) {
  const int32_t before = keeps_failures;
  keeps_failures = keeps;
  return before;
}

/* Called when the TiRuntime ends, with the lock of the process. The next context reuses the memory, because threads without the
 * lock may still read it. Code that another binding still uses keeps its failure. */
void taichi_aot_forget_failure(taichi_aot_context *context) {
  taichi_aot_failure *failure = context->failure;
  if (failure == NULL || context->is_borrowed || context->backend->make_failure != NULL) return;
  context->failure = NULL;
  failure->kernel = 0;
  if (spare == NULL) spare = failure;
}
