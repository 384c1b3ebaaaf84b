/* Launches. Under the mutex, they check whether their objects have been closed since the arguments were packed. */

#include "core/launch.h"

#include "core/checks.h"
#include "core/clock.h"
#include "core/policy.h"
#include "core/recorder.h"
#include "core/wait.h"

#include <stdio.h>
#include <string.h>

#define functions taichi_aot_functions
#define MOST_BYTES (UINT64_C(1) << 40) /* stated for imports, which are not read beyond the array */

/* 0, or the status of a launch that cannot be made. The lock is held. */
int taichi_aot_launch_check(const taichi_aot_launch *launch) {
  uint32_t i;
  if (!taichi_aot_is_module_open(launch->module)) return TAICHI_AOT_MODULE_CLOSED;
  for (i = 0; i < launch->array_count; ++i) {
    const taichi_aot_array *array = launch->arrays[i];
    const int64_t generation = taichi_aot_load64(&array->memory->generation);
    if (generation != array->generation)
      return (generation == -array->generation ? TAICHI_AOT_ARRAY_MAPPED : TAICHI_AOT_ARRAY_CLOSED) | (int)(i << 8);
  }
  return 0;
}

TiArgument *taichi_aot_argument_of(const taichi_aot_launch *launch, uint32_t i) {
  return launch->arguments != NULL ? &launch->arguments[i] : &launch->named_arguments[i].argument;
}

/* Completes the argument for an array with the library's handle of its memory: 0 or an error code. */
static int pass_array(taichi_aot_context *context, TiArgument *argument, const TiNdArray *array, taichi_aot_memory *memory,
                      uint64_t offset) {
  argument->value.ndarray = *array;
  if (argument->type == TI_ARGUMENT_TYPE_TEXTURE) {
    if (argument->value.texture.image != NULL || context->backend->import_image == NULL) return 0;
    return context->backend->import_image(context, memory, &argument->value.texture.image);
  }
  if (array->memory != NULL) return 0;
  return taichi_aot_import_entered(context, memory, offset, MOST_BYTES, &argument->value.ndarray.memory);
}

static int pass_arrays(taichi_aot_launch *launch) {
  taichi_aot_context *context = launch->runtime->context;
  uint32_t i;
  for (i = 0; i < launch->array_count; ++i) {
    const taichi_aot_array *array = launch->arrays[i];
    TiArgument *argument = taichi_aot_argument_of(launch, launch->array_arguments[i]);
    const int code = pass_array(context, argument, &array->ti_ndarray, array->memory, array->offset);
    if (code != 0) return code;
  }
  if (launch->result == NULL) return 0;
  return pass_array(context, taichi_aot_argument_of(launch, launch->argument_count - 1), &launch->result->ti_ndarray,
                    launch->result->memory, 0);
}

/* Launches by the library, with open arrays and module: 0 or an error code. `leave` checks the library's error. */
static int launch_by_library(taichi_aot_launch *launch) {
  taichi_aot_context *context = launch->runtime->context;
  const int code = pass_arrays(launch);
  if (code != 0) return code;
  if (launch->arguments != NULL)
    functions.ti_launch_kernel(context->ti_runtime, launch->ti_kernel, launch->argument_count, launch->arguments);
  else
    functions.ti_launch_compute_graph(context->ti_runtime, launch->ti_compute_graph, launch->argument_count,
                                      launch->named_arguments);
  return 0;
}

/* Whether the launch has machine code or PTX, so the library cannot make it. */
int taichi_aot_is_native(const taichi_aot_launch *launch) {
  return launch->ti_kernel == NULL && launch->ti_compute_graph == NULL;
}

const char *taichi_aot_launch_routine(const taichi_aot_launch *launch) {
  return launch->arguments != NULL ? "ti_launch_kernel" : "ti_launch_compute_graph";
}

/* Records the shapes of a launch whose check failed. Graphs have none, because their kernels have other parameters. */
static void note_shapes(const taichi_aot_launch *launch) {
  uint32_t i;
  for (i = 0; launch->arguments != NULL && i < launch->array_count; ++i) {
    const uint32_t parameter = launch->array_arguments[i];
    if (parameter < TAICHI_AOT_FAILURE_SHAPES)
      launch->runtime->context->failure->shapes[parameter] = launch->arrays[i]->ti_ndarray.shape;
  }
}

/* Launch by the library within `enter` and `leave`; a status if one of its arrays or its module is closed. */
static int launch_entered(taichi_aot_launch *launch) {
  taichi_aot_context *context = launch->runtime->context;
  int status = taichi_aot_launch_check(launch);
  if (status != 0) return status;
  taichi_aot_library_queued(context);
  context->changes += 1;
  status = launch_by_library(launch);
  if (status != 0) return status;
  if (launch->result != NULL && !taichi_aot_has_failed())
    launch->result->is_written = 1;
  return 0;
}

