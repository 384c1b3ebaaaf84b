/* One call at a time on each context: the checks under its mutex, and the states of runtimes. */

#include "context.h"

#include <string.h>

#define functions taichi_aot_functions

static char lost_message[sizeof taichi_aot_message]; /* the error that lost a device of this process */

static int still_lost(void) {
  memcpy(taichi_aot_message, lost_message, sizeof lost_message);
  return TAICHI_AOT_LOST;
}

/* Notes that the error of this thread has lost the device; the status of all later calls that need it. */
int taichi_aot_lose(taichi_aot_context *context) {
  context->lost = 1;
  memcpy(lost_message, taichi_aot_message, sizeof lost_message);
  return TAICHI_AOT_LOST;
}

int taichi_aot_enter_with(taichi_aot_runtime *runtime, int flags) {
  taichi_aot_context *context = runtime->context;
  int status = taichi_aot_lock_take(&context->lock, flags & TAICHI_AOT_ENTER_MAY_WAIT);
  if (status != 0) return status;
  if (context->ti_runtime == NULL || !(runtime->state == TAICHI_AOT_STATE_OPEN ||
                                       ((flags & TAICHI_AOT_ENTER_CLOSING) && runtime->state == TAICHI_AOT_STATE_CLOSING)))
    status = TAICHI_AOT_CLOSED;
  else if (context->thread != 0 && context->thread != taichi_aot_this_thread())
    status = TAICHI_AOT_WRONG_THREAD;
  else if (context->lost && (flags & TAICHI_AOT_ENTER_ON_DEVICE))
    status = still_lost();
  taichi_aot_clear_error(); /* of earlier calls of this thread, also for what the backend calls */
  if (status == 0 && context->backend->enter != NULL && !context->lost) status = context->backend->enter(context, flags);
  if (status != 0) taichi_aot_lock_give(&context->lock);
  return status;
}

int taichi_aot_enter(taichi_aot_runtime *runtime) {
  if (runtime != NULL) return taichi_aot_enter_with(runtime, TAICHI_AOT_ENTER_MAY_WAIT | TAICHI_AOT_ENTER_ON_DEVICE);
  taichi_aot_clear_error();
  return 0;
}

int taichi_aot_enter_closing(taichi_aot_runtime *runtime) {
  return taichi_aot_enter_with(
      runtime, TAICHI_AOT_ENTER_CLOSING | TAICHI_AOT_ENTER_MAY_WAIT | TAICHI_AOT_ENTER_ON_DEVICE);
}

int taichi_aot_leave(taichi_aot_runtime *runtime, const char *routine) {
  const int code = taichi_aot_read_error(routine);
  return runtime != NULL ? taichi_aot_leave_with(runtime, code) : code;
}

int taichi_aot_leave_with(taichi_aot_runtime *runtime, int code) {
  taichi_aot_context *context = runtime->context;
  if (context->backend->leave != NULL && !context->lost) code = context->backend->leave(context, code);
  taichi_aot_lock_give(&context->lock);
  return code;
}

int taichi_aot_leave_after(taichi_aot_runtime *runtime, const char *routine, int result) {
  int code;
  if (result < 0) return taichi_aot_leave_with(runtime, result);
  code = taichi_aot_leave(runtime, routine);
  return result != 0 ? result : code;
}

void taichi_aot_context_init(taichi_aot_context *context, const taichi_aot_backend *backend) {
  memset(context, 0, sizeof *context);
  taichi_aot_lock_init(&context->lock);
  context->backend = backend;
  context->thread = backend->is_pinned ? taichi_aot_this_thread() : 0;
}

/* Creates the TiRuntime, unless the context, which may be shared, already has it. */
int taichi_aot_context_create(taichi_aot_context *context, TiArch arch, uint32_t device_index) {
  int status;
  if (functions.ti_create_runtime == NULL) return taichi_aot_missing("ti_create_runtime");
  status = taichi_aot_enter_process();
  if (status != 0) return status;
  if (context->ti_runtime == NULL) {
    taichi_aot_clear_error();
    context->ti_runtime = functions.ti_create_runtime(arch, device_index);
    status = taichi_aot_read_error("ti_create_runtime");
    if (status == 0) status = context->backend->attach(context);
  }
  taichi_aot_leave_process();
  return status;
}

