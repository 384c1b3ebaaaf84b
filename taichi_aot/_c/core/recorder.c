/* Recorded launches: what all recorders share.
 *
 * A plan states what a kernel or graph launches on the device. `recorded` is the state of a launch on the device, `recording`
 * that of a sequence. A sequence runs in chunks of iterations, two of them on the device at a time. Between chunks Python
 * handles signals, and other threads may enter. */

#include "core/recorder.h"

#include "core/clock.h"
#include "core/policy.h"

#include <stdio.h>
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

#define FURTHEST (INT64_C(1) << 61) /* sums of two are numbers of 64 bits */

static int64_t limited(int64_t number) { return number > FURTHEST ? FURTHEST : number < -FURTHEST ? -FURTHEST : number; }

static int64_t product(int64_t a, int64_t b) {
  const double about = (double)a * (double)b;
  return about > (double)FURTHEST ? FURTHEST : about < -(double)FURTHEST ? -FURTHEST : a * b;
}

static int is_narrow(int64_t number) { return number >= INT32_MIN && number <= INT32_MAX; }

/* The length of a task's loop, whose program is computed from these arguments; no number of 32 bits if the compiler's code, which
 * computes with these, gets another one. `end` becomes the index after the last, or more. */
static int64_t length_of(const taichi_aot_plan_task *task, const char *arguments, int64_t *end) {
  int64_t stack[TAICHI_AOT_DEEPEST], a, b;
  uint32_t top = 0, i;
  *end = INT32_MIN;
  for (i = 0; i + 1 < task->length_count; i += 2) {
    const int32_t operation = task->length[i], operand = task->length[i + 1];
    int32_t narrow = operand;
    if (operation == TAICHI_AOT_LENGTH_LOAD) memcpy(&narrow, arguments + operand, sizeof narrow);
    if (operation <= TAICHI_AOT_LENGTH_LOAD || operation == TAICHI_AOT_LENGTH_LOAD_WIDE) {
      a = narrow;
      if (operation == TAICHI_AOT_LENGTH_LOAD_WIDE) memcpy(&a, arguments + operand, sizeof a);
      stack[top++] = limited(a);
      continue;
    }
    b = stack[--top];
    a = stack[top - 1];
    *end = operation == TAICHI_AOT_LENGTH_SUBTRACT ? a : INT32_MIN; /* the first index may be subtracted last */
    if (operation == TAICHI_AOT_LENGTH_ADD) a = limited(a + b);
    else if (operation == TAICHI_AOT_LENGTH_SUBTRACT) a = limited(a - b);
    else if (operation == TAICHI_AOT_LENGTH_MULTIPLY) a = product(a, b);
    else if (operation == TAICHI_AOT_LENGTH_SHIFT) a = product(a, INT64_C(1) << (b & 31));
    else if (!is_narrow(a) || !is_narrow(b)) a = FURTHEST;
    else if (operation == TAICHI_AOT_LENGTH_SMALLEST) a = a < b ? a : b;
    else a = a > b ? a : b;
    stack[top - 1] = a;
  }
  if (*end < stack[0] || !is_narrow(*end)) *end = stack[0];
  return stack[0];
}

/* The most iterations that code can count: on the CPU it may add `block` to the last index before it sees that the loop ends. For
 * GPUs a program may compute more than the length, and `taichi_aot_groups_of` looks at the sum. */
static int64_t most_of(const taichi_aot_plan_task *task) { return INT32_MAX - (task->groups == 0 ? (int64_t)task->block - 1 : 0); }

/* Appends to the message. */
static void tell(const char *format, const char *text, int64_t number) {
  const size_t at = strlen(taichi_aot_message);
  if (text != NULL) snprintf(taichi_aot_message + at, sizeof taichi_aot_message - at, format, text);
  else snprintf(taichi_aot_message + at, sizeof taichi_aot_message - at, format, (long long)number);
}

/* TOO_LONG for a task, with the numbers from which the length of its loop follows. */
static int too_long(const taichi_aot_plan_task *task, const char *arguments, int64_t length) {
  const char *comma = "(";
  int64_t end;
  uint32_t i, k;
  taichi_aot_message[0] = 0;
  tell("kernel %s: a loop over ", task->dispatch->name, 0);
  for (i = 0; i + 1 < task->length_count; i += 2) {
    const taichi_aot_plan_task leaf = {.length_count = 2, .length = task->length + i};
    for (k = 0; k < i && memcmp(task->length + k, leaf.length, 2 * sizeof *leaf.length) != 0; k += 2) {}
    if (k < i || (task->length[i] != TAICHI_AOT_LENGTH_LOAD && task->length[i] != TAICHI_AOT_LENGTH_LOAD_WIDE)) continue;
    tell("%s", comma, 0);
    tell("%lld", NULL, length_of(&leaf, arguments, &end));
    comma = ", ";
  }
  tell(comma[0] == '(' ? "constants has %lld iterations" : ") has %lld iterations", NULL, length);
  tell(", and the most is %lld", NULL, most_of(task));
  return TAICHI_AOT_TOO_LONG;
}

/* Writes the arguments of all dispatches of a plan, `stride` bytes: 0, or TOO_LONG. */
int taichi_aot_write_arguments(char *target, const taichi_aot_plan *plan, const taichi_aot_launch *launch) {
  int64_t end;
  uint32_t i;
  for (i = 0; i < plan->dispatch_count; ++i)
    write_dispatch(target + plan->dispatches[i].at, &plan->dispatches[i], launch);
  for (i = 0; i < plan->task_count; ++i) {
    const taichi_aot_plan_task *task = &plan->tasks[i];
    const char *arguments = target + task->dispatch->at;
    const int64_t length = task->length_count > 0 ? length_of(task, arguments, &end) : 0;
    if (length < INT32_MIN || length > most_of(task)) return too_long(task, arguments, length);
  }
  return 0;
}

/* The number of groups with a thread for each element of a loop, which may be more than a launch can have. */
int64_t taichi_aot_all_groups_of(const taichi_aot_plan_task *task, const char *arguments) {
  int64_t length, end;
  if (task->length_count == 0) return task->groups;
  length = length_of(task, arguments, &end);
  return length > 0 ? (length - 1) / task->block + 1 : 0;
}

/* The number of groups for a loop, at most `most`: one thread for each element. The code strides over the rest, and adds all of
 * their threads to the last index. A task without a length has as many as compiled. */
uint32_t taichi_aot_groups_of(const taichi_aot_plan_task *task, const char *arguments, uint32_t most) {
  const int64_t block = task->block;
  int64_t groups, length, end;
  if (task->length_count == 0) return task->groups;
  length = length_of(task, arguments, &end);
  if (length <= block) return 1;
  groups = (length - 1) / block + 1;
  if (groups > most) groups = most;
  if (end - 1 + groups * block > INT32_MAX) groups = (INT32_MAX - (end - 1)) / block;
  return groups > 0 ? (uint32_t)groups : 1;
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
