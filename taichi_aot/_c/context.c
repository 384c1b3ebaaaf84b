/* One call at a time on each context: the mutex, the checks under it, and the thread's error. */

#include "taichi_aot.h"

#include <string.h>

#ifdef _WIN32
#include <windows.h>
#define lock_init(mutex) InitializeSRWLock((SRWLOCK *)(mutex))
#define lock_try(mutex) TryAcquireSRWLockExclusive((SRWLOCK *)(mutex))
#define lock_wait(mutex) AcquireSRWLockExclusive((SRWLOCK *)(mutex))
#define lock_end(mutex) ReleaseSRWLockExclusive((SRWLOCK *)(mutex))
#define this_thread() ((uint64_t)GetCurrentThreadId())
#define let_others_run() SwitchToThread()
#define add_to_counter(counter, n) InterlockedExchangeAdd((volatile LONG *)(counter), n)
#define read_counter(counter) (*(const volatile LONG *)(counter))
#define store_owner(owner, value) (*(volatile uint64_t *)(owner) = (value))
#define read_owner(owner) (*(const volatile uint64_t *)(owner))
#else
#include <pthread.h>
#include <sched.h>
#define lock_init(mutex) pthread_mutex_init((pthread_mutex_t *)(mutex), NULL)
#define lock_try(mutex) (pthread_mutex_trylock((pthread_mutex_t *)(mutex)) == 0)
#define lock_wait(mutex) pthread_mutex_lock((pthread_mutex_t *)(mutex))
#define lock_end(mutex) pthread_mutex_unlock((pthread_mutex_t *)(mutex))
#define this_thread() ((uint64_t)(uintptr_t)pthread_self())
#define let_others_run() sched_yield()
#define add_to_counter(counter, n) __atomic_fetch_add(counter, n, __ATOMIC_RELAXED)
#define read_counter(counter) __atomic_load_n(counter, __ATOMIC_RELAXED)
#define store_owner(owner, value) __atomic_store_n(owner, value, __ATOMIC_RELAXED)
#define read_owner(owner) __atomic_load_n(owner, __ATOMIC_RELAXED)
typedef char mutex_fits[sizeof(pthread_mutex_t) <= sizeof(((taichi_aot_context *)0)->mutex) ? 1 : -1];
#endif

/* The library's process-wide operations: creating, destroying, loading and fetching. Taken before a context's mutex. */
static taichi_aot_context process;

/* Waits for the mutex. A thread that is already inside (Python code that the library or a driver calls back) gets REENTERED
 * instead of waiting for itself. Threads that are inside never wait for Python's GIL. */
static int lock(taichi_aot_context *context, int may_wait) {
  if (!lock_try(context->mutex)) {
    if (read_owner(&context->owner) == this_thread()) return TAICHI_AOT_REENTERED;
    if (!may_wait) return TAICHI_AOT_BUSY;
    add_to_counter(&context->waiting, 1);
    lock_wait(context->mutex);
    add_to_counter(&context->waiting, -1);
    add_to_counter(&context->served, 1);
  }
  store_owner(&context->owner, this_thread());
  return 0;
}

static void unlock(taichi_aot_context *context) {
  store_owner(&context->owner, 0);
  lock_end(context->mutex);
}

int taichi_aot_enter_process(void) { return lock(&process, 1); }

void taichi_aot_leave_process(void) { unlock(&process); }

/* When the library is loaded, and in a forked child, where a thread of the parent may hold the lock forever. */
void taichi_aot_process_init(void) {
  memset(&process, 0, sizeof process);
  lock_init(process.mutex);
}

int32_t taichi_aot_waiting(const taichi_aot_context *context) { return (int32_t)read_counter(&context->waiting); }

