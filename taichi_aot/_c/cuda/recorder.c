/* The recorder of CUDA: the driver launches PTX, in graphs or one by one, with arguments that stay on the device. */

#include "cuda/recorder.h"

#include "cuda/device.h"
#include "core/policy.h"

#include <stdlib.h>
#include <string.h>

#define cuda taichi_aot_cuda_driver

enum { OBJECT_WITHOUT_WAIT = 1, GRAPH_OBJECT_MOVE = 1 }; /* the graph has the only reference */
enum { SMALLEST_BLOCK = 256, CLASSES = 24 }; /* bytes; sizes of blocks are powers of two */

typedef taichi_aot_cuda_node kernel_node;

/* Device memory for the arguments of a launch, of the driver, which packs small allocations. It is reused until it is freed. */
typedef struct block {
  uint64_t address;
  uint32_t size_class;
  struct block *next;
} block;

/* The arguments of a launch that is part of another library's graph, until that is destroyed. */
typedef struct captured {
  block *block;
  int32_t is_released; /* by the driver, from any thread */
  struct captured *next;
} captured;

/* What recorded launches share. */
typedef struct taichi_aot_cuda_shared {
  block *free[CLASSES];
  void *events[TAICHI_AOT_CHUNKS];
  int pending[TAICHI_AOT_CHUNKS];
  uint32_t unmarked; /* tasks that were launched after the last event */
  captured *captures;
  void *uploads; /* a stream that nothing captures; NULL before the first capture */
} shared;

/* What a launch keeps. */
typedef struct launch_state {
  block *block;    /* the arguments on the device */
  char *host;      /* where the host writes them */
  uint32_t *grids; /* of each task */
  void *graph;     /* of the single launch, or NULL */
  uint32_t copies; /* of the arguments */
  uint32_t changes; /* increases when graphs with it are outdated */
  uint32_t graph_changes;
  uint32_t launches;
  uint64_t result; /* where return values go, or 0 */
} launch_state;

enum { LEVELS = 11 };

/* What a sequence keeps. */
typedef struct sequence_state {
  void *graphs[LEVELS]; /* of 2^i iterations, that can be launched */
  uint32_t *changes;    /* of each launch when they were made */
} sequence_state;

_Static_assert(sizeof(launch_state) <= sizeof(((taichi_aot_recorded *)0)->own), "the state of a launch fits");
_Static_assert(sizeof(sequence_state) <= sizeof(((taichi_aot_recording *)0)->own), "the graphs fit");

static shared *shared_of(taichi_aot_context *context) { return taichi_aot_cuda_of(context)->shared; }

static launch_state *launch_state_of(const taichi_aot_recorded *recorded) { return (launch_state *)(uintptr_t)recorded->own; }

static sequence_state *graphs_of(taichi_aot_recording *recording) { return (sequence_state *)(void *)recording->own; }

/* Whether the driver can launch without the library. */
int taichi_aot_cuda_can_launch(void) {
#define AND_HAS(name, parameters) &&cuda.name != NULL
  return 1 TAICHI_AOT_CUDA_LAUNCHING(AND_HAS);
}

static int no_memory(void) { return taichi_aot_no_memory("the arguments of a launch"); }

/* The driver has the functions for launches: there are no plans without. */
static int open_cuda(taichi_aot_context *context) {
  taichi_aot_cuda *cuda_state = taichi_aot_cuda_of(context);
  if (cuda_state->shared == NULL) cuda_state->shared = (shared *)calloc(1, sizeof *cuda_state->shared);
  return cuda_state->shared != NULL ? 0 : no_memory();
}

/* Memory. */

static uint64_t size_of(uint32_t size_class) { return (uint64_t)SMALLEST_BLOCK << size_class; }

static int make_block(uint32_t size_class, block **made) {
  int result;
  *made = (block *)calloc(1, sizeof **made);
  if (*made == NULL) return no_memory();
  (*made)->size_class = size_class;
  result = cuda.cuMemAlloc_v2(&(*made)->address, size_of(size_class));
  if (result != CUDA_OK) {
    free(*made);
    *made = NULL;
  }
  return taichi_aot_cuda_error("cuMemAlloc", result);
}

