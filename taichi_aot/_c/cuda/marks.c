/* Marks on CUDA: events on the default stream, which waits for all others that have work of ours. */

#include "core/clock.h"
#include "core/wait.h"
#include "cuda/device.h"

#define cuda taichi_aot_cuda_driver

static void *event_of(const taichi_aot_point *point) { return (void *)(uintptr_t)point->own[0]; }

static int create_event(taichi_aot_point *point) {
  void *event = NULL;
  int result;
  if (event_of(point) != NULL) return 0;
  result = cuda.cuEventCreate(&event, point->is_timed ? 0 : CUDA_EVENT_WITHOUT_TIMING);
  if (result == CUDA_OK) point->own[0] = (uint64_t)(uintptr_t)event;
  return taichi_aot_cuda_error("cuEventCreate", result);
}

static int set(taichi_aot_context *context, taichi_aot_point *point) {
  const int code = create_event(point);
  (void)context;
  return code != 0 ? code : taichi_aot_cuda_error("cuEventRecord", cuda.cuEventRecord(event_of(point), NULL));
}

/* The driver cannot sleep for a limited time. */
static int query(const taichi_aot_point *point, int64_t ns) {
  const int64_t begin = ns > 0 ? taichi_aot_now() : 0;
  int result = cuda.cuEventQuery(event_of(point));
  while (result == CUDA_NOT_READY && ns > 0) {
    const int64_t waited = taichi_aot_now() - begin;
    if (waited >= ns) break;
    taichi_aot_nap(waited);
    result = cuda.cuEventQuery(event_of(point));
  }
  return result;
}

/* The thread may have another context without the lock. */
static int ask(taichi_aot_context *context, const taichi_aot_point *point, int64_t ns) {
  void *own = taichi_aot_cuda_of(context)->handle, *outer = NULL;
  int result = cuda.cuCtxGetCurrent(&outer);
  if (result == CUDA_OK && outer != own) result = cuda.cuCtxSetCurrent(own);
  if (result == CUDA_OK) result = query(point, ns);
  if (outer != NULL && outer != own) cuda.cuCtxSetCurrent(outer);
  return result == CUDA_NOT_READY ? TAICHI_AOT_UNFINISHED : taichi_aot_cuda_error("cuEventQuery", result);
}

static int elapsed(taichi_aot_context *context, const taichi_aot_point *from, const taichi_aot_point *to, double *seconds) {
  float milliseconds = 0;
  const int result = cuda.cuEventElapsedTime(&milliseconds, event_of(from), event_of(to));
  (void)context;
  *seconds = milliseconds * 1e-3;
  return taichi_aot_cuda_error("cuEventElapsedTime", result);
}

const taichi_aot_marker taichi_aot_cuda_marker = {
  .most_unreleased = 0, /* its wait is quick, and prints what kernels print */
  .set = set,
  .ask = ask,
  .elapsed = elapsed,
  .destroy = NULL, /* the context of CUDA, which has them, stays until the process ends */
};
