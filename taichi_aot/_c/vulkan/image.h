/* Images, and copies of their texels. */

#pragma once

#include "vulkan/attach.h"
#include "vulkan/memory.h"

typedef struct taichi_aot_image {
  taichi_aot_memory memory; /* its allocation, generation and holds */
  TiImage ti_image;         /* the library's handle, or NULL if it has none */
  TiVulkanImageInteropInfo info;
  uint32_t texel_size;     /* bytes */
  TiImageLayout layout;    /* in which copies leave it */
  TiImageLayout current;   /* in which commands of our own leave it, as far as they are recorded */
  TiImageLayout submitted; /* the same, as far as they are submitted */
  uint64_t settled;        /* `changes` of the context at that time: the library may have changed it since */
} taichi_aot_image;

/* A box of texels: x, y, z. */
typedef struct taichi_aot_region {
  VkOffset3D offset;
  VkExtent3D extent;
} taichi_aot_region;

int taichi_aot_image_allocate(taichi_aot_runtime *runtime, const TiImageAllocateInfo *info, VkFormat format,
                              taichi_aot_image *image);
int taichi_aot_image_import(taichi_aot_runtime *runtime, const TiVulkanImageInteropInfo *info, TiImageLayout layout,
                            taichi_aot_image *image);
int taichi_aot_image_adopt(taichi_aot_runtime *runtime, TiImage ti_image, int32_t is_borrowed, taichi_aot_image *image);
int taichi_aot_image_handle(taichi_aot_runtime *runtime, taichi_aot_image *image, TiImage *result);
int taichi_aot_image_describe(taichi_aot_runtime *runtime, TiImage ti_image, TiVulkanImageInteropInfo *info);
int taichi_aot_image_free(taichi_aot_runtime *runtime, taichi_aot_image *image, int32_t wait_first, int32_t may_wait);
#define TAICHI_AOT_TRANSITION 0 /* change the layout, in launch order */
#define TAICHI_AOT_TRACK 1      /* the application has changed it */
int taichi_aot_image_layout(taichi_aot_runtime *runtime, taichi_aot_image *image, TiImageLayout layout, int32_t how);
int taichi_aot_image_transfer(taichi_aot_runtime *runtime, taichi_aot_image *image, const taichi_aot_region *region,
                              uint64_t host, int32_t direction, int32_t may_block, taichi_aot_staging *staging);
int taichi_aot_image_copy(taichi_aot_runtime *runtime, taichi_aot_image *target, const taichi_aot_region *target_region,
                          taichi_aot_image *source, const taichi_aot_region *source_region);
int taichi_aot_image_copy_memory(taichi_aot_runtime *runtime, taichi_aot_image *image, const taichi_aot_region *region,
                                 taichi_aot_memory *memory, int64_t generation, uint64_t offset, int32_t direction);

/* For C only. */

/* Images in launches; the lock is held. */
int taichi_aot_image_view(taichi_aot_context *context, taichi_aot_image *image, VkImageView *result);
int taichi_aot_image_begin(taichi_aot_context *context, taichi_aot_image *image);
void taichi_aot_image_use(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, taichi_aot_image *image,
                          TiImageLayout layout);
int taichi_aot_image_end(taichi_aot_context *context, taichi_aot_image *image);
int taichi_aot_image_forget(taichi_aot_context *context, taichi_aot_image *image);
int taichi_aot_image_give(taichi_aot_context *context, taichi_aot_memory *memory, TiImage *result);