/* Takes a block of `size` bytes: 0 or an error code. */
static int allocate(shared *own, uint64_t size, block **taken) {
  uint32_t size_class = 0;
  while (size_class < CLASSES && size_of(size_class) < size) ++size_class;
  if (size_class == CLASSES) return no_memory();
  *taken = own->free[size_class];
  if (*taken == NULL) return make_block(size_class, taken);
  own->free[size_class] = (*taken)->next;
  return 0;
}

static void give_back(shared *own, block *used) {
  if (used == NULL) return;
  used->next = own->free[used->size_class];
  own->free[used->size_class] = used;
}

/* Takes the blocks of graphs back that have been destroyed. */
static void collect_captures(shared *own) {
  captured **place = &own->captures;
  while (*place != NULL) {
    captured *each = *place;
    if (!taichi_aot_load32(&each->is_released)) {
      place = &each->next;
      continue;
    }
    *place = each->next;
    give_back(own, each->block);
    free(each);
  }
}

int taichi_aot_cuda_count_memory(taichi_aot_context *context, taichi_aot_memory_numbers *numbers) {
  const shared *own = shared_of(context);
  const block *each;
  uint32_t i;
  for (i = 0; i < CLASSES && own != NULL; ++i)
    for (each = own->free[i]; each != NULL; each = each->next) numbers->pooled += (int64_t)size_of(i);
  return taichi_aot_cuda_memory(numbers);
}

/* The driver waits for the device before it frees memory. */
int taichi_aot_cuda_trim(taichi_aot_context *context, uint64_t *freed) {
  shared *own = shared_of(context);
  block *unused;
  uint32_t i;
  int result = CUDA_OK;
  if (own == NULL) return 0;
  collect_captures(own);
  for (i = 0; i < CLASSES; ++i) {
    while ((unused = own->free[i]) != NULL) {
      const int failed = cuda.cuMemFree_v2(unused->address);
      if (failed != CUDA_OK) result = failed;
      *freed += size_of(i);
      own->free[i] = unused->next;
      free(unused);
    }
  }
  return taichi_aot_cuda_error("cuMemFree", result);
}

/* A code of the driver; it has read `host` when it returns. */
static int upload(const block *target, const char *host, size_t size, void *stream) {
  return cuda.cuMemcpyHtoDAsync_v2(target->address, host, size, stream);
}

/* What a launch keeps on the device. */

/* A graph is freed after it has run. Where a call that releases frees it, the call returns a failure. */
static int free_graph(void **graph) {
  const int result = *graph != NULL ? cuda.cuGraphExecDestroy(*graph) : CUDA_OK;
  *graph = NULL;
  return taichi_aot_cuda_error("cuGraphExecDestroy", result);
}

static void free_recorded(taichi_aot_context *context, taichi_aot_kept *kept) {
  taichi_aot_recorded *recorded = (taichi_aot_recorded *)kept;
  launch_state *state = launch_state_of(recorded);
  taichi_aot_cuda_note(context, free_graph(&state->graph));
  give_back(shared_of(context), state->block);
  free(state->host);
  free(state->grids);
  state->block = NULL;
  state->host = NULL;
  state->grids = NULL;
  state->copies = 0;
  recorded->version = -1;
}

/* Makes what a launch needs, once: 0 or an error code. */
static int create(taichi_aot_runtime *runtime, taichi_aot_recorded *recorded) {
  launch_state *state = launch_state_of(recorded);
  if (recorded->kept.previous != NULL) return 0;
  state->grids = (uint32_t *)calloc(recorded->plan->task_count + 1, sizeof *state->grids);
  if (state->grids == NULL) return no_memory();
  taichi_aot_keep(runtime, &recorded->kept, free_recorded);
  return 0;
}

/* Reserves space for the arguments of `copies` iterations: 0, NOT_MINE without space for several, or an error code. The device's
 * arguments stay. */
