/* Marks on Vulkan: fences, with time stamps where they are wanted. */

#pragma once

#include "vulkan/device.h"
#include "core/wait.h"

/* For C only. */

extern const taichi_aot_marker taichi_aot_vulkan_marker;
