/* The policy of launches, with its constants. No other file decides. */

#include "core/policy.h"

#define MILLISECOND INT64_C(1000000) /* in ns */
#define SHORT (8 * MILLISECOND)      /* minimum duration of a chunk on the device */
#define LONG (25 * MILLISECOND)
#define QUEUED (TAICHI_AOT_TURN * MILLISECOND) /* maximum work that the library queues before a wait */

enum { FIRST_BURST = 8, LARGEST_BURST = 1 << 20, LARGEST_GATHER = 64 };

/* How many launches the library queues before the next wait. */
int64_t taichi_aot_burst(const taichi_aot_pace *pace) { return pace->burst > 0 ? pace->burst : FIRST_BURST; }

/* Chooses the next burst by the slowest one of an iteration, because its launches may differ. `taken` are the ns from the start
 * of a burst of `launches` to the end of its wait; `is_end`: an iteration has ended. */
void taichi_aot_learn_burst(taichi_aot_pace *pace, int64_t launches, int64_t taken, int32_t is_end) {
  const int64_t least = QUEUED / 4; /* a clock may stand still */
  const int64_t each = (taken > least ? taken : least) / launches;
  if (each > pace->worst) pace->worst = each;
  if (is_end) {
    pace->slowest = pace->worst;
    pace->worst = 0;
  }
  if (pace->slowest > 0) {
    const int64_t slowest = pace->slowest > pace->worst ? pace->slowest : pace->worst;
    const int64_t burst = QUEUED / slowest;
    pace->burst = burst < 1 ? 1 : burst < LARGEST_BURST ? burst : LARGEST_BURST;
  }
}

/* Whether a chunk kept the device busy for too long. */
int taichi_aot_is_long(int64_t taken) { return taken > LONG; }

/* The size of the next chunk, after one of `size` that took `taken` ns. */
uint32_t taichi_aot_chunk_size(uint32_t size, uint32_t largest, int64_t taken) {
  if (taken < SHORT) return size <= largest / 2 ? 2 * size : largest;
  return taken > LONG && size > 1 ? size / 2 : size;
}

/* How many single launches are submitted together, after `size` of them that waited `waited` ns for the device. */
uint32_t taichi_aot_gather_size(uint32_t size, int64_t waited) {
  if (waited > LONG) return size > 1 ? size / 2 : 1;
  return waited > SHORT || size >= LARGEST_GATHER ? size : 2 * size;
}

/* How many launches may be gathered if the last one was made `made` times, which is counted. A new launch may be slow, so fewer
 * are submitted until its duration is known. */
uint32_t taichi_aot_gather_most(uint32_t *made) {
  if (*made < TAICHI_AOT_GATHERS * LARGEST_GATHER) *made += 1;
  return 1 + *made / TAICHI_AOT_GATHERS;
}
