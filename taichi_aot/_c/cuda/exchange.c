/* Exchanges on CUDA: all copies of one call are queued on streams of their own, which wait for the default streams. These wait
 * for the copies at the end of the exchange, so that launches before it run beside them. Every call that is not a launch lets its
 * default stream wait too (`device.c`), so that waits, reads and closed arrays are behind the copies. */

#include "cuda/exchange.h"

#include "cuda/device.h"

#include <stdlib.h>

enum { CUDA_OK = 0, STREAM_NON_BLOCKING = 1, EVENT_WITHOUT_TIMING = 2 };

#define FUNCTIONS(F)                                                                                                    \
  F(cuEventCreate, (void **event, unsigned int flags))                                                                  \
  F(cuEventRecord, (void *event, void *stream))                                                                         \
  F(cuMemcpyAsync, (uint64_t target, uint64_t source, size_t size, void *stream))                                       \
  F(cuMemcpyPeerAsync,                                                                                                  \
    (uint64_t target, void *target_context, uint64_t source, void *source_context, size_t size, void *stream))          \
  F(cuStreamCreate, (void **stream, unsigned int flags))                                                                \
  F(cuStreamSynchronize, (void *stream))                                                                                \
  F(cuStreamWaitEvent, (void *stream, void *event, unsigned int flags))

TAICHI_AOT_CUDA_FUNCTIONS(FUNCTIONS)

/* Lanes. */

/* A context that is destroyed leaves its lane to the next one on the device: under the lock of the process. */
typedef struct kept_lane {
  taichi_aot_cuda_lane lane;
  int is_taken;
  struct kept_lane *next;
} kept_lane;

static kept_lane *lanes;

void taichi_aot_cuda_give_lane(taichi_aot_context *context) {
  taichi_aot_cuda *own = taichi_aot_cuda_of(context);
  kept_lane *each;
  for (each = lanes; each != NULL; each = each->next) {
    if (&each->lane != own->lane) continue;
    each->lane.owed_count = 0;
    each->is_taken = 0;
  }
  own->lane = NULL;
}

static kept_lane *lane_for(void *handle) {
  kept_lane *each;
  for (each = lanes; each != NULL; each = each->next)
    if (!each->is_taken && each->lane.handle == handle) return each;
  each = (kept_lane *)calloc(1, sizeof *each);
  if (each == NULL) return NULL;
  each->lane.handle = handle;
  each->next = lanes;
  lanes = each;
  return each;
}

/* What an earlier call could not create is created now. */
static int complete(taichi_aot_cuda_lane *lane) {
  int result = CUDA_OK;
  if (lane->stream == NULL) result = cuda.cuStreamCreate(&lane->stream, STREAM_NON_BLOCKING);
  if (result == CUDA_OK && lane->before == NULL) result = cuda.cuEventCreate(&lane->before, EVENT_WITHOUT_TIMING);
  if (result == CUDA_OK && lane->after == NULL) result = cuda.cuEventCreate(&lane->after, EVENT_WITHOUT_TIMING);
  return result;
}

/* Gives the context of a runtime its lane, unless it has one: 0, NOT_MINE if that cannot be made, or a status. The lock of the
 * process is held. */
static int take_lane(taichi_aot_runtime *runtime) {
  taichi_aot_cuda *own = taichi_aot_cuda_of(runtime->context);
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  if (own->lane == NULL) {
    kept_lane *found = lane_for(own->handle);
    if (found == NULL || taichi_aot_cuda_error("cuStreamCreate", complete(&found->lane)) != 0) {
      status = TAICHI_AOT_NOT_MINE;
    } else {
      found->is_taken = 1;
      own->lane = &found->lane;
    }
  }
  return taichi_aot_leave_with(runtime, status);
}

/* Gives the contexts of runtimes their lanes, which they keep: 0, NOT_MINE or a status. The locks are not held. */
static int take_lanes(taichi_aot_runtime *const *runtimes, uint32_t count) {
  uint32_t i = 0;
  int status;
  while (i < count && taichi_aot_cuda_lane_of(runtimes[i]) != NULL) ++i;
  if (i == count) return 0;
  status = taichi_aot_enter_process();
  if (status != 0) return status;
  taichi_aot_clear_error();
  status = find_functions();
  for (i = 0; i < count && status == 0; ++i) status = take_lane(runtimes[i]);
  taichi_aot_leave_process();
  return status;
}

