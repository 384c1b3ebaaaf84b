/* Launches as dispatches: pipelines, and the commands of a launch. */

#pragma once

#include "vulkan/arena.h"
#include "vulkan/image.h"
#include "core/recorder.h"

#define TAICHI_AOT_SEED_WORDS 2

/* Sets what tasks that draw random numbers begin with, behind all launches before. */
int taichi_aot_vulkan_seed(taichi_aot_runtime *runtime, const uint32_t *words);

/* For C only. */

int taichi_aot_vulkan_make(taichi_aot_runtime *runtime, taichi_aot_recorded *recorded);
int taichi_aot_vulkan_place(taichi_aot_context *context, taichi_aot_arena *arena, taichi_aot_recorded *recorded,
                            const taichi_aot_launch *launch, uint32_t copies);
int taichi_aot_vulkan_is_placed(const taichi_aot_arena *arena, const taichi_aot_recorded *recorded,
                                const taichi_aot_launch *launch, uint32_t copies);
int taichi_aot_vulkan_write_copy(const taichi_aot_recorded *recorded, uint32_t copy, const taichi_aot_launch *launch);
uint32_t *taichi_aot_vulkan_made(const taichi_aot_recorded *recorded);
int taichi_aot_vulkan_each_image(taichi_aot_context *context, const taichi_aot_sequence_item *items, uint32_t count,
                                 int (*act)(taichi_aot_context *context, taichi_aot_image *image));
uint32_t taichi_aot_vulkan_count_images(const taichi_aot_sequence_item *item);
void taichi_aot_vulkan_record(const taichi_aot_vulkan *vulkan, taichi_aot_submission *target, const taichi_aot_launch *launch,
                              const taichi_aot_recorded *recorded, uint32_t copy);
void taichi_aot_vulkan_name_arrays(const taichi_aot_launch *launch);
void taichi_aot_vulkan_destroy_plans(taichi_aot_context *context); /* before the device is destroyed */
