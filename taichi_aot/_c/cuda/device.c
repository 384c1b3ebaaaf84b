/* The CUDA driver, for what the C-API lacks: memory and copies without mapping, one context on all threads, streams, several
 * devices. The library uses the primary context of the first device, and the default stream for everything but kernels. */

#include "cuda/device.h"

#include "core/checks.h"
#include "core/wait.h"

#include <stdio.h>
#include <string.h>

#define functions taichi_aot_functions
#define cuda taichi_aot_cuda_driver
#define error_message taichi_aot_message
#define THREAD_LOCAL TAICHI_AOT_THREAD_LOCAL

#ifdef _WIN32
#define CUDA_LIBRARY "nvcuda.dll"
#else
#define CUDA_LIBRARY "libcuda.so.1"
#endif

enum { CUDA_INVALID_VALUE = 1, CUDA_OUT_OF_MEMORY = 2, CUDA_INVALID_CONTEXT = 201 };
enum { CUDA_FIRST_OF_CAPTURES = 900, CUDA_LAST_OF_CAPTURES = 908 }; /* errors of streams that are being captured */
enum { CUDA_POINTER_MEMORY_TYPE = 2, CUDA_MEMORY_TYPE_DEVICE = 2, CUDA_POINTER_DEVICE = 9 };
enum { CUDA_CAPTURE_RELAXED = 2, NO_MODE = -1 };

struct taichi_aot_cuda_driver taichi_aot_cuda_driver;

static THREAD_LOCAL void *outer_context;              /* what was current before the call */
static THREAD_LOCAL taichi_aot_stream *last_stream;   /* of `with runtime.stream(...)` on this thread, of any device */
static THREAD_LOCAL int outer_mode = NO_MODE;         /* of captures, before the call, if the call has changed it */

/* The number of devices; 0 if the library cannot use CUDA. */
int taichi_aot_cuda_device_count(void) {
  static int is_found;
  int count = 0;
  if (!is_found) {
    void *library = taichi_aot_open(CUDA_LIBRARY);
    if (library == NULL) return 0;
#define FIND(name, parameters) *(void **)&cuda.name = taichi_aot_symbol(library, #name);
#define REQUIRE(name, parameters) FIND(name, parameters) if (cuda.name == NULL) return 0;
    TAICHI_AOT_CUDA_REQUIRED(REQUIRE)
    TAICHI_AOT_CUDA_OPTIONAL(FIND)
    TAICHI_AOT_CUDA_LAUNCHING(FIND)
    is_found = 1;
  }
  return cuda.cuInit(0) == CUDA_OK && cuda.cuDeviceGetCount(&count) == CUDA_OK && count > 0 ? count : 0;
}

/* Finds the name of a device with a valid index: 0 or a code of the driver. */
int taichi_aot_cuda_device(int32_t index, char *name, size_t capacity) {
  int device = 0;
  const int result = cuda.cuDeviceGet(&device, index);
  return result == CUDA_OK ? cuda.cuDeviceGetName(name, (int)capacity, device) : result;
}

/* The version of CUDA that the driver supports, 1000 * major + 10 * minor; 0 if the library cannot use CUDA. */
int taichi_aot_cuda_version(void) {
  int version = 0;
  if (taichi_aot_cuda_device_count() == 0) return 0;
  return cuda.cuDriverGetVersion(&version) == CUDA_OK ? version : 0;
}

/* Returns the status of a failed driver call, and sets its text as the message. */
int taichi_aot_cuda_error(const char *routine, int result) {
  const char *text = NULL;
  if (result == CUDA_OK) return 0;
  cuda.cuGetErrorString(result, &text);
  snprintf(error_message, sizeof error_message, "CUDA driver error %d: %s", result, text != NULL ? text : "unknown");
  return taichi_aot_fail(routine,
                         result == CUDA_OUT_OF_MEMORY ? (int)TI_ERROR_OUT_OF_MEMORY : (int)TI_ERROR_INVALID_STATE);
}

/* Makes `second` wait for the current work in `first`. */
static int make_wait(void *event, void *first, void *second) {
  int result = cuda.cuEventRecord(event, first);
  return result == CUDA_OK ? cuda.cuStreamWaitEvent(second, event, 0) : result;
}

