/* The policy of launches: how much is submitted at a time. */

#pragma once

#include "core/base.h"

/* What runs of a sequence learn; all share it. */
typedef struct taichi_aot_pace {
  int32_t is_recorded; /* the last run ended with recorded launches */
  const char *label;   /* the name of the sequence for tools, or NULL */
  /* For C only. */
  int64_t burst;   /* launches that the library queues before a wait; 0: unknown yet */
  int64_t slowest; /* ns per launch of the slowest burst in an iteration; 0 in the first iteration */
  int64_t worst;   /* in the present iteration, so far */
} taichi_aot_pace;

/* For C only. */

enum {
  TAICHI_AOT_TURN = 50,            /* ms until Python checks for signals */
  TAICHI_AOT_LARGEST_CHUNK = 1024, /* tasks that are recorded at a time */
  TAICHI_AOT_WORTH_A_GRAPH = 16,   /* CUDA: launches of two tasks or more with the same grids */
  TAICHI_AOT_UNMARKED = 512,       /* CUDA: tasks after which the device is polled */
  TAICHI_AOT_FIRST_CHUNK = 31,     /* Vulkan: tasks of a sequence that an idle device gets first */
  TAICHI_AOT_SLICE = 5000000,      /* Vulkan: ns of a wait for a chunk */
  TAICHI_AOT_GATHERS = 4,          /* Vulkan: submissions of single launches that may be pending */
  TAICHI_AOT_GATHER_TIME = 2,      /* Vulkan: ms until single launches are submitted, if others follow */
  TAICHI_AOT_MOST_IMAGES = 128,    /* Vulkan: of launches that are submitted together */
};

int64_t taichi_aot_burst(const taichi_aot_pace *pace);
void taichi_aot_learn_burst(taichi_aot_pace *pace, int64_t launches, int64_t taken, int32_t is_end);
int taichi_aot_is_long(int64_t taken);
uint32_t taichi_aot_chunk_size(uint32_t size, uint32_t largest, int64_t taken);
uint32_t taichi_aot_gather_size(uint32_t size, int64_t waited);
uint32_t taichi_aot_gather_most(uint32_t *made);
