/* Recorded launches: what all recorders share.
 *
 * A plan states what a kernel or graph launches on the device. `recorded` is the state of a launch on the device, `recording`
 * that of a sequence. A sequence runs in chunks of iterations, two of them on the device at a time. Between chunks Python
 * handles signals, and other threads may enter. */

#include "core/recorder.h"

#include "core/clock.h"
#include "core/policy.h"

#include <string.h>

static const taichi_aot_recorder *recorder_of(const taichi_aot_context *context) { return context->backend->recorder; }

taichi_aot_recorded *taichi_aot_recorded_of(const taichi_aot_sequence_item *item) {
  return item->scratch != NULL ? item->scratch->recorded : item->launch->recorded;
}


/* The array or texture of a launch at the number of an argument. */
const taichi_aot_array *taichi_aot_launch_array(const taichi_aot_launch *launch, uint32_t source) {
  uint32_t i = 0;
  while (launch->array_arguments[i] != source) ++i;
  return launch->arrays[i];
}

static uint64_t address_of(const taichi_aot_memory *memory) { return memory->device != 0 ? memory->device : memory->address; }

/* The array, texture or result that is an argument of the launch, and its address: C arguments get theirs only when the library
 * launches. */
const TiNdArray *taichi_aot_array_of(const taichi_aot_launch *launch, uint32_t source, uint64_t *address) {
  const taichi_aot_array *array;
  if (launch->result != NULL && source == launch->argument_count - 1) {
    *address = address_of(launch->result->memory);
    return &launch->result->ti_ndarray;
  }
  array = taichi_aot_launch_array(launch, source);
  *address = address_of(array->memory) + array->offset;
  return &array->ti_ndarray;
}

/* Writes the argument struct of a dispatch. */
static void write_dispatch(char *target, const taichi_aot_plan_dispatch *dispatch, const taichi_aot_launch *launch) {
  uint32_t i;
  for (i = 0; i < dispatch->argument_count; ++i) {
    const taichi_aot_plan_argument *argument = &dispatch->arguments[i];
    const TiArgument *source = taichi_aot_argument_of(launch, argument->source);
    uint64_t address;
    char *at = target + argument->offset;
    if (argument->kind == TAICHI_AOT_ARGUMENT_VALUE)
      memcpy(at, &source->value, argument->count);
    else if (argument->kind == TAICHI_AOT_ARGUMENT_WORDS)
      memcpy(at, source->value.tensor.contents.data.x8, argument->count);
    else if (argument->kind == TAICHI_AOT_ARGUMENT_EXTENT)
      memcpy(at, &((const TiTexture *)taichi_aot_array_of(launch, argument->source, &address))->extent, (size_t)argument->count * 4);
    else if (argument->kind == TAICHI_AOT_ARGUMENT_ARRAY)
      memcpy(at, taichi_aot_array_of(launch, argument->source, &address)->shape.dims, (size_t)argument->count * 4);
    else {
      taichi_aot_array_of(launch, argument->source, &address);
      memcpy(at, &address, sizeof address);
    }
  }
}

/* Writes the arguments of all dispatches of a plan, `stride` bytes. */
void taichi_aot_write_arguments(char *target, const taichi_aot_plan *plan, const taichi_aot_launch *launch) {
  uint32_t i;
  for (i = 0; i < plan->dispatch_count; ++i)
    write_dispatch(target + plan->dispatches[i].at, &plan->dispatches[i], launch);
}

/* The number of groups for a loop, at most `most`: one thread for each element of the length that the program computes from these
 * arguments. The code strides over the rest. A task without a length has as many as compiled. */
uint32_t taichi_aot_groups_of(const taichi_aot_plan_task *task, const char *arguments, uint32_t most) {
  uint32_t stack[TAICHI_AOT_DEEPEST], top = 0, i, a, b;
  int32_t length;
  for (i = 0; i + 1 < task->length_count; i += 2) {
    const int32_t operation = task->length[i], operand = task->length[i + 1];
    if (operation == TAICHI_AOT_LENGTH_CONSTANT) {
      stack[top++] = (uint32_t)operand;
      continue;
    }
    if (operation == TAICHI_AOT_LENGTH_LOAD) {
      memcpy(&stack[top++], arguments + operand, 4);
      continue;
    }
    b = stack[--top];
    a = stack[top - 1];
    if (operation == TAICHI_AOT_LENGTH_ADD) a += b;
    else if (operation == TAICHI_AOT_LENGTH_SUBTRACT) a -= b;
    else if (operation == TAICHI_AOT_LENGTH_MULTIPLY) a *= b;
    else if (operation == TAICHI_AOT_LENGTH_SHIFT) a <<= b & 31;
    else if (operation == TAICHI_AOT_LENGTH_SMALLEST) a = (int32_t)a < (int32_t)b ? a : b;
    else a = (int32_t)a > (int32_t)b ? a : b;
    stack[top - 1] = a;
  }
  if (top != 1) return task->groups;
  length = (int32_t)stack[0];
  if (length <= (int32_t)task->block) return 1;
  a = ((uint32_t)length - 1) / task->block + 1;
  return a < most ? a : most;
}


