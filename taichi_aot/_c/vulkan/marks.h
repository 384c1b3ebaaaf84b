/* Marks on Vulkan: fences, with time stamps where they are wanted. */

#ifndef TAICHI_AOT_VULKAN_MARKS_H
#define TAICHI_AOT_VULKAN_MARKS_H

#include "vulkan/device.h"
#include "core/wait.h"

/* For C only. */

extern const taichi_aot_marker taichi_aot_vulkan_marker;

#endif
