/* Sequences: launches that are repeated in C. */

#include "sequence.h"

#include <time.h>

#ifdef _WIN32
#include <windows.h>
#endif

#define functions taichi_aot_functions

static int64_t milliseconds(void) {
#ifdef _WIN32
  return (int64_t)GetTickCount64();
#else
#ifdef CLOCK_MONOTONIC_COARSE
  const clockid_t clock = CLOCK_MONOTONIC_COARSE; /* read in a few ns; the fine clock may take a launch's budget */
#else
  const clockid_t clock = CLOCK_MONOTONIC;
#endif
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
#endif
}

/* Launch all repeatedly, from `position` on until iteration `repeat`, an error, `limit` launches, or 50 ms have passed, so
 * that Python can check for signals. `position` returns where it stopped. The lock is released only for threads that wait
 * for it, and the error is cleared once, because the library sets it only on errors. */
int taichi_aot_run_sequence(const taichi_aot_sequence_item *items, uint32_t count, int64_t repeat, int64_t limit,
                            taichi_aot_position *position) {
  taichi_aot_runtime *runtime = items[0].launch->runtime; /* of all of them */
  const int64_t end = milliseconds() + 50;
  int status = taichi_aot_missing_launch(), code;
  if (status == 0) status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  while (position->iteration < repeat) {
    status = taichi_aot_launch_entered(taichi_aot_launch_of(&items[position->launch], position->iteration));
    if (status != 0 || functions.ti_get_last_error(NULL, NULL) != TI_ERROR_SUCCESS) break;
    position->launch += 1;
    if (position->launch == count) {
      position->launch = 0;
      position->iteration += 1;
    }
    limit -= 1;
    if (limit <= 0 || milliseconds() >= end) break;
    if (taichi_aot_waiting(&runtime->context->lock) > 0) {
      code = taichi_aot_leave(runtime, taichi_aot_launch_routine(items[0].launch));
      if (code != 0) return code;
      taichi_aot_let_one_pass(&runtime->context->lock);
      status = taichi_aot_enter(runtime);
      if (status != 0) return status;
    }
  }
  /* The launch at `position` is the one that failed, if one did. */
  return taichi_aot_leave_after(runtime, taichi_aot_launch_routine(items[position->launch].launch), status);
}
