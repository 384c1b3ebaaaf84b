/* The policy of launches, with its numbers. What a launch does follows from them alone: no other file decides. */

#include "core/policy.h"

#define MILLISECOND INT64_C(1000000) /* in ns */
#define SHORT (8 * MILLISECOND)      /* that a chunk should take the device */
#define LONG (25 * MILLISECOND)
#define QUEUED (TAICHI_AOT_TURN * MILLISECOND) /* of work that the library is given before a wait */

enum { FIRST_BURST = 8, LARGEST_BURST = 1 << 20, LARGEST_GATHER = 64 };

/* How many launches the library is given before the next wait. */
int64_t taichi_aot_burst(const taichi_aot_pace *pace) { return pace->burst > 0 ? pace->burst : FIRST_BURST; }

/* Chooses the next burst by the slowest one of an iteration, because its launches may differ. `taken` are the ns from the
 * begin of a burst of so many launches to the end of its wait; `is_end`: an iteration has ended. */
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

/* The size of the next chunk, after one of `size` that took so many ns. */
uint32_t taichi_aot_chunk_size(uint32_t size, uint32_t largest, int64_t taken) {
  if (taken < SHORT) return size <= largest / 2 ? 2 * size : largest;
  return taken > LONG && size > 1 ? size / 2 : size;
}

/* How many launches alone are submitted together, after `size` of them that waited so many ns for the device. */
uint32_t taichi_aot_gather_size(uint32_t size, int64_t waited) {
  if (waited > LONG) return size > 1 ? size / 2 : 1;
  return waited > SHORT || size >= LARGEST_GATHER ? size : 2 * size;
}

/* How many launches may wait if the last of them is one that was made so often, which is counted. A launch of which little is
 * known may be slow: then the device must not be given many before that shows. */
uint32_t taichi_aot_gather_most(uint32_t *made) {
  if (*made < TAICHI_AOT_GATHERS * LARGEST_GATHER) *made += 1;
  return 1 + *made / TAICHI_AOT_GATHERS;
}
