/* Launches: objects that may have been closed since the arguments were packed are checked here, under the mutex. */

#include "launch.h"

#include "cuda_device.h"
#include "recorder.h"

#define functions taichi_aot_functions

/* On Vulkan: launches by the library after an update, before what the device has of a launch is brought up to date, for
 * which the device has to finish. */
enum { AFTER_UPDATE = 8 };

/* 0, or the status of a launch that cannot be made. The lock is held. */
int taichi_aot_launch_check(const taichi_aot_launch *launch) {
  uint32_t i;
  if (!taichi_aot_is_module_open(launch->module)) return TAICHI_AOT_MODULE_CLOSED;
  for (i = 0; i < launch->array_count; ++i) {
    const taichi_aot_array *array = launch->arrays[i];
    const int64_t generation = *(const volatile int64_t *)&array->memory->generation;
    if (generation != array->generation)
      return (generation == -array->generation ? TAICHI_AOT_ARRAY_MAPPED : TAICHI_AOT_ARRAY_CLOSED) | (int)(i << 8);
  }
  return 0;
}

TiArgument *taichi_aot_argument_of(const taichi_aot_launch *launch, uint32_t i) {
  return launch->arguments != NULL ? &launch->arguments[i] : &launch->named_arguments[i].argument;
}

/* Gives the library a launch whose arrays and module are open. */
void taichi_aot_launch_by_library(taichi_aot_launch *launch) {
  taichi_aot_context *context = launch->runtime->context;
  uint32_t i;
  for (i = 0; i < launch->array_count; ++i)
    taichi_aot_argument_of(launch, launch->array_arguments[i])->value.ndarray = launch->arrays[i]->ti_ndarray;
  if (launch->result != NULL)
    taichi_aot_argument_of(launch, launch->argument_count - 1)->value.ndarray = launch->result->ti_ndarray;
  if (launch->ti_kernel != NULL)
    functions.ti_launch_kernel(context->ti_runtime, launch->ti_kernel, launch->argument_count, launch->arguments);
  else
    functions.ti_launch_compute_graph(context->ti_runtime, launch->ti_compute_graph, launch->argument_count,
                                      launch->named_arguments);
}

const char *taichi_aot_launch_routine(const taichi_aot_launch *launch) {
  return launch->ti_kernel != NULL ? "ti_launch_kernel" : "ti_launch_compute_graph";
}

int taichi_aot_missing_launch(void) {
  if (functions.ti_launch_kernel != NULL && functions.ti_launch_compute_graph != NULL) return 0;
  return taichi_aot_missing("ti_launch_kernel");
}

/* Launch by the library within `enter` and `leave`; a status if one of its arrays or its module is closed. */
int taichi_aot_launch_entered(taichi_aot_launch *launch) {
  taichi_aot_context *context = launch->runtime->context;
  const int status = taichi_aot_launch_check(launch);
  if (status != 0) return status;
  context->busy |= context->asynchronous;
  context->changes += 1;
  taichi_aot_launch_by_library(launch);
  if (launch->result != NULL && functions.ti_get_last_error(NULL, NULL) == TI_ERROR_SUCCESS)
    launch->result->is_written = 1;
  return 0;
}

static int is_direct(const taichi_aot_launch *launch) {
  return launch->recorded != NULL && launch->runtime->context->cuda_context != NULL;
}

/* Whether the library has made as many launches as it is to make. The lock is held. */
static int is_worth_recording(taichi_aot_launch *launch) {
  if (launch->countdown <= 0) return 0;
  launch->countdown -= 1;
  return launch->countdown == 0;
}

/* The caller prepares recording before the launch: whatever fails there, the launch has not been made. */
static int enter_launch(taichi_aot_launch *launch) {
  const int flags = TAICHI_AOT_ENTER_MAY_WAIT | TAICHI_AOT_ENTER_ON_DEVICE;
  int status = taichi_aot_missing_launch();
  if (status != 0) return status;
  status = taichi_aot_enter_with(launch->runtime, is_direct(launch) ? flags | TAICHI_AOT_ENTER_DIRECT : flags);
  if (status != 0 || !is_worth_recording(launch)) return status;
  taichi_aot_leave_with(launch->runtime, 0);
  return TAICHI_AOT_WORTH_RECORDING;
}

