/* The backend of Vulkan. */

#include "core/archs.h"
#include "core/recorder.h"
#include "vulkan/arena.h"
#include "vulkan/attach.h"
#include "vulkan/device.h"
#include "vulkan/launch.h"
#include "vulkan/recorder.h"

static void destroy(taichi_aot_context *context) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  size_t i;
  if (vulkan == NULL) return;
  taichi_aot_vulkan_finish(context);
  taichi_aot_vulkan_destroy_plans(context);
  for (i = 0; i < COUNT_OF(vulkan->submissions); ++i) taichi_aot_arena_destroy(vulkan, &vulkan->submissions[i]);
  if (!vulkan->is_adopted) taichi_aot_vulkan_destroy_runtime(context);
  taichi_aot_vulkan_free_all(vulkan);
  taichi_aot_vulkan_close(context);
  taichi_aot_vulkan_destroy_runtime(context); /* with its device, on which nothing of ours is left */
}

const taichi_aot_backend taichi_aot_vulkan_backend = {
  .queues = TAICHI_AOT_BUSY_LIBRARY,
  .is_boundless = 1,
  .attach = taichi_aot_vulkan_adopt,
  .create = taichi_aot_vulkan_create_runtime,
  .enter = taichi_aot_vulkan_enter,
  .use_library = taichi_aot_vulkan_use_library,
  .name_arrays = taichi_aot_vulkan_name_arrays,
  .allocate = taichi_aot_vulkan_allocate,
  .free = taichi_aot_vulkan_free,
  .map = taichi_aot_vulkan_map,
  .unmap = taichi_aot_vulkan_unmap,
  .copy_memory = taichi_aot_vulkan_copy_memory,
  .import_memory = taichi_aot_vulkan_give_memory,
  .import_image = taichi_aot_image_give,
  .synchronize = taichi_aot_vulkan_synchronize,
  .finish = taichi_aot_vulkan_finish,
  .count_memory = taichi_aot_vulkan_count_memory,
  .trim = taichi_aot_vulkan_trim,
  .close = taichi_aot_vulkan_close_runtime,
  .destroy = destroy,
  .recorder = &taichi_aot_vulkan_recorder,
  .marker = &taichi_aot_vulkan_marker,
};
