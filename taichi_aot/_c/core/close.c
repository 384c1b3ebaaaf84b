/* Closing runtimes: what their states allow, and what the device must finish first. */

#include "core/close.h"

#include "core/checks.h"
#include "core/recorder.h"
#include "core/wait.h"

#define functions taichi_aot_functions

static int free_all(taichi_aot_runtime *runtime) {
  const taichi_aot_backend *backend = runtime->context->backend;
  taichi_aot_release_points(runtime);
  if (!runtime->context->lost) taichi_aot_recorder_close(runtime);
  return backend->close != NULL ? backend->close(runtime) : 0;
}

/* OPEN to CLOSING, after a wait: later calls fail. While CLOSING it only waits. */
int taichi_aot_begin_close(taichi_aot_runtime *runtime) {
  const int status = taichi_aot_enter_closing(runtime);
  if ((status & 0xFF) == TAICHI_AOT_LOST) { /* nothing to wait for */
    runtime->state = TAICHI_AOT_STATE_CLOSING;
    if (taichi_aot_enter_with(runtime, TAICHI_AOT_ENTER_CLOSING | TAICHI_AOT_ENTER_MAY_WAIT) == 0) {
      free_all(runtime);
      taichi_aot_leave_with(runtime, 0);
    }
  }
  if (status != 0) return status;
  runtime->state = TAICHI_AOT_STATE_CLOSING;
  taichi_aot_wait_entered(runtime->context);
  return taichi_aot_leave_after(runtime, "ti_wait", free_all(runtime));
}

/* Destroys what the context has, and its TiRuntime if it is ours. The lock is held. */
static int destroy(taichi_aot_context *context) {
  TiRuntime ti_runtime;
  if (context->ti_runtime == NULL && !context->is_lazy) return 0;
  taichi_aot_clear_error();
  taichi_aot_destroy_points(context);
  if (context->backend->destroy != NULL) context->backend->destroy(context);
  taichi_aot_table_clear(&context->imports);
  ti_runtime = context->ti_runtime;
  context->ti_runtime = NULL;
  context->is_lazy = 0;
  if (ti_runtime != NULL && !context->is_borrowed && !context->is_broken) functions.ti_destroy_runtime(ti_runtime);
  taichi_aot_forget_failure(context);
  return taichi_aot_read_error("ti_destroy_runtime");
}

/* CLOSING to CLOSED; IN_USE while a hold is active. The runtime's modules and memory are already released. */
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
      if (destroy_context) status = destroy(context);
    }
    taichi_aot_lock_give(&context->lock);
  }
  taichi_aot_leave_process();
  return status;
}
