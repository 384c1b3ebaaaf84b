/* The backend of CUDA. */

#include "archs.h"
#include "cuda_device.h"
#include "cuda_marks.h"
#include "cuda_recorder.h"
#include "recorder.h"

static int close_runtime(taichi_aot_runtime *runtime) {
  if (!runtime->context->lost) taichi_aot_recorder_close(runtime);
  taichi_aot_cuda_forget_streams(runtime);
  return 0;
}

const taichi_aot_backend taichi_aot_cuda_backend = {
  .queues = TAICHI_AOT_BUSY_LIBRARY,
  .is_boundless = 0, /* the driver waits where its queue is full */
  .is_pinned = 0,
  .attach = taichi_aot_cuda_attach,
  .enter = taichi_aot_cuda_enter,
  .use_library = taichi_aot_cuda_use_library,
  .leave = taichi_aot_cuda_leave,
  .load = NULL,
  .read = taichi_aot_cuda_read,
  .copy = taichi_aot_cuda_copy,
  .finish = taichi_aot_no_finish, /* memory waits for its streams, and the driver frees graphs after they have run */
  .count_memory = taichi_aot_cuda_count_memory,
  .trim = taichi_aot_cuda_trim,
  .close = close_runtime,
  .destroy = taichi_aot_no_destroy,
  .recorder = &taichi_aot_cuda_recorder,
  .marker = &taichi_aot_cuda_marker,
};