/* Launch within `enter_launch` and `leave`, without the library where that is possible; `code` is the error so far. */
static int launch_either_way(taichi_aot_launch *launch, int *code) {
  if (is_direct(launch)) {
    const int status = taichi_aot_launch_check(launch);
    if (status != 0 || taichi_aot_cuda_launch(launch, code)) return status;
    taichi_aot_cuda_use_default(launch->runtime->context);
  } else if (launch->recorded != NULL && launch->countdown == 0) {
    const int status = taichi_aot_vulkan_launch(launch, code);
    if (status != TAICHI_AOT_NOT_RECORDED) return status;
  }
  return taichi_aot_launch_entered(launch);
}

int taichi_aot_launch_now(taichi_aot_launch *launch) {
  int status = enter_launch(launch), code = 0;
  if (status != 0) return status;
  status = launch_either_way(launch, &code);
  code = code != 0 ? taichi_aot_leave_with(launch->runtime, code) : taichi_aot_leave(launch->runtime, taichi_aot_launch_routine(launch));
  return status != 0 ? status : code;
}

/* The end of a call that reads a result. A thread that launches and waits in a loop would otherwise rarely let another
 * thread enter. */
static int leave_read(taichi_aot_runtime *runtime, int code, const char *routine) {
  code = code != 0 ? taichi_aot_leave_with(runtime, code) : taichi_aot_leave(runtime, routine);
  if (taichi_aot_waiting(&runtime->context->lock) > 0) taichi_aot_let_one_pass(&runtime->context->lock);
  return code;
}

/* Launch, wait, and copy the result to the host. */
int taichi_aot_launch_for_result(taichi_aot_launch *launch, void *host) {
  const char *routine = taichi_aot_launch_routine(launch);
  taichi_aot_context *context = launch->runtime->context;
  int status = taichi_aot_missing_map(), code = 0;
  if (status == 0) status = enter_launch(launch);
  if (status != 0) return status;
  status = launch_either_way(launch, &code);
  if (context->is_direct) taichi_aot_cuda_use_default(context);
  if (status == 0 && code == 0 && functions.ti_get_last_error(NULL, NULL) == TI_ERROR_SUCCESS) {
    routine = "ti_map_memory";
    code = taichi_aot_read_entered(launch->runtime, launch->result->memory, (uint64_t)(uintptr_t)host,
                                   launch->result->size);
  }
  code = leave_read(launch->runtime, code, routine);
  return status != 0 ? status : code;
}

/* Wait for the last launch, and copy its result to the host; NO_RESULT if none was made. */
int taichi_aot_read_result(const taichi_aot_launch *launch, void *host) {
  const taichi_aot_result *result = launch->result;
  int status = taichi_aot_missing_map(), code = 0;
  if (status == 0) status = taichi_aot_enter(launch->runtime);
  if (status != 0) return status;
  if (result->is_written)
    code = taichi_aot_read_entered(launch->runtime, result->memory, (uint64_t)(uintptr_t)host, result->size);
  else
    status = TAICHI_AOT_NO_RESULT;
  code = leave_read(launch->runtime, code, "ti_map_memory");
  return status != 0 ? status : code;
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
  int status = taichi_aot_enter(launch->runtime), code;
  if (status != 0) return status;
  if (launch->version == version) {
    copy_arguments(launch, replacement);
    if (launch->recorded != NULL && !is_direct(launch)) launch->countdown = AFTER_UPDATE + 1;
  } else {
    status = TAICHI_AOT_CHANGED;
  }
  code = taichi_aot_leave(launch->runtime, NULL);
  return status != 0 ? status : code;
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
