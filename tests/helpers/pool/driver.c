/* Runs the pool of the extension by itself: `driver WHAT SECONDS`. It ends with 1 and a line where the pool is wrong. */

#define _GNU_SOURCE
#include "core/pool.h"

#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_TASKS 400
#define THREADS 6

static double end;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void require(int is_right, const char *what) {
  if (is_right) return;
  fprintf(stderr, "wrong: %s\n", what);
  _exit(1);
}

/* A loop that knows what has run. */
typedef struct loop {
  unsigned int seed;
  int tasks, threads, is_nested, heavy;
  int done[MOST_TASKS]; /* not atomic: a race here is a race of the pool */
  int inside[THREADS];
  double sum;
} loop;

static void run(loop *loop);

static void task(void *context, int thread, int index) {
  loop *own = context;
  volatile double sum = 0;
  int i;
  require(thread >= 0 && thread < own->threads, "the number of a thread");
  require(own->inside[thread] == 0, "two tasks on one thread at the same time");
  own->inside[thread] = 1;
  for (i = 0; i < (index % 7 == own->heavy ? 3000 : 10); ++i) sum += i;
  if (own->is_nested && index % 16 == 3) {
    loop inner;
    memset(&inner, 0, sizeof inner);
    inner.tasks = 20;
    inner.threads = 3;
    run(&inner);
  }
  own->done[index] += 1;
  own->inside[thread] = 0;
}

static void run(loop *loop) {
  int i;
  memset(loop->done, 0, sizeof loop->done);
  taichi_aot_pool_run(NULL, loop->tasks, loop->threads, loop, task);
  for (i = 0; i < loop->tasks; ++i) require(loop->done[i] == 1, "a task that ran more or less than once");
}

static void *run_loops(void *seed) {
  loop *loop = calloc(1, sizeof *loop);
  loop->seed = (unsigned int)(size_t)seed;
  while (now() < end) {
    loop->tasks = rand_r(&loop->seed) % MOST_TASKS;
    loop->threads = 1 + rand_r(&loop->seed) % THREADS;
    loop->is_nested = rand_r(&loop->seed) % 8 == 0;
    loop->heavy = rand_r(&loop->seed) % 8;
    run(loop);
  }
  free(loop);
  return NULL;
}

static void run_threads(int count) {
  pthread_t threads[16];
  int i;
  for (i = 0; i < count; ++i) pthread_create(&threads[i], NULL, run_loops, (void *)(size_t)(i + 1));
  for (i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}

static void *fork_again_and_again(void *unused) {
  while (now() < end) {
    const pid_t child = fork();
    int status = -1;
    if (child == 0) {
      alarm(20);
      end = now() + 0.01;
      run_threads(2);
      _exit(0);
    }
    require(child > 0 && waitpid(child, &status, 0) == child && status == 0, "a forked child");
  }
  return unused;
}

static void once(void *context, int thread, int index) {
  (void)thread;
  ((char *)context)[index] = 1;
}

static void slowly(void *context, int thread, int index) {
  volatile int i;
  for (i = 0; i < 1000; ++i) once(context, thread, index);
}

static long resident_pages(void) {
  long size = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  require(file != NULL && fscanf(file, "%ld %ld", &size, &resident) == 2, "/proc/self/statm");
  fclose(file);
  return resident;
}

static void count_help(void *helped, int thread, int index) {
  (void)index;
  if (thread > 0) __atomic_fetch_add((long *)helped, 1, __ATOMIC_RELAXED);
}

/* Loops take no memory, and short ones get no help, except for a while after another program took the core. */
static void count_loops(long loops) {
  enum { SOME = 1000 };
  static char done[64];
  long i, pages, some = 0, alone = 0;
  for (i = 0; i < SOME; ++i) taichi_aot_pool_run(NULL, 64, 4, done, slowly);
  for (i = 0; i < SOME; ++i) taichi_aot_pool_run(NULL, 64, 4, done, once);
  pages = resident_pages();
  for (; some < loops / SOME; ++some) {
    long helped = 0;
    for (i = 0; i < SOME; ++i) taichi_aot_pool_run(NULL, 64, 4, &helped, count_help);
    if (helped == 0) ++alone;
  }
  require(resident_pages() <= pages + 64, "memory that grows"); /* a new worker takes some pages */
  require(alone >= some / 10, "help for short loops");
}

static void round_up(void *context, int thread, int index) {
  volatile float sum = 1.0f, little = 1e-10f;
  (void)thread;
  slowly(context, 0, index);
  sum = sum + little;
  require(sum > 1.0f, "the rounding of the caller");
}

static void never_end(void *context, int thread, int index) {
  (void)thread, (void)index;
  __atomic_store_n((int *)context, 1, __ATOMIC_RELEASE);
  for (;;) sleep(1000);
}

static void *run_forever(void *context) {
  taichi_aot_pool_run(NULL, 4, 4, context, never_end);
  return NULL;
}

int main(int count, char **arguments) {
  const char *what = count > 2 ? arguments[1] : "";
  const double seconds = count > 2 ? atof(arguments[2]) : 0;
  pthread_t thread;
  end = now() + seconds;
  taichi_aot_pool_resize(4);
  if (strcmp(what, "threads") == 0) {
    run_threads(3);
  } else if (strcmp(what, "many") == 0) {
    run_threads(12); /* more than the pool can open at the same time */
  } else if (strcmp(what, "fork") == 0) {
    pthread_create(&thread, NULL, fork_again_and_again, NULL);
    run_threads(2);
    pthread_join(thread, NULL);
  } else if (strcmp(what, "count") == 0) {
    count_loops((long)seconds);
  } else if (strcmp(what, "rounding") == 0) {
    static char done[64];
    int i;
    for (i = 0; i < 100; ++i) taichi_aot_pool_run(NULL, 64, 4, done, slowly); /* workers begin with another rounding */
    fesetround(FE_UPWARD);
    for (i = 0; i < 100; ++i) taichi_aot_pool_run(NULL, 64, 4, done, round_up);
  } else if (strcmp(what, "exit") == 0) {
    static int begun;
    pthread_create(&thread, NULL, run_forever, &begun);
    while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE)) usleep(1000);
  } else {
    return 2;
  }
  puts("done");
  return 0;
}