/* Copies. */

/* 0 if all memory is open, else ARRAY_CLOSED. The locks of all contexts are held. */
static int check_copies(const taichi_aot_exchange *exchange) {
  uint32_t i;
  for (i = 0; i < exchange->count; ++i) {
    const taichi_aot_peer_copy *copy = &exchange->copies[i];
    if (copy->target->generation != copy->target_generation || copy->source->generation != copy->source_generation)
      return TAICHI_AOT_ARRAY_CLOSED;
  }
  return 0;
}

/* Notes that the default stream of a context has to wait for the copies of a lane: 0, or 1 without room. If there are too many,
 * the stream waits for all of them first. */
static int owe(const taichi_aot_runtime *runtime, taichi_aot_cuda_lane *copies) {
  taichi_aot_cuda_lane *lane = taichi_aot_cuda_lane_of(runtime);
  uint32_t i;
  for (i = 0; i < lane->owed_count; ++i)
    if (lane->owed[i] == copies) return 0;
  if (lane->owed_count == TAICHI_AOT_CUDA_OWED && taichi_aot_cuda_choose(runtime->context) == 0)
    taichi_aot_cuda_await_copies(runtime->context);
  if (lane->owed_count == TAICHI_AOT_CUDA_OWED) return 1;
  lane->owed[lane->owed_count++] = copies;
  return 0;
}

/* Notes the work of the default streams. */
static int note_work(const taichi_aot_exchange *exchange) {
  uint32_t i;
  int result = CUDA_OK;
  for (i = 0; i < exchange->runtime_count && result == CUDA_OK; ++i) {
    result = taichi_aot_cuda_choose(exchange->runtimes[i]->context);
    if (result == CUDA_OK) result = cuda.cuEventRecord(taichi_aot_cuda_lane_of(exchange->runtimes[i])->before, NULL);
  }
  return result;
}

/* On a stream of the target's device. The driver's function for two contexts is slower than that for one. */
static int copy_on(const taichi_aot_exchange *exchange, const taichi_aot_peer_copy *copy, void *stream) {
  const taichi_aot_cuda_lane *to = taichi_aot_cuda_lane_of(exchange->runtimes[copy->target_place]);
  const taichi_aot_cuda_lane *from = taichi_aot_cuda_lane_of(exchange->runtimes[copy->source_place]);
  const uint64_t target = copy->target->address + copy->target_offset, source = copy->source->address + copy->source_offset;
  if (to->handle == from->handle) return cuda.cuMemcpyAsync(target, source, (size_t)copy->size, stream);
  return cuda.cuMemcpyPeerAsync(target, to->handle, source, from->handle, (size_t)copy->size, stream);
}

/* The copies into the memory of one context, behind the work of all that are in them. `sources` are those, as bits. */
static int copy_into(const taichi_aot_exchange *exchange, uint32_t to, uint64_t *sources) {
  taichi_aot_context *context = exchange->runtimes[to]->context;
  const taichi_aot_cuda_lane *lane = taichi_aot_cuda_lane_of(exchange->runtimes[to]);
  uint32_t i;
  int result = CUDA_OK;
  for (i = 0; i < exchange->count && result == CUDA_OK; ++i) {
    const taichi_aot_peer_copy *copy = &exchange->copies[i];
    const uint64_t source = UINT64_C(1) << copy->source_place;
    if (copy->target_place != to) continue;
    if (*sources == 0) {
      result = taichi_aot_cuda_choose(context);
      if (result == CUDA_OK) result = cuda.cuStreamWaitEvent(lane->stream, lane->before, 0);
    }
    if (result == CUDA_OK && !(*sources & source) && copy->source_place != to)
      result = cuda.cuStreamWaitEvent(lane->stream, taichi_aot_cuda_lane_of(exchange->runtimes[copy->source_place])->before, 0);
    *sources |= source;
    if (result == CUDA_OK) result = copy_on(exchange, copy, lane->stream);
  }
  return result;
}