static int make_room(shared *own, taichi_aot_recorded *recorded, uint32_t copies) {
  const uint64_t size = (uint64_t)recorded->plan->stride * copies;
  launch_state *state = launch_state_of(recorded);
  block *bigger = NULL;
  char *host;
  int code;
  if (copies <= state->copies) return 0;
  host = (char *)realloc(state->host, size + recorded->plan->stride + 1); /* and room to compare */
  if (host != NULL) {
    state->host = host;
    memset(host, 0, size + recorded->plan->stride);
  }
  code = host != NULL ? allocate(own, size + recorded->plan->return_bytes, &bigger) : no_memory();
  if (code != 0) return copies > 1 ? TAICHI_AOT_NOT_MINE : code;
  give_back(own, state->block);
  state->block = bigger;
  state->copies = copies;
  state->changes += 1;
  recorded->version = -1;
  return 0;
}

/* Whether the length of a task's loop depends on a scalar that changes from one iteration to the next. */
static int is_stepped(const taichi_aot_plan_task *task, const taichi_aot_sequence_item *item) {
  uint32_t i, k, n;
  for (i = 0; i + 1 < task->length_count; i += 2) {
    if (task->length[i] != TAICHI_AOT_LENGTH_LOAD) continue;
    for (k = 0; k < task->dispatch->argument_count; ++k) {
      const taichi_aot_plan_argument *argument = &task->dispatch->arguments[k];
      if (argument->kind != TAICHI_AOT_ARGUMENT_VALUE || (int32_t)argument->offset != task->length[i + 1]) continue;
      for (n = 0; n < item->step_count; ++n)
        if (item->steps[n].value == (void *)&taichi_aot_argument_of(item->scratch, argument->source)->value) return 1;
    }
  }
  return 0;
}

/* The blocks of a task whose loop has work for `groups`: fewer, if each thread then has something to do at once. */
static uint32_t spread(const taichi_aot_plan_task *task, uint32_t groups) {
  const uint32_t fewer = task->each > 1 ? (groups - 1) / task->each + 1 : groups;
  const uint32_t least = groups < task->filled ? groups : task->filled;
  return fewer > least ? fewer : least;
}

/* Sets the grid of each task for the arguments in `host`; `item` is NULL for a launch outside of a sequence. */
static void set_grids(taichi_aot_recorded *recorded, const taichi_aot_sequence_item *item) {
  uint32_t i;
  launch_state *state = launch_state_of(recorded);
  for (i = 0; i < recorded->plan->task_count; ++i) {
    const taichi_aot_plan_task *task = &recorded->plan->tasks[i];
    const int keeps = item != NULL && item->scratch != NULL && is_stepped(task, item);
    const char *arguments = state->host + task->dispatch->at;
    const uint32_t most = keeps ? task->groups : taichi_aot_groups_of(task, arguments, task->groups);
    const uint32_t grid = spread(task, most);
    if (state->grids[i] != grid) state->changes += 1;
    state->grids[i] = grid;
  }
}

/* Where a single launch's arguments are written, to compare them with the device's. */
static char *fresh_of(const taichi_aot_recorded *recorded) { return launch_state_of(recorded)->host + recorded->plan->stride; }

/* Return values that a graph drops go behind the arguments. */
static void set_result(taichi_aot_recorded *recorded, const taichi_aot_launch *launch) {
  launch_state *state = launch_state_of(recorded);
  uint64_t result = state->block->address + (uint64_t)state->copies * recorded->plan->stride;
  if (recorded->plan->return_bytes == 0) return;
  if (launch->result != NULL) result = launch->result->memory->address;
  if (state->result != result) state->changes += 1;
  state->result = result;
}

/* Updates a launch's arguments on the device, for `copies` iterations: 0, NOT_MINE without space for several, or an error code.
 * `item` is NULL for a single launch. */
