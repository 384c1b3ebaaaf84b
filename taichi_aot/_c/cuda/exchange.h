/* Copies between contexts of CUDA that are queued together, beside the launches. */

#ifndef TAICHI_AOT_CUDA_EXCHANGE_H
#define TAICHI_AOT_CUDA_EXCHANGE_H

#include "core/memory.h"

/* A piece of memory, and where it is copied to. */
typedef struct taichi_aot_peer_copy {
  uint32_t target_place; /* of the runtimes in the list; the first of each context */
  uint32_t source_place;
  const taichi_aot_memory *target;
  int64_t target_generation;
  uint64_t target_offset;
  const taichi_aot_memory *source;
  int64_t source_generation;
  uint64_t source_offset;
  uint64_t size;
} taichi_aot_peer_copy;

typedef struct taichi_aot_exchange {
  taichi_aot_runtime **runtimes; /* sorted by the addresses of their contexts */
  uint32_t runtime_count;
  uint32_t count;
  taichi_aot_peer_copy *copies;
} taichi_aot_exchange;

int taichi_aot_cuda_exchange(const taichi_aot_exchange *exchange, int32_t is_ended);
int taichi_aot_cuda_exchange_end(taichi_aot_runtime *runtime);

/* For C alone. */

void taichi_aot_cuda_give_lane(struct taichi_aot_context *context);

#endif
