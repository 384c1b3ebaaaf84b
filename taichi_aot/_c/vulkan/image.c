/* Images: allocation, layouts, and copies of texels between images, memory and the host.
 *
 * An image's layout is known, unless the library has its handle and may have changed the layout since our last commands. Then
 * our next commands start with a transition by the library, which also gets the layout after them. */

#include "vulkan/image.h"

#include "core/wait.h"

#include <stdlib.h>
#include <string.h>

enum { SMALLEST_PART = 1 << 20, PARTS = 4 }; /* copies through the host overlap with the device's in parts of this size */

#define COLOR {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1} /* the one level and layer of an image */
static const VkImageSubresourceLayers color_layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};

static VkImageLayout vulkan_layout(TiImageLayout layout) {
  switch (layout) {
    case TI_IMAGE_LAYOUT_SHADER_READ: return VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    case TI_IMAGE_LAYOUT_COLOR_ATTACHMENT:
    case TI_IMAGE_LAYOUT_COLOR_ATTACHMENT_READ: return VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    case TI_IMAGE_LAYOUT_TRANSFER_DST: return VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    case TI_IMAGE_LAYOUT_TRANSFER_SRC: return VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    case TI_IMAGE_LAYOUT_PRESENT_SRC: return VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
    case TI_IMAGE_LAYOUT_UNDEFINED: return VK_IMAGE_LAYOUT_UNDEFINED;
    default: return VK_IMAGE_LAYOUT_GENERAL;
  }
}

static int is_open(const taichi_aot_image *image) { return image->memory.own != NULL && image->memory.generation == 1; }

/* Copies leave the image in this layout from now on; no command can bring it into an undefined one. */
static void rest_in(taichi_aot_image *image, TiImageLayout layout) {
  if (layout != TI_IMAGE_LAYOUT_UNDEFINED) image->layout = layout;
}

/* Records an image's layout, also in the library if it has the image. */
static void settle(taichi_aot_context *context, taichi_aot_image *image, TiImageLayout layout) {
  image->current = image->submitted = layout;
  image->settled = context->changes;
  if (image->ti_image != NULL) taichi_aot_vulkan_track(context, image->ti_image, layout);
}

/* Completes a new image. */
static void complete(taichi_aot_image *image, const TiVulkanImageInteropInfo *info, TiImageLayout layout, void *own) {
  image->info = *info;
  image->current = image->submitted = layout;
  image->memory.own = own;
  image->memory.generation = 1;
}

static VkImageCreateInfo create_info(const TiImageAllocateInfo *info, VkFormat format) {
  VkImageCreateInfo create = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .imageType = (VkImageType)info->dimension,
                              .format = format,
                              .extent = {info->extent.width, info->extent.height, info->extent.depth},
                              .mipLevels = 1,
                              .arrayLayers = 1,
                              .samples = VK_SAMPLE_COUNT_1_BIT,
                              .tiling = VK_IMAGE_TILING_OPTIMAL,
                              .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
  if (info->usage & TI_IMAGE_USAGE_STORAGE_BIT) create.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
  if (info->usage & TI_IMAGE_USAGE_SAMPLED_BIT) create.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  if (info->usage & TI_IMAGE_USAGE_ATTACHMENT_BIT) create.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  return create;
}

/* `format` is that of `info` in Vulkan's numbers. */
int taichi_aot_image_allocate(taichi_aot_runtime *runtime, const TiImageAllocateInfo *info, VkFormat format,
                              taichi_aot_image *image) {
  VkImageCreateInfo create = create_info(info, format);
  taichi_aot_vulkan_memory *own;
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  status = taichi_aot_vulkan_allocate_image(taichi_aot_vulkan_of(runtime->context), &create, info->export_sharing, &own);
  if (status == 0) {
    const TiVulkanImageInteropInfo made = {.image = own->image,
                                           .image_type = create.imageType,
                                           .format = format,
                                           .extent = create.extent,
                                           .mip_level_count = 1,
                                           .array_layer_count = 1,
                                           .sample_count = VK_SAMPLE_COUNT_1_BIT,
                                           .usage = create.usage};
    complete(image, &made, TI_IMAGE_LAYOUT_UNDEFINED, own);
  }
  return taichi_aot_leave_with(runtime, status);
}