static int refresh(taichi_aot_runtime *runtime, taichi_aot_recorded *recorded, taichi_aot_launch *launch,
                   const taichi_aot_sequence_item *item, uint32_t copies, void *stream) {
  shared *own = shared_of(runtime->context);
  launch_state *state = launch_state_of(recorded);
  const int is_known = recorded->version == launch->version && state->copies >= copies;
  int code;
  if (is_known && !launch->is_call) return 0;
  if (is_known) {
    code = taichi_aot_write_arguments(fresh_of(recorded), recorded->plan, launch);
    if (code != 0 || memcmp(fresh_of(recorded), state->host, recorded->plan->stride) == 0) return code;
    memcpy(state->host, fresh_of(recorded), recorded->plan->stride);
    set_grids(recorded, NULL);
  } else {
    code = create(runtime, recorded);
    if (code == 0) code = make_room(own, recorded, copies);
    if (code != 0) return code;
    set_result(recorded, launch);
    recorded->version = -1; /* until the device has what `host` has */
    code = taichi_aot_write_arguments(state->host, recorded->plan, launch);
    if (code != 0) return code;
    set_grids(recorded, item);
  }
  recorded->version = -1;
  code = taichi_aot_cuda_error("cuMemcpyHtoDAsync", upload(state->block, state->host, recorded->plan->stride, stream));
  if (code == 0) recorded->version = launch->version;
  return code;
}

static int prepare(taichi_aot_runtime *runtime, const taichi_aot_sequence_item *item, uint32_t copies) {
  taichi_aot_recorded *recorded = taichi_aot_recorded_of(item);
  int32_t is_captured;
  void *stream;
  const int status = taichi_aot_cuda_begin_launch(runtime->context, &stream, &is_captured);
  if (status != 0 || is_captured) return status;
  if (copies > 1 && recorded->plan->task_count < TAICHI_AOT_LARGEST_CHUNK) /* graphs contain the address */
    copies = TAICHI_AOT_LARGEST_CHUNK / (recorded->plan->task_count > 0 ? recorded->plan->task_count : 1);
  return refresh(runtime, recorded, taichi_aot_launch_of(item, 0), item, copies, stream);
}

/* Calls a function with each task of a launch, until it fails. The parameter of a task is the compiler's RuntimeContext: its
 * arguments, the runtime, the number of a thread, and where return values go. That of Quadrants has three more members. */
static int each_task(const taichi_aot_recorded *recorded, uint32_t copy, int (*act)(const kernel_node *info, void *target),
                     void *target) {
  const launch_state *state = launch_state_of(recorded);
  const uint64_t at = state->block->address + (uint64_t)copy * recorded->plan->stride;
  uint32_t i;
  int result = CUDA_OK;
  for (i = 0; i < recorded->plan->task_count && result == CUDA_OK; ++i) {
    const taichi_aot_plan_task *task = &recorded->plan->tasks[i];
    const uint64_t runtime = (uint64_t)(uintptr_t)task->dispatch->runtime;
    uint64_t parameter[7] = {at + task->dispatch->at, runtime, 0, state->result, 0, 0, 0};
    void *parameters[1] = {parameter};
    const kernel_node info = {(void *)(uintptr_t)task->function, {state->grids[i], 1, 1}, {task->block, 1, 1}, task->shared,
                              parameters, NULL, NULL, NULL};
    result = act(&info, target);
  }
  return result;
}

/* Graphs. */

typedef struct new_graph {
  void *graph;
  void *last; /* node */
} new_graph;

/* Adds a task behind the one before. */
static int add_task(const kernel_node *info, void *target) {
  new_graph *made = (new_graph *)target;
  void *node = NULL;
  const int result = cuda.cuGraphAddKernelNode_v2(&node, made->graph, &made->last, made->last != NULL, info);
  made->last = node;
  return result;
}

/* Arguments of the first iterations are those of all, unless they are stepped. */
static void *make_graph(const taichi_aot_sequence_item *items, uint32_t count, uint32_t iterations) {
  new_graph made = {NULL, NULL};
  void *result = NULL;
  uint32_t i, k;
  int failed = CUDA_OK;
  if (cuda.cuGraphCreate(&made.graph, 0) != CUDA_OK) return NULL;
  for (k = 0; k < iterations; ++k) {
    for (i = 0; i < count && !failed; ++i)
      failed = each_task(taichi_aot_recorded_of(&items[i]), items[i].scratch != NULL ? k : 0, add_task, &made);
  }
  if (failed || cuda.cuGraphInstantiateWithFlags(&result, made.graph, 0) != CUDA_OK) result = NULL;
  cuda.cuGraphDestroy(made.graph);
  return result;
}

