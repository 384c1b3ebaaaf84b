/* The backend of CUDA. */

#include "core/archs.h"
#include "cuda/device.h"
#include "cuda/recorder.h"
#include "core/recorder.h"

const taichi_aot_backend taichi_aot_cuda_backend = {
  .queues = TAICHI_AOT_BUSY_LIBRARY,
  .is_boundless = 0, /* the driver waits where its queue is full */
  .attach = taichi_aot_cuda_attach,
  .enter = taichi_aot_cuda_enter,
  .use_library = taichi_aot_cuda_use_library,
  .leave = taichi_aot_cuda_leave,
  .import_address = &taichi_aot_functions.ti_import_cuda_memory,
  .import_routine = "ti_import_cuda_memory",
  .make_failure = taichi_aot_cuda_make_failure,
  .read = taichi_aot_cuda_read,
  .copy = taichi_aot_cuda_copy,
  .synchronize = taichi_aot_cuda_synchronize,
  .finish = NULL, /* memory waits for its streams, and the driver frees graphs after they have run */
  .count_memory = taichi_aot_cuda_count_memory,
  .trim = taichi_aot_cuda_trim,
  .close = taichi_aot_cuda_forget_streams,
  .is_in_order = taichi_aot_cuda_is_in_order,
  .order_arrays = taichi_aot_cuda_order_arrays,
  .has_address = taichi_aot_cuda_has_address,
  .recorder = &taichi_aot_cuda_recorder,
  .marker = &taichi_aot_cuda_marker,
};