/* Lists state on the device, until it is freed or its runtime is closed. */
void taichi_aot_keep(taichi_aot_runtime *runtime, taichi_aot_kept *kept,
                     void (*free)(taichi_aot_context *context, taichi_aot_kept *kept)) {
  kept->free = free;
  kept->previous = &runtime->kept;
  kept->next = runtime->kept;
  if (kept->next != NULL) kept->next->previous = &kept->next;
  runtime->kept = kept;
}

static void free_kept(taichi_aot_context *context, taichi_aot_kept *kept) {
  kept->free(context, kept);
  *kept->previous = kept->next;
  if (kept->next != NULL) kept->next->previous = kept->previous;
  kept->previous = NULL;
  kept->next = NULL;
}

/* Called with the lock while the runtime is being closed. */
void taichi_aot_recorder_close(taichi_aot_runtime *runtime) {
  taichi_aot_context *context = runtime->context;
  if (runtime->kept != NULL && context->backend->finish != NULL) context->backend->finish(context);
  while (runtime->kept != NULL) free_kept(context, runtime->kept);
}

/* For finalizers: BUSY instead of a wait for another thread that is not allowed. May be repeated. Never waits for the device,
 * because an interrupt during a finalizer is lost. `kept` begins the state of a launch or a sequence. */
int taichi_aot_kept_free(taichi_aot_runtime *runtime, void *kept, int32_t may_wait) {
  const int flags = TAICHI_AOT_ENTER_CLOSING | TAICHI_AOT_ENTER_ON_DEVICE;
  const int status = taichi_aot_enter_with(runtime, may_wait ? flags | TAICHI_AOT_ENTER_MAY_WAIT : flags);
  if (status != 0) return status;
  if (((taichi_aot_kept *)kept)->previous != NULL) free_kept(runtime->context, (taichi_aot_kept *)kept);
  return taichi_aot_leave(runtime, "ti_free_memory");
}


/* Records that a chunk of `size` iterations was submitted in the next slot. */
void taichi_aot_chunk_begun(taichi_aot_context *context, const taichi_aot_recording *recording, uint32_t size) {
  taichi_aot_chunks *chunks = &context->chunks;
  chunks->begun[chunks->next] = taichi_aot_now();
  chunks->was_awaited[chunks->next] = 0;
  chunks->recordings[chunks->next] = recording;
  chunks->sizes[chunks->next] = size;
  chunks->next = (chunks->next + 1) % TAICHI_AOT_CHUNKS;
}

/* Learns from a finished chunk, which should take the device some milliseconds. Its duration is known if it was waited for;
 * otherwise it is an upper bound. */
static void learn(taichi_aot_chunks *chunks, uint32_t slot, taichi_aot_recording *recording, uint32_t largest) {
  const int64_t begun = chunks->begun[slot], finished = taichi_aot_now();
  const int64_t taken = finished - (chunks->finished > begun ? chunks->finished : begun);
  if (begun == 0) return;
  chunks->begun[slot] = 0;
  chunks->finished = finished;
  if (chunks->recordings[slot] != recording || 2 * chunks->sizes[slot] <= recording->size) return;
  if (taichi_aot_is_long(taken) && !chunks->was_awaited[slot]) return;
  recording->is_quick = !taichi_aot_is_long(taken);
  recording->size = taichi_aot_chunk_size(recording->size, largest, taken);
}

/* Whether the device has finished the chunk of a slot. */
static int chunk_is_done(taichi_aot_context *context, uint32_t slot, taichi_aot_recording *recording, uint32_t largest,
                         int *code) {
  if (*code != 0) return 1;
  if (!recorder_of(context)->is_done(context, slot, code)) {
    context->chunks.was_awaited[slot] = 1;
    return 0;
  }
  learn(&context->chunks, slot, recording, largest);
  return 1;
}