/* Single launches, outside of sequences. */

typedef struct begun_launch {
  void *stream;
  int has_begun;
} begun_launch;

static int launch_once(const kernel_node *info, void *stream) {
  return cuda.cuLaunchKernel(info->function, info->grid[0], info->grid[1], info->grid[2], info->block[0], info->block[1],
                             info->block[2], info->shared, stream, info->parameters, info->extra);
}

/* Earlier tasks cannot be undone, so a failing one is retried after them. */
static int launch_task(const kernel_node *info, void *target) {
  begun_launch *begun = (begun_launch *)target;
  int result = launch_once(info, begun->stream);
  if (result != CUDA_OK && begun->has_begun) {
    cuda.cuStreamSynchronize(begun->stream);
    result = launch_once(info, begun->stream);
  }
  begun->has_begun = 1;
  return result;
}

/* Returns the graph of a single launch, which costs less than a launch of a task; NULL without one. */
static void *graph_of(taichi_aot_launch *launch) {
  const taichi_aot_sequence_item item = {launch, NULL, NULL, 0};
  launch_state *state = launch_state_of(launch->recorded);
  if (state->graph != NULL && state->graph_changes != state->changes) {
    free_graph(&state->graph);
    state->launches = 0;
  }
  if (state->graph == NULL && launch->recorded->plan->task_count > 0) {
    state->launches += 1;
    if (state->launches % TAICHI_AOT_WORTH_A_GRAPH == 0) state->graph = make_graph(&item, 1, 1);
    state->graph_changes = state->changes;
  }
  return state->graph;
}

/* Launches on a stream that another library captures: nodes of its graph, with arguments that the graph keeps. */

static void TAICHI_AOT_DRIVER_CALL release_captured(void *value) {
  taichi_aot_cuda_count_captured(-1);
  taichi_aot_add32(&((captured *)value)->is_released, 1);
}

/* Has the graph that a stream is captured for keep arguments: 0 or a code of the driver. */
static int keep_captured(captured *made, void *stream) {
  void *graph = NULL, *object = NULL;
  uint64_t number;
  int status, result = cuda.cuStreamGetCaptureInfo_v2(stream, &status, &number, &graph, NULL, NULL);
  if (result == CUDA_OK) result = cuda.cuUserObjectCreate(&object, made, release_captured, 1, OBJECT_WITHOUT_WAIT);
  if (result == CUDA_OK) result = cuda.cuGraphRetainUserObject(graph, object, 1, GRAPH_OBJECT_MOVE);
  if (result == CUDA_OK)
    taichi_aot_cuda_count_captured(1);
  else
    made->is_released = 1;
  return result;
}

/* Brings arguments to the device now, beside the stream: a copy in it would be part of the graph. A code of the driver. */
static int upload_beside(shared *own, const launch_state *state, size_t size) {
  int result = CUDA_OK;
  if (own->uploads == NULL) result = cuda.cuStreamCreate(&own->uploads, CUDA_STREAM_NON_BLOCKING);
  if (result == CUDA_OK) result = upload(state->block, state->host, size, own->uploads);
  return result == CUDA_OK ? cuda.cuStreamSynchronize(own->uploads) : result;
}

static int capture_tasks(shared *own, const taichi_aot_launch *launch, taichi_aot_recorded *once, captured *made, void *stream) {
  launch_state *state = launch_state_of(once);
  int code = allocate(own, (uint64_t)once->plan->stride + once->plan->return_bytes, &state->block);
  if (code != 0) return code;
  made->block = state->block;
  made->next = own->captures;
  own->captures = made;
  set_result(once, launch);
  code = taichi_aot_write_arguments(state->host, once->plan, launch);
  if (code != 0) return code;
  set_grids(once, NULL);
  code = taichi_aot_cuda_error("cuGraphRetainUserObject", keep_captured(made, stream));
  if (code == 0) code = taichi_aot_cuda_error("cuMemcpyHtoDAsync", upload_beside(own, state, once->plan->stride));
  return code != 0 ? code : taichi_aot_cuda_error("cuLaunchKernel", each_task(once, 0, launch_once, stream));
}