/* The same; where the device cannot wait, the host does. */
static int order(void *event, void *first, void *second) {
  return make_wait(event, first, second) == CUDA_OK ? CUDA_OK : cuda.cuStreamSynchronize(first);
}

/* A sticky error of the context: every later call fails. */
static int is_lost(void) {
  const int result = cuda.cuStreamQuery(NULL);
  if (result >= CUDA_FIRST_OF_CAPTURES && result <= CUDA_LAST_OF_CAPTURES) return 0;
  return result != CUDA_OK && result != CUDA_NOT_READY && result != CUDA_INVALID_CONTEXT;
}

/* The stream of `with runtime.stream(...)` on this thread, if it is on the device of the context. */
static taichi_aot_stream *stream_in(const taichi_aot_context *context) {
  taichi_aot_stream *stream = last_stream;
  while (stream != NULL && stream->runtime->context != context) stream = stream->before;
  return stream;
}

_Static_assert(sizeof(taichi_aot_cuda) <= sizeof(((taichi_aot_context *)0)->own), "the state fits");

taichi_aot_cuda *taichi_aot_cuda_of(taichi_aot_context *context) { return (taichi_aot_cuda *)(void *)context->own; }

/* Makes the default stream wait for our work in streams that it does not synchronize with. */
static int catch_up(taichi_aot_cuda *own, const taichi_aot_stream *except) {
  taichi_aot_stream *stream;
  for (stream = own->streams; stream != NULL; stream = stream->next) {
    int result;
    if (!stream->is_ahead || stream == except) continue;
    result = order(stream->event, stream->handle, NULL);
    if (result != CUDA_OK) return result;
    stream->is_ahead = 0;
    own->default_work += 1;
  }
  return CUDA_OK;
}

/* Makes a stream wait for the default stream, which waits for all blocking streams. Impossible while it is captured. */
static int wait_for_default(const taichi_aot_cuda *own, taichi_aot_stream *stream) {
  const int result = order(stream->event, NULL, stream->handle);
  if (result == CUDA_OK) stream->seen = own->default_work;
  return result;
}

/* Exempts this thread's calls from captures: while another library captures a stream, allocations and queries would otherwise
 * fail and end the capture. */
static void begin_relaxed(void) {
  int mode = CUDA_CAPTURE_RELAXED;
  if (outer_mode != NO_MODE || cuda.cuThreadExchangeStreamCaptureMode == NULL) return;
  if (cuda.cuThreadExchangeStreamCaptureMode(&mode) == CUDA_OK) outer_mode = mode;
}

/* If it fails, the next call tries again. */
static void end_relaxed(void) {
  int mode = outer_mode;
  if (mode != NO_MODE && cuda.cuThreadExchangeStreamCaptureMode(&mode) == CUDA_OK) outer_mode = NO_MODE;
}

/* The stream that the library launches on. */

/* Resets the library to the default stream: 0, or its error. Then the library keeps our stream, which must not be destroyed, and
 * the next call tries again. */
static int reset_library_stream(taichi_aot_cuda *own) {
  int code;
  if (!own->has_stream) return 0;
  taichi_aot_clear_error();
  functions.ti_set_cuda_stream(NULL);
  code = taichi_aot_read_error("ti_set_cuda_stream");
  taichi_aot_clear_error();
  if (code == 0) own->has_stream = 0;
  return code;
}

/* Sets the library's stream until `reset_library_stream`: 0, or the library's error, with the stream unchanged. */
static int set_library_stream(taichi_aot_cuda *own, void *stream) {
  int code;
  own->has_stream = 1;
  taichi_aot_clear_error();
  functions.ti_set_cuda_stream(stream);
  code = taichi_aot_read_error("ti_set_cuda_stream");
  if (code != 0) reset_library_stream(own);
  return code;
}

/* Begins and ends calls. */

/* Makes the default stream wait for the work so far; blocking streams already do. */
static int use_default(taichi_aot_context *context) {
  taichi_aot_stream *stream = stream_in(context);
  int result = catch_up(taichi_aot_cuda_of(context), stream);
  if (result == CUDA_OK && stream != NULL && !stream->is_blocking) {
    result = order(stream->event, stream->handle, NULL);
    if (result == CUDA_OK) stream->is_ahead = 0;
  }
  return taichi_aot_cuda_error("cuStreamWaitEvent", result);
}

