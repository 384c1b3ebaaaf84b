/* The threads that run the parallel loops of kernels on the CPU: one pool per process.
 *
 * The caller of a loop works too. A loop that is expected to be short starts on its caller, and opens to workers if it takes
 * longer. Each thread takes tasks from its own range; when that is empty, it takes half of the largest range. So threads share
 * memory only when they start, steal and end. A worker starts with the same part of each loop, whose data its core may still
 * cache.
 *
 * Nothing waits for a worker that has not joined: without workers, the caller runs all tasks. So a missed wake-up, or a
 * thread that cannot start, only costs time. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "core/pool.h"

#include "core/clock.h"

#include <limits.h>
#include <stddef.h>

#define MOST_THREADS 256
#define JOBS 8            /* loops that are open at the same time; others run on their callers */
#define LINE 128          /* bytes that a core may fetch at once */
#define ALONE 3000        /* ns that a loop runs on its caller only */
#define SHORT 30000       /* expected ns of all threads below which a loop starts on its caller: workers delay it */
#define WORTH 8000        /* ns of work for which a sleeping worker is woken */
#define KEPT 3000         /* ns of work that a thread keeps: stealing it would move its data to another core */
#define WAKES 2           /* workers that one thread wakes; those wake others */
#define SPIN 40000        /* ns for which a worker looks for the next loop before it sleeps */
#define UNTIL_END 4       /* times as long, at most, while a loop that it joined and that takes as long has not ended */
#define SPIN_AT_END 10000 /* ns for which a caller looks for the end of its loop before it sleeps */
#define AWAY 5000         /* ns between two looks after which a thread that spins was preempted */
#define IDLE 10000        /* ms after which a sleeping worker ends */
#define SLICE 32          /* most tasks between two looks at the clock in a loop that runs on its caller */
#define FORGET 32         /* a remembered length shrinks by this part of it in each shorter loop */
#define LOOKS 1000        /* for tasks that are being moved from one thread to another */

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#define relax() _mm_pause()
#define read_rounding() ((uint64_t)_mm_getcsr() & ~(uint64_t)0x3f) /* without the flags of exceptions */
#define write_rounding(value) _mm_setcsr((unsigned int)(value))
#elif defined(__aarch64__)
#define relax() __asm__ volatile("isb" ::: "memory")
static uint64_t read_rounding(void) {
  uint64_t value;
  __asm__ volatile("mrs %0, fpcr" : "=r"(value));
  return value;
}
#define write_rounding(value) __asm__ volatile("msr fpcr, %0" ::"r"(value))
#else
#define relax() ((void)0)
#define read_rounding() ((uint64_t)0)
#define write_rounding(value) ((void)(value))
#endif

#ifdef _MSC_VER
#include <intrin.h>
#define ALIGNED __declspec(align(LINE))
#define return_address() _ReturnAddress()
#else
#define ALIGNED __attribute__((aligned(LINE)))
#define return_address() __builtin_return_address(0)
#endif

static void work_for_others(void);

#ifdef _WIN32
#include <windows.h>
#define load(word) (*(const volatile int32_t *)(word))
#define load64(word) (*(const volatile uint64_t *)(word))
#define store(word, value) ((void)InterlockedExchange((volatile LONG *)(word), value))
#define store64(word, value) ((void)InterlockedExchange64((volatile LONG64 *)(word), (LONG64)(value)))
#define add(word, n) ((int32_t)InterlockedExchangeAdd((volatile LONG *)(word), n))
#define exchange(word, old, value) (InterlockedCompareExchange((volatile LONG *)(word), value, old) == (old))
#define exchange64(word, old, value) \
  (InterlockedCompareExchange64((volatile LONG64 *)(word), (LONG64)(value), (LONG64)(old)) == (LONG64)(old))
#define watch_forks() ((void)0)
#define this_core() (-1)
#define time_of_thread() taichi_aot_now()

static SRWLOCK sleeping = SRWLOCK_INIT;
static CONDITION_VARIABLE changed = CONDITION_VARIABLE_INIT;