/* Between two launches of a loop: gives a waiting thread its turn, which the mutex alone does not guarantee. */
void taichi_aot_let_one_pass(taichi_aot_context *context) {
  int tries;
  const uint32_t served = (uint32_t)read_counter(&context->served);
  for (tries = 0; tries < 1000 && read_counter(&context->waiting) > 0; ++tries) {
    if ((uint32_t)read_counter(&context->served) != served) return;
    let_others_run();
  }
}

int taichi_aot_enter_with(taichi_aot_runtime *runtime, int flags) {
  taichi_aot_context *context = runtime->context;
  int status = lock(context, flags & TAICHI_AOT_ENTER_MAY_WAIT);
  if (status != 0) return status;
  if (context->ti_runtime == NULL || !(runtime->state == TAICHI_AOT_STATE_OPEN ||
                                       ((flags & TAICHI_AOT_ENTER_CLOSING) && runtime->state == TAICHI_AOT_STATE_CLOSING)))
    status = TAICHI_AOT_CLOSED;
  else if (context->thread != 0 && context->thread != this_thread())
    status = TAICHI_AOT_WRONG_THREAD;
  else if (context->lost && (flags & TAICHI_AOT_ENTER_ON_DEVICE))
    status = taichi_aot_cuda_still_lost();
  else if (context->cuda_context != NULL && !context->lost)
    taichi_aot_cuda_enter_context(context, flags & TAICHI_AOT_ENTER_DIRECT);
  if (status != 0) {
    unlock(context);
    return status;
  }
  taichi_aot_clear_error();
  return 0;
}

int taichi_aot_enter(taichi_aot_runtime *runtime) {
  if (runtime != NULL) return taichi_aot_enter_with(runtime, TAICHI_AOT_ENTER_MAY_WAIT | TAICHI_AOT_ENTER_ON_DEVICE);
  taichi_aot_clear_error();
  return 0;
}

int taichi_aot_enter_closing(taichi_aot_runtime *runtime) {
  return taichi_aot_enter_with(
      runtime, TAICHI_AOT_ENTER_CLOSING | TAICHI_AOT_ENTER_MAY_WAIT | TAICHI_AOT_ENTER_ON_DEVICE);
}

int taichi_aot_leave(taichi_aot_runtime *runtime, const char *routine) {
  const int code = taichi_aot_read_error(routine);
  return runtime != NULL ? taichi_aot_leave_with(runtime, code) : code;
}

int taichi_aot_leave_with(taichi_aot_runtime *runtime, int code) {
  if (runtime->context->cuda_context != NULL && !runtime->context->lost)
    code = taichi_aot_cuda_leave_context(runtime->context, code);
  unlock(runtime->context);
  return code;
}

void taichi_aot_context_init(taichi_aot_context *context, int32_t asynchronous, int32_t pinned) {
  memset(context, 0, sizeof *context);
  lock_init(context->mutex);
  context->asynchronous = asynchronous;
  context->thread = pinned ? this_thread() : 0;
}

/* Creates the TiRuntime, unless the context, which may be shared, already has it. */
int taichi_aot_context_create(taichi_aot_context *context, TiArch arch, uint32_t device_index) {
  int status;
  if (taichi_aot_functions.ti_create_runtime == NULL) return taichi_aot_missing("ti_create_runtime");
  status = taichi_aot_enter_process();
  if (status != 0) return status;
  if (context->ti_runtime == NULL) {
    taichi_aot_clear_error();
    context->ti_runtime = taichi_aot_functions.ti_create_runtime(arch, device_index);
    status = taichi_aot_read_error("ti_create_runtime");
    if (status == 0 && arch == TI_ARCH_CUDA) status = taichi_aot_cuda_attach(context);
  }
  taichi_aot_leave_process();
  return status;
}

/* Takes a TiRuntime that exists. */
int taichi_aot_context_adopt(taichi_aot_context *context, TiArch arch, TiRuntime ti_runtime, int32_t is_borrowed) {
  taichi_aot_clear_error();
  context->is_borrowed = is_borrowed;
  context->ti_runtime = ti_runtime;
  return arch == TI_ARCH_CUDA ? taichi_aot_cuda_attach(context) : 0;
}

