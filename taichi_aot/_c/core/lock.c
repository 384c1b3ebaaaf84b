/* Mutexes: of each context, and of the process for creating, destroying, loading and fetching. */

#include "core/lock.h"

#include "core/clock.h"

#include <string.h>

#define FOREVER INT64_MAX /* ns */

#ifdef _WIN32
#define lock_init(mutex) InitializeSRWLock((SRWLOCK *)(mutex))
#define lock_try(mutex) (TryAcquireSRWLockExclusive((SRWLOCK *)(mutex)) ? 0 : TAICHI_AOT_BUSY)
#define lock_wait(mutex) AcquireSRWLockExclusive((SRWLOCK *)(mutex))
#define lock_end(mutex) ReleaseSRWLockExclusive((SRWLOCK *)(mutex))
#define this_thread() ((uint64_t)GetCurrentThreadId())
static int lock_wait_for(uint64_t *mutex, int64_t ns) { /* Windows cannot wait for a limited time */
  (void)ns;
  lock_wait(mutex);
  return 0;
}
#else
#include <pthread.h>
#include <time.h>
#define lock_init(mutex) pthread_mutex_init((pthread_mutex_t *)(mutex), NULL)
#define lock_try(mutex) (pthread_mutex_trylock((pthread_mutex_t *)(mutex)) == 0 ? 0 : TAICHI_AOT_BUSY)
#define lock_wait(mutex) pthread_mutex_lock((pthread_mutex_t *)(mutex))
#define lock_end(mutex) pthread_mutex_unlock((pthread_mutex_t *)(mutex))
#define this_thread() ((uint64_t)(uintptr_t)pthread_self())
/* Waits for the mutex: 0, or BUSY after this many ns, if the system can limit the wait. */
static int lock_wait_for(uint64_t *mutex, int64_t ns) {
#ifdef __linux__
  struct timespec end;
  if (ns != FOREVER && clock_gettime(CLOCK_REALTIME, &end) == 0) {
    end.tv_sec += (time_t)(ns / 1000000000);
    end.tv_nsec += (long)(ns % 1000000000);
    if (end.tv_nsec >= 1000000000) {
      end.tv_sec += 1;
      end.tv_nsec -= 1000000000;
    }
    return pthread_mutex_timedlock((pthread_mutex_t *)mutex, &end) == 0 ? 0 : TAICHI_AOT_BUSY;
  }
#endif
  lock_wait(mutex);
  return 0;
}
_Static_assert(sizeof(pthread_mutex_t) <= sizeof(((taichi_aot_lock *)0)->mutex), "the mutex fits");
#endif

/* The library's process-wide operations: creating, destroying, loading and fetching. */
static taichi_aot_lock process;

uint64_t taichi_aot_this_thread(void) { return this_thread(); }

void taichi_aot_lock_init(taichi_aot_lock *lock) {
  memset(lock, 0, sizeof *lock);
  lock_init(lock->mutex);
  lock_init(lock->turn);
}

/* Waits for the turn first, so that one thread at a time waits for the mutex itself. */
static int wait_for_turn(taichi_aot_lock *lock, int64_t ns) {
  const int64_t begin = ns == FOREVER ? 0 : taichi_aot_now();
  int status = lock_wait_for(lock->turn, ns);
  if (status != 0) return status;
  taichi_aot_add32(&lock->has_next, 1);
  if (ns != FOREVER) ns -= taichi_aot_now() - begin;
  status = lock_wait_for(lock->mutex, ns > 0 ? ns : 0);
  taichi_aot_add32(&lock->has_next, -1);
  lock_end(lock->turn);
  return status;
}

/* Waits for the mutex. A thread that is already inside (Python code that the library or a driver calls back) gets REENTERED
 * instead of waiting for itself. Threads that are inside never wait for Python's GIL. */
static int take(taichi_aot_lock *lock, int may_wait, int64_t ns) {
  int status = lock_try(lock->mutex);
  if (status != 0) {
    if ((uint64_t)taichi_aot_load64(&lock->owner) == this_thread()) return TAICHI_AOT_REENTERED;
    if (!may_wait) return status;
    status = wait_for_turn(lock, ns);
    if (status != 0) return status;
  }
  taichi_aot_store64(&lock->owner, this_thread());
  return 0;
}

int taichi_aot_lock_take(taichi_aot_lock *lock, int may_wait) { return take(lock, may_wait, FOREVER); }

int taichi_aot_lock_take_for(taichi_aot_lock *lock, int64_t ns) { return take(lock, ns > 0, ns); }

void taichi_aot_lock_give(taichi_aot_lock *lock) {
  taichi_aot_store64(&lock->owner, 0);
  lock_end(lock->mutex);
}

int taichi_aot_is_awaited(const taichi_aot_lock *lock) { return (int)taichi_aot_load32(&lock->has_next); }

/* After releasing the mutex: waits until a waiting thread has got it or given up. A thread that takes it in a loop would
 * otherwise rarely let another one enter. */
void taichi_aot_let_one_pass(taichi_aot_lock *lock) {
  if (!taichi_aot_is_awaited(lock)) return;
  lock_wait(lock->turn);
  lock_end(lock->turn);
}

int taichi_aot_enter_process(void) { return taichi_aot_lock_take(&process, 1); }

void taichi_aot_leave_process(void) { taichi_aot_lock_give(&process); }

/* Whether the process's mutex is free. */
int taichi_aot_process_is_free(void) {
  if (taichi_aot_lock_take(&process, 0) != 0) return 0;
  taichi_aot_lock_give(&process);
  return 1;
}

/* Called when the library is loaded, and in a forked child, because a thread of the parent may hold the lock forever. */
void taichi_aot_process_init(void) { taichi_aot_lock_init(&process); }

#ifdef _WIN32
int taichi_aot_can_start_threads(uint32_t count) {
  (void)count;
  return 1;
}
#else
#define MOST_THREADS 128
#define SMALL_STACK (256 * 1024)

static void *wait_at(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

/* Whether this many threads can start: the library aborts the process if one of its threads cannot. */
int taichi_aot_can_start_threads(uint32_t count) {
  pthread_t threads[MOST_THREADS];
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_attr_t small;
  uint32_t started = 0, i;
  if (count > MOST_THREADS) count = MOST_THREADS;
  if (pthread_attr_init(&small) != 0) return 0;
  pthread_attr_setstacksize(&small, SMALL_STACK);
  pthread_mutex_lock(&gate);
  while (started < count && pthread_create(&threads[started], &small, wait_at, &gate) == 0) ++started;
  pthread_mutex_unlock(&gate);
  for (i = 0; i < started; ++i) pthread_join(threads[i], NULL);
  pthread_attr_destroy(&small);
  return started == count;
}
#endif
