/* The threads of CUDA kernels on the host, with what their code calls of the device: a block after the other, each with a
 * thread of the system for each of its own. */

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { WARP = 32, MOST = 1024 };

typedef struct context { /* the compiler's RuntimeContext */
  uint64_t members[4];
} context;

typedef struct place {
  uint32_t thread, block;
  void (*task)(context);
  context context;
} place;

static __thread place here;
static uint32_t threads, blocks;
static pthread_barrier_t all, warps[MOST / WARP];
static uint32_t exchanged[MOST];

uint32_t device_tid(void) { return here.thread; }
uint32_t device_ntid(void) { return threads; }
uint32_t device_ctaid(void) { return here.block; }
uint32_t device_nctaid(void) { return blocks; }
void device_barrier(void) { pthread_barrier_wait(&all); }
void device_membar(void) { __sync_synchronize(); }

uint32_t device_inc(uint32_t *counter, uint32_t largest) {
  uint32_t old = *counter; /* blocks run one after the other, and one thread of a block counts */
  *counter = old >= largest ? 0 : old + 1;
  return old;
}

uint32_t device_bfly(uint32_t mask, uint32_t value, uint32_t lane, uint32_t clamp) {
  uint32_t result;
  pthread_barrier_t *warp = &warps[here.thread / WARP];
  if (mask != UINT32_MAX || clamp != 31) abort();
  exchanged[here.thread] = value;
  pthread_barrier_wait(warp);
  result = exchanged[here.thread ^ lane];
  pthread_barrier_wait(warp);
  return result;
}

static void *run(void *data) {
  here = *(place *)data;
  here.task(here.context);
  return NULL;
}

int device_launch(void (*task)(context), const context *parameter, uint32_t grid, uint32_t block) {
  static place places[MOST];
  pthread_t each[MOST];
  uint32_t i, b;
  threads = block;
  blocks = grid;
  if (pthread_barrier_init(&all, NULL, block) != 0) return 1;
  for (i = 0; i < (block + WARP - 1) / WARP; ++i)
    if (pthread_barrier_init(&warps[i], NULL, WARP) != 0) return 1;
  for (b = 0; b < grid; ++b) {
    for (i = 0; i < block; ++i) {
      places[i] = (place){i, b, task, *parameter};
      if (pthread_create(&each[i], NULL, run, &places[i]) != 0) abort();
    }
    for (i = 0; i < block; ++i) pthread_join(each[i], NULL);
  }
  return 0;
}
