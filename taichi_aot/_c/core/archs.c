/* The backend of each arch. No other C file tests the arch. */

#include "core/archs.h"

const taichi_aot_backend *taichi_aot_backend_of(TiArch arch) {
  switch ((int)arch) {
    case TI_ARCH_CUDA: return &taichi_aot_cuda_backend;
    case TI_ARCH_OPENGL: return &taichi_aot_opengl_backend;
    case TI_ARCH_VULKAN: return &taichi_aot_vulkan_backend;
    default: return &taichi_aot_cpu_backend;
  }
}
