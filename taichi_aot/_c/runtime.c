/* One call at a time on each native runtime: the lock, the state that is checked under it, and the thread's error. */

#ifdef _WIN32
#define lock_init(mutex) InitializeSRWLock((SRWLOCK *)(mutex))
#define lock_try(mutex) TryAcquireSRWLockExclusive((SRWLOCK *)(mutex))
#define lock_wait(mutex) AcquireSRWLockExclusive((SRWLOCK *)(mutex))
#define lock_end(mutex) ReleaseSRWLockExclusive((SRWLOCK *)(mutex))
#define this_thread() ((uint64_t)GetCurrentThreadId())
#define let_others_run() SwitchToThread()
#define add_to_counter(counter, n) InterlockedExchangeAdd((volatile LONG *)(counter), n)
#define read_counter(counter) (*(volatile LONG *)(counter))
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
typedef char mutex_fits[sizeof(pthread_mutex_t) <= sizeof(((taichi_aot_runtime *)0)->mutex) ? 1 : -1];
#endif

/* Held by no thread while it waits for Python's GIL, so waiting for it under the GIL could not deadlock either. */
static void lock_runtime(taichi_aot_runtime *runtime) {
  if (lock_try(runtime->mutex)) return;
  add_to_counter(&runtime->waiting, 1);
  lock_wait(runtime->mutex);
  add_to_counter(&runtime->waiting, -1);
  add_to_counter(&runtime->served, 1);
}

static void unlock_runtime(taichi_aot_runtime *runtime) { lock_end(runtime->mutex); }

/* Between two launches of a loop: a thread that waits gets its turn, which the mutex alone would not give it. */
static void let_one_pass(taichi_aot_runtime *runtime) {
  int tries;
  uint32_t served = (uint32_t)read_counter(&runtime->served);
  for (tries = 0; tries < 1000 && read_counter(&runtime->waiting) > 0; ++tries) {
    if ((uint32_t)read_counter(&runtime->served) != served) return;
    let_others_run();
  }
}

/* Lock a runtime for one call and clear the thread's error; a refusal if it cannot be used, and then no lock is held.
 * NULL stands for no runtime, in calls that are about none. */
static int enter(taichi_aot_runtime *runtime) {
  if (runtime != NULL) {
    int refusal = 0;
    lock_runtime(runtime);
    if (runtime->native == NULL)
      refusal = TAICHI_AOT_CLOSED;
    else if (runtime->lost)
      refusal = still_lost();
    else if (runtime->thread != 0 && runtime->thread != this_thread())
      refusal = TAICHI_AOT_WRONG_THREAD;
    else if (runtime->cuda_context != NULL)
      refusal = cuda_enter(runtime);
    if (refusal != 0) {
      unlock_runtime(runtime);
      return refusal;
    }
  }
  clear_error();
  return 0;
}

/* After the call: what it reported, and the lock is given back. */
static int leave(taichi_aot_runtime *runtime) {
  int code = (int)read_error();
  if (runtime != NULL) {
    if (runtime->cuda_context != NULL) code = cuda_leave(runtime, code);
    unlock_runtime(runtime);
  }
  return code;
}

static void taichi_aot_runtime_init(taichi_aot_runtime *runtime, TiRuntime native, int32_t asynchronous,
                                    int32_t pinned) {
  memset(runtime, 0, sizeof *runtime);
  lock_init(runtime->mutex);
  runtime->native = native;
  runtime->asynchronous = asynchronous;
  runtime->thread = pinned ? this_thread() : 0;
}

/* For a forked child, where another thread of the parent may hold the lock for ever. */
static void taichi_aot_runtime_forget(taichi_aot_runtime *runtime) {
  taichi_aot_runtime_init(runtime, NULL, 0, 0);
}

/* Whether no thread is in a call, so that a finalizer would not have to wait. */
static int taichi_aot_runtime_is_free(taichi_aot_runtime *runtime) {
  if (!lock_try(runtime->mutex)) return 0;
  unlock_runtime(runtime);
  return 1;
}

/* Wait for the device; where it is only to see results, not without a launch since the last wait. */
static int taichi_aot_wait(taichi_aot_runtime *runtime, int32_t for_results) {
  int refusal, code;
  if (functions.ti_wait == NULL) return missing_symbol("ti_wait");
  refusal = enter(runtime);
  if (refusal != 0) return refusal;
  if (!for_results || runtime->busy) functions.ti_wait(runtime->native);
  code = (int)functions.ti_get_last_error(NULL, NULL);
  if (code == 0) runtime->busy = 0;
  return leave(runtime);
}

/* Between the host and memory that is not mapped yet, after the device is done: all in one crossing from Python. */
static int taichi_aot_copy_mapped(taichi_aot_runtime *runtime, TiMemory memory, uint64_t offset, uint64_t host,
                                  uint64_t size, int32_t to_host) {
  char *mapped;
  int refusal;
  if (functions.ti_map_memory == NULL || functions.ti_unmap_memory == NULL) return missing_symbol("ti_map_memory");
  refusal = taichi_aot_wait(runtime, 1);
  if (refusal == 0) refusal = enter(runtime);
  if (refusal != 0) return refusal;
  mapped = (char *)functions.ti_map_memory(runtime->native, memory);
  if (mapped != NULL) {
    if (to_host)
      memcpy((void *)(uintptr_t)host, mapped + offset, (size_t)size);
    else
      memcpy(mapped + offset, (const void *)(uintptr_t)host, (size_t)size);
    functions.ti_unmap_memory(runtime->native, memory);
  }
  return leave(runtime);
}

/* Copy bytes of the host, without Python's GIL. */
static void taichi_aot_copy(uint64_t target, uint64_t source, uint64_t size) {
  memmove((void *)(uintptr_t)target, (const void *)(uintptr_t)source, (size_t)size);
}

static void taichi_aot_runtime_destroy(taichi_aot_runtime *runtime) {
  if (enter(runtime) != 0) return;
  if (functions.ti_destroy_runtime != NULL) functions.ti_destroy_runtime(runtime->native);
  runtime->native = NULL;
  leave(runtime);
}

/* Change a state between two calls: whoever launches after this sees it. */
static void taichi_aot_store(taichi_aot_runtime *runtime, int64_t *state, int64_t value) {
  lock_runtime(runtime);
  *(volatile int64_t *)state = value;
  unlock_runtime(runtime);
}
