/* Waits: set a mark after all work so far, poll it briefly, then sleep.
 *
 * The lock is held to set a mark, not to wait for it, so other threads can launch. Python waits in slices and runs signal
 * handlers in between. If a mark cannot be set or polled, the library waits. */

#include "core/wait.h"

#include "core/checks.h"
#include "core/clock.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 1024 }; /* unreached marks that no event holds */

static const taichi_aot_marker *marker_of(const taichi_aot_context *context) { return context->backend->marker; }

/* For backends that cannot sleep until a mark: sleeps an eighth of the time so far, which bounds the delay. A sleep takes some
 * 50 us longer than asked. */
void taichi_aot_nap(int64_t waited) {
  const int64_t longest = INT64_C(1000000);
  if (waited > TAICHI_AOT_MOMENT) taichi_aot_sleep(waited / 8 < longest ? waited / 8 : longest);
}


static void note_reached(taichi_aot_context *context, int64_t ticket) {
  if (ticket > context->reached) context->reached = ticket;
}

static int is_reached(const taichi_aot_context *context, const taichi_aot_point *point) {
  return point->ticket <= context->reached;
}

/* Keeps an unused point for reuse. */
static void put_aside(taichi_aot_context *context, taichi_aot_point *point) {
  point->next = context->points.free[point->is_timed];
  context->points.free[point->is_timed] = point;
}

/* Adds a set point that no event holds, ordered by ticket. */
static void add_point(taichi_aot_context *context, taichi_aot_point *point) {
  taichi_aot_point **place = &context->points.first;
  taichi_aot_point *last = context->points.last;
  if (last != NULL && last->ticket < point->ticket) place = &last->next;
  while (*place != NULL && (*place)->ticket < point->ticket) place = &(*place)->next;
  point->next = *place;
  *place = point;
  if (point->next == NULL) context->points.last = point;
  context->points.count += 1;
}

/* Recycles the first reached points, up to one that a thread still waits for. */
static void collect(taichi_aot_context *context) {
  while (context->points.first != NULL) {
    taichi_aot_point *point = context->points.first;
    if (!is_reached(context, point) || taichi_aot_load32(&point->waiters) > 0) return;
    context->points.first = point->next;
    if (point->next == NULL) context->points.last = NULL;
    context->points.count -= 1;
    put_aside(context, point);
  }
}

/* Polls the device from the first point on. */
static void look(taichi_aot_context *context) {
  const taichi_aot_point *point;
  for (point = context->points.first; point != NULL; point = point->next) {
    if (is_reached(context, point)) continue;
    if (marker_of(context)->ask(context, point, 0) != 0) break;
    note_reached(context, point->ticket);
  }
  taichi_aot_clear_error();
  collect(context);
}

static taichi_aot_point *find_point(const taichi_aot_context *context, int64_t ticket) {
  taichi_aot_point *point = context->points.last;
  if (point != NULL && point->ticket == ticket) return point;
  for (point = context->points.first; point != NULL && point->ticket != ticket;) point = point->next;
  return point;
}

/* Returns a free point; NULL without memory, or with too many unreached ones. */
static taichi_aot_point *take_point(taichi_aot_context *context, int32_t is_timed) {
  taichi_aot_point *point;
  collect(context);
  if (context->points.free[is_timed] == NULL) look(context);
  point = context->points.free[is_timed];
  if (point != NULL) {
    context->points.free[is_timed] = point->next;
    return point;
  }
  if (context->points.count >= MOST_POINTS) return NULL;
  point = (taichi_aot_point *)calloc(1, sizeof *point);
  if (point != NULL) point->is_timed = is_timed;
  return point;
}

/* Sets a mark after all work so far: 0 or an error code. */
static int set_point(taichi_aot_context *context, taichi_aot_point *point) {
  const int code = marker_of(context)->set(context, point);
  if (code != 0) {
    put_aside(context, point);
    return code;
  }
  context->busy = 0;
  point->ticket = ++context->marked;
  if (marker_of(context)->ask == NULL) note_reached(context, point->ticket);
  return 0;
}

/* Returns a mark after all work so far; NULL if the library must wait instead. */
static taichi_aot_point *mark_all(taichi_aot_context *context) {
  taichi_aot_point *point = context->busy ? NULL : find_point(context, context->marked);
  if (point != NULL) return point;
  point = take_point(context, 0);
  if (point == NULL || set_point(context, point) != 0) return NULL;
  add_point(context, point);
  return point;
}


static void hold(taichi_aot_context *context, taichi_aot_point *point, const taichi_aot_runtime *holder) {
  point->holder = holder;
  point->previous = &context->points.held;
  point->next = context->points.held;
  if (point->next != NULL) point->next->previous = &point->next;
  context->points.held = point;
}

