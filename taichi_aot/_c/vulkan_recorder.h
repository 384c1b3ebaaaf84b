/* Recorded launches on Vulkan. */

#ifndef TAICHI_AOT_VULKAN_RECORDER_H
#define TAICHI_AOT_VULKAN_RECORDER_H

#include "recorder.h"

/* For C alone. */

extern const taichi_aot_recorder taichi_aot_vulkan_recorder;
void taichi_aot_vulkan_destroy_plans(taichi_aot_context *context); /* before the device is destroyed */

#endif