/* The work of the call runs on the default stream, or on a stream that is blocking. */
static int begin_default(taichi_aot_context *context) {
  const taichi_aot_stream *stream = stream_in(context);
  const int code = use_default(context);
  if (code != 0 || stream == NULL || !stream->is_blocking || context->ti_runtime == NULL) return code;
  return set_library_stream(taichi_aot_cuda_of(context), stream->handle);
}

/* Makes CUDA's context current on this thread. */
static int enter_cuda(taichi_aot_context *context, int is_closing) {
  const taichi_aot_cuda *own = taichi_aot_cuda_of(context);
  int code, result = CUDA_OK;
  outer_context = NULL;
  if (own->handle == NULL) {
    code = taichi_aot_cuda_attach(context);
    if (code != 0) return code;
  }
  code = taichi_aot_cuda_error("cuCtxGetCurrent", cuda.cuCtxGetCurrent(&outer_context));
  if (code != 0 && !is_closing) return code;
  if (outer_context != own->handle) result = cuda.cuCtxSetCurrent(own->handle);
  return taichi_aot_cuda_error("cuCtxSetCurrent", result);
}

/* The code of the call, or LOST. */
static int leave_cuda(taichi_aot_context *context, int code) {
  end_relaxed();
  if (code != 0 && is_lost()) code = taichi_aot_lose(context);
  /* A thread without a context keeps ours, as in the library: the next call finds it current. */
  if (outer_context != NULL && outer_context != taichi_aot_cuda_of(context)->handle) cuda.cuCtxSetCurrent(outer_context);
  return code;
}

/* Begins each call: sets the context and the stream of this thread. The library allocates, fills and frees a launch's argument
 * buffer on the default stream, so a stream that does not synchronize with it must not run the kernel. The work then runs on the
 * default stream, between waits for and by that stream. Releases continue after a failure here. */
int taichi_aot_cuda_enter(taichi_aot_context *context, int flags) {
  taichi_aot_cuda *own = taichi_aot_cuda_of(context);
  const int is_closing = (flags & TAICHI_AOT_ENTER_CLOSING) != 0;
  int code = enter_cuda(context, is_closing);
  own->is_launching = (flags & TAICHI_AOT_ENTER_TO_LAUNCH) != 0;
  own->failure = 0;
  if (code == 0 || is_closing) code = reset_library_stream(own);
  if (own->is_launching && code == 0)
    begin_relaxed();
  else if (code == 0 || is_closing)
    code = begin_default(context);
  return code == 0 || is_closing ? 0 : leave_cuda(context, code);
}

/* After a launch without the library. Does nothing if the call already uses the default stream. */
int taichi_aot_cuda_use_library(taichi_aot_context *context) {
  taichi_aot_cuda *own = taichi_aot_cuda_of(context);
  const int code = own->is_launching ? use_default(context) : 0;
  own->is_launching = 0;
  return code;
}

/* Records an error for the end of the call, unless it has another one. */
void taichi_aot_cuda_note(taichi_aot_context *context, int code) {
  taichi_aot_cuda *own = taichi_aot_cuda_of(context);
  if (own->failure == 0) own->failure = code;
}

/* Ends a call that used the default stream. The call has been made, so the next one retries what fails here. */
static void leave_default(taichi_aot_context *context) {
  taichi_aot_cuda *own = taichi_aot_cuda_of(context);
  taichi_aot_stream *stream = stream_in(context);
  own->default_work += 1;
  reset_library_stream(own);
  if (stream != NULL && !stream->is_blocking) wait_for_default(own, stream);
}

int taichi_aot_cuda_leave(taichi_aot_context *context, int code) {
  taichi_aot_cuda *own = taichi_aot_cuda_of(context);
  if (!own->is_launching) leave_default(context);
  return leave_cuda(context, code != 0 ? code : own->failure);
}

/* Finds the stream that the library launches on, which a user of the C-API can set: 0 or its error. */
static int find_library_stream(const taichi_aot_context *context, void **handle) {
  *handle = NULL;
  if (context->ti_runtime == NULL) return 0;
  functions.ti_get_cuda_stream(handle);
  return taichi_aot_read_error("ti_get_cuda_stream");
}