/* Takes an image of another owner. */
static int take(taichi_aot_image *image, const TiVulkanImageInteropInfo *info, TiImageLayout layout) {
  taichi_aot_vulkan_memory *own = (taichi_aot_vulkan_memory *)calloc(1, sizeof *own);
  if (own == NULL) return taichi_aot_no_memory("an image");
  own->is_imported = 1;
  complete(image, info, layout, own);
  return 0;
}

int taichi_aot_image_import(taichi_aot_runtime *runtime, const TiVulkanImageInteropInfo *info, TiImageLayout layout,
                            taichi_aot_image *image) {
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  status = take(image, info, layout);
  rest_in(image, layout);
  return taichi_aot_leave_with(runtime, status);
}

/* Takes an image of the library that exists. */
int taichi_aot_image_adopt(taichi_aot_runtime *runtime, TiImage ti_image, int32_t is_borrowed, taichi_aot_image *image) {
  TiVulkanImageInteropInfo info;
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  status = taichi_aot_vulkan_export_image(runtime->context, ti_image, &info);
  if (status == 0) status = take(image, &info, TI_IMAGE_LAYOUT_UNDEFINED);
  if (status == 0) {
    image->memory.is_borrowed = is_borrowed;
    image->ti_image = ti_image;
    image->settled = UINT64_MAX; /* only the library knows its layout */
  }
  return taichi_aot_leave_with(runtime, status);
}

int taichi_aot_image_describe(taichi_aot_runtime *runtime, TiImage ti_image, TiVulkanImageInteropInfo *info) {
  const int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  return taichi_aot_leave_with(runtime, taichi_aot_vulkan_export_image(runtime->context, ti_image, info));
}

/* The library's handle of an image, which it is given once: 0 or an error code. The lock is held. */
int taichi_aot_image_give(taichi_aot_context *context, taichi_aot_memory *memory, TiImage *result) {
  taichi_aot_image *image = (taichi_aot_image *)(void *)memory;
  int code = 0;
  if (image->ti_image == NULL) {
    code = taichi_aot_vulkan_give_image(context, &image->info, vulkan_layout(image->current), image->current,
                                        &image->ti_image);
    image->settled = context->changes;
  }
  *result = image->ti_image;
  return code;
}

int taichi_aot_image_handle(taichi_aot_runtime *runtime, taichi_aot_image *image, TiImage *result) {
  const int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  return taichi_aot_leave_with(runtime, is_open(image) ? taichi_aot_image_give(runtime->context, &image->memory, result)
                                                       : TAICHI_AOT_ARRAY_CLOSED);
}

/* `wait_first`: another owner may destroy the image. BUSY if it would have to wait for another thread and may not. May be
 * called again. */
int taichi_aot_image_free(taichi_aot_runtime *runtime, taichi_aot_image *image, int32_t wait_first, int32_t may_wait) {
  const int flags = TAICHI_AOT_ENTER_CLOSING | TAICHI_AOT_ENTER_ON_DEVICE;
  const int status = taichi_aot_enter_with(runtime, flags | (may_wait ? TAICHI_AOT_ENTER_MAY_WAIT : 0));
  if (status != 0) return status;
  if (image->memory.own != NULL) {
    const TiImage ti_image = image->ti_image;
    if (wait_first || ti_image != NULL) {
      taichi_aot_wait_to_free(runtime->context, 1);
      taichi_aot_vulkan_finish(runtime->context);
    }
    image->ti_image = NULL;
    if (ti_image != NULL && !image->memory.is_borrowed) taichi_aot_vulkan_free_given_image(runtime->context, ti_image);
    taichi_aot_vulkan_free(runtime->context, &image->memory);
  }
  image->memory.generation = 0;
  return taichi_aot_leave(runtime, "ti_free_image");
}

