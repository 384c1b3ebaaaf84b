/* Launches: what could have been closed since the arguments were packed is checked under the runtime's lock, here. */

#include <time.h>

/* The lock is held. */
static int is_usable(const taichi_aot_launch *launch) {
  uint32_t i;
  if (*(const volatile int64_t *)launch->runtime_state == 0 || *(const volatile int64_t *)launch->module_state == 0)
    return 0;
  for (i = 0; i < launch->array_count; ++i) {
    const taichi_aot_array *array = launch->arrays[i];
    if (*(const volatile int64_t *)array->state != array->open) return 0;
  }
  return 1;
}

/* Launch within `enter` and `leave`; a refusal if something of it is closed. */
static int launch_entered(taichi_aot_launch *launch) {
  taichi_aot_runtime *runtime = launch->runtime;
  uint32_t i;
  if (!is_usable(launch)) return TAICHI_AOT_CLOSED;
  for (i = 0; i < launch->array_count; ++i) *launch->slots[i] = launch->arrays[i]->native;
  runtime->busy = runtime->asynchronous;
  if (launch->kernel != NULL)
    functions.ti_launch_kernel(runtime->native, launch->kernel, launch->argument_count, launch->arguments);
  else
    functions.ti_launch_compute_graph(runtime->native, launch->graph, launch->argument_count, launch->named_arguments);
  return 0;
}

static int missing_launch(void) {
  if (functions.ti_launch_kernel != NULL && functions.ti_launch_compute_graph != NULL) return 0;
  return missing_symbol("ti_launch_kernel or ti_launch_compute_graph");
}

static int taichi_aot_launch_now(taichi_aot_launch *launch) {
  int refusal = missing_launch(), code;
  if (refusal == 0) refusal = enter(launch->runtime);
  if (refusal != 0) return refusal;
  refusal = launch_entered(launch);
  code = leave(launch->runtime);
  return refusal != 0 ? refusal : code;
}

/* Under the lock: a thread that is launching it right now still uses the array that was there. */
static void taichi_aot_set_array(taichi_aot_launch *launch, uint32_t index, taichi_aot_array *array) {
  lock_runtime(launch->runtime);
  launch->arrays[index] = array;
  unlock_runtime(launch->runtime);
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
static int taichi_aot_run_sequence(taichi_aot_launch **launches, uint32_t count, taichi_aot_ramp *ramps,
                                   uint32_t ramp_count, int64_t repeat, int64_t limit, taichi_aot_position *position) {
  taichi_aot_runtime *runtime = launches[0]->runtime; /* of all of them */
  const int64_t end = milliseconds() + 50;
  int refusal = missing_launch(), code;
  if (refusal == 0) refusal = enter(runtime);
  if (refusal != 0) return refusal;
  while (position->iteration < repeat) {
    if (position->launch == 0) set_ramps(ramps, ramp_count, position->iteration);
    refusal = launch_entered(launches[position->launch]);
    if (refusal != 0 || functions.ti_get_last_error(NULL, NULL) != TI_ERROR_SUCCESS) break;
    position->launch += 1;
    if (position->launch == count) {
      position->launch = 0;
      position->iteration += 1;
    }
    limit -= 1;
    if (limit <= 0 || milliseconds() >= end) break;
    if (read_counter(&runtime->waiting) > 0) {
      code = leave(runtime);
      if (code != 0) return code;
      let_one_pass(runtime);
      refusal = enter(runtime);
      if (refusal != 0) return refusal;
    }
  }
  code = leave(runtime);
  return refusal != 0 ? refusal : code;
}