/* Whether another chunk may be submitted. A second one only if chunks are known to be quick, because it still runs after an
 * exception. */
static int has_room(taichi_aot_context *context, taichi_aot_recording *recording, uint32_t largest, int *code) {
  const uint32_t slot = context->chunks.next, other = (slot + 1) % TAICHI_AOT_CHUNKS;
  if (!chunk_is_done(context, slot, recording, largest, code)) return 0;
  return recording->is_quick || chunk_is_done(context, other, recording, largest, code);
}

uint32_t taichi_aot_tasks_of(const taichi_aot_sequence *sequence) {
  uint32_t i, sum = 0;
  for (i = 0; i < sequence->count; ++i) sum += taichi_aot_recorded_of(&sequence->items[i])->plan->task_count;
  return sum > 0 ? sum : 1;
}

static uint32_t largest_chunk(const taichi_aot_sequence *sequence) {
  const uint32_t tasks = taichi_aot_tasks_of(sequence);
  return tasks < TAICHI_AOT_LARGEST_CHUNK ? TAICHI_AOT_LARGEST_CHUNK / tasks : 1;
}

/* Prepares all launches for chunks of `size` iterations: 0, NOT_MINE or an error code. A launch with a closed array cannot be
 * recorded: the library makes those before it. */
static int prepare_items(const taichi_aot_sequence *sequence, uint32_t size) {
  uint32_t i;
  int result = 0;
  for (i = 0; i < sequence->count && result == 0; ++i) {
    const taichi_aot_sequence_item *item = &sequence->items[i];
    if (taichi_aot_launch_check(item->launch) != 0) return TAICHI_AOT_NOT_MINE;
    result = recorder_of(sequence->runtime->context)->prepare(sequence->runtime, item, item->scratch != NULL ? size : 1);
  }
  return result;
}

/* Submits the next chunk. */
static int submit(const taichi_aot_sequence *sequence, int64_t repeat, taichi_aot_position *position) {
  const int64_t left = repeat - position->iteration;
  uint32_t i, n = left < (int64_t)sequence->recording->size ? (uint32_t)left : sequence->recording->size;
  int result = prepare_items(sequence, n);
  if (result == 0) result = recorder_of(sequence->runtime->context)->submit(sequence, position->iteration, left, &n);
  if (result != 0) return result;
  for (i = 0; i < sequence->count; ++i)
    if (sequence->items[i].launch->result != NULL) sequence->items[i].launch->result->is_written = 1;
  position->iteration += n;
  return 0;
}

/* As `taichi_aot_run_sequence`, with recorded launches; NOT_MINE if the library must continue from `position`. */
int taichi_aot_run_recorded(const taichi_aot_sequence *sequence, int64_t repeat, taichi_aot_position *position) {
  taichi_aot_runtime *runtime = sequence->runtime;
  taichi_aot_context *context = runtime->context;
  taichi_aot_recording *recording = sequence->recording;
  const taichi_aot_recorder *recorder = recorder_of(context);
  const int flags = TAICHI_AOT_ENTER_MAY_WAIT | TAICHI_AOT_ENTER_ON_DEVICE | TAICHI_AOT_ENTER_TO_LAUNCH;
  const int64_t end = taichi_aot_milliseconds() + TAICHI_AOT_TURN;
  const uint32_t largest = largest_chunk(sequence);
  int result = taichi_aot_enter_with(runtime, flags);
  if (result != 0) return result;
  if (recording->size < 1) recording->size = 1;
  result = recorder->open(context);
  while (result == 0 && position->iteration < repeat) {
    if (has_room(context, recording, largest, &result) && result == 0)
      result = submit(sequence, repeat, position);
    if (result != 0 || position->iteration >= repeat || taichi_aot_milliseconds() >= end) break;
    if (taichi_aot_is_awaited(&context->lock)) {
      taichi_aot_leave_with(runtime, 0);
      taichi_aot_let_one_pass(&context->lock);
      result = taichi_aot_enter_with(runtime, flags);
      if (result != 0) return result;
    }
  }
  if (result == TAICHI_AOT_NOT_MINE) taichi_aot_clear_error();
  return taichi_aot_leave_after(runtime, recorder->routine, result);
}