/* Whether another library captures a stream for a graph: 0 or an error code. */
static int ask_capture(void *stream, int32_t *is_captured) {
  int status = 0, result = CUDA_OK;
  if (stream != NULL && cuda.cuStreamIsCapturing != NULL) result = cuda.cuStreamIsCapturing(stream, &status);
  *is_captured = status != 0;
  return taichi_aot_cuda_error("cuStreamIsCapturing", result);
}

/* The error of what cannot be part of a graph. */
int taichi_aot_cuda_not_captured(const char *reason) {
  snprintf(error_message, sizeof error_message, "the stream is being captured: %s", reason);
  return taichi_aot_fail("cuLaunchKernel", (int)TI_ERROR_INVALID_STATE);
}

static int32_t captured; /* launches in graphs of other libraries that exist, on any device */

/* From any thread, without the lock. */
void taichi_aot_cuda_count_captured(int32_t change) { taichi_aot_add32(&captured, change); }

int taichi_aot_cuda_is_captured(void) { return taichi_aot_load32(&captured) > 0; }

/* Finds the stream of a launch without the library, this thread's or the library's, and orders it after all launches on other
 * streams, unless it is captured: a device's kernels share temporaries and random states. The library's stream should be one that
 * the default stream waits for. 0 or an error code. */
int taichi_aot_cuda_begin_launch(taichi_aot_context *context, void **handle, int32_t *is_captured) {
  taichi_aot_cuda *own = taichi_aot_cuda_of(context);
  taichi_aot_stream *stream = own->is_launching ? stream_in(context) : NULL; /* or it is among launches of the library */
  int result, code = 0;
  if (stream != NULL)
    *handle = stream->handle;
  else
    code = find_library_stream(context, handle);
  if (code == 0) code = ask_capture(*handle, is_captured);
  if (code == 0 && *is_captured && stream == NULL) code = taichi_aot_cuda_not_captured("it is the library's");
  if (code != 0 || *is_captured || !own->is_launching) return code;
  result = catch_up(own, stream);
  if (result == CUDA_OK && stream != NULL && stream->seen != own->default_work) result = wait_for_default(own, stream);
  return taichi_aot_cuda_error("cuStreamWaitEvent", result);
}

/* Whether work in a stream is in order with the launches of this thread, without events. Handles 0 and 1 are the default
 * stream, in which launches run unless the thread uses another one. */
int taichi_aot_cuda_is_in_order(taichi_aot_context *context, const void *stream) {
  const taichi_aot_stream *in_use = stream_in(context);
  const void *own = in_use == NULL ? NULL : in_use->handle;
  return own == stream || ((uintptr_t)own <= 1 && (uintptr_t)stream <= 1);
}

/* Creates the event that orders streams of other libraries and devices, once. */
static int make_event(taichi_aot_cuda *own) {
  return own->event == NULL ? cuda.cuEventCreate(&own->event, CUDA_EVENT_WITHOUT_TIMING) : CUDA_OK;
}

/* Orders another library's stream and the launches of this thread. Launches on or after the default stream follow what it waits
 * for; `default_work` tells whether there is more. */
static int order_stream(taichi_aot_context *context, void *stream, int32_t is_after) {
  taichi_aot_cuda *own = taichi_aot_cuda_of(context);
  const taichi_aot_stream *in_use = own->is_launching ? stream_in(context) : NULL;
  int32_t is_captured;
  int code = taichi_aot_cuda_error("cuEventCreate", make_event(own));
  if (code != 0) return code;
  if (is_after) return order(own->event, in_use != NULL ? in_use->handle : NULL, stream);
  code = ask_capture(stream, &is_captured);
  if (code == 0 && is_captured) code = taichi_aot_cuda_not_captured("launch in `with runtime.stream(stream)`, or after that");
  if (code != 0) return code;
  own->default_work += 1;
  return taichi_aot_cuda_error("cuStreamWaitEvent", order(own->event, stream, NULL));
}

int taichi_aot_cuda_order_arrays(const taichi_aot_launch *launch, int32_t is_after) {
  void *last = NULL;
  uint32_t i;
  int code = 0;
  for (i = 0; i < launch->array_count && code == 0; ++i) {
    void *stream = launch->arrays[i]->memory->stream;
    if (stream == NULL || stream == last) continue;
    last = stream;
    code = order_stream(launch->runtime->context, stream, is_after);
  }
  return code;
}