static void sleep_at(int32_t *word, int32_t value, int32_t ms) {
  AcquireSRWLockExclusive(&sleeping);
  if (load(word) == value) SleepConditionVariableSRW(&changed, &sleeping, ms < 0 ? INFINITE : (DWORD)ms, 0);
  ReleaseSRWLockExclusive(&sleeping);
}

static void wake_at(int32_t *word, int32_t count) {
  (void)word, (void)count;
  AcquireSRWLockExclusive(&sleeping);
  ReleaseSRWLockExclusive(&sleeping);
  WakeAllConditionVariable(&changed);
}

static DWORD WINAPI begin_worker(void *unused) {
  (void)unused;
  work_for_others();
  return 0;
}

static int start_worker(void) {
  const HANDLE thread = CreateThread(NULL, 0, begin_worker, NULL, 0, NULL);
  if (thread == NULL) return 1;
  CloseHandle(thread);
  return 0;
}
#else
#include <pthread.h>
#ifdef __linux__
#include <sched.h>
#define this_core() sched_getcpu()
#else
#define this_core() (-1)
#endif
#include <signal.h>
#include <time.h>
#include <unistd.h>
#define load(word) __atomic_load_n(word, __ATOMIC_SEQ_CST)
#define load64(word) __atomic_load_n(word, __ATOMIC_SEQ_CST)
#define store(word, value) __atomic_store_n(word, value, __ATOMIC_RELEASE)
#define store64(word, value) __atomic_store_n(word, value, __ATOMIC_RELEASE)
#define add(word, n) __atomic_fetch_add(word, n, __ATOMIC_SEQ_CST)
#define exchange(word, old, value) __sync_bool_compare_and_swap(word, old, value)
#define exchange64(word, old, value) __sync_bool_compare_and_swap(word, old, value)

#if defined(__linux__) && !defined(TAICHI_AOT_POOL_WITHOUT_FUTEX)
#include <linux/futex.h>
#include <sys/syscall.h>

static void sleep_at(int32_t *word, int32_t value, int32_t ms) {
  const struct timespec limit = {ms / 1000, ms % 1000 * 1000000L};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, ms < 0 ? NULL : &limit, NULL, 0);
}

static void wake_at(int32_t *word, int32_t count) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0); }

#define forget_sleepers() ((void)0)
#else
static pthread_mutex_t sleeping = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void sleep_at(int32_t *word, int32_t value, int32_t ms) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += ms / 1000;
  pthread_mutex_lock(&sleeping);
  if (load(word) == value) {
    if (ms < 0)
      pthread_cond_wait(&changed, &sleeping);
    else
      pthread_cond_timedwait(&changed, &sleeping, &end);
  }
  pthread_mutex_unlock(&sleeping);
}

static void wake_at(int32_t *word, int32_t count) {
  (void)word, (void)count;
  pthread_mutex_lock(&sleeping);
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&sleeping);
}

static void forget_sleepers(void) {
  static const pthread_mutex_t new_mutex = PTHREAD_MUTEX_INITIALIZER;
  static const pthread_cond_t new_condition = PTHREAD_COND_INITIALIZER;
  sleeping = new_mutex;
  changed = new_condition;
}
#endif

static void forget_workers(void);

