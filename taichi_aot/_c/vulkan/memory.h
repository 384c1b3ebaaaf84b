/* Memory of a Vulkan device: a pool of our own, buffers, and copies between them. */

#pragma once

#include "core/memory.h"
#include "vulkan/device.h"

int taichi_aot_vulkan_import_memory(taichi_aot_runtime *runtime, const TiVulkanMemoryInteropInfo *info, uint64_t address,
                                    taichi_aot_memory *memory);
int taichi_aot_vulkan_describe_memory(taichi_aot_runtime *runtime, const taichi_aot_memory *memory,
                                      TiVulkanMemoryInteropInfo *info);
int taichi_aot_vulkan_clear(taichi_aot_runtime *runtime, const taichi_aot_memory *memory);

/* For C only. */

struct taichi_aot_memory_place;

/* An allocation, in a block of the pool, with memory of its own, or imported. */
typedef struct taichi_aot_vulkan_memory {
  TiVulkanMemoryInteropInfo info; /* without a buffer if it is an image's */
  char *host;        /* where the host has it, as long as it is allocated; NULL if it has not */
  VkImage image;     /* destroyed with it */
  VkImageView view;  /* the same */
  int32_t is_imported;
  int32_t is_shared; /* an application has its handles, and may write to it */
  struct taichi_aot_memory_place *place; /* in the pool, or NULL */
  uint64_t number;                       /* of the last submission that may use it, once it is freed */
  struct taichi_aot_vulkan_memory *next; /* of those that are retired */
} taichi_aot_vulkan_memory;

/* What the host does with an allocation. */
#define TAICHI_AOT_VULKAN_NO_HOST 0
#define TAICHI_AOT_VULKAN_HOST_READS 1  /* and writes */
#define TAICHI_AOT_VULKAN_HOST_WRITES 2

/* The lock is held. */
taichi_aot_vulkan_memory *taichi_aot_vulkan_memory_of(const taichi_aot_memory *memory);
int taichi_aot_vulkan_allocate_buffer(taichi_aot_vulkan *vulkan, uint64_t size, VkBufferUsageFlags usage, int host,
                                      int32_t is_exported, taichi_aot_vulkan_memory **result);
int taichi_aot_vulkan_allocate_image(taichi_aot_vulkan *vulkan, VkImageCreateInfo *create, int32_t is_exported,
                                     taichi_aot_vulkan_memory **result);
void taichi_aot_vulkan_retire(taichi_aot_vulkan *vulkan, taichi_aot_vulkan_memory *memory);
int taichi_aot_vulkan_use_addresses(taichi_aot_vulkan *vulkan);
void taichi_aot_vulkan_free_all(taichi_aot_vulkan *vulkan); /* retired memory, and blocks; the device has finished */

int taichi_aot_vulkan_allocate(taichi_aot_context *context, const TiMemoryAllocateInfo *info, taichi_aot_memory *memory);
void taichi_aot_vulkan_free(taichi_aot_context *context, taichi_aot_memory *memory);
int taichi_aot_vulkan_map(taichi_aot_context *context, taichi_aot_memory *memory, void **result);
void taichi_aot_vulkan_unmap(taichi_aot_context *context, taichi_aot_memory *memory);
int taichi_aot_vulkan_copy_memory(taichi_aot_context *context, const taichi_aot_memory *target, uint64_t target_offset,
                                  const taichi_aot_memory *source, uint64_t source_offset, uint64_t size);
int taichi_aot_vulkan_fill(taichi_aot_context *context, const taichi_aot_vulkan_memory *memory);
int taichi_aot_vulkan_trim(taichi_aot_context *context, uint64_t *freed);