/* It has launched. */
void taichi_aot_cuda_end_launch(taichi_aot_context *context) {
  taichi_aot_cuda *own = taichi_aot_cuda_of(context);
  taichi_aot_stream *stream = stream_in(context);
  context->busy |= TAICHI_AOT_BUSY_RECORDED;
  if (!own->is_launching) return;
  if (stream != NULL) stream->is_ahead = 1;
  if (stream != NULL && !stream->is_blocking) return;
  own->default_work += 1;
  if (stream != NULL) stream->seen = own->default_work;
}

/* The end of a call that used only the driver: its error, or that of the context. */
static int leave_driver(taichi_aot_runtime *runtime, const char *routine, int result) {
  return taichi_aot_leave_with(runtime, taichi_aot_cuda_error(routine, result));
}

/* Makes later calls run in the primary context of the device, as the library's do on the first device. */
int taichi_aot_cuda_attach(taichi_aot_context *context) {
  taichi_aot_cuda *own = taichi_aot_cuda_of(context);
  int device = 0, result;
  context->pause = TAICHI_AOT_PAUSE;
  if (own->handle != NULL) return 0;
  result = cuda.cuDeviceGet(&device, context->device_index);
  if (result == CUDA_OK) result = cuda.cuDevicePrimaryCtxRetain(&own->handle, device);
  return taichi_aot_cuda_error("cuDevicePrimaryCtxRetain", result);
}

/* On the device, or on the host, where kernels reach it at the same address. */
int taichi_aot_cuda_allocate(taichi_aot_runtime *runtime, uint64_t size, int32_t on_host, taichi_aot_memory *memory) {
  const int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  if (on_host && cuda.cuMemAllocHost_v2 != NULL && cuda.cuMemAllocHost_v2(&memory->mapped, (size_t)size) == CUDA_OK) {
    memory->address = (uint64_t)(uintptr_t)memory->mapped;
    memory->is_polled = 1;
    return leave_driver(runtime, "cuMemAllocHost", CUDA_OK);
  }
  return leave_driver(runtime, "cuMemAlloc", cuda.cuMemAlloc_v2(&memory->address, (size_t)size));
}

/* Waits for the device, as the driver does for this call. May be called again. */
int taichi_aot_cuda_free(taichi_aot_runtime *runtime, taichi_aot_memory *memory) {
  const int status = taichi_aot_enter_closing(runtime);
  const uint64_t address = memory->address;
  void *mapped = memory->mapped;
  if (status != 0) return status;
  memory->address = 0;
  memory->mapped = NULL;
  if (mapped != NULL) return leave_driver(runtime, "cuMemFreeHost", cuda.cuMemFreeHost(mapped));
  return leave_driver(runtime, "cuMemFree", address != 0 ? cuda.cuMemFree_v2(address) : CUDA_OK);
}

/* Reports the driver's numbers of the device's memory. */
int taichi_aot_cuda_memory(taichi_aot_memory_numbers *numbers) {
  size_t free = 0, total = 0;
  const int result = cuda.cuMemGetInfo_v2(&free, &total);
  if (result != CUDA_OK) return taichi_aot_cuda_error("cuMemGetInfo", result);
  numbers->free = (int64_t)free;
  numbers->total = (int64_t)total;
  return 0;
}

/* Waits for the default stream of the context that is current, which waits for all others that have work of ours. */
int taichi_aot_cuda_synchronize(taichi_aot_context *context) {
  (void)context;
  return taichi_aot_cuda_error("cuStreamSynchronize", cuda.cuStreamSynchronize(NULL));
}

/* Between host and device in any direction, in the order of the default stream. */
int taichi_aot_cuda_copy(uint64_t target, uint64_t source, uint64_t size) {
  return taichi_aot_cuda_error("cuMemcpy", cuda.cuMemcpy(target, source, (size_t)size));
}

enum { PINNED_BYTES = 1 << 16, POLLED_BYTES = 1 << 12 };

/* Memory that the device can write to while the host polls; NULL if the driver gives none. */
static void *pinned_of(taichi_aot_cuda *own) {
  if (own->pinned == NULL && cuda.cuMemAllocHost_v2 != NULL && cuda.cuMemcpyDtoHAsync_v2 != NULL &&
      cuda.cuMemAllocHost_v2(&own->pinned, PINNED_BYTES) != CUDA_OK)
    own->pinned = NULL;
  return own->pinned;
}

