/* The backend of the CPU: a launch has finished when it returns, and the host can address all memory. */

#include "core/archs.h"
#include "core/context.h"
#include "cpu/recorder.h"
#include "core/recorder.h"
#include "core/wait.h"

static int import_address(TiRuntime ti_runtime, uint64_t address, uint64_t size, TiMemory *result) {
  *result = taichi_aot_functions.ti_import_cpu_memory(ti_runtime, (void *)(uintptr_t)address, (size_t)size);
  return taichi_aot_read_error("ti_import_cpu_memory");
}

static int import_memory(taichi_aot_context *context, taichi_aot_memory *memory, uint64_t offset, uint64_t size,
                         TiMemory *result) {
  return taichi_aot_import_address(context, memory->address + offset, size, result, import_address);
}

static int close_runtime(taichi_aot_runtime *runtime) {
  taichi_aot_recorder_close(runtime);
  return 0;
}

const taichi_aot_backend taichi_aot_cpu_backend = {
  .queues = 0,
  .is_boundless = 0,
  .is_pinned = 0,
  .attach = taichi_aot_no_attach,
  .enter = NULL,
  .use_library = taichi_aot_no_use_library,
  .leave = NULL,
  .import_memory = import_memory,
  .copy = taichi_aot_host_copy,
  .finish = taichi_aot_no_finish,
  .close = close_runtime,
  .destroy = taichi_aot_no_destroy,
  .recorder = &taichi_aot_cpu_recorder,
  .marker = &taichi_aot_host_marker,
};
