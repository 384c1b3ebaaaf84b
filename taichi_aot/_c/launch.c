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

static int taichi_aot_launch_now(taichi_aot_launch *launch) {
  taichi_aot_runtime *runtime = launch->runtime;
  uint32_t i;
  int refusal;
  if (functions.ti_launch_kernel == NULL || functions.ti_launch_compute_graph == NULL)
    return missing_symbol("ti_launch_kernel or ti_launch_compute_graph");
  refusal = enter(runtime);
  if (refusal != 0) return refusal;
  if (!is_usable(launch)) {
    leave(runtime);
    return TAICHI_AOT_CLOSED;
  }
  for (i = 0; i < launch->array_count; ++i) *launch->slots[i] = launch->arrays[i]->native;
  runtime->busy = runtime->asynchronous;
  if (launch->kernel != NULL)
    functions.ti_launch_kernel(runtime->native, launch->kernel, launch->argument_count, launch->arguments);
  else
    functions.ti_launch_compute_graph(runtime->native, launch->graph, launch->argument_count, launch->named_arguments);
  return leave(runtime);
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

/* Launch all, again and again, from `position` on until iteration `repeat`, an error, `limit` launches, or 50 ms have
 * passed: Python looks for signals in between. `position` says where it stopped. */
static int taichi_aot_run_sequence(taichi_aot_launch **launches, uint32_t count, taichi_aot_ramp *ramps,
                                   uint32_t ramp_count, int64_t repeat, int64_t limit, taichi_aot_position *position) {
  const int64_t end = milliseconds() + 50;
  uint32_t i;
  while (position->iteration < repeat) {
    if (position->launch == 0) {
      for (i = 0; i < ramp_count; ++i) {
        const double value = ramps[i].first + (double)position->iteration * ramps[i].step;
        if (ramps[i].is_real)
          *(float *)ramps[i].value = (float)value;
        else
          *(int32_t *)ramps[i].value = (int32_t)value;
      }
    }
    while (position->launch < count) {
      taichi_aot_launch *launch = launches[position->launch];
      const int code = taichi_aot_launch_now(launch);
      if (code != 0) return code;
      position->launch += 1;
      if (read_counter(&launch->runtime->waiting) > 0) let_one_pass(launch->runtime);
      limit -= 1;
      if (limit <= 0 || milliseconds() >= end) break;
    }
    if (position->launch == count) {
      position->launch = 0;
      position->iteration += 1;
    }
    if (limit <= 0 || milliseconds() >= end) break;
  }
  return 0;
}
