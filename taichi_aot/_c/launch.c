/* Launches: what could have been closed since the arguments were packed is checked under the runtime's lock, here. */

#include <time.h>

/* The lock is held: 0, or why it cannot be launched. */
static int check_usable(const taichi_aot_launch *launch) {
  uint32_t i;
  if (*(const volatile int64_t *)launch->runtime_state == 0) return TAICHI_AOT_CLOSED;
  if (*(const volatile int64_t *)launch->module_state == 0) return TAICHI_AOT_MODULE_CLOSED;
  for (i = 0; i < launch->array_count; ++i) {
    const taichi_aot_array *array = launch->arrays[i];
    if (*(const volatile int64_t *)array->state != array->open) return TAICHI_AOT_ARRAY_CLOSED | (int)(i << 8);
  }
  return 0;
}

static TiArgument *argument_of(const taichi_aot_launch *launch, uint32_t i) {
  return launch->arguments != NULL ? &launch->arguments[i] : &launch->named_arguments[i].argument;
}

/* Launch within `enter` and `leave`; a status if something of it is closed. */
static int launch_entered(taichi_aot_launch *launch) {
  taichi_aot_runtime *runtime = launch->runtime;
  const int status = check_usable(launch);
  uint32_t i;
  if (status != 0) return status;
  for (i = 0; i < launch->array_count; ++i)
    argument_of(launch, launch->array_arguments[i])->value.ndarray = launch->arrays[i]->native;
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

/* Give a launch the arguments of another one of the same kernel. The lock is held. */
static void copy_arguments(taichi_aot_launch *target, const taichi_aot_launch *source) {
  uint32_t i;
  for (i = 0; i < source->argument_count; ++i) *argument_of(target, i) = *argument_of(source, i);
  for (i = 0; i < source->array_count; ++i) target->arrays[i] = source->arrays[i];
  target->version = source->version;
}

/* Give a launch all arguments of `staged`, and its version, unless it has another version than the given one by now;
 * returns whether it was done. Launches of other threads have the arguments from before or these. */
static int taichi_aot_launch_assign(taichi_aot_launch *launch, const taichi_aot_launch *staged, int64_t version) {
  int is_current;
  lock_runtime(launch->runtime);
  is_current = launch->version == version;
  if (is_current) copy_arguments(launch, staged);
  unlock_runtime(launch->runtime);
  return is_current;
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

/* The launch of an item with the scalars of this iteration. It runs with a copy of the launch's arguments of now. */
static taichi_aot_launch *launch_of(const taichi_aot_sequence_item *item, int64_t iteration) {
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

/* Launch all, again and again, from `position` on until iteration `repeat`, an error, `limit` launches, or 50 ms have
 * passed: Python looks for signals in between. `position` says where it stopped. The lock is released only for threads
 * that wait for it, and the error is cleared once: the library sets it at errors alone. */
static int taichi_aot_run_sequence(const taichi_aot_sequence_item *items, uint32_t count, int64_t repeat, int64_t limit,
                                   taichi_aot_position *position) {
  taichi_aot_runtime *runtime = items[0].launch->runtime; /* of all of them */
  const int64_t end = milliseconds() + 50;
  int status = missing_launch(), code;
  if (status == 0) status = enter(runtime);
  if (status != 0) return status;
  while (position->iteration < repeat) {
    status = launch_entered(launch_of(&items[position->launch], position->iteration));
    if (status != 0 || functions.ti_get_last_error(NULL, NULL) != TI_ERROR_SUCCESS) break;
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
      status = enter(runtime);
      if (status != 0) return status;
    }
  }
  code = leave(runtime);
  return status != 0 ? status : code;
}
