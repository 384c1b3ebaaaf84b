/* Sequences over several devices: some iterations, with the launches on all devices and the copies between them, are one graph.
 *
 * It is captured on streams of each device, which join the capture by events: one for kernels and one for copies. The graph is
 * launched on the default stream of the first context. That of each other one is waited for before, and waits afterwards. */

#include "cuda/across.h"

#include "core/clock.h"
#include "cuda/device.h"
#include "cuda/recorder.h"
#include "core/policy.h"

enum { CUDA_OK = 0, CUDA_FAILED = 1, STREAM_NON_BLOCKING = 1, CAPTURE_RELAXED = 2, EVENT_WITHOUT_TIMING = 2 };
enum { KERNELS = 0, COPIES = 1 }; /* the streams of a lane in a capture, and its events */

#define FUNCTIONS(F)                                                                              \
  F(cuEventCreate, (void **event, unsigned int flags))                                            \
  F(cuEventRecord, (void *event, void *stream))                                                   \
  F(cuGraphDestroy, (void *graph))                                                                \
  F(cuGraphInstantiateWithFlags, (void **result, void *graph, unsigned long long flags))          \
  F(cuGraphLaunch, (void *graph, void *stream))                                                   \
  F(cuMemcpyAsync, (uint64_t target, uint64_t source, size_t size, void *stream))                 \
  F(cuStreamBeginCapture_v2, (void *stream, int mode))                                            \
  F(cuStreamCreate, (void **stream, unsigned int flags))                                          \
  F(cuStreamEndCapture, (void *stream, void **graph))                                             \
  F(cuStreamSynchronize, (void *stream))                                                          \
  F(cuStreamWaitEvent, (void *stream, void *event, unsigned int flags))

TAICHI_AOT_CUDA_FUNCTIONS(FUNCTIONS)

static int choose(const taichi_aot_runtime *runtime) {
  return taichi_aot_cuda_choose(runtime->context) == 0 ? CUDA_OK : CUDA_FAILED;
}

/* Captures. A call fails with a code of the driver, and then the capture does. */

/* What an earlier capture could not create is created now. */
static int complete(const taichi_aot_runtime *runtime) {
  taichi_aot_cuda_lane *lane = taichi_aot_cuda_lane_of(runtime);
  int i, result = choose(runtime);
  for (i = KERNELS; i <= COPIES && result == CUDA_OK; ++i) {
    if (lane->captured[i] == NULL) result = cuda.cuStreamCreate(&lane->captured[i], STREAM_NON_BLOCKING);
    if (result == CUDA_OK && lane->reached[i] == NULL) result = cuda.cuEventCreate(&lane->reached[i], EVENT_WITHOUT_TIMING);
  }
  return result;
}

/* Notes what one of the streams of a runtime's device has so far. */
static int note(const taichi_aot_runtime *runtime, int stream) {
  const taichi_aot_cuda_lane *lane = taichi_aot_cuda_lane_of(runtime);
  const int result = choose(runtime);
  return result == CUDA_OK ? cuda.cuEventRecord(lane->reached[stream], lane->captured[stream]) : result;
}

/* A stream waits for what was noted of another one. */
static int follow(const taichi_aot_runtime *runtime, int stream, const taichi_aot_runtime *other, int of) {
  const taichi_aot_cuda_lane *lane = taichi_aot_cuda_lane_of(runtime), *awaited = taichi_aot_cuda_lane_of(other);
  const int result = choose(runtime);
  return result == CUDA_OK ? cuda.cuStreamWaitEvent(lane->captured[stream], awaited->reached[of], 0) : result;
}

/* The streams for kernels of all devices begin behind that of the first one, or end before it. */
static int fork_streams(const taichi_aot_across *across) {
  uint32_t i;
  int result = note(across->runtimes[0], KERNELS);
  for (i = 1; i < across->runtime_count && result == CUDA_OK; ++i)
    if (taichi_aot_cuda_is_another(across->runtimes, i))
      result = follow(across->runtimes[i], KERNELS, across->runtimes[0], KERNELS);
  return result;
}

static int join_streams(const taichi_aot_across *across) {
  uint32_t i;
  int result = CUDA_OK;
  for (i = 1; i < across->runtime_count && result == CUDA_OK; ++i) {
    if (!taichi_aot_cuda_is_another(across->runtimes, i)) continue;
    result = note(across->runtimes[i], KERNELS);
    if (result == CUDA_OK) result = follow(across->runtimes[0], KERNELS, across->runtimes[i], KERNELS);
  }
  return result;
}