/* Releases an event's point, which the device or a thread may still use. */
static void drop(taichi_aot_context *context, taichi_aot_point *point) {
  *point->previous = point->next;
  if (point->next != NULL) point->next->previous = point->previous;
  point->holder = NULL;
  point->previous = NULL;
  add_point(context, point);
  collect(context);
}

static int wait_by_library(taichi_aot_context *context) {
  taichi_aot_clear_error();
  return taichi_aot_wait_by_library(context);
}

/* Lets the library free what its launches used, which it does when it waits itself. That is quick now. */
static void release_library(taichi_aot_context *context) {
  if (context->unreleased > marker_of(context)->most_unreleased && taichi_aot_is_idle(context)) wait_by_library(context);
}


/* Whether all work so far is known to have finished. */
int taichi_aot_is_idle(const taichi_aot_context *context) {
  return context->busy == 0 && context->marked <= context->reached;
}

/* Polls a GPU with the lock until another thread wants it: releasing and retaking the lock costs a microsecond. */
static int poll(taichi_aot_context *context, const taichi_aot_point *point, int64_t ns) {
  const int64_t begin = taichi_aot_now();
  const int64_t pause = ns < context->pause ? ns : context->pause;
  int code;
  if (is_reached(context, point)) return 0;
  do code = marker_of(context)->ask(context, point, 0);
  while (code == TAICHI_AOT_UNFINISHED && !taichi_aot_is_awaited(&context->lock) && taichi_aot_now() - begin < pause);
  return code;
}

/* Waits at most `ns`: 0, UNFINISHED, or the code of a failure. The caller checks the library's error. */
static int wait_for(taichi_aot_context *context, int64_t ns) {
  const taichi_aot_point *point;
  int code;
  if (taichi_aot_is_idle(context)) return 0;
  point = mark_all(context);
  if (point == NULL) return wait_by_library(context);
  code = poll(context, point, ns);
  if (code == TAICHI_AOT_UNFINISHED) code = marker_of(context)->ask(context, point, ns);
  while (code == TAICHI_AOT_UNFINISHED && ns == INT64_MAX) code = marker_of(context)->ask(context, point, ns);
  if (code != 0) return code == TAICHI_AOT_UNFINISHED ? code : wait_by_library(context);
  note_reached(context, point->ticket);
  return 0;
}

void taichi_aot_wait_entered(taichi_aot_context *context) {
  wait_for(context, INT64_MAX);
  release_library(context);
}

/* Called before the library frees something. It keeps what its launches and copies used until it waits itself; what the device
 * may still use (`is_used`) waits for the device. */
void taichi_aot_wait_to_free(taichi_aot_context *context, int32_t is_used) {
  if (is_used) wait_for(context, INT64_MAX);
  if (context->unreleased > 0 && taichi_aot_is_idle(context)) wait_by_library(context);
}

/* Waits before a call needs results: 0, CHECK_FAILED, the code of a failure, or UNFINISHED if it takes longer than a moment and
 * the caller can wait without the lock. */
int taichi_aot_settle(taichi_aot_context *context, int32_t may_block) {
  const int status = wait_for(context, may_block ? INT64_MAX : TAICHI_AOT_MOMENT);
  if (status != 0) return status;
  release_library(context);
  return taichi_aot_report_failure(context);
}

/* Words that the device writes to memory of the host last of all, which sees them some us before an event behind them. */

#define UNWRITTEN UINT32_C(0x7FB5A3C9) /* where the device writes this, an event is waited for */

/* Before the device is given the work. */
void taichi_aot_expect_words(void *memory, uint64_t size) {
  uint32_t *words = (uint32_t *)memory;
  uint64_t i;
  for (i = 0; i < size / sizeof *words; ++i) words[i] = UNWRITTEN;
}

int taichi_aot_has_words(const void *memory, uint64_t size) {
  const uint32_t *words = (const uint32_t *)memory;
  uint64_t i;
  for (i = 0; i < size / sizeof *words; ++i)
    if ((uint32_t)taichi_aot_load32(&words[i]) == UNWRITTEN) return 0;
  return 1;
}

/* Whether the words came soon: all work has finished. */
int taichi_aot_poll_words(taichi_aot_context *context, const void *memory, uint64_t size) {
  const int64_t begin = taichi_aot_now();
  while (!taichi_aot_has_words(memory, size))
    if (taichi_aot_is_awaited(&context->lock) || taichi_aot_now() - begin > context->pause) return 0;
  context->busy = 0;
  return 1;
}


