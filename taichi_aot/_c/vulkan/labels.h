/* Names of objects and commands for tools, by VK_EXT_debug_utils. */

#pragma once

#include "vulkan/device.h"

/* For C only. */

/* The lock is held. They do nothing without a name, or if the context has no labels. Labels of commands are nested. */
void taichi_aot_vulkan_begin_label(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, const char *name);
void taichi_aot_vulkan_end_label(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, const char *name);
void taichi_aot_vulkan_name(const taichi_aot_vulkan *vulkan, VkObjectType type, const void *handle, const char *name);