static int capture_launch(const taichi_aot_launch *launch, taichi_aot_plan *plan, void *stream) {
  shared *own = shared_of(launch->runtime->context);
  taichi_aot_recorded once = {.plan = plan};
  launch_state *state = launch_state_of(&once);
  captured *made;
  int code;
  if (launch->result != NULL) return taichi_aot_cuda_not_captured("a kernel that returns a value cannot be part of a graph");
  made = (captured *)calloc(1, sizeof *made);
  state->host = (char *)calloc(plan->stride + 1, 1);
  state->grids = (uint32_t *)calloc(plan->task_count + 1, sizeof *state->grids);
  state->copies = 1;
  collect_captures(own);
  if (made == NULL || state->host == NULL || state->grids == NULL)
    code = no_memory();
  else
    code = capture_tasks(own, launch, &once, made, stream);
  if (made != NULL && made->block == NULL) free(made);
  free(state->host);
  free(state->grids);
  return code;
}

static int capture_items(const taichi_aot_sequence *sequence, int64_t first, uint32_t n, void *stream) {
  uint32_t i, k;
  int code = 0;
  for (k = 0; k < n; ++k) {
    for (i = 0; i < sequence->count && code == 0; ++i) {
      const taichi_aot_sequence_item *item = &sequence->items[i];
      code = capture_launch(taichi_aot_launch_of(item, first + k), taichi_aot_recorded_of(item)->plan, stream);
    }
  }
  return code;
}

static int launch_alone(taichi_aot_launch *launch) {
  taichi_aot_context *context = launch->runtime->context;
  begun_launch begun = {NULL, 0};
  int32_t is_captured = 0;
  void *graph;
  int code = open_cuda(context);
  if (code == 0) code = taichi_aot_cuda_begin_launch(context, &begun.stream, &is_captured);
  if (code == 0 && is_captured) return capture_launch(launch, launch->recorded->plan, begun.stream);
  if (code == 0) code = refresh(launch->runtime, launch->recorded, launch, NULL, 1, begun.stream);
  if (code != 0) return code;
  graph = graph_of(launch);
  if (graph != NULL)
    code = taichi_aot_cuda_error("cuGraphLaunch", cuda.cuGraphLaunch(graph, begun.stream));
  else
    code = taichi_aot_cuda_error("cuLaunchKernel", each_task(launch->recorded, 0, launch_task, &begun));
  taichi_aot_cuda_end_launch(context);
  return code;
}

/* Sequences. */

static int free_graphs(sequence_state *state) {
  uint32_t i;
  int code = 0;
  for (i = 0; i < LEVELS; ++i) {
    const int failed = free_graph(&state->graphs[i]);
    if (failed != 0) code = failed;
  }
  return code;
}

static void free_recording(taichi_aot_context *context, taichi_aot_kept *kept) {
  sequence_state *state = graphs_of((taichi_aot_recording *)kept);
  taichi_aot_cuda_note(context, free_graphs(state));
  free(state->changes);
  state->changes = NULL;
}

/* Frees graphs that are out of date: 0, or NOT_MINE without memory to note what they were made of. */
static int check_graphs(const taichi_aot_sequence *sequence) {
  taichi_aot_recording *recording = sequence->recording;
  sequence_state *state = graphs_of(recording);
  uint32_t i;
  if (state->changes == NULL) {
    state->changes = (uint32_t *)calloc((size_t)sequence->count + 1, sizeof *state->changes);
    if (state->changes == NULL) return TAICHI_AOT_NOT_MINE;
    if (recording->kept.previous == NULL) taichi_aot_keep(sequence->runtime, &recording->kept, free_recording);
  }
  for (i = 0; i < sequence->count; ++i) {
    const uint32_t changes = launch_state_of(taichi_aot_recorded_of(&sequence->items[i]))->changes;
    if (state->changes[i] != changes) free_graphs(state);
    state->changes[i] = changes;
  }
  return 0;
}