/* ns of CPU time of this thread, without those of other programs on its core. */
static int64_t time_of_thread(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void watch_forks(void) {
  static int32_t watching;
  if (exchange(&watching, 0, 1)) pthread_atfork(NULL, NULL, forget_workers);
}

static void *begin_worker(void *unused) {
#ifdef __linux__
  pthread_setname_np(pthread_self(), "taichi-aot");
#elif defined(__APPLE__)
  pthread_setname_np("taichi-aot");
#endif
  work_for_others();
  return unused;
}

/* Starts a worker: 0, or the code of a failure. Workers block signals except faults, so handlers run on the program's threads. */
static int start_worker(void) {
  static const int faults[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
  sigset_t blocked, before;
  pthread_attr_t detached;
  pthread_t thread;
  size_t i;
  int status;
  status = pthread_attr_init(&detached);
  if (status != 0) return status;
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  sigfillset(&blocked);
  for (i = 0; i < sizeof faults / sizeof faults[0]; ++i) sigdelset(&blocked, faults[i]);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  status = pthread_create(&thread, &detached, begin_worker, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&detached);
  return status;
}
#endif

/* Tasks that a thread has not started: the first, and in the low bits the end. */
typedef struct share {
  ALIGNED uint64_t range;
  int32_t owned; /* a thread has taken this share */
} share;

/* A loop that is open to workers. */
typedef struct job {
  ALIGNED int32_t taken; /* a caller uses it */
  int32_t tasks;         /* left when it was opened */
  int32_t threads;       /* maximum number, which is that of its shares */
  int64_t length;        /* expected ns of a task */
  taichi_aot_task *task;
  void *context;
  uint64_t rounding;     /* the caller's, with its treatment of denormals */
  int64_t begin;         /* ns */
  int32_t core;          /* that of the caller, -1 if unknown */
  ALIGNED uint64_t entry; /* counts loops; in the low bits, how many may still join, and how many have. 0 may: closed */
  int32_t thieves;       /* threads that are taking tasks from another one */
  ALIGNED int32_t left;  /* threads that joined and have left */
  int32_t awaited;       /* the caller sleeps until all have */
  share shares[MOST_THREADS];
} job;

static job jobs[JOBS];
static int32_t size = 1;       /* threads of the pool, with the caller */
static int32_t alive;          /* workers */
static int32_t places[MOST_THREADS]; /* one for each living worker; 0 is the callers' */
static ALIGNED int32_t opened; /* counts beginnings and ends of loops; workers sleep until it changes */
static ALIGNED int32_t sleepers;
static int32_t spinners;
static int32_t lengths[256];   /* ns of a task of a loop, by a hash of the loop; 0: unknown */

#define range_of(first, end) ((uint64_t)(uint32_t)(first) << 32 | (uint32_t)(end))
#define first_of(range) ((int32_t)((range) >> 32))
#define end_of(range) ((int32_t)(uint32_t)(range))
#define left_in(range) (end_of(range) - first_of(range))

#define ONE_LOOP ((uint64_t)1 << 32)
#define ONE_MAY_JOIN ((uint64_t)1 << 16)
#define may_join(entry) ((int32_t)((entry) >> 16 & 0xffff))
#define joined(entry) ((int32_t)((entry) & 0xffff))

static int least(int a, int b) { return a < b ? a : b; }

/* Takes a task of a thread's own range; -1 if there is none. */
static int next_task(share *own) {
  uint64_t range = load64(&own->range);
  while (left_in(range) > 0) {
    if (exchange64(&own->range, range, range + ((uint64_t)1 << 32))) return first_of(range);
    range = load64(&own->range);
  }
  return -1;
}

/* The share with the largest range; NULL if all are empty. */
static share *largest_share(job *job) {
  share *largest = NULL;
  int i, most = 0;
  for (i = 0; i < job->threads; ++i) {
    share *other = &job->shares[i];
    const int left = left_in(load64(&other->range));
    if (left > most && !(load(&other->owned) && left * job->length < KEPT)) {
      most = left;
      largest = other;
    }
  }
  return largest;
}

/* Takes the second half of a range; 1 if its owner or another thread was faster. */
static int take_half(share *other, share *own) {
  const uint64_t range = load64(&other->range);
  const int32_t middle = first_of(range) + left_in(range) / 2;
  if (left_in(range) <= 0 || !exchange64(&other->range, range, range_of(first_of(range), middle))) return 1;
  store64(&own->range, range_of(middle, end_of(range)));
  return 0;
}

/* Refills the empty range of a thread from another one; 1 if no tasks are left to start. Tasks that are being moved are in
 * neither range, but will run. */
static int take_share(job *job, share *own) {
  int looks;
  for (looks = 0; looks < LOOKS; ++looks) {
    share *largest = largest_share(job);
    if (largest != NULL) {
      int failed;
      add(&job->thieves, 1); /* the tasks may be in no range for a moment, so other threads look again */
      failed = take_half(largest, own);
      add(&job->thieves, -1);
      if (!failed) return 0;
    } else if (load(&job->thieves) == 0) {
      return 1;
    }
    relax();
  }
  return 1;
}

/* Runs tasks until none is left to start. */
static void do_tasks(job *job, int thread) {
  share *own = &job->shares[thread];
  taichi_aot_task *task = job->task;
  void *context = job->context;
  int index;
  do {
    while ((index = next_task(own)) >= 0) task(context, thread, index);
  } while (take_share(job, own) == 0);
}

/* Wakes sleeping workers, or starts new ones. */
static void wake_workers(int count) {
  const int asleep = least(load(&sleepers), count);
  if (asleep > 0) wake_at(&opened, asleep);
  for (count -= asleep; count > 0; --count) {
    watch_forks();
    if (add(&alive, 1) + 1 >= load(&size) || start_worker() != 0) {
      add(&alive, -1);
      return;
    }
  }
}

static int tasks_left(job *job) {
  int i, left = 0;
  for (i = 0; i < job->threads; ++i) {
    const int own = left_in(load64(&job->shares[i].range));
    if (own > 0) left += own;
  }
  return left;
}

/* Whether there are workers that sleep, or that have not been started. */
static int can_wake(void) { return load(&sleepers) > 0 || load(&alive) + 1 < load(&size); }

/* Wakes workers if the tasks that are left, but for one, are worth it at so many ns for each. */
static void call_for_help(job *job, int left, int64_t length) {
  const int others = least(may_join(load64(&job->entry)), left - 1) - load(&spinners);
  const int64_t worth = length * (left - 1) / WORTH;
  const int wanted = worth < others ? (int)worth : others;
  if (wanted > 0) wake_workers(least(wanted, WAKES));
}

/* A worker on the core of the loop's caller displaces the caller, so it must not spin there. */
enum { JOINED, JOINED_ON_ITS_CORE, NOT_OPEN };

/* Takes a free share, preferably that of its place. Each thread that may join has one. */
static int own_share(job *job, int place) {
  int thread = place < job->threads ? place : 1;
  while (!exchange(&job->shares[thread].owned, 0, 1)) thread = thread + 1 < job->threads ? thread + 1 : 1;
  return thread;
}

/* Joins a loop if it is open, and runs some of its tasks; `length` becomes the ns since the loop began. */
static int join_job(job *job, int place, int64_t *length) {
  uint64_t entry = load64(&job->entry);
  int left, is_on_its_core;
  while (may_join(entry) > 0 && !exchange64(&job->entry, entry, entry - ONE_MAY_JOIN + 1)) entry = load64(&job->entry);
  if (may_join(entry) == 0) return NOT_OPEN;
  if (read_rounding() != job->rounding) write_rounding(job->rounding);
  /* Looking at the ranges of all threads takes these from the cores that work on them. */
  left = may_join(entry) > 1 && can_wake() ? tasks_left(job) : 0;
  if (left > 0) {
    const int done = job->tasks - left;
    call_for_help(job, left, (taichi_aot_now() - job->begin) * (joined(entry) + 1) / (done > 0 ? done : 1));
  }
  do_tasks(job, own_share(job, place));
  is_on_its_core = job->core >= 0 && job->core == this_core();
  *length = taichi_aot_now() - job->begin;
  add(&job->left, 1);
  if (load(&job->awaited)) wake_at(&job->left, 1);
  return is_on_its_core ? JOINED_ON_ITS_CORE : JOINED;
}

static int join_any(int place, int64_t *length) {
  int i, result = NOT_OPEN;
  for (i = 0; i < JOBS && result == NOT_OPEN; ++i) result = join_job(&jobs[i], place, length);
  return result;
}

static int take_place(void) {
  int place = 1;
  while (place < MOST_THREADS - 1 && !exchange(&places[place], 0, 1)) ++place;
  return place;
}

enum { CHANGED, UNCHANGED, PREEMPTED };

/* Polls a word for up to `ns`, or until this core has run other threads. On a busy machine sleeping is better: the scheduler
 * moves a woken thread to an idle core, but not one that spins or yields. */
static int spin_at(int32_t *word, int32_t value, int64_t ns) {
  const int64_t begin = taichi_aot_now();
  int64_t now = begin, last;
  int i;
  do {
    for (i = 0; i < 16; ++i) {
      if (load(word) != value) return CHANGED;
      relax();
    }
    last = now;
    now = taichi_aot_now();
    if (now - last > AWAY) return PREEMPTED;
  } while (now - begin < ns);
  return UNCHANGED;
}

/* Runs a worker. It spins while loops follow each other quickly, but not on a core that a caller or another program needs. */
static void work_for_others(void) {
  const int place = take_place();
  int64_t spin = SPIN, idle = 0, idle_since = taichi_aot_now();
  for (;;) {
    const int32_t seen = load(&opened);
    int64_t length = 0;
    const int outcome = join_any(place, &length);
    int found = UNCHANGED;
    if (outcome != NOT_OPEN) spin = idle > SPIN ? spin / 2 : spin * 2 + 1000 < SPIN ? spin * 2 + 1000 : SPIN;
    idle_since = taichi_aot_now();
    if (outcome != JOINED_ON_ITS_CORE) {
      if (length > UNTIL_END * spin) length = UNTIL_END * spin;
      add(&spinners, 1);
      found = spin_at(&opened, seen, length > spin ? length : spin);
      add(&spinners, -1);
    }
    if (found == PREEMPTED) spin = 0;
    if (found != CHANGED) {
      add(&sleepers, 1);
      if (load(&opened) == seen) sleep_at(&opened, seen, IDLE);
      add(&sleepers, -1);
    }
    idle = taichi_aot_now() - idle_since;
    if (load(&opened) == seen && idle > (int64_t)IDLE * 1000000) break;
  }
  store(&places[place], 0);
  add(&alive, -1);
}

static job *claim_job(void) {
  int i;
  for (i = 0; i < JOBS; ++i)
    if (load(&jobs[i].taken) == 0 && exchange(&jobs[i].taken, 0, 1)) return &jobs[i];
  return NULL;
}

static void await_workers(job *job) {
  uint64_t entry = load64(&job->entry);
  int32_t left;
  while (!exchange64(&job->entry, entry, entry & ~(uint64_t)0xffff0000)) entry = load64(&job->entry);
  while ((left = load(&job->left)) != joined(entry)) {
    if (spin_at(&job->left, left, SPIN_AT_END) == CHANGED) continue;
    add(&job->awaited, 1);
    left = load(&job->left);
    if (left != joined(entry)) sleep_at(&job->left, left, -1);
  }
}

/* Runs the caller's range; returns the ns of each task, or 0 if others took all. */
static int64_t time_own_tasks(job *job) {
  const int64_t begin = time_of_thread();
  int index, done = 0;
  for (; (index = next_task(&job->shares[0])) >= 0; ++done) job->task(job->context, 0, index);
  return done > 0 ? (time_of_thread() - begin) / done + 1 : 0;
}

/* Gives each thread an equal part of the tasks. */
static void divide(job *job, int first, int tasks) {
  const int64_t left = tasks - first;
  int i;
  for (i = 0; i < job->threads; ++i) {
    const int begin = first + (int)(left * i / job->threads), end = first + (int)(left * (i + 1) / job->threads);
    store64(&job->shares[i].range, range_of(begin, end));
    store(&job->shares[i].owned, i == 0);
  }
}

/* Runs a loop from a task on, open to workers; 1 if too many loops are open. `length` is the expected length of a task, and then
 * the measured one, or 0 if the caller ran none. */
static int run_open(taichi_aot_task *task, void *context, int first, int tasks, int threads, int64_t *length) {
  job *job = claim_job();
  if (job == NULL) return 1;
  job->task = task;
  job->context = context;
  job->tasks = tasks - first;
  job->rounding = read_rounding();
  job->begin = taichi_aot_now();
  job->core = this_core();
  store(&job->left, 0);
  store(&job->awaited, 0);
  job->threads = threads;
  job->length = *length;
  divide(job, first, tasks);
  store64(&job->entry, (load64(&job->entry) / ONE_LOOP + 1) * ONE_LOOP + (uint64_t)(threads - 1) * ONE_MAY_JOIN);
  add(&opened, 1);
  call_for_help(job, tasks - first, *length);
  *length = time_own_tasks(job);
  do_tasks(job, 0);
  await_workers(job);
  store(&job->taken, 0);
  add(&opened, 1); /* the workers that spin begin anew */
  return 0;
}

/* Runs tasks until `ns` have passed since `begin`; returns the first that is left. */
static int run_alone(taichi_aot_task *task, void *context, int done, int tasks, int64_t begin, int64_t ns) {
  int slice = 1;
  while (done < tasks) {
    const int end = slice < tasks - done ? done + slice : tasks;
    for (; done < end; ++done) task(context, 0, done);
    if (taichi_aot_now() - begin > ns) break;
    if (slice < SLICE) slice *= 2;
  }
  return done;
}

/* Returns where a loop's task length is remembered. The return address of its call identifies the loop. */
static int32_t *known_length(const void *caller) {
  return &lengths[((uint64_t)(uintptr_t)caller * 0x9e3779b97f4a7c15u) >> 56];
}

/* Remembers a loop's task length; 0: unknown. Shorter lengths replace it slowly, because a loop that was long may soon be long
 * again. */
static void remember_length(int32_t *known, int64_t length) {
  const int32_t before = load(known), decayed = before - before / FORGET - (before > 1);
  store(known, length > INT_MAX ? INT_MAX : length > decayed ? (int32_t)length : decayed);
}

#ifndef _WIN32
/* Called in a forked child, which has no workers. */
static void forget_workers(void) {
  int i, j;
  for (i = 0; i < JOBS; ++i) {
    if (load(&jobs[i].taken) == 0) continue;
    for (j = 0; j < MOST_THREADS; ++j) jobs[i].shares[j].range = 0;
    jobs[i].entry = jobs[i].entry / ONE_LOOP * ONE_LOOP;
    jobs[i].thieves = 0;
    jobs[i].taken = 0;
  }
  for (i = 0; i < MOST_THREADS; ++i) places[i] = 0;
  alive = sleepers = spinners = 0;
  forget_sleepers();
}
#endif

/* Sets how many threads work at most, the caller included. */
void taichi_aot_pool_resize(int32_t threads) { store(&size, threads < 1 ? 1 : least(threads, MOST_THREADS)); }

uint64_t taichi_aot_pool_function(int32_t draws) {
  return (uint64_t)(uintptr_t)(draws ? &taichi_aot_pool_run_drawing : &taichi_aot_pool_run);
}

static void run(const void *caller, int tasks, int threads, void *context, taichi_aot_task *task) {
  int32_t *known = known_length(caller);
  int64_t begin, length = load(known), alone = 0;
  int first = 0;
  threads = least(least(threads, tasks), load(&size));
  if (threads < 2) {
    for (; first < tasks; ++first) task(context, 0, first);
    return;
  }
  if (length == 0) {
    length = WORTH;
  } else if (length * tasks < SHORT) {
    begin = taichi_aot_now();
    first = run_alone(task, context, 0, tasks, begin, ALONE);
    length = alone = (taichi_aot_now() - begin) / first;
  }
  if (first == tasks) {
    length = 0; /* a long one may only mean that another program took the core */
  } else if (run_open(task, context, first, tasks, threads, &length) != 0) {
    run_alone(task, context, first, tasks, 0, INT64_MAX);
  }
  if (alone > 0 && (length == 0 || alone < length) && first < tasks) length = alone;
  remember_length(known, length);
}

void taichi_aot_pool_run(void *pool, int tasks, int threads, void *context, taichi_aot_task *task) {
  (void)pool;
  run(return_address(), tasks, threads, context, task);
}

/* The tasks of a loop that draws random numbers. */
typedef struct drawing {
  void *context;
  taichi_aot_task *task;
  int tasks;
  int groups;
} drawing;

static void run_group(void *context, int thread, int group) {
  const drawing *loop = (const drawing *)context;
  int index = (int)((int64_t)loop->tasks * group / loop->groups);
  const int end = (int)((int64_t)loop->tasks * (group + 1) / loop->groups);
  (void)thread;
  for (; index < end; ++index) loop->task(loop->context, group, index);
}

void taichi_aot_pool_run_drawing(void *pool, int tasks, int threads, void *context, taichi_aot_task *task) {
  drawing loop = {context, task, tasks, least(tasks, MOST_THREADS)};
  (void)pool;
  run(return_address(), loop.groups, threads, &loop, run_group);
}