static int leave(taichi_aot_runtime *runtime, int code) {
  const int result = code != 0 ? code : taichi_aot_report_failure(runtime->context);
  const int status = taichi_aot_leave_after(runtime, "ti_wait", result);
  /* a loop of launches and waits would rarely let another thread enter */
  taichi_aot_let_one_pass(&runtime->context->lock);
  return status;
}

/* Ends a wait: the device reached the mark, or failed. */
static int end_wait(taichi_aot_runtime *runtime, int64_t ticket, int code) {
  int failure = 0;
  if (code == 0)
    note_reached(runtime->context, ticket);
  else if (ticket > runtime->context->reached)
    failure = wait_by_library(runtime->context);
  if (failure == 0) release_library(runtime->context);
  return leave(runtime, failure);
}

#define AFTERWARDS (TAICHI_AOT_ENTER_CLOSING | TAICHI_AOT_ENTER_ON_DEVICE)

/* Waits at most `ns` for a mark, and leaves: 0, UNFINISHED or a failure. */
static int await(taichi_aot_runtime *runtime, taichi_aot_point *point, int64_t ns) {
  taichi_aot_context *context = runtime->context;
  const taichi_aot_marker *marker = marker_of(context);
  const int64_t ticket = point->ticket;
  int status, code = poll(context, point, ns);
  if (code != TAICHI_AOT_UNFINISHED) return end_wait(runtime, ticket, code);
  if (ns <= 0) return taichi_aot_leave_after(runtime, NULL, TAICHI_AOT_UNFINISHED);
  taichi_aot_add32(&point->waiters, 1);
  taichi_aot_leave_with(runtime, 0);
  code = marker->ask(context, point, ns);
  taichi_aot_add32(&point->waiters, -1); /* from now on the point may be another mark */
  if (code == TAICHI_AOT_UNFINISHED) return code;
  status = taichi_aot_enter_with(runtime, code == 0 ? AFTERWARDS : AFTERWARDS | TAICHI_AOT_ENTER_MAY_WAIT);
  if (status != 0) return code == 0 ? 0 : status; /* closed meanwhile, or another thread is inside: nothing to record */
  return end_wait(runtime, ticket, code);
}

/* The unreached point of a ticket, or NULL. Ticket 0 asks for a point after all work so far; if there is none, this waits, and
 * may set `failure`. */
static taichi_aot_point *point_of(taichi_aot_context *context, int64_t ticket, int *failure) {
  taichi_aot_point *point;
  if (ticket != 0) return ticket > context->reached ? find_point(context, ticket) : NULL;
  if (context->is_shared) taichi_aot_library_queued(context); /* as if others had launched */
  if (taichi_aot_is_idle(context)) return NULL;
  point = mark_all(context);
  if (point == NULL) *failure = wait_by_library(context);
  return point;
}

/* Waits at most `ns` for all work so far (ticket 0), or for the work before an earlier call with ticket 0, which left the ticket
 * in the runtime: 0, UNFINISHED, BUSY if other threads were always inside, or a failure. */
int taichi_aot_wait(taichi_aot_runtime *runtime, int64_t ticket, int64_t ns) {
  taichi_aot_point *point;
  int failure = 0;
  const int status = taichi_aot_enter_for(runtime, ns);
  if (status != 0) return status;
  point = point_of(runtime->context, ticket, &failure);
  if (point != NULL) {
    if (ticket == 0) runtime->awaited = point->ticket;
    return await(runtime, point, ns);
  }
  if (failure == 0) release_library(runtime->context);
  return leave(runtime, failure);
}

/* For finalizers: waits without a limit for all work so far. Later calls report failed checks. */
int taichi_aot_wait_to_release(taichi_aot_runtime *runtime) {
  const int32_t kept = taichi_aot_keep_failures(1);
  const int status = taichi_aot_wait(runtime, 0, INT64_MAX / 2);
  taichi_aot_keep_failures(kept);
  return status;
}


/* Whether an event still has its point: closing the runtime takes it. */
static int has_point(const taichi_aot_runtime *runtime, const taichi_aot_mark *mark) {
  return mark->ticket != 0 && mark->point->holder == runtime && mark->point->ticket == mark->ticket;
}