/* Transitions. The lock is held. */

/* Brings an image into a layout, after all earlier commands and before all later ones. */
static void barrier(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, const taichi_aot_image *image,
                    VkImageLayout from, VkImageLayout to) {
  const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  const VkMemoryBarrier memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, all, all};
  const VkImageMemoryBarrier transition = {
      VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER, NULL, all, all, from, to, ~0u, ~0u, image->info.image, COLOR};
  vulkan->CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &memory, 0,
                             NULL, 1, &transition);
}

/* Finds an image's layout for our commands. If the library may have changed it since the last ones, the library brings the image
 * into `layout`. */
static int find_layout(taichi_aot_context *context, taichi_aot_image *image, TiImageLayout layout) {
  int code;
  if (image->ti_image == NULL || image->settled == context->changes) return 0;
  code = taichi_aot_vulkan_transition(context, image->ti_image, layout);
  if (code != 0) return code;
  image->current = image->submitted = layout;
  image->settled = context->changes;
  return 0;
}

/* Begins commands that bring an image into a layout. */
static int begin_in(taichi_aot_context *context, taichi_aot_image *image, TiImageLayout layout,
                    taichi_aot_submission **submission) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  int code = find_layout(context, image, layout);
  *submission = taichi_aot_vulkan_next(vulkan);
  if (code == 0) code = taichi_aot_vulkan_begin(vulkan, *submission);
  if (code != 0) return code;
  barrier(vulkan, (*submission)->commands, image, vulkan_layout(image->current), vulkan_layout(layout));
  return 0;
}

/* Submits them; the image is then in `layout`. */
static int submit_in(taichi_aot_context *context, taichi_aot_image *image, TiImageLayout layout,
                     taichi_aot_submission *submission) {
  const int code = taichi_aot_vulkan_submit(context, submission, TAICHI_AOT_BUSY_COPIES);
  if (code == 0) settle(context, image, layout);
  return code;
}

static int transition(taichi_aot_context *context, taichi_aot_image *image, TiImageLayout layout) {
  taichi_aot_submission *submission;
  const int code = begin_in(context, image, layout, &submission);
  return code != 0 ? code : submit_in(context, image, layout, submission);
}

int taichi_aot_image_layout(taichi_aot_runtime *runtime, taichi_aot_image *image, TiImageLayout layout, int32_t how) {
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  if (!is_open(image))
    status = TAICHI_AOT_ARRAY_CLOSED;
  else if (how == TAICHI_AOT_TRACK)
    settle(runtime->context, image, layout);
  else
    status = transition(runtime->context, image, layout);
  if (status == 0) rest_in(image, layout);
  return taichi_aot_leave_with(runtime, status);
}

/* Copies. The lock is held. */

