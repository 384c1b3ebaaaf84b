/* One call at a time on each context: the checks under its mutex, and the states of runtimes. */

#include "core/context.h"

#include <string.h>

#define functions taichi_aot_functions

static int lost_status(const taichi_aot_context *context) { return TAICHI_AOT_LOST | context->device_index << 8; }

/* Records that this thread's error lost the device. Returns the status of all later calls that need it. */
int taichi_aot_lose(taichi_aot_context *context) {
  context->lost = 1;
  memcpy(context->lost_message, taichi_aot_message, sizeof context->lost_message);
  return lost_status(context);
}

/* Begins an operation with the lock, and releases it if that fails. */
static int begin(taichi_aot_runtime *runtime, int flags) {
  taichi_aot_context *context = runtime->context;
  int status = 0;
  if ((context->ti_runtime == NULL && !context->is_lazy) || !(runtime->state == TAICHI_AOT_STATE_OPEN ||
                                       ((flags & TAICHI_AOT_ENTER_CLOSING) && runtime->state == TAICHI_AOT_STATE_CLOSING)))
    status = TAICHI_AOT_CLOSED;
  else if (context->thread != 0 && context->thread != taichi_aot_this_thread())
    status = TAICHI_AOT_WRONG_THREAD;
  else if (context->lost && (flags & TAICHI_AOT_ENTER_ON_DEVICE)) {
    memcpy(taichi_aot_message, context->lost_message, sizeof context->lost_message);
    status = lost_status(context);
  }
  taichi_aot_clear_error(); /* of earlier calls of this thread; the backend's calls need that too */
  if (status == 0 && context->backend->enter != NULL && !context->lost) status = context->backend->enter(context, flags);
  if (status != 0) taichi_aot_lock_give(&context->lock);
  return status;
}

int taichi_aot_enter_with(taichi_aot_runtime *runtime, int flags) {
  const int status = taichi_aot_lock_take(&runtime->context->lock, flags & TAICHI_AOT_ENTER_MAY_WAIT);
  return status != 0 ? status : begin(runtime, flags);
}

int taichi_aot_enter_for(taichi_aot_runtime *runtime, int64_t ns) {
  const int status = taichi_aot_lock_take_for(&runtime->context->lock, ns);
  return status != 0 ? status : begin(runtime, TAICHI_AOT_ENTER_ON_DEVICE);
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

static int attach(taichi_aot_context *context) {
  return context->backend->attach != NULL ? context->backend->attach(context) : 0;
}

/* Opens the device of a context whose TiRuntime is created later, unless it is open. */
int taichi_aot_context_attach(taichi_aot_context *context) {
  int status = taichi_aot_enter_process();
  if (status != 0) return status;
  taichi_aot_clear_error();
  status = attach(context);
  taichi_aot_leave_process();
  return status;
}

static int create(taichi_aot_context *context, TiArch arch, uint32_t device_index) {
  int status;
  taichi_aot_clear_error();
  if (context->backend->create != NULL) return context->backend->create(context, &context->ti_runtime);
  context->ti_runtime = functions.ti_create_runtime(arch, device_index);
  status = taichi_aot_read_error("ti_create_runtime");
  return status == 0 ? attach(context) : status;
}

/* The same between other calls: restores what the library makes current on this thread. */
static int create_later(taichi_aot_context *context, TiArch arch, uint32_t device_index) {
  const taichi_aot_backend *backend = context->backend;
  int status = taichi_aot_lock_take(&context->lock, 1);
  if (status != 0) return status;
  if (backend->enter != NULL && !context->lost) status = backend->enter(context, 0);
  if (status == 0) {
    status = create(context, arch, device_index);
    if (backend->leave != NULL && !context->lost) status = backend->leave(context, status);
  }
  taichi_aot_lock_give(&context->lock);
  return status;
}

/* Creates the TiRuntime, unless the context, which may be shared, already has it. */
int taichi_aot_context_create(taichi_aot_context *context, TiArch arch, uint32_t device_index) {
  int status = taichi_aot_enter_process();
  if (status != 0) return status;
  if (context->ti_runtime == NULL)
    status = (context->is_lazy ? create_later : create)(context, arch, device_index);
  taichi_aot_leave_process();
  return status;
}

/* Takes an existing TiRuntime. */
int taichi_aot_context_adopt(taichi_aot_context *context, TiRuntime ti_runtime, int32_t is_borrowed) {
  taichi_aot_clear_error();
  context->is_borrowed = is_borrowed;
  context->is_shared = 1;
  context->is_adopted = 1;
  context->ti_runtime = ti_runtime;
  return attach(context);
}

/* For a forked child: the TiRuntime belongs to the parent. */
void taichi_aot_context_forget(taichi_aot_context *context) { taichi_aot_context_init(context, context->backend); }

/* Whether a finalizer can enter without waiting for another thread. */
int taichi_aot_context_is_free(taichi_aot_context *context) {
  if (context->thread != 0 && context->thread != taichi_aot_this_thread()) return 0;
  if (!taichi_aot_process_is_free() || taichi_aot_lock_take(&context->lock, 0) != 0) return 0;
  taichi_aot_lock_give(&context->lock);
  return 1;
}

/* Waits by the library, or by the driver without a TiRuntime, until the device is idle. 0 or the code of the driver's error. The
 * caller checks the library's error. */
int taichi_aot_wait_by_library(taichi_aot_context *context) {
  if (context->ti_runtime != NULL) {
    functions.ti_wait(context->ti_runtime);
    if (taichi_aot_has_failed()) return 0;
  } else if (context->backend->synchronize != NULL) {
    const int code = context->backend->synchronize(context);
    if (code != 0) return code;
  }
  context->busy = 0;
  context->unreleased = 0;
  context->reached = context->marked;
  return 0;
}

void taichi_aot_library_queued(taichi_aot_context *context) {
  context->busy |= context->backend->queues;
  context->unreleased += 1;
}

/* Submits all launches to the device; entering submits those that the backend has gathered. */
int taichi_aot_flush(taichi_aot_runtime *runtime) {
  const int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  taichi_aot_flush_library(runtime->context);
  return taichi_aot_leave(runtime, "ti_flush");
}

/* Submits what the library has queued. The library frees its memory for that at its next wait. */
void taichi_aot_flush_library(taichi_aot_context *context) {
  if (context->ti_runtime == NULL || !(context->busy & TAICHI_AOT_BUSY_LIBRARY)) return;
  functions.ti_flush(context->ti_runtime);
  context->unreleased += 1;
}
