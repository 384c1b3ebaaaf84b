/* The backend of CUDA. */

#include "core/archs.h"
#include "cuda/device.h"
#include "cuda/marks.h"
#include "cuda/recorder.h"
#include "core/recorder.h"

static int import_address(TiRuntime ti_runtime, uint64_t address, uint64_t size, TiMemory *result) {
  *result = taichi_aot_functions.ti_import_cuda_memory(ti_runtime, (void *)(uintptr_t)address, (size_t)size);
  return taichi_aot_read_error("ti_import_cuda_memory");
}

static int import_memory(taichi_aot_context *context, taichi_aot_memory *memory, uint64_t offset, uint64_t size,
                         TiMemory *result) {
  return taichi_aot_import_address(context, memory->address + offset, size, result, import_address);
}

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
  .import_memory = import_memory,
  .make_failure = taichi_aot_cuda_make_failure,
  .read = taichi_aot_cuda_read,
  .copy = taichi_aot_cuda_copy,
  .synchronize = taichi_aot_cuda_synchronize,
  .finish = taichi_aot_no_finish, /* memory waits for its streams, and the driver frees graphs after they have run */
  .count_memory = taichi_aot_cuda_count_memory,
  .trim = taichi_aot_cuda_trim,
  .close = close_runtime,
  .destroy = taichi_aot_no_destroy,
  .is_in_order = taichi_aot_cuda_is_in_order,
  .order_arrays = taichi_aot_cuda_order_arrays,
  .has_address = taichi_aot_cuda_has_address,
  .recorder = &taichi_aot_cuda_recorder,
  .marker = &taichi_aot_cuda_marker,
};
