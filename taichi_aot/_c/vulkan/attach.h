/* The library on our device. Of the Vulkan files, only this one calls the library. */

#pragma once

#include "vulkan/memory.h"

int taichi_aot_vulkan_set_levels(taichi_aot_runtime *runtime, const uint32_t *levels);
int taichi_aot_vulkan_adopt_memory(taichi_aot_runtime *runtime, taichi_aot_memory *memory);

/* For C only. */

/* The lock is held. */

int taichi_aot_vulkan_adopt(taichi_aot_context *context); /* the device of a TiRuntime that exists */
int taichi_aot_vulkan_create_runtime(taichi_aot_context *context, TiRuntime *result);
void taichi_aot_vulkan_destroy_runtime(taichi_aot_context *context);
int taichi_aot_vulkan_give_memory(taichi_aot_context *context, taichi_aot_memory *memory, TiMemory *result);
int taichi_aot_vulkan_give_image(taichi_aot_context *context, const TiVulkanImageInteropInfo *info, VkImageLayout vk_layout,
                                 TiImageLayout layout, TiImage *result);
int taichi_aot_vulkan_export_image(taichi_aot_context *context, TiImage ti_image, TiVulkanImageInteropInfo *info);
void taichi_aot_vulkan_free_given_image(taichi_aot_context *context, TiImage ti_image);
int taichi_aot_vulkan_transition(taichi_aot_context *context, TiImage ti_image, TiImageLayout layout);
void taichi_aot_vulkan_track(taichi_aot_context *context, TiImage ti_image, TiImageLayout layout);