static int capture_copy(const taichi_aot_exchange *exchange, const taichi_aot_peer_copy *copy) {
  const taichi_aot_runtime *to = exchange->runtimes[copy->target_place];
  uint64_t target, source;
  void *stream = taichi_aot_cuda_lane_of(to)->captured[COPIES];
  const int result = choose(to);
  taichi_aot_cuda_locate_copy(copy, &target, &source);
  return result == CUDA_OK ? cuda.cuMemcpyAsync(target, source, (size_t)copy->size, stream) : result;
}

/* The copies follow the kernels on both of their devices. */
static int capture_begin(const taichi_aot_exchange *exchange) {
  uint32_t i;
  int result = CUDA_OK;
  for (i = 0; i < exchange->runtime_count && result == CUDA_OK; ++i) result = note(exchange->runtimes[i], KERNELS);
  for (i = 0; i < exchange->count && result == CUDA_OK; ++i) {
    const taichi_aot_peer_copy *copy = &exchange->copies[i];
    const taichi_aot_runtime *to = exchange->runtimes[copy->target_place], *from = exchange->runtimes[copy->source_place];
    result = follow(to, COPIES, to, KERNELS);
    if (result == CUDA_OK && to != from) result = follow(to, COPIES, from, KERNELS);
    if (result == CUDA_OK) result = capture_copy(exchange, copy);
    if (result == CUDA_OK) result = note(to, COPIES);
  }
  return result;
}

/* Later kernels on both devices of a copy follow it. */
static int capture_end(const taichi_aot_exchange *exchange) {
  uint32_t i;
  int result = CUDA_OK;
  for (i = 0; i < exchange->count && result == CUDA_OK; ++i) {
    const taichi_aot_peer_copy *copy = &exchange->copies[i];
    const taichi_aot_runtime *to = exchange->runtimes[copy->target_place], *from = exchange->runtimes[copy->source_place];
    result = follow(to, KERNELS, to, COPIES);
    if (result == CUDA_OK && to != from) result = follow(from, KERNELS, to, COPIES);
  }
  return result;
}

static int capture_step(const taichi_aot_across *across, const taichi_aot_across_step *step) {
  const taichi_aot_sequence_item *item = &across->items[step->item];
  int result;
  if (step->kind == TAICHI_AOT_STEP_BEGIN) return capture_begin(step->exchange);
  if (step->kind == TAICHI_AOT_STEP_END) return capture_end(step->exchange);
  result = choose(item->launch->runtime);
  if (result != CUDA_OK) return result;
  return taichi_aot_cuda_launch_on(taichi_aot_recorded_of(item), taichi_aot_cuda_lane_of(item->launch->runtime)->captured[KERNELS]);
}

static int capture_iterations(const taichi_aot_across *across, uint32_t iterations) {
  uint32_t i, k;
  int result = fork_streams(across);
  for (k = 0; k < iterations; ++k)
    for (i = 0; i < across->step_count && result == CUDA_OK; ++i) result = capture_step(across, &across->steps[i]);
  return result == CUDA_OK ? join_streams(across) : result;
}

/* A graph of so many iterations; NULL if a call of the driver fails. */
static void *make_graph(const taichi_aot_across *across, uint32_t iterations) {
  void *graph = NULL, *result = NULL, *stream;
  uint32_t i;
  int failed = CUDA_OK;
  for (i = 0; i < across->runtime_count && failed == CUDA_OK; ++i) failed = complete(across->runtimes[i]);
  for (i = 0; i < across->step_count; ++i) /* copies keep the way that they have when they are captured */
    if (across->steps[i].kind == TAICHI_AOT_STEP_BEGIN) taichi_aot_cuda_enable_peers(across->steps[i].exchange);
  stream = taichi_aot_cuda_lane_of(across->runtimes[0])->captured[KERNELS];
  if (failed == CUDA_OK) failed = choose(across->runtimes[0]);
  if (failed != CUDA_OK || cuda.cuStreamBeginCapture_v2(stream, CAPTURE_RELAXED) != CUDA_OK) return NULL;
  failed = capture_iterations(across, iterations);
  taichi_aot_cuda_choose(across->runtimes[0]->context);
  if (cuda.cuStreamEndCapture(stream, &graph) != CUDA_OK || graph == NULL) return NULL;
  if (failed == CUDA_OK && cuda.cuGraphInstantiateWithFlags(&result, graph, 0) != CUDA_OK) result = NULL;
  cuda.cuGraphDestroy(graph);
  return result;
}