/* Sets the mark of an event, which may be set again. */
int taichi_aot_mark_set(taichi_aot_runtime *runtime, taichi_aot_mark *mark, int32_t is_timed) {
  taichi_aot_context *context = runtime->context;
  taichi_aot_point *point;
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  point = take_point(context, is_timed != 0);
  if (point == NULL) {
    status = wait_by_library(context);
    if (status != 0) return taichi_aot_leave_with(runtime, status);
    point = take_point(context, is_timed != 0);
  }
  if (point == NULL) return taichi_aot_leave_with(runtime, taichi_aot_no_memory("an event"));
  status = set_point(context, point);
  if (status == 0) {
    if (has_point(runtime, mark)) drop(context, mark->point);
    hold(context, point, runtime);
    mark->point = point;
    mark->ticket = point->ticket;
  }
  return taichi_aot_leave_after(runtime, "ti_flush", status);
}

/* Whether the device is known to have reached the mark. Needs no lock, because that never changes back. */
static int is_known(const taichi_aot_runtime *runtime, const taichi_aot_mark *mark) {
  const int64_t reached = taichi_aot_load64(&runtime->context->reached);
  return runtime->state == TAICHI_AOT_STATE_OPEN && !runtime->context->lost && mark->ticket != 0 && mark->ticket <= reached &&
         !taichi_aot_has_failure(runtime->context);
}

/* Waits at most `ns` for the mark of an event: 0, UNFINISHED, BUSY or a failure. */
int taichi_aot_mark_wait(taichi_aot_runtime *runtime, const taichi_aot_mark *mark, int64_t ns) {
  int status;
  if (is_known(runtime, mark)) return 0; /* another thread may be inside for long, on a CPU in a kernel */
  status = taichi_aot_enter_for(runtime, ns);
  if (status != 0) return status;
  if (mark->ticket > runtime->context->reached) return await(runtime, mark->point, ns);
  return leave(runtime, 0);
}

/* The seconds between the marks of two events that were waited for. */
int taichi_aot_mark_elapsed(taichi_aot_runtime *runtime, const taichi_aot_mark *from, const taichi_aot_mark *to,
                            double *seconds) {
  taichi_aot_context *context = runtime->context;
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  status = marker_of(context)->elapsed(context, from->point, to->point, seconds);
  return taichi_aot_leave_after(runtime, NULL, status);
}

/* For finalizers: BUSY instead of a wait for another thread that is not allowed. Never waits for the device. */
int taichi_aot_mark_free(taichi_aot_runtime *runtime, taichi_aot_mark *mark, int32_t may_wait) {
  const int status =
      taichi_aot_enter_with(runtime, TAICHI_AOT_ENTER_CLOSING | (may_wait ? TAICHI_AOT_ENTER_MAY_WAIT : 0));
  if (status != 0) return status;
  if (has_point(runtime, mark)) drop(runtime->context, mark->point);
  mark->ticket = 0;
  return taichi_aot_leave_with(runtime, 0);
}

/* The lock is held below. */

/* Frees the marks of a runtime's events; those of a shared context stay for other runtimes. */
void taichi_aot_release_points(const taichi_aot_runtime *runtime) {
  taichi_aot_point *point = runtime->context->points.held, *next;
  for (; point != NULL; point = next) {
    next = point->next;
    if (point->holder == runtime) drop(runtime->context, point);
  }
}

static void destroy_all(taichi_aot_context *context, taichi_aot_point **list) {
  while (*list != NULL) {
    taichi_aot_point *point = *list;
    while (taichi_aot_load32(&point->waiters) > 0) taichi_aot_sleep(TAICHI_AOT_PAUSE);
    if (marker_of(context)->destroy != NULL) marker_of(context)->destroy(context, point);
    *list = point->next;
    free(point);
  }
}

/* Called before the TiRuntime is destroyed. Waiting threads leave, because the device has finished. */
void taichi_aot_destroy_points(taichi_aot_context *context) {
  if (!context->lost) taichi_aot_wait_entered(context);
  destroy_all(context, &context->points.free[0]);
  destroy_all(context, &context->points.free[1]);
  destroy_all(context, &context->points.first);
  destroy_all(context, &context->points.held);
  memset(&context->points, 0, sizeof context->points);
}

/* Marks of the host. */

static int set_by_host(taichi_aot_context *context, taichi_aot_point *point) {
  if (!taichi_aot_is_idle(context) || context->unreleased > 0) taichi_aot_wait_by_library(context);
  point->own[0] = (uint64_t)taichi_aot_now();
  return taichi_aot_read_error("ti_wait");
}

static int elapsed_on_host(taichi_aot_context *context, const taichi_aot_point *from, const taichi_aot_point *to,
                           double *seconds) {
  (void)context;
  *seconds = (double)(int64_t)(to->own[0] - from->own[0]) * 1e-9;
  return 0;
}

const taichi_aot_marker taichi_aot_host_marker = {.set = set_by_host, .elapsed = elapsed_on_host};