/* In memory of the host that kernels reach at the same address. */
int taichi_aot_cuda_make_failure(taichi_aot_context *context) {
  void *memory = NULL;
  int code;
  if (cuda.cuMemAllocHost_v2 == NULL) return taichi_aot_missing("cuMemAllocHost_v2");
  code = taichi_aot_cuda_error("cuMemAllocHost", cuda.cuMemAllocHost_v2(&memory, sizeof *context->failure));
  if (code == 0) context->failure = (taichi_aot_failure *)memset(memory, 0, sizeof *context->failure);
  return code;
}

/* Long reads wait first, because nothing can interrupt the driver's own wait. */
static int read_long(taichi_aot_context *context, uint64_t target, uint64_t source, uint64_t size, int32_t may_block) {
  const int status = taichi_aot_settle(context, may_block);
  return status != 0 ? status : taichi_aot_cuda_copy(target, source, size);
}

/* Short reads are queued after the launches, so one wait covers both; the shortest are polled in place. */
int taichi_aot_cuda_read(taichi_aot_context *context, uint64_t target, uint64_t source, uint64_t size, int32_t may_block) {
  void *pinned = size <= PINNED_BYTES ? pinned_of(taichi_aot_cuda_of(context)) : NULL;
  const int is_polled = size <= POLLED_BYTES && size % sizeof(uint32_t) == 0;
  int status;
  if (pinned == NULL) return read_long(context, target, source, size, may_block);
  if (is_polled) taichi_aot_expect_words(pinned, size);
  status = taichi_aot_cuda_error("cuMemcpyDtoHAsync", cuda.cuMemcpyDtoHAsync_v2(pinned, source, (size_t)size, NULL));
  context->busy |= TAICHI_AOT_BUSY_COPIES;
  if (status == 0 && is_polled) taichi_aot_poll_words(context, pinned, size);
  if (status == 0) status = taichi_aot_settle(context, may_block);
  if (status == 0) memcpy((void *)(uintptr_t)target, pinned, (size_t)size);
  return status;
}

/* Copies between devices. */

/* Enables direct access to another device's memory, if possible. Otherwise the driver copies through the host. */
static void enable_peer(taichi_aot_context *context, taichi_aot_context *other) {
  taichi_aot_cuda *own = taichi_aot_cuda_of(context);
  const uint64_t peer = UINT64_C(1) << other->device_index % 64;
  if (cuda.cuCtxEnablePeerAccess == NULL || (own->peers & peer) != 0) return;
  own->peers |= peer;
  if (cuda.cuCtxSetCurrent(own->handle) == CUDA_OK) cuda.cuCtxEnablePeerAccess(taichi_aot_cuda_of(other)->handle, 0);
}

/* The work that is now in the default stream of one context, for which that of another waits. Both locks are held. */
static int order_peers(taichi_aot_cuda *first, taichi_aot_cuda *second) {
  int result = cuda.cuCtxSetCurrent(first->handle);
  if (result == CUDA_OK) result = make_event(first);
  if (result == CUDA_OK) result = cuda.cuEventRecord(first->event, NULL);
  if (result == CUDA_OK) result = cuda.cuCtxSetCurrent(second->handle);
  return result == CUDA_OK ? cuda.cuStreamWaitEvent(NULL, first->event, 0) : result;
}

typedef struct peer_copy {
  taichi_aot_context *to, *from;
  uint64_t target, source, size;
} peer_copy;

/* Queued on the target's device, behind the work of both, and before later work of both. */
static int copy_peers(const peer_copy *copy) {
  taichi_aot_cuda *to = taichi_aot_cuda_of(copy->to), *from = taichi_aot_cuda_of(copy->from);
  int result;
  enable_peer(copy->to, copy->from);
  enable_peer(copy->from, copy->to);
  result = order_peers(from, to);
  if (result != CUDA_OK) return result;
  result = cuda.cuMemcpyPeerAsync(copy->target, to->handle, copy->source, from->handle, (size_t)copy->size, NULL);
  if (result != CUDA_OK) return result;
  if (order_peers(to, from) == CUDA_OK) return CUDA_OK;
  cuda.cuCtxSetCurrent(to->handle);
  return cuda.cuStreamSynchronize(NULL);
}