/* Launches. */

/* Tasks and copies of an iteration. */
static uint32_t nodes_of(const taichi_aot_across *across) {
  uint32_t i, sum = across->item_count > 0 ? taichi_aot_tasks_of(across->items, across->item_count) : 0;
  for (i = 0; i < across->step_count; ++i)
    if (across->steps[i].kind == TAICHI_AOT_STEP_BEGIN) sum += across->steps[i].exchange->count;
  return sum > 0 ? sum : 1;
}

/* Brings all launches up to date: 0, NOT_MINE or an error code. */
static int prepare(const taichi_aot_across *across) {
  uint32_t i;
  int status = 0;
  for (i = 0; i < across->item_count && status == 0; ++i) {
    taichi_aot_launch *launch = across->items[i].launch;
    if (taichi_aot_launch_check(launch) != 0 || launch->recorded == NULL) return TAICHI_AOT_NOT_MINE;
    status = taichi_aot_cuda_choose(launch->runtime->context);
    if (status == 0) status = taichi_aot_cuda_recorder.prepare(launch->runtime, &across->items[i], 1);
  }
  for (i = 0; i < across->step_count && status == 0; ++i)
    if (across->steps[i].kind == TAICHI_AOT_STEP_BEGIN && taichi_aot_cuda_check_copies(across->steps[i].exchange) != 0)
      status = TAICHI_AOT_NOT_MINE;
  return status;
}

/* The default stream of the first context waits for those of the others. */
static int gather(const taichi_aot_across *across) {
  uint32_t i;
  int result = CUDA_OK;
  for (i = 1; i < across->runtime_count && result == CUDA_OK; ++i) {
    const taichi_aot_cuda_lane *lane = taichi_aot_cuda_lane_of(across->runtimes[i]);
    if (!taichi_aot_cuda_is_another(across->runtimes, i)) continue;
    result = choose(across->runtimes[i]);
    if (result == CUDA_OK) result = cuda.cuEventRecord(lane->before, NULL);
    if (result == CUDA_OK) result = choose(across->runtimes[0]);
    if (result == CUDA_OK) result = cuda.cuStreamWaitEvent(NULL, lane->before, 0);
  }
  return result == CUDA_OK ? choose(across->runtimes[0]) : result;
}

/* Those of the others wait for it; where they cannot, the host does. */
static int scatter(const taichi_aot_across *across) {
  const taichi_aot_cuda_lane *first = taichi_aot_cuda_lane_of(across->runtimes[0]);
  uint32_t i;
  int result = choose(across->runtimes[0]);
  if (result == CUDA_OK) result = cuda.cuEventRecord(first->before, NULL);
  for (i = 1; i < across->runtime_count && result == CUDA_OK; ++i) {
    if (!taichi_aot_cuda_is_another(across->runtimes, i)) continue;
    result = choose(across->runtimes[i]);
    if (result == CUDA_OK) result = cuda.cuStreamWaitEvent(NULL, first->before, 0);
  }
  if (result == CUDA_OK) return 0;
  result = choose(across->runtimes[0]);
  return taichi_aot_cuda_error("cuStreamWaitEvent", result == CUDA_OK ? cuda.cuStreamSynchronize(NULL) : result);
}

static void note_launches(const taichi_aot_across *across) {
  uint32_t i;
  for (i = 0; i < across->runtime_count; ++i) across->runtimes[i]->context->busy |= TAICHI_AOT_BUSY_RECORDED;
  for (i = 0; i < across->item_count; ++i) {
    taichi_aot_launch *launch = across->items[i].launch;
    launch->was_recorded = 1;
    if (launch->result != NULL) launch->result->is_written = 1;
  }
}

