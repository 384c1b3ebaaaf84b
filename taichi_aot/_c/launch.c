/* Launches: what could have been closed since the arguments were packed is checked under the mutex, here. */

#include "taichi_aot.h"

#include <time.h>

#ifdef _WIN32
#include <windows.h>
#endif

#define functions taichi_aot_functions

/* Refuses launches with the module from now on; those of other threads have returned. */
int taichi_aot_module_close(taichi_aot_runtime *runtime, taichi_aot_module *module) {
  const int status = taichi_aot_enter_closing(runtime);
  if (status != 0) return status;
  module->is_open = 0;
  return taichi_aot_leave(runtime, NULL);
}

/* Again it does nothing. */
int taichi_aot_module_destroy(taichi_aot_runtime *runtime, taichi_aot_module *module) {
  int status;
  if (functions.ti_destroy_aot_module == NULL) return taichi_aot_missing("ti_destroy_aot_module");
  status = taichi_aot_enter_process();
  if (status != 0) return status;
  status = taichi_aot_enter_closing(runtime);
  if (status == 0) {
    const TiAotModule ti_module = module->ti_module;
    module->is_open = 0;
    module->ti_module = NULL;
    if (ti_module != NULL) functions.ti_destroy_aot_module(ti_module);
    status = taichi_aot_leave(runtime, "ti_destroy_aot_module");
  }
  taichi_aot_leave_process();
  return status;
}

/* The lock is held: 0, or the status of a launch that cannot be. */
static int check_usable(const taichi_aot_launch *launch) {
  uint32_t i;
  if (!*(const volatile int64_t *)&launch->module->is_open) return TAICHI_AOT_MODULE_CLOSED;
  for (i = 0; i < launch->array_count; ++i) {
    const taichi_aot_array *array = launch->arrays[i];
    const int64_t generation = *(const volatile int64_t *)&array->memory->generation;
    if (generation != array->generation)
      return (generation == -array->generation ? TAICHI_AOT_ARRAY_MAPPED : TAICHI_AOT_ARRAY_CLOSED) | (int)(i << 8);
  }
  return 0;
}

/* Launch within `enter` and `leave`; a status if something of it is closed. */
static int launch_entered(taichi_aot_launch *launch) {
  taichi_aot_context *context = launch->runtime->context;
  const int status = check_usable(launch);
  uint32_t i;
  if (status != 0) return status;
  for (i = 0; i < launch->array_count; ++i) *launch->slots[i] = launch->arrays[i]->ti_ndarray;
  context->busy = context->asynchronous;
  if (launch->ti_kernel != NULL)
    functions.ti_launch_kernel(context->ti_runtime, launch->ti_kernel, launch->argument_count, launch->arguments);
  else
    functions.ti_launch_compute_graph(context->ti_runtime, launch->ti_compute_graph, launch->argument_count,
                                      launch->named_arguments);
  return 0;
}

static const char *routine_of(const taichi_aot_launch *launch) {
  return launch->ti_kernel != NULL ? "ti_launch_kernel" : "ti_launch_compute_graph";
}

static int missing_launch(void) {
  if (functions.ti_launch_kernel != NULL && functions.ti_launch_compute_graph != NULL) return 0;
  return taichi_aot_missing("ti_launch_kernel");
}

int taichi_aot_launch_now(taichi_aot_launch *launch) {
  int status = missing_launch(), code;
  if (status == 0) status = taichi_aot_enter(launch->runtime);
  if (status != 0) return status;
  status = launch_entered(launch);
  code = taichi_aot_leave(launch->runtime, routine_of(launch));
  return status != 0 ? status : code;
}

/* Under the mutex: a thread that is launching it right now still uses the array that was there. */
void taichi_aot_set_array(taichi_aot_launch *launch, uint32_t index, taichi_aot_array *array) {
  const int status = taichi_aot_enter(launch->runtime);
  launch->arrays[index] = array;
  if (status == 0) taichi_aot_leave(launch->runtime, NULL);
}

static int64_t milliseconds(void) {
#ifdef _WIN32
  return (int64_t)GetTickCount64();
#else
#ifdef CLOCK_MONOTONIC_COARSE
  const clockid_t clock = CLOCK_MONOTONIC_COARSE; /* a few ns to read, where the fine one may take a launch's budget */
#else
  const clockid_t clock = CLOCK_MONOTONIC;
#endif
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
#endif
}

static void set_ramps(const taichi_aot_ramp *ramps, uint32_t count, int64_t iteration) {
  uint32_t i;
  for (i = 0; i < count; ++i) {
    const double value = ramps[i].first + (double)iteration * ramps[i].step;
    if (ramps[i].is_real)
      *(float *)ramps[i].value = (float)value;
    else
      *(int32_t *)ramps[i].value = (int32_t)value;
  }
}

/* Launch all, again and again, from `position` on until iteration `repeat`, an error, `limit` launches, or 50 ms have
 * passed: Python looks for signals in between. `position` says where it stopped. The lock is given up only for those who
 * wait for it, and the error is cleared once: the library sets it at errors alone. */
int taichi_aot_run_sequence(taichi_aot_launch **launches, uint32_t count, taichi_aot_ramp *ramps, uint32_t ramp_count,
                            int64_t repeat, int64_t limit, taichi_aot_position *position) {
  taichi_aot_runtime *runtime = launches[0]->runtime; /* of all of them */
  const int64_t end = milliseconds() + 50;
  int status = missing_launch(), code;
  if (status == 0) status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  while (position->iteration < repeat) {
    if (position->launch == 0) set_ramps(ramps, ramp_count, position->iteration);
    status = launch_entered(launches[position->launch]);
    if (status != 0 || functions.ti_get_last_error(NULL, NULL) != TI_ERROR_SUCCESS) break;
    position->launch += 1;
    if (position->launch == count) {
      position->launch = 0;
      position->iteration += 1;
    }
    limit -= 1;
    if (limit <= 0 || milliseconds() >= end) break;
    if (taichi_aot_waiting(runtime->context) > 0) {
      code = taichi_aot_leave(runtime, routine_of(launches[0]));
      if (code != 0) return code;
      taichi_aot_let_one_pass(runtime->context);
      status = taichi_aot_enter(runtime);
      if (status != 0) return status;
    }
  }
  code = taichi_aot_leave(runtime, routine_of(launches[0]));
  return status != 0 ? status : code;
}