static int use_library(taichi_aot_context *context) {
  return context->backend->use_library != NULL ? context->backend->use_library(context) : 0;
}

/* Takes the lock; NEEDS_PLAN before the first launch without the library. If making the plan fails, nothing was launched.
 * Returns in `is_native` whether the launch bypasses the library. */
static int enter_launch(taichi_aot_launch *launch, int *is_native) {
  const int flags = TAICHI_AOT_ENTER_MAY_WAIT | TAICHI_AOT_ENTER_ON_DEVICE;
  int status;
  *is_native = taichi_aot_is_native(launch);
  status = taichi_aot_enter_with(launch->runtime, *is_native ? flags | TAICHI_AOT_ENTER_TO_LAUNCH : flags);
  if (status != 0 || !*is_native || launch->recorded != NULL) return status;
  taichi_aot_leave_with(launch->runtime, 0);
  return TAICHI_AOT_NEEDS_PLAN;
}

/* The library's error for a launch whose kernel it does not have. */
static int launch_error(const taichi_aot_launch *launch) {
  snprintf(taichi_aot_message, sizeof taichi_aot_message, "the kernel has no plan, and only code of its own");
  return taichi_aot_fail(taichi_aot_launch_routine(launch), (int)TI_ERROR_INVALID_STATE);
}

static int launch_code(taichi_aot_launch *launch) {
  const taichi_aot_recorder *recorder = launch->runtime->context->backend->recorder;
  int status = taichi_aot_launch_check(launch);
  if (status != 0) return status;
  status = recorder != NULL ? recorder->launch(launch) : TAICHI_AOT_NOT_MINE;
  launch->was_recorded = status == 0;
  if (status == 0 && launch->result != NULL) launch->result->is_written = 1;
  if (status == TAICHI_AOT_UNFINISHED) return TAICHI_AOT_NOT_LAUNCHED;
  return status == TAICHI_AOT_NOT_MINE ? launch_error(launch) : status;
}

/* Launches between `enter_launch` and `leave_after`, without the library if there is machine code or PTX. */
static int launch_either_way(taichi_aot_launch *launch, int is_native) {
  const taichi_aot_context *context = launch->runtime->context;
  const int may_fail = !context->backend->queues && !taichi_aot_has_failure(context); /* before it returns */
  int status;
  launch->was_recorded = 0;
  status = is_native ? launch_code(launch) : launch_entered(launch);
  if (may_fail && taichi_aot_has_failure(context)) note_shapes(launch);
  return status;
}

static int launch_entered_either_way(taichi_aot_launch *launch, int is_native) {
  const taichi_aot_backend *backend = launch->runtime->context->backend;
  const int has_guests = launch->is_call && backend->order_arrays != NULL;
  int status = 0;
  if (launch->names != NULL && backend->name_arrays != NULL) backend->name_arrays(launch);
  if (has_guests) status = backend->order_arrays(launch, 0);
  if (status == 0) status = launch_either_way(launch, is_native);
  if (has_guests && status == 0) backend->order_arrays(launch, 1);
  return status;
}

int taichi_aot_launch_now(taichi_aot_launch *launch) {
  int is_native, status = enter_launch(launch, &is_native);
  if (status != 0) return status;
  status = taichi_aot_leave_after(launch->runtime, taichi_aot_launch_routine(launch),
                                  launch_entered_either_way(launch, is_native));
  /* Such a launch may have waited for the device. */
  if (is_native) taichi_aot_let_one_pass(&launch->runtime->context->lock);
  return status;
}

/* Ends a call that reads a result. Lets another thread enter, which a loop of launches and waits would rarely do. */
static int leave_read(taichi_aot_runtime *runtime, const char *routine, int status) {
  status = taichi_aot_leave_after(runtime, routine, status);
  taichi_aot_let_one_pass(&runtime->context->lock);
  return status;
}

/* Waits for the device, and copies the result to the host. The lock is held. */
static int read_result(const taichi_aot_launch *launch, void *host, int32_t may_block) {
  const taichi_aot_result *result = launch->result;
  return taichi_aot_read_entered(launch->runtime, result->memory, 0, (uint64_t)(uintptr_t)host, result->size, may_block, NULL);
}

/* Results that are polled: while a launch is all that runs, its return value is the last thing that it writes, and the host
 * sees it some us before an event behind it. */

static int can_poll(const taichi_aot_launch *launch) {
  const taichi_aot_context *context = launch->runtime->context;
  return launch->result->memory->is_polled && !context->is_shared && context->failure == NULL && taichi_aot_is_idle(context);
}

