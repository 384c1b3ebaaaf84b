/* Recorded launches on Vulkan. */

#pragma once

#include "core/recorder.h"

/* For C only. */

extern const taichi_aot_recorder taichi_aot_vulkan_recorder;
int taichi_aot_vulkan_enter(taichi_aot_context *context, int flags);
int taichi_aot_vulkan_use_library(taichi_aot_context *context);
int taichi_aot_vulkan_close_runtime(taichi_aot_runtime *runtime);