/* Leaves a context that was entered beside another: `code`, or LOST if its device is. */
static int leave_beside(taichi_aot_runtime *runtime, void *outer, int code) {
  int left;
  cuda.cuCtxSetCurrent(taichi_aot_cuda_of(runtime->context)->handle);
  outer_context = outer;
  left = taichi_aot_leave_with(runtime, code);
  return code == 0 || (left & 0xFF) == TAICHI_AOT_LOST ? left : code;
}

/* 0, NOT_MINE if the driver cannot copy directly, or a status. The runtimes have different contexts, which are entered in the
 * order of their addresses. */
int taichi_aot_cuda_copy_peer(taichi_aot_runtime *target_runtime, const taichi_aot_memory *target, int64_t target_generation,
                              uint64_t target_offset, taichi_aot_runtime *source_runtime, const taichi_aot_memory *source,
                              int64_t source_generation, uint64_t source_offset, uint64_t size) {
  const int flags = TAICHI_AOT_ENTER_MAY_WAIT | TAICHI_AOT_ENTER_ON_DEVICE;
  const int is_first = target_runtime->context < source_runtime->context;
  taichi_aot_runtime *first = is_first ? target_runtime : source_runtime, *second = is_first ? source_runtime : target_runtime;
  peer_copy copy = {target_runtime->context, source_runtime->context, target_offset, source_offset, size};
  void *outer;
  int status = taichi_aot_enter_with(first, flags);
  if (status != 0) return status;
  outer = outer_context;
  status = taichi_aot_enter_with(second, flags);
  if (status != 0) {
    leave_beside(first, outer, 0);
    return status;
  }
  status = cuda.cuMemcpyPeerAsync == NULL ? TAICHI_AOT_NOT_MINE : 0;
  if (status == 0) status = taichi_aot_locate(target, target_generation, &copy.target);
  if (status == 0) status = taichi_aot_locate(source, source_generation, &copy.source);
  if (status == 0) {
    if (taichi_aot_cuda_error("cuMemcpyPeerAsync", copy_peers(&copy)) != 0) status = TAICHI_AOT_NOT_MINE;
    copy.to->busy |= TAICHI_AOT_BUSY_LIBRARY;
    copy.from->busy |= TAICHI_AOT_BUSY_LIBRARY;
  }
  status = leave_beside(second, outer_context, status);
  return leave_beside(first, outer, status);
}

/* Makes our work wait for the current work in `stream` (`before`), or `stream` for ours. */
int taichi_aot_cuda_order(taichi_aot_runtime *runtime, void *stream, int32_t before) {
  taichi_aot_cuda *own = taichi_aot_cuda_of(runtime->context);
  int result;
  const int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  result = make_event(own);
  if (result == CUDA_OK) result = before ? make_wait(own->event, stream, NULL) : make_wait(own->event, NULL, stream);
  return leave_driver(runtime, "cuStreamWaitEvent", result);
}

/* Finds the device index of an address: -1 for no device, `unknown` if the driver does not say. A code of the driver. */
static int ask_device(uint64_t address, int32_t unknown, int32_t *device) {
  unsigned int kind = 0;
  int ordinal = -1;
  const int result = cuda.cuPointerGetAttribute(&kind, CUDA_POINTER_MEMORY_TYPE, address);
  *device = -1;
  if (result == CUDA_OK && kind == CUDA_MEMORY_TYPE_DEVICE)
    *device = cuda.cuPointerGetAttribute(&ordinal, CUDA_POINTER_DEVICE, address) == CUDA_OK ? ordinal : unknown;
  return result == CUDA_INVALID_VALUE ? CUDA_OK : result; /* it does not know the address */
}

/* The runtime's device if the driver does not say. */
int taichi_aot_cuda_find_device(taichi_aot_runtime *runtime, uint64_t address, int32_t *device) {
  const int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  return leave_driver(runtime, "cuPointerGetAttribute", ask_device(address, runtime->context->device_index, device));
}

/* Not if the driver does not say. The thread has the context of the device. */
int taichi_aot_cuda_has_address(const taichi_aot_context *context, uint64_t address) {
  int32_t device;
  return ask_device(address, -1, &device) == CUDA_OK && device == context->device_index;
}