/* Launch, wait, and copy the result to the host; UNFINISHED if only the launch was made. */
int taichi_aot_launch_for_result(taichi_aot_launch *launch, void *host) {
  const char *routine = taichi_aot_launch_routine(launch);
  taichi_aot_context *context = launch->runtime->context;
  const taichi_aot_result *result = launch->result;
  int is_native, is_polled, status = enter_launch(launch, &is_native);
  if (status != 0) return status;
  is_polled = is_native && can_poll(launch);
  if (is_polled) taichi_aot_expect_words(result->memory->mapped, result->size);
  status = launch_entered_either_way(launch, is_native);
  if (status == 0 && is_polled && taichi_aot_poll_words(context, result->memory->mapped, result->size)) {
    memcpy(host, result->memory->mapped, (size_t)result->size);
  } else if (status == 0 && !taichi_aot_has_failed()) {
    status = use_library(context);
    routine = "ti_map_memory";
    if (status == 0) status = read_result(launch, host, 0);
    if (status == 0 && is_polled && !taichi_aot_has_words(result->memory->mapped, result->size))
      result->memory->is_polled = 0; /* it has gaps */
  }
  return leave_read(launch->runtime, routine, status);
}

/* Wait for the last launch, and copy its result to the host; NO_RESULT if none was made. */
int taichi_aot_read_result(const taichi_aot_launch *launch, void *host, int32_t may_block) {
  int status = taichi_aot_enter(launch->runtime);
  if (status != 0) return status;
  status = launch->result->is_written ? read_result(launch, host, may_block) : TAICHI_AOT_NO_RESULT;
  return leave_read(launch->runtime, "ti_map_memory", status);
}

/* Gives a launch its plan and its state on the device, if it needs one. */
int taichi_aot_launch_plan(taichi_aot_launch *launch, struct taichi_aot_recorded *recorded) {
  const int status = taichi_aot_enter_with(launch->runtime, TAICHI_AOT_ENTER_MAY_WAIT | TAICHI_AOT_ENTER_TO_LAUNCH);
  if (status != 0) return status;
  if (launch->recorded == NULL) launch->recorded = recorded; /* unless another thread was first */
  return taichi_aot_leave_with(launch->runtime, 0);
}

/* Give a launch the arguments and the version of another launch of the same kernel. The lock is held. */
static void copy_arguments(taichi_aot_launch *target, const taichi_aot_launch *source) {
  uint32_t i;
  for (i = 0; i < source->argument_count; ++i) *taichi_aot_argument_of(target, i) = *taichi_aot_argument_of(source, i);
  for (i = 0; i < source->array_count; ++i) target->arrays[i] = source->arrays[i];
  target->version = source->version;
}

/* Replace all arguments of a launch; CHANGED if its version is no longer the given one. Launches in other threads use
 * all old arguments or all new ones. */
int taichi_aot_launch_assign(taichi_aot_launch *launch, const taichi_aot_launch *replacement, int64_t version) {
  int status = taichi_aot_enter(launch->runtime);
  if (status != 0) return status;
  if (launch->version == version) {
    copy_arguments(launch, replacement);
  } else {
    status = TAICHI_AOT_CHANGED;
  }
  return taichi_aot_leave_after(launch->runtime, NULL, status);
}

/* The launch of an item, with the scalars of this iteration: it uses a copy of the launch's current arguments. */
taichi_aot_launch *taichi_aot_launch_of(const taichi_aot_sequence_item *item, int64_t iteration) {
  uint32_t i;
  if (item->scratch == NULL) return item->launch;
  if (item->scratch->version != item->launch->version) copy_arguments(item->scratch, item->launch);
  for (i = 0; i < item->step_count; ++i) {
    const taichi_aot_step *step = &item->steps[i];
    const double value = step->first + (double)iteration * step->step;
    if (step->is_real)
      *(float *)step->value = (float)value;
    else
      *(int32_t *)step->value = (int32_t)value;
  }
  return item->scratch;
}

/* Launches from `position` on, by the library or at once, until iteration `repeat`, an error, `left` launches, the time `end`,
 * or until a thread waits for the lock. The caller has cleared the error, because the library only sets it. */
int taichi_aot_launch_items(const taichi_aot_sequence *sequence, int64_t repeat, int64_t end, int64_t *left,
                            taichi_aot_position *position) {
  taichi_aot_context *context = sequence->runtime->context;
  while (position->iteration < repeat && *left > 0) {
    const taichi_aot_sequence_item *item = &sequence->items[position->launch];
    taichi_aot_launch *launch = taichi_aot_launch_of(item, position->iteration);
    const int is_native = taichi_aot_is_native(launch);
    int status = 0;
    if (is_native && item->scratch != NULL) launch->recorded->version = -1; /* its scalars changed */
    if (!is_native) status = use_library(context);
    if (status == 0) status = launch_entered_either_way(launch, is_native);
    if (status != 0 || taichi_aot_has_failed()) return status;
    position->launch += 1;
    if (position->launch == sequence->count) {
      position->launch = 0;
      position->iteration += 1;
    }
    *left -= 1;
    if (taichi_aot_milliseconds() >= end || taichi_aot_is_awaited(&context->lock)) return 0;
  }
  return 0;
}