/* Gives the devices at most `left` iterations; `made` of them. 0, NOT_MINE or an error code. */
static int submit(const taichi_aot_across *across, int64_t left, int64_t *made) {
  taichi_aot_runtime *first = across->runtimes[0];
  taichi_aot_recording *recording = across->recording;
  const uint32_t size = left < (int64_t)recording->size ? (uint32_t)left : recording->size;
  uint32_t level = 0, n;
  void **graph;
  int status = prepare(across);
  *made = 0;
  if (status != 0) return status;
  if (taichi_aot_cuda_choose(first->context) != 0) return TAICHI_AOT_NOT_MINE;
  graph = taichi_aot_cuda_graph_for(first, across->items, across->item_count, recording, size, &level);
  if (graph == NULL) return TAICHI_AOT_NOT_MINE;
  n = 1u << level;
  if (*graph == NULL) *graph = make_graph(across, n);
  if (*graph == NULL || gather(across) != CUDA_OK) return TAICHI_AOT_NOT_MINE;
  status = taichi_aot_cuda_error("cuGraphLaunch", cuda.cuGraphLaunch(*graph, NULL));
  if (status != 0) return status;
  taichi_aot_cuda_mark(first->context, NULL, recording, n, n * nodes_of(across), (int64_t)n < left);
  *made = n;
  note_launches(across);
  return scatter(across);
}

/* All work so far is on the default streams, or precedes what follows on them. */
static int use_default_streams(const taichi_aot_across *across) {
  uint32_t i;
  int status = 0;
  for (i = 0; i < across->runtime_count && status == 0; ++i) {
    if (!taichi_aot_cuda_is_another(across->runtimes, i)) continue;
    if (taichi_aot_cuda_lane_of(across->runtimes[i]) == NULL) return TAICHI_AOT_NOT_MINE; /* another thread has closed it */
    status = taichi_aot_cuda_choose(across->runtimes[i]->context);
    if (status == 0) status = taichi_aot_cuda_use_library(across->runtimes[i]->context);
    if (status == 0) status = taichi_aot_cuda_recorder.open(across->runtimes[i]->context);
  }
  return status;
}

/* The lock of a context for which another thread waits, or NULL. */
static taichi_aot_lock *wanted(const taichi_aot_across *across) {
  uint32_t i;
  for (i = 0; i < across->runtime_count; ++i)
    if (taichi_aot_waiting(&across->runtimes[i]->context->lock) > 0) return &across->runtimes[i]->context->lock;
  return NULL;
}

static int run_entered(const taichi_aot_across *across, int64_t repeat, int64_t *iteration) {
  const int64_t end = taichi_aot_milliseconds() + TAICHI_AOT_TURN;
  const uint32_t nodes = nodes_of(across), largest = nodes < TAICHI_AOT_LARGEST_CHUNK ? TAICHI_AOT_LARGEST_CHUNK / nodes : 1;
  taichi_aot_context *first = across->runtimes[0]->context;
  int status = use_default_streams(across);
  if (across->recording->size < 1) across->recording->size = 1;
  while (status == 0 && *iteration < repeat) {
    int64_t made = 0;
    status = taichi_aot_cuda_choose(first);
    if (status == 0 && taichi_aot_has_room(first, across->recording, largest, &status) && status == 0)
      status = submit(across, repeat - *iteration, &made);
    *iteration += made;
    if (taichi_aot_milliseconds() >= end || wanted(across) != NULL) break;
  }
  return status;
}

/* Makes iterations until `repeat`, the turn of Python or of another thread, which `iteration` returns. After a status other than
 * 0 those have been made, and the others can be made in another way. NOT_MINE: they must be. */
int taichi_aot_cuda_run_across(const taichi_aot_across *across, int64_t repeat, int64_t *iteration) {
  const int flags = TAICHI_AOT_ENTER_MAY_WAIT | TAICHI_AOT_ENTER_ON_DEVICE | TAICHI_AOT_ENTER_TO_LAUNCH;
  void *outer[TAICHI_AOT_MOST_ENTERED];
  taichi_aot_lock *lock;
  int status;
  if (across->runtime_count == 0 || across->runtime_count > TAICHI_AOT_MOST_ENTERED) return TAICHI_AOT_NOT_MINE;
  status = taichi_aot_cuda_take_lanes(across->runtimes, across->runtime_count);
  if (status == 0) status = find_functions();
  if (status == 0) status = taichi_aot_cuda_enter_all(across->runtimes, across->runtime_count, flags, outer);
  if (status != 0) return status;
  status = run_entered(across, repeat, iteration);
  lock = wanted(across);
  status = taichi_aot_cuda_leave_all(across->runtimes, across->runtime_count, outer, status);
  if (lock != NULL) taichi_aot_let_one_pass(lock);
  return status;
}