/* Adds a copy between a region of an image, which is in the layout for it, and a buffer. */
static void copy_buffer(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, const taichi_aot_image *image,
                        const taichi_aot_region *region, VkBuffer buffer, uint64_t offset, int32_t direction) {
  const char *label = direction == TAICHI_AOT_READ ? "read" : "write";
  const VkBufferImageCopy copy = {offset, 0, 0, color_layers, region->offset, region->extent};
  taichi_aot_vulkan_begin_label(vulkan, commands, label);
  if (direction == TAICHI_AOT_READ)
    vulkan->CmdCopyImageToBuffer(commands, image->info.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer, 1, &copy);
  else
    vulkan->CmdCopyBufferToImage(commands, buffer, image->info.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  taichi_aot_vulkan_end_label(vulkan, commands, label);
}

static TiImageLayout layout_for(int32_t direction) {
  return direction == TAICHI_AOT_READ ? TI_IMAGE_LAYOUT_TRANSFER_SRC : TI_IMAGE_LAYOUT_TRANSFER_DST;
}

/* A part of a region that fits into the staging buffer: rows of one slice, or whole slices. */
typedef struct part {
  taichi_aot_region region;
  uint64_t begin; /* bytes from the beginning of the region */
  uint64_t size;
} part;

/* The part after `before`; of size 0 after the last one. */
static part next_part(const taichi_aot_region *region, uint64_t row, uint64_t limit, const part *before) {
  const uint32_t height = region->extent.height, depth = region->extent.depth;
  part next = {.begin = before->begin + before->size};
  if (next.begin < row * height * depth) {
    const uint64_t index = next.begin / row;
    const uint32_t y = (uint32_t)(index % height), z = (uint32_t)(index / height);
    const uint64_t rows = limit / row, slices = rows / height;
    uint64_t count_y = height, count_z = 1;
    if (y == 0 && slices > 0)
      count_z = slices < depth - z ? slices : depth - z;
    else
      count_y = rows < height - y ? rows : height - y;
    next.region = *region;
    next.region.offset.y += (int32_t)y;
    next.region.offset.z += (int32_t)z;
    next.region.extent.height = (uint32_t)count_y;
    next.region.extent.depth = (uint32_t)count_z;
    next.size = row * count_y * count_z;
  }
  return next;
}

/* A copy between the host and an image: the parts alternate between the halves of the staging buffer. */
typedef struct transfer {
  taichi_aot_context *context;
  taichi_aot_vulkan *vulkan;
  const taichi_aot_image *image;
  VkBuffer buffer;
  char *mapped;
  char *host;
  uint64_t half; /* bytes of half of the staging buffer */
  uint64_t size; /* bytes of all parts */
  int32_t direction;
  VkImageLayout before; /* in which the image is */
} transfer;

static int submit_part(const transfer *t, const part *p, unsigned number) {
  taichi_aot_vulkan *vulkan = t->vulkan;
  taichi_aot_submission *submission = &vulkan->submissions[number % 2];
  const uint64_t offset = number % 2 * t->half;
  const VkImageLayout during = vulkan_layout(layout_for(t->direction));
  const int code = taichi_aot_vulkan_begin(vulkan, submission);
  if (code != 0) return code;
  if (t->direction != TAICHI_AOT_READ) memcpy(t->mapped + offset, t->host + p->begin, (size_t)p->size);
  if (number == 0) barrier(vulkan, submission->commands, t->image, t->before, during);
  copy_buffer(vulkan, submission->commands, t->image, &p->region, t->buffer, offset, t->direction);
  if (p->begin + p->size == t->size)
    barrier(vulkan, submission->commands, t->image, during, vulkan_layout(t->image->layout));
  return taichi_aot_vulkan_submit(t->context, submission, TAICHI_AOT_BUSY_COPIES);
}

static int receive_part(const transfer *t, const part *p, unsigned number) {
  const int code = taichi_aot_vulkan_wait(t->vulkan, &t->vulkan->submissions[number % 2]);
  if (code == 0) memcpy(t->host + p->begin, t->mapped + number % 2 * t->half, (size_t)p->size);
  return code;
}

static int transfer_parts(const transfer *t, const taichi_aot_region *region, uint64_t row, uint64_t limit) {
  part before = {.size = 0}, now = next_part(region, row, limit, &before);
  unsigned number = 0;
  int code = 0;
  while (code == 0 && (now.size > 0 || before.size > 0)) {
    if (now.size > 0) code = submit_part(t, &now, number);
    if (code == 0 && before.size > 0 && t->direction == TAICHI_AOT_READ) code = receive_part(t, &before, number - 1);
    before = now;
    now = next_part(region, row, limit, &before);
    number += 1;
  }
  return code;
}

/* Waits for the device, and copies through the staging buffer. */
static int transfer_entered(taichi_aot_runtime *runtime, taichi_aot_image *image, const taichi_aot_region *region,
                            uint64_t host, int32_t direction, int32_t may_block, taichi_aot_staging *staging) {
  const uint64_t row = (uint64_t)image->texel_size * region->extent.width;
  transfer t;
  uint64_t limit;
  int code = taichi_aot_settle(runtime->context, may_block);
  if (code == 0) code = taichi_aot_vulkan_finish(runtime->context);
  if (code != 0) return code;
  t.context = runtime->context;
  t.vulkan = taichi_aot_vulkan_of(runtime->context);
  t.image = image;
  t.host = (char *)(uintptr_t)host;
  t.size = row * region->extent.height * region->extent.depth;
  t.direction = direction;
  limit = t.size / PARTS > SMALLEST_PART ? t.size / PARTS : SMALLEST_PART;
  if (limit < row) limit = row;
  code = taichi_aot_staging_grow(runtime, staging, 2 * limit);
  if (code != 0) return code;
  t.half = staging->size / 2;
  if (t.half < row) return taichi_aot_no_memory("a row of an image");
  if (limit > t.half) limit = t.half;
  t.buffer = taichi_aot_vulkan_memory_of(&staging->memory)->info.buffer;
  t.mapped = (char *)(uintptr_t)staging->memory.address;
  code = find_layout(runtime->context, image, layout_for(direction));
  t.before = vulkan_layout(image->current);
  if (code == 0) code = transfer_parts(&t, region, row, limit);
  if (code == 0) settle(runtime->context, image, image->layout);
  return code;
}

/* Copies between a region of an image and rows of texels on the host, in C order, after the device is done. UNFINISHED:
 * nothing was copied, because the device needs longer than the call may block. */
int taichi_aot_image_transfer(taichi_aot_runtime *runtime, taichi_aot_image *image, const taichi_aot_region *region,
                              uint64_t host, int32_t direction, int32_t may_block, taichi_aot_staging *staging) {
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  status = TAICHI_AOT_ARRAY_CLOSED;
  if (is_open(image)) status = transfer_entered(runtime, image, region, host, direction, may_block, staging);
  return taichi_aot_leave_with(runtime, status);
}

static int copy_image_entered(taichi_aot_runtime *runtime, taichi_aot_image *target,
                              const taichi_aot_region *target_region, taichi_aot_image *source,
                              const taichi_aot_region *source_region) {
  const taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(runtime->context);
  const int is_same = target == source;
  const TiImageLayout from = is_same ? TI_IMAGE_LAYOUT_SHADER_READ_WRITE : TI_IMAGE_LAYOUT_TRANSFER_SRC;
  const TiImageLayout to = is_same ? TI_IMAGE_LAYOUT_SHADER_READ_WRITE : TI_IMAGE_LAYOUT_TRANSFER_DST;
  taichi_aot_submission *submission;
  const VkImageCopy copy = {color_layers, source_region->offset, color_layers, target_region->offset, source_region->extent};
  int code = find_layout(runtime->context, target, to);
  if (code == 0) code = begin_in(runtime->context, source, from, &submission);
  if (code != 0) return code;
  if (!is_same) barrier(vulkan, submission->commands, target, vulkan_layout(target->current), vulkan_layout(to));
  taichi_aot_vulkan_begin_label(vulkan, submission->commands, "copy");
  vulkan->CmdCopyImage(submission->commands, source->info.image, vulkan_layout(from), target->info.image, vulkan_layout(to), 1,
                       &copy);
  taichi_aot_vulkan_end_label(vulkan, submission->commands, "copy");
  barrier(vulkan, submission->commands, source, vulkan_layout(from), vulkan_layout(source->layout));
  if (!is_same) barrier(vulkan, submission->commands, target, vulkan_layout(to), vulkan_layout(target->layout));
  code = submit_in(runtime->context, source, source->layout, submission);
  if (code == 0 && !is_same) settle(runtime->context, target, target->layout);
  return code;
}

/* Copies between regions of the same extent, which do not overlap, in launch order. */
int taichi_aot_image_copy(taichi_aot_runtime *runtime, taichi_aot_image *target, const taichi_aot_region *target_region,
                          taichi_aot_image *source, const taichi_aot_region *source_region) {
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  status = is_open(target) && is_open(source)
               ? copy_image_entered(runtime, target, target_region, source, source_region)
               : TAICHI_AOT_ARRAY_CLOSED;
  return taichi_aot_leave_with(runtime, status);
}

static int copy_memory_entered(taichi_aot_runtime *runtime, taichi_aot_image *image, const taichi_aot_region *region,
                               const taichi_aot_memory *memory, uint64_t offset, int32_t direction) {
  const taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(runtime->context);
  const VkBuffer buffer = taichi_aot_vulkan_memory_of(memory)->info.buffer;
  const TiImageLayout during = layout_for(direction);
  taichi_aot_submission *submission;
  const int code = begin_in(runtime->context, image, during, &submission);
  if (code != 0) return code;
  copy_buffer(vulkan, submission->commands, image, region, buffer, offset, direction);
  barrier(vulkan, submission->commands, image, vulkan_layout(during), vulkan_layout(image->layout));
  return submit_in(runtime->context, image, image->layout, submission);
}

/* Copies between a region and memory from `offset` on, in launch order: READ from the image, WRITE to it. */
int taichi_aot_image_copy_memory(taichi_aot_runtime *runtime, taichi_aot_image *image, const taichi_aot_region *region,
                                 taichi_aot_memory *memory, int64_t generation, uint64_t offset, int32_t direction) {
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  if (!is_open(image))
    status = TAICHI_AOT_ARRAY_CLOSED;
  else if (memory->own == NULL || taichi_aot_generation_of(memory) != generation)
    status = TAICHI_AOT_ARRAY_CLOSED | 1 << 8;
  else if (memory->generation < 0)
    status = TAICHI_AOT_ARRAY_MAPPED | 1 << 8;
  else
    status = copy_memory_entered(runtime, image, region, memory, offset, direction);
  return taichi_aot_leave_with(runtime, status);
}

/* Launches. The lock is held. */

/* Finds the view that launches bind, created on first use. */
int taichi_aot_image_view(taichi_aot_context *context, taichi_aot_image *image, VkImageView *result) {
  const taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  taichi_aot_vulkan_memory *own = taichi_aot_vulkan_memory_of(&image->memory);
  const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                      .image = image->info.image,
                                      .viewType = image->info.image_type, /* 1D, 2D and 3D have the same numbers */
                                      .format = image->info.format,
                                      .subresourceRange = COLOR};
  VkResult code = VK_SUCCESS;
  if (own->view == NULL) code = vulkan->CreateImageView(vulkan->device, &info, NULL, &own->view);
  if (code != VK_SUCCESS) own->view = NULL;
  *result = own->view;
  return taichi_aot_vulkan_error("vkCreateImageView", code);
}

/* Before launches. */
int taichi_aot_image_begin(taichi_aot_context *context, taichi_aot_image *image) {
  return find_layout(context, image, TI_IMAGE_LAYOUT_SHADER_READ_WRITE);
}

/* Adds the transition to the layout that the next launch needs. */
void taichi_aot_image_use(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, taichi_aot_image *image,
                          TiImageLayout layout) {
  if (vulkan_layout(image->current) != vulkan_layout(layout))
    barrier(vulkan, commands, image, vulkan_layout(image->current), vulkan_layout(layout));
  image->current = layout;
}

/* After they were submitted. */
int taichi_aot_image_end(taichi_aot_context *context, taichi_aot_image *image) {
  settle(context, image, image->current);
  return 0;
}

/* After they could not be submitted. */
int taichi_aot_image_forget(taichi_aot_context *context, taichi_aot_image *image) {
  (void)context;
  image->current = image->submitted;
  return 0;
}
