/* The backend of each arch. */

#pragma once

#include "core/backend.h"

const taichi_aot_backend *taichi_aot_backend_of(TiArch arch);

/* For C only. */

extern const taichi_aot_backend taichi_aot_cpu_backend, taichi_aot_cuda_backend, taichi_aot_opengl_backend,
    taichi_aot_vulkan_backend;