/* Notes who waits for the copies into the memory of one context; where something cannot be noted, the host waits. */
static int note_copies(const taichi_aot_exchange *exchange, uint32_t to, uint64_t sources) {
  taichi_aot_cuda_lane *lane = taichi_aot_cuda_lane_of(exchange->runtimes[to]);
  uint32_t i;
  int failed = taichi_aot_cuda_choose(exchange->runtimes[to]->context);
  if (failed == 0) failed = cuda.cuEventRecord(lane->after, lane->stream);
  for (i = 0; i < exchange->runtime_count && failed == 0; ++i)
    if (i == to || (sources & UINT64_C(1) << i)) failed = owe(exchange->runtimes[i], lane);
  if (failed == 0) return CUDA_OK;
  taichi_aot_cuda_choose(exchange->runtimes[to]->context);
  return cuda.cuStreamSynchronize(lane->stream);
}

static void enable_peers(const taichi_aot_exchange *exchange) {
  uint32_t i;
  for (i = 0; i < exchange->count; ++i) {
    taichi_aot_context *to = exchange->runtimes[exchange->copies[i].target_place]->context;
    taichi_aot_context *from = exchange->runtimes[exchange->copies[i].source_place]->context;
    if (to == from) continue;
    taichi_aot_cuda_enable_peer(to, from);
    taichi_aot_cuda_enable_peer(from, to);
  }
}

static int queue(const taichi_aot_exchange *exchange) {
  uint32_t i;
  int result;
  enable_peers(exchange);
  result = note_work(exchange);
  for (i = 0; i < exchange->runtime_count && result == CUDA_OK; ++i) {
    uint64_t sources = 0;
    result = copy_into(exchange, i, &sources);
    if (sources != 0) {
      const int failed = note_copies(exchange, i, sources);
      if (result == CUDA_OK) result = failed;
    }
  }
  return result;
}

static int await_all(const taichi_aot_exchange *exchange) {
  uint32_t i;
  int code = 0;
  for (i = 0; i < exchange->runtime_count; ++i) {
    int failed = taichi_aot_cuda_choose(exchange->runtimes[i]->context);
    if (failed == 0) failed = taichi_aot_cuda_await_copies(exchange->runtimes[i]->context);
    if (code == 0) code = failed;
  }
  return code;
}

/* Queues the copies behind earlier work of all contexts. If it is ended, later work is behind them, else that of
 * `taichi_aot_cuda_exchange_end`. After a status other than 0 some copies may have been made, and the exchange has ended: it can
 * be made again in another way. NOT_MINE if the driver cannot. */
int taichi_aot_cuda_exchange(const taichi_aot_exchange *exchange, int32_t is_ended) {
  const int flags = TAICHI_AOT_ENTER_MAY_WAIT | TAICHI_AOT_ENTER_ON_DEVICE;
  void *outer[TAICHI_AOT_MOST_ENTERED];
  uint32_t i;
  int status;
  if (exchange->runtime_count > TAICHI_AOT_MOST_ENTERED) return TAICHI_AOT_NOT_MINE;
  status = take_lanes(exchange->runtimes, exchange->runtime_count);
  if (status == 0) status = taichi_aot_cuda_enter_all(exchange->runtimes, exchange->runtime_count, flags, outer);
  if (status != 0) return status;
  for (i = 0; i < exchange->runtime_count && status == 0; ++i)
    if (taichi_aot_cuda_lane_of(exchange->runtimes[i]) == NULL) status = TAICHI_AOT_NOT_MINE; /* another thread has closed it */
  if (status == 0) status = check_copies(exchange);
  if (status == 0) {
    if (taichi_aot_cuda_error("cuMemcpyPeerAsync", queue(exchange)) != 0) status = TAICHI_AOT_NOT_MINE;
    if (is_ended || status != 0) {
      if (await_all(exchange) != 0) status = TAICHI_AOT_NOT_MINE;
    }
    for (i = 0; i < exchange->runtime_count; ++i) exchange->runtimes[i]->context->busy |= TAICHI_AOT_BUSY_LIBRARY;
  }
  return taichi_aot_cuda_leave_all(exchange->runtimes, exchange->runtime_count, outer, status);
}

/* Lets later work of a runtime wait for the copies that it takes part in. Asks first without the lock: a thread that does not
 * see a copy did not begin it, nor was told that it began. */
int taichi_aot_cuda_exchange_end(taichi_aot_runtime *runtime) {
  const taichi_aot_cuda_lane *lane = taichi_aot_cuda_lane_of(runtime);
  int status;
  if (lane == NULL || lane->owed_count == 0) return 0;
  status = taichi_aot_enter(runtime); /* which waits for them */
  return status != 0 ? status : taichi_aot_leave_with(runtime, 0);
}