/* Copies the arguments of iterations with stepped scalars to the device: 0, NOT_MINE or TOO_LONG. */
static int upload_steps(const taichi_aot_sequence *sequence, int64_t first, uint32_t n, void *stream) {
  uint32_t i, k;
  int result = 0;
  for (i = 0; i < sequence->count && result == 0; ++i) {
    const taichi_aot_sequence_item *item = &sequence->items[i];
    taichi_aot_recorded *recorded = taichi_aot_recorded_of(item);
    const launch_state *state = launch_state_of(recorded);
    const size_t stride = recorded->plan->stride;
    if (item->scratch == NULL) continue;
    for (k = 0; k < n && result == 0; ++k)
      result = taichi_aot_write_arguments(state->host + k * stride, recorded->plan, taichi_aot_launch_of(item, first + k));
    if (result == 0 && upload(state->block, state->host, n * stride, stream) != CUDA_OK) result = TAICHI_AOT_NOT_MINE;
  }
  return result;
}

/* Ends a chunk, or many tasks: records an event as the next slot's chunk. If that fails it waits, because the chunk was
 * launched. */
static void mark(taichi_aot_context *context, void *stream, const taichi_aot_recording *recording, uint32_t size, uint32_t tasks,
                 int has_more) {
  shared *own = shared_of(context);
  const uint32_t slot = context->chunks.next;
  int result = CUDA_OK;
  own->unmarked += tasks;
  if (!has_more && own->unmarked < TAICHI_AOT_UNMARKED) return;
  own->unmarked = 0;
  if (own->events[slot] == NULL) result = cuda.cuEventCreate(&own->events[slot], CUDA_EVENT_WITHOUT_TIMING);
  if (result == CUDA_OK) result = cuda.cuEventRecord(own->events[slot], stream);
  if (result != CUDA_OK) {
    cuda.cuStreamSynchronize(stream);
    return;
  }
  own->pending[slot] = 1;
  taichi_aot_chunk_begun(context, recording, size);
}

/* Graphs have 2^i iterations, so a few serve all numbers of iterations. */
static int submit(const taichi_aot_sequence *sequence, int64_t first, int64_t left, uint32_t *n) {
  taichi_aot_context *context = sequence->runtime->context;
  sequence_state *state = graphs_of(sequence->recording);
  uint32_t level = 0;
  int32_t is_captured;
  void *stream;
  int result;
  while (level + 1 < LEVELS && (2u << level) <= *n) ++level;
  *n = 1u << level;
  result = taichi_aot_cuda_begin_launch(context, &stream, &is_captured);
  if (result == 0 && is_captured) return capture_items(sequence, first, *n, stream);
  if (result == 0) result = check_graphs(sequence);
  if (result != 0) return result;
  if (state->graphs[level] == NULL) state->graphs[level] = make_graph(sequence->items, sequence->count, *n);
  if (state->graphs[level] == NULL) return TAICHI_AOT_NOT_MINE;
  result = upload_steps(sequence, first, *n, stream);
  if (result != 0) return result;
  result = cuda.cuGraphLaunch(state->graphs[level], stream);
  if (result == CUDA_OK)
    mark(context, stream, sequence->recording, *n, *n * taichi_aot_tasks_of(sequence), *n < left);
  taichi_aot_cuda_end_launch(context);
  return taichi_aot_cuda_error("cuGraphLaunch", result);
}

static int is_done(taichi_aot_context *context, uint32_t slot, int *code) {
  shared *own = shared_of(context);
  int result;
  if (own == NULL || !own->pending[slot]) return 1;
  result = cuda.cuEventQuery(own->events[slot]);
  if (result == CUDA_NOT_READY) {
    taichi_aot_sleep(50000);
    return 0;
  }
  own->pending[slot] = 0;
  *code = taichi_aot_cuda_error("cuGraphLaunch", result);
  return 1;
}

const taichi_aot_recorder taichi_aot_cuda_recorder = {
  .routine = "cuGraphLaunch",
  .open = open_cuda,
  .launch = launch_alone,
  .prepare = prepare,
  .is_done = is_done,
  .submit = submit,
};
