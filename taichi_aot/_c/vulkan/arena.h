/* What the launches of one command buffer use until it is used again: arguments and descriptor sets. */

#pragma once

#include "vulkan/memory.h"

/* For C only. */

enum { TAICHI_AOT_DESCRIPTOR_TYPES = 4 };

struct taichi_aot_arena_part;

typedef struct taichi_aot_arena {
  uint64_t number; /* another one each time that it is used again */
  struct taichi_aot_arena_part *arguments, *sets;         /* all of them */
  struct taichi_aot_arena_part *next_arguments, *next_sets; /* from which to take; NULL: from a new one */
} taichi_aot_arena;

/* Arguments in an arena. */
typedef struct taichi_aot_arguments {
  VkBuffer buffer;
  uint32_t offset;
  char *host;
} taichi_aot_arguments;

int taichi_aot_arena_begin(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission);
int taichi_aot_arena_take_arguments(taichi_aot_vulkan *vulkan, taichi_aot_arena *arena, uint32_t size,
                                    taichi_aot_arguments *result);
int taichi_aot_arena_take_set(taichi_aot_vulkan *vulkan, taichi_aot_arena *arena, VkDescriptorSetLayout layout,
                              const uint32_t *counts, VkDescriptorSet *result);
void taichi_aot_arena_destroy(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission);
uint32_t taichi_aot_arena_index(VkDescriptorType type); /* in `counts` */
