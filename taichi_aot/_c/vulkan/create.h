/* Devices of our own. */

#pragma once

#include "vulkan/device.h"

int taichi_aot_vulkan_create(taichi_aot_context *context, const TiVulkanRuntimeInteropInfo *on,
                             const char *const *instance_extensions, uint32_t instance_count,
                             const char *const *extensions, uint32_t count);
int taichi_aot_vulkan_import(taichi_aot_context *context, const TiVulkanRuntimeInteropInfo *info);
