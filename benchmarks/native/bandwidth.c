/* Memory bandwidth of the host: the triad a = b + 3 * c over arrays far larger than caches, on some threads.
 *
 *     bandwidth THREADS
 *
 * It reads lines "triad COUNT" and answers each with the nanoseconds that it took, like serve.py. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LENGTH = 1 << 24, MAX_THREADS = 1024 }; /* LENGTH as in throughput/variants.py */

static float *a, *b, *c;
static int threads;
static long times;

static void *work(void *argument) {
  long index = (long)argument, begin = LENGTH * index / threads, end = LENGTH * (index + 1) / threads;
  for (long k = 0; k < times; ++k) {
    for (long i = begin; i < end; ++i) a[i] = b[i] + 3.0f * c[i];
    __asm__ volatile("" : : : "memory"); /* or the compiler leaves out all but one */
  }
  return NULL;
}

static void triad(long count) {
  pthread_t others[MAX_THREADS];
  times = count;
  for (long i = 1; i < threads; ++i) pthread_create(&others[i], NULL, work, (void *)i);
  work((void *)0);
  for (long i = 1; i < threads; ++i) pthread_join(others[i], NULL);
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  threads = atoi(argv[1]) < MAX_THREADS ? atoi(argv[1]) : MAX_THREADS;
  a = calloc(LENGTH, sizeof(float)), b = calloc(LENGTH, sizeof(float)), c = calloc(LENGTH, sizeof(float));
  for (long i = 0; i < LENGTH; ++i) b[i] = 1, c[i] = 2; /* pages that nobody wrote are not there */
  triad(1);
  printf("ready\n");
  fflush(stdout);
  long count;
  while (scanf(" triad %ld", &count) == 1) {
    long long begin = now();
    triad(count);
    printf("%lld\n", now() - begin);
    fflush(stdout);
  }
  return 0;
}