/* Handles 0, 1 and 2 are the default streams, which synchronize with each other. */
int taichi_aot_cuda_enter_stream(taichi_aot_runtime *runtime, taichi_aot_stream *stream) {
  taichi_aot_cuda *own = taichi_aot_cuda_of(runtime->context);
  int32_t is_captured = 0;
  unsigned int flags = 0;
  int result = CUDA_OK;
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  begin_relaxed();
  if ((uintptr_t)stream->handle > 2) status = ask_capture(stream->handle, &is_captured);
  if (status != 0) return taichi_aot_leave_with(runtime, status);
  if (is_captured) /* it does not tell its flags; events can order it in either case */
    flags = CUDA_STREAM_NON_BLOCKING;
  else if ((uintptr_t)stream->handle > 2)
    result = cuda.cuStreamGetFlags(stream->handle, &flags);
  stream->is_blocking = (flags & CUDA_STREAM_NON_BLOCKING) == 0;
  if (result == CUDA_OK) result = cuda.cuEventCreate(&stream->event, CUDA_EVENT_WITHOUT_TIMING);
  if (result == CUDA_OK) {
    stream->runtime = runtime;
    stream->is_ahead = 0;
    stream->seen = -1;
    if (!stream->is_blocking) {
      stream->next = own->streams;
      own->streams = stream;
    }
  }
  status = leave_driver(runtime, "cuStreamGetFlags", result);
  if (result == CUDA_OK) {
    stream->before = last_stream;
    last_stream = stream;
  }
  return status;
}

static void forget_stream(taichi_aot_context *context, const taichi_aot_stream *stream) {
  taichi_aot_stream **place = &taichi_aot_cuda_of(context)->streams;
  while (*place != NULL && *place != stream) place = &(*place)->next;
  if (*place != NULL) *place = stream->next;
}

/* While the runtime is being closed: Python frees its streams without another call that finds it open. */
int taichi_aot_cuda_forget_streams(taichi_aot_runtime *runtime) {
  taichi_aot_stream **place = &taichi_aot_cuda_of(runtime->context)->streams;
  while (*place != NULL) {
    if ((*place)->runtime == runtime)
      *place = (*place)->next;
    else
      place = &(*place)->next;
  }
  return 0;
}

/* The stream of `with runtime.stream(...)` on this thread, else that of the library. */
int taichi_aot_cuda_current_stream(taichi_aot_runtime *runtime, void **stream) {
  const taichi_aot_context *context = runtime->context;
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  if (stream_in(context) != NULL)
    *stream = stream_in(context)->handle;
  else
    status = find_library_stream(context, stream);
  return taichi_aot_leave_with(runtime, status);
}

/* Restores the previous stream; WRONG_THREAD if this thread does not use `stream`. The default stream waits for its work,
 * because it may be destroyed now. After another code the stream is left, but a release failed. */
int taichi_aot_cuda_leave_stream(taichi_aot_runtime *runtime, taichi_aot_stream *stream) {
  int status = 0;
  if (last_stream != stream) return TAICHI_AOT_WRONG_THREAD;
  last_stream = stream->before;
  if (stream->event != NULL) {
    if (taichi_aot_enter_closing(runtime) == 0) {
      int code, result = CUDA_OK;
      begin_relaxed();
      forget_stream(runtime->context, stream);
      if (stream->is_blocking && stream->is_ahead) result = order(stream->event, stream->handle, NULL);
      status = taichi_aot_cuda_error("cuStreamWaitEvent", result);
      result = cuda.cuEventDestroy_v2(stream->event);
      if (status == 0) status = taichi_aot_cuda_error("cuEventDestroy", result);
      code = reset_library_stream(taichi_aot_cuda_of(runtime->context));
      stream->is_kept = code != 0;
      status = taichi_aot_leave_with(runtime, code != 0 ? code : status);
    } else if (taichi_aot_enter_with(runtime, TAICHI_AOT_ENTER_CLOSING | TAICHI_AOT_ENTER_MAY_WAIT) == 0) {
      forget_stream(runtime->context, stream); /* the device is lost */
      taichi_aot_leave_with(runtime, 0);
    }
  }
  stream->event = NULL;
  return status;
}