/* Takes a TiRuntime that exists. */
int taichi_aot_context_adopt(taichi_aot_context *context, TiRuntime ti_runtime, int32_t is_borrowed) {
  taichi_aot_clear_error();
  context->is_borrowed = is_borrowed;
  context->ti_runtime = ti_runtime;
  return context->backend->attach(context);
}

/* For a forked child: the TiRuntime belongs to the parent. */
void taichi_aot_context_forget(taichi_aot_context *context) { taichi_aot_context_init(context, context->backend); }

/* Whether a finalizer could enter without waiting for another thread. */
int taichi_aot_context_is_free(taichi_aot_context *context) {
  if (context->thread != 0 && context->thread != taichi_aot_this_thread()) return 0;
  if (!taichi_aot_process_is_free() || taichi_aot_lock_take(&context->lock, 0) != 0) return 0;
  taichi_aot_lock_give(&context->lock);
  return 1;
}

void taichi_aot_wait_entered(taichi_aot_context *context) {
  if (functions.ti_wait != NULL) functions.ti_wait(context->ti_runtime);
  if (!taichi_aot_has_failed()) context->busy = 0;
}

/* Waits for the device; if only results are needed, not unless there was a launch since the last wait. */
int taichi_aot_wait(taichi_aot_runtime *runtime, int32_t for_results) {
  int status;
  if (functions.ti_wait == NULL) return taichi_aot_missing("ti_wait");
  status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  if (!for_results || runtime->context->busy) taichi_aot_wait_entered(runtime->context);
  status = taichi_aot_leave(runtime, "ti_wait");
  /* A thread that launches and waits in a loop would otherwise rarely let another thread enter. */
  if (taichi_aot_waiting(&runtime->context->lock) > 0) taichi_aot_let_one_pass(&runtime->context->lock);
  return status;
}

/* OPEN to CLOSING: later calls fail, and earlier launches have finished. While CLOSING it only waits. */
int taichi_aot_begin_close(taichi_aot_runtime *runtime) {
  const int status = taichi_aot_enter_closing(runtime);
  if (status == TAICHI_AOT_LOST) { /* nothing to wait for */
    runtime->state = TAICHI_AOT_STATE_CLOSING;
    if (taichi_aot_enter_with(runtime, TAICHI_AOT_ENTER_CLOSING | TAICHI_AOT_ENTER_MAY_WAIT) == 0) {
      runtime->context->backend->close(runtime);
      taichi_aot_leave_with(runtime, 0);
    }
  }
  if (status != 0) return status;
  runtime->state = TAICHI_AOT_STATE_CLOSING;
  taichi_aot_wait_entered(runtime->context);
  return taichi_aot_leave_after(runtime, "ti_wait", runtime->context->backend->close(runtime));
}

/* CLOSING to CLOSED; IN_USE while a hold is active. The runtime's modules and memory were released before. */
int taichi_aot_finish_close(taichi_aot_runtime *runtime, int32_t destroy_context) {
  taichi_aot_context *context = runtime->context;
  int status = taichi_aot_enter_process();
  if (status != 0) return status;
  status = taichi_aot_lock_take(&context->lock, 1);
  if (status == 0) {
    if (context->thread != 0 && context->thread != taichi_aot_this_thread()) {
      status = TAICHI_AOT_WRONG_THREAD;
    } else if (runtime->holds > 0) {
      status = TAICHI_AOT_IN_USE;
    } else if (runtime->state == TAICHI_AOT_STATE_CLOSING) {
      runtime->state = TAICHI_AOT_STATE_CLOSED;
      if (destroy_context && context->ti_runtime != NULL && functions.ti_destroy_runtime != NULL) {
        taichi_aot_clear_error();
        context->backend->destroy(context);
        taichi_aot_registry_clear(&context->registry);
        if (!context->is_borrowed) functions.ti_destroy_runtime(context->ti_runtime);
        context->ti_runtime = NULL;
        status = taichi_aot_read_error("ti_destroy_runtime");
      }
    }
    taichi_aot_lock_give(&context->lock);
  }
  taichi_aot_leave_process();
  return status;
}
