/* Code for CUDA devices that the driver is given without the library: PTX and cubins. */

#pragma once

#include "cuda/device.h"

typedef struct taichi_aot_cuda_task {
  const char *name; /* of its function */
  uint32_t shared;  /* bytes of dynamic shared memory */
  uint64_t function; /* the driver's, once it is loaded */
} taichi_aot_cuda_task;

int taichi_aot_cuda_load(taichi_aot_runtime *runtime, const char *image, taichi_aot_cuda_task *tasks, uint32_t count,
                         void **module);
int taichi_aot_cuda_unload(taichi_aot_runtime *runtime, void ***modules, uint32_t module_count,
                           taichi_aot_memory **blocks, uint32_t block_count, int32_t may_wait);
