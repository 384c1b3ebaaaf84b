/* Sequences: launches repeated in C, recorded or by the library. */

#include "core/sequence.h"

#include "core/checks.h"
#include "core/clock.h"
#include "core/numbers.h"
#include "core/wait.h"

#define functions taichi_aot_functions

/* Chooses recorded launches or the library for a new run; NEEDS_PLAN if launches lack plans. The lock is held. */
static int choose_way(const taichi_aot_sequence *sequence, taichi_aot_position *position) {
  const taichi_aot_recorder *recorder = sequence->runtime->context->backend->recorder;
  uint32_t i, native = 0;
  for (i = 0; i < sequence->count; ++i) {
    const taichi_aot_sequence_item *item = &sequence->items[i];
    const taichi_aot_launch *launch = item->scratch != NULL ? item->scratch : item->launch;
    if (!taichi_aot_is_native(launch)) continue;
    if (launch->recorded == NULL) return TAICHI_AOT_NEEDS_PLAN;
    native += 1;
  }
  position->way = native == sequence->count && recorder != NULL && !recorder->is_immediate ? TAICHI_AOT_WAY_RECORDED
                                                                                           : TAICHI_AOT_WAY_LIBRARY;
  return 0;
}

/* Learns from a burst that was waited for. */
static void learn_burst(taichi_aot_pace *pace, taichi_aot_position *position) {
  if (position->burst > 0)
    taichi_aot_learn_burst(pace, position->burst, taichi_aot_now() - position->begun, position->is_end);
  position->burst = 0;
}

/* Waits for queued launches of the library. Otherwise its queue would grow without bound, and the last wait would block other
 * threads. UNFINISHED if Python has to wait. The lock is held. */
static int wait_for_burst(taichi_aot_context *context, taichi_aot_pace *pace, taichi_aot_position *position) {
  const int status = taichi_aot_settle(context, 0);
  if (status == 0) learn_burst(pace, position);
  return status;
}

/* Launches until an error, the end of a burst, or Python's turn. Releases the lock only for waiting threads. */
static int run_by_library(const taichi_aot_sequence *sequence, int64_t repeat, taichi_aot_position *position) {
  taichi_aot_runtime *runtime = sequence->runtime;
  taichi_aot_context *context = runtime->context;
  const int is_boundless = context->backend->is_boundless;
  const int64_t begin = taichi_aot_now(), end = taichi_aot_milliseconds() + TAICHI_AOT_TURN, first = position->iteration;
  const char *routine;
  int64_t burst, left;
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  learn_burst(sequence->pace, position);
  left = burst = is_boundless ? taichi_aot_burst(sequence->pace) : INT64_MAX;
  for (;;) {
    status = taichi_aot_launch_items(sequence, repeat, end, &left, position);
    routine = taichi_aot_launch_routine(sequence->items[position->launch].launch); /* the launch that failed, if one did */
    if (status != 0 || taichi_aot_has_failed() || position->iteration >= repeat) break;
    if (left == 0 || taichi_aot_milliseconds() >= end) {
      if (is_boundless) {
        position->burst = burst;
        position->begun = begin;
        position->is_end = position->iteration > first;
        status = wait_for_burst(context, sequence->pace, position);
        routine = "ti_wait";
      }
      break;
    }
    taichi_aot_leave_with(runtime, 0);
    taichi_aot_let_one_pass(&context->lock);
    status = taichi_aot_enter(runtime);
    if (status != 0) return status;
  }
  if (status == 0 && !context->backend->queues) status = taichi_aot_report_failure(context); /* its launches have finished */
  status = taichi_aot_leave_after(runtime, routine, status);
  taichi_aot_let_one_pass(&context->lock);
  return status;
}

/* Runs recorded launches if chosen; by the library otherwise, and from where recording ends. */
static int run_chosen_way(const taichi_aot_sequence *sequence, int64_t repeat, taichi_aot_position *position) {
  if (position->way == TAICHI_AOT_WAY_RECORDED) {
    const int status = taichi_aot_run_recorded(sequence, repeat, position);
    sequence->pace->is_recorded = status == 0;
    if (status != TAICHI_AOT_NOT_MINE) return status;
    position->way = TAICHI_AOT_WAY_LIBRARY;
  }
  return run_by_library(sequence, repeat, position);
}

/* Launches all repeatedly, from `position` on, until iteration `repeat`, an error, or Python's turn to check signals, after
 * which it calls again. Returns in `position` where it stopped. Chooses recorded launches or the library first, if not done.
 * NEEDS_PLAN: nothing was launched. UNFINISHED: Python waits for the device first. */
int taichi_aot_run_sequence(const taichi_aot_sequence *sequence, int64_t repeat, taichi_aot_position *position) {
  const int flags = TAICHI_AOT_ENTER_MAY_WAIT | TAICHI_AOT_ENTER_ON_DEVICE | TAICHI_AOT_ENTER_TO_LAUNCH;
  int status = 0;
  if (position->way == TAICHI_AOT_WAY_UNKNOWN) {
    status = taichi_aot_enter_with(sequence->runtime, flags);
    if (status != 0) return status;
    status = taichi_aot_leave_after(sequence->runtime, NULL, choose_way(sequence, position));
  }
  return status != 0 ? status : run_chosen_way(sequence, repeat, position);
}


/* Reads the number after all launches so far: UNFINISHED if Python has to wait first. NaN does not end a run. */
static int check_number(taichi_aot_runtime *runtime, taichi_aot_until *until) {
  uint64_t host = 0;
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  status = TAICHI_AOT_ARRAY_CLOSED;
  if (taichi_aot_generation_of(until->memory) == until->generation)
    status = taichi_aot_read_entered(runtime, until->memory, until->offset, (uint64_t)(uintptr_t)&host,
                                     taichi_aot_size_of((TiDataType)until->dtype), until->may_block, until->staging);
  status = taichi_aot_leave_after(runtime, "ti_map_memory", status);
  taichi_aot_let_one_pass(&runtime->context->lock);
  if (status != 0) return status;
  until->may_block = 0;
  until->value = taichi_aot_number_at((TiDataType)until->dtype, &host);
  until->is_met = until->side > 0   ? until->value > until->bound
                  : until->side < 0 ? until->value < until->bound
                                    : until->value == until->bound;
  return 0;
}

/* Makes the iterations before the next check, and the check, unless Python's turn comes first. */
static int run_to_check(const taichi_aot_sequence *sequence, int64_t repeat, taichi_aot_position *position,
                        taichi_aot_until *until) {
  const int64_t left = repeat - until->checked;
  const int64_t end = until->checked + (left < until->every ? left : until->every);
  int status = 0;
  until->is_reading = 0;
  if (position->iteration < end) status = taichi_aot_run_sequence(sequence, end, position);
  if (status != 0 || position->iteration < end) return status;
  until->is_reading = 1;
  status = check_number(sequence->runtime, until);
  if (status != 0) return status;
  until->checked = end;
  return 0;
}

/* As `taichi_aot_run_sequence`, until a check finds the number beyond its bound. `position` is the iteration of that check. */
int taichi_aot_run_until(const taichi_aot_sequence *sequence, int64_t repeat, taichi_aot_position *position,
                         taichi_aot_until *until) {
  const int64_t turn = taichi_aot_milliseconds() + TAICHI_AOT_TURN;
  while (until->checked < repeat && !until->is_met) {
    const int status = run_to_check(sequence, repeat, position, until);
    if (status != 0) return status;
    if (taichi_aot_milliseconds() >= turn) break;
  }
  return 0;
}
