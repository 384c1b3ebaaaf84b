/* What recorded launches have on a Vulkan device, and their commands. */

#ifndef TAICHI_AOT_VULKAN_LAUNCH_H
#define TAICHI_AOT_VULKAN_LAUNCH_H

#include "vulkan/image.h"
#include "core/recorder.h"
#include "vulkan/device.h"
#include "vulkan/labels.h"

/* For C alone. */

void taichi_aot_vulkan_load(taichi_aot_context *context, const void *archive, uint64_t size, uint64_t root_size,
                            taichi_aot_module *module);
int taichi_aot_vulkan_is_current(const taichi_aot_recorded *recorded, const taichi_aot_launch *launch, uint32_t copies);
int taichi_aot_vulkan_refresh(taichi_aot_runtime *runtime, taichi_aot_recorded *recorded, const taichi_aot_launch *launch,
                              uint32_t copies);
uint32_t taichi_aot_vulkan_write_copy(const taichi_aot_recorded *recorded, uint32_t slot, uint32_t k,
                                      const taichi_aot_launch *launch);
uint32_t *taichi_aot_vulkan_made(const taichi_aot_recorded *recorded);
uint32_t taichi_aot_vulkan_each_image(taichi_aot_context *context, const taichi_aot_sequence_item *items, uint32_t count,
                                      void (*act)(taichi_aot_context *context, taichi_aot_image *image));
void taichi_aot_vulkan_record(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, const taichi_aot_launch *launch,
                              const taichi_aot_recorded *recorded, uint32_t copy);
void taichi_aot_vulkan_name_arrays(const taichi_aot_launch *launch);
int taichi_aot_vulkan_can_dispatch(const taichi_aot_vulkan *vulkan, const taichi_aot_plan *plan);
void taichi_aot_vulkan_free_recorded(taichi_aot_context *context, taichi_aot_recorded *recorded);
void taichi_aot_vulkan_destroy_plans(taichi_aot_context *context); /* before the device is destroyed */

#endif