/* For a forked child: the TiRuntime belongs to the parent. */
void taichi_aot_context_forget(taichi_aot_context *context) { taichi_aot_context_init(context, 0, 0); }

/* Whether a finalizer could enter without waiting for another thread. */
int taichi_aot_context_is_free(taichi_aot_context *context) {
  if (context->thread != 0 && context->thread != this_thread()) return 0;
  if (lock(&process, 0) != 0) return 0;
  unlock(&process);
  if (lock(context, 0) != 0) return 0;
  unlock(context);
  return 1;
}

void taichi_aot_wait_entered(taichi_aot_context *context) {
  if (taichi_aot_functions.ti_wait != NULL) taichi_aot_functions.ti_wait(context->ti_runtime);
  if (taichi_aot_functions.ti_get_last_error(NULL, NULL) == TI_ERROR_SUCCESS) context->busy = 0;
}

/* Waits for the device; if only results are needed, not unless there was a launch since the last wait. */
int taichi_aot_wait(taichi_aot_runtime *runtime, int32_t for_results) {
  int status;
  if (taichi_aot_functions.ti_wait == NULL) return taichi_aot_missing("ti_wait");
  status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  if (!for_results || runtime->context->busy) taichi_aot_wait_entered(runtime->context);
  status = taichi_aot_leave(runtime, "ti_wait");
  /* A thread that launches and waits in a loop would otherwise rarely let another thread enter. */
  if (taichi_aot_waiting(runtime->context) > 0) taichi_aot_let_one_pass(runtime->context);
  return status;
}

/* OPEN to CLOSING: later calls fail, and earlier launches have finished. While CLOSING it only waits. */
int taichi_aot_begin_close(taichi_aot_runtime *runtime) {
  const int status = taichi_aot_enter_closing(runtime);
  if (status == TAICHI_AOT_LOST) { /* nothing to wait for */
    runtime->state = TAICHI_AOT_STATE_CLOSING;
    if (taichi_aot_enter_with(runtime, TAICHI_AOT_ENTER_CLOSING | TAICHI_AOT_ENTER_MAY_WAIT) == 0) {
      taichi_aot_cuda_forget_streams(runtime);
      taichi_aot_leave_with(runtime, 0);
    }
  }
  if (status != 0) return status;
  runtime->state = TAICHI_AOT_STATE_CLOSING;
  taichi_aot_wait_entered(runtime->context);
  taichi_aot_recorder_close(runtime);
  taichi_aot_cuda_forget_streams(runtime);
  return taichi_aot_leave(runtime, "ti_wait");
}

/* CLOSING to CLOSED; IN_USE while a hold is active. The runtime's modules and memory were released before. */
int taichi_aot_finish_close(taichi_aot_runtime *runtime, int32_t destroy_context) {
  taichi_aot_context *context = runtime->context;
  int status = taichi_aot_enter_process();
  if (status != 0) return status;
  status = lock(context, 1);
  if (status == 0) {
    if (context->thread != 0 && context->thread != this_thread()) {
      status = TAICHI_AOT_WRONG_THREAD;
    } else if (runtime->holds > 0) {
      status = TAICHI_AOT_IN_USE;
    } else if (runtime->state == TAICHI_AOT_STATE_CLOSING) {
      runtime->state = TAICHI_AOT_STATE_CLOSED;
      if (destroy_context && context->ti_runtime != NULL && taichi_aot_functions.ti_destroy_runtime != NULL) {
        taichi_aot_clear_error();
        taichi_aot_vulkan_destroy(context);
        taichi_aot_forget_known(context);
        if (!context->is_borrowed) taichi_aot_functions.ti_destroy_runtime(context->ti_runtime);
        context->ti_runtime = NULL;
        status = taichi_aot_read_error("ti_destroy_runtime");
      }
    }
    unlock(context);
  }
  taichi_aot_leave_process();
  return status;
}
