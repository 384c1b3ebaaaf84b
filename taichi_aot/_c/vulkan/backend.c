/* The backend of Vulkan. */

#include "core/archs.h"
#include "core/recorder.h"
#include "vulkan/device.h"
#include "vulkan/launch.h"
#include "vulkan/marks.h"
#include "vulkan/recorder.h"

static void destroy(taichi_aot_context *context) {
  if (taichi_aot_vulkan_of(context) == NULL) return;
  taichi_aot_vulkan_finish(context);
  taichi_aot_vulkan_destroy_plans(context);
  taichi_aot_vulkan_close(context);
}

const taichi_aot_backend taichi_aot_vulkan_backend = {
  .queues = TAICHI_AOT_BUSY_LIBRARY,
  .is_boundless = 1,
  .is_pinned = 0,
  .attach = taichi_aot_no_attach,
  .enter = taichi_aot_vulkan_enter,
  .use_library = taichi_aot_vulkan_use_library,
  .leave = NULL,
  .load = taichi_aot_vulkan_load,
  .name_arrays = taichi_aot_vulkan_name_arrays,
  .copy_memory = taichi_aot_vulkan_copy_memory,
  .copy = taichi_aot_host_copy,
  .finish = taichi_aot_vulkan_finish,
  .count_memory = taichi_aot_vulkan_count_memory,
  .close = taichi_aot_vulkan_close_runtime,
  .destroy = destroy,
  .recorder = &taichi_aot_vulkan_recorder,
  .marker = &taichi_aot_vulkan_marker,
};
