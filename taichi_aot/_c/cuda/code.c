/* Code for CUDA devices. The driver compiles PTX on loading, unless its cache has the result. Cubins are compiled already. */

#include "cuda/code.h"

#include "core/wait.h"

#include <stdio.h>
#include <string.h>

#define cuda taichi_aot_cuda_driver

enum { JIT_ERROR_LOG = 5, JIT_ERROR_LOG_BYTES = 6, LARGEST_SHARED_MEMORY = 8, LOG_BYTES = 2048 };

/* Sets the driver's error, with its compiler's log. */
static int load_error(int result, const char *log) {
  const int code = taichi_aot_cuda_error("cuModuleLoadDataEx", result);
  const size_t length = strlen(taichi_aot_message);
  if (code != 0 && log[0] != '\0')
    snprintf(taichi_aot_message + length, sizeof taichi_aot_message - length, ": %s", log);
  return code;
}

static int load_image(const char *image, void **module) {
  char log[LOG_BYTES] = "";
  int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES};
  void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
  const int result = cuda.cuModuleLoadDataEx(module, image, COUNT_OF(options), options, values);
  log[sizeof log - 1] = '\0';
  return load_error(result, log);
}

/* More shared memory than usual has to be asked for. */
static int find_task(void *module, taichi_aot_cuda_task *task) {
  void *function = NULL;
  int code = taichi_aot_cuda_error("cuModuleGetFunction", cuda.cuModuleGetFunction(&function, module, task->name));
  if (code == 0 && task->shared > 0) {
    const int result = cuda.cuFuncSetAttribute(function, LARGEST_SHARED_MEMORY, (int)task->shared);
    code = taichi_aot_cuda_error("cuFuncSetAttribute", result);
  }
  task->function = (uint64_t)(uintptr_t)function;
  return code;
}

/* Loads the code of a kernel, text with a zero byte or a cubin, and finds its functions. */
int taichi_aot_cuda_load(taichi_aot_runtime *runtime, const char *image, taichi_aot_cuda_task *tasks, uint32_t count,
                         void **module) {
  uint32_t i;
  int code = taichi_aot_enter(runtime);
  if (code != 0) return code;
  code = load_image(image, module);
  for (i = 0; i < count && code == 0; ++i) code = find_task(*module, &tasks[i]);
  if (code != 0 && *module != NULL) {
    cuda.cuModuleUnload(*module);
    *module = NULL;
  }
  return taichi_aot_leave_with(runtime, code);
}

/* Unloads unused code and memory once the device has finished; both become 0. BUSY instead of a wait for another thread that is
 * not allowed. May be repeated. */
int taichi_aot_cuda_unload(taichi_aot_runtime *runtime, void ***modules, uint32_t module_count,
                           taichi_aot_memory **blocks, uint32_t block_count, int32_t may_wait) {
  const int flags = TAICHI_AOT_ENTER_CLOSING | TAICHI_AOT_ENTER_ON_DEVICE | (may_wait ? TAICHI_AOT_ENTER_MAY_WAIT : 0);
  uint32_t i;
  int failed, is_kept, status = taichi_aot_enter_with(runtime, flags);
  if (status != 0) return status;
  taichi_aot_wait_entered(runtime->context);
  is_kept = taichi_aot_cuda_is_captured();
  for (i = 0; i < module_count; ++i) {
    void *module = *modules[i];
    *modules[i] = NULL;
    if (module == NULL || is_kept) continue;
    failed = taichi_aot_cuda_error("cuModuleUnload", cuda.cuModuleUnload(module));
    if (status == 0) status = failed;
  }
  for (i = 0; i < block_count; ++i) {
    const uint64_t address = blocks[i]->address;
    blocks[i]->address = 0;
    if (address == 0 || is_kept) continue;
    failed = taichi_aot_cuda_error("cuMemFree", cuda.cuMemFree_v2(address));
    if (status == 0) status = failed;
  }
  return taichi_aot_leave_with(runtime, status);
}
