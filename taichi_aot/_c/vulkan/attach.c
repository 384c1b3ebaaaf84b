/* Gives the library our device once something needs it: a kernel without a plan, or a handle of the C-API. The library then uses
 * our queue, and imports memory and images on use. */

#include "vulkan/attach.h"

#include "vulkan/create.h"

#include <string.h>

#define functions taichi_aot_functions

/* The library has one table of device functions for all devices. It gets the loader's, which dispatch by device, instead of
 * those of the last device's driver. */
static TiVulkanRuntimeInteropInfo given; /* what it was given last; calls that create runtimes are serialized */

static PFN_vkVoidFunction find_device_function(VkDevice device, const char *name) {
  const PFN_vkGetDeviceProcAddr get =
      (PFN_vkGetDeviceProcAddr)taichi_aot_vulkan_function(&given, "vkGetDeviceProcAddr");
  PFN_vkVoidFunction found = taichi_aot_vulkan_function(&given, name);
  return found != NULL && get(device, name) != NULL ? found : NULL;
}

static PFN_vkVoidFunction find_function(VkInstance instance, const char *name) {
  if (strcmp(name, "vkGetDeviceProcAddr") == 0) return (PFN_vkVoidFunction)find_device_function;
  return given.get_instance_proc_addr(instance, name);
}

/* Tells the library what our device has: it does not find that out of a device that it did not create. Of addresses it is not
 * told: it would ask for those of its own buffers, which it has not allocated for that. */
static int state_levels(TiRuntime ti_runtime, const uint32_t *levels) {
  TiCapabilityLevelInfo stated[TAICHI_AOT_VULKAN_LEVELS];
  uint32_t i, count = 0;
  for (i = 0; i < TAICHI_AOT_VULKAN_LEVELS; ++i) {
    if (levels[i] == 0 || i == TI_CAPABILITY_SPIRV_HAS_PHYSICAL_STORAGE_BUFFER) continue;
    stated[count].capability = (TiCapability)i;
    stated[count++].level = levels[i];
  }
  functions.ti_set_runtime_capabilities_ext(ti_runtime, count, stated);
  return taichi_aot_read_error("ti_set_runtime_capabilities_ext");
}

int taichi_aot_vulkan_create_runtime(taichi_aot_context *context, TiRuntime *result) {
  const taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  TiVulkanRuntimeInteropInfo info = vulkan->info;
  int code;
  given = vulkan->info;
  info.get_instance_proc_addr = find_function;
  *result = functions.ti_import_vulkan_runtime(&info);
  code = taichi_aot_read_error("ti_import_vulkan_runtime");
  return code != 0 ? code : state_levels(*result, vulkan->levels);
}

/* Before its device is destroyed, if that is ours. */
void taichi_aot_vulkan_destroy_runtime(taichi_aot_context *context) {
  const TiRuntime ti_runtime = context->ti_runtime;
  context->ti_runtime = NULL;
  if (ti_runtime != NULL && !context->is_borrowed) functions.ti_destroy_runtime(ti_runtime);
}

/* Nothing to do for a device of ours, which was opened before. */
int taichi_aot_vulkan_adopt(taichi_aot_context *context) {
  TiVulkanRuntimeInteropInfo info = {0};
  TiCapabilityLevelInfo levels[TAICHI_AOT_VULKAN_LEVELS];
  uint32_t i, count = 0;
  int code;
  if (context->ti_runtime == NULL || taichi_aot_vulkan_of(context) != NULL) return 0;
  functions.ti_export_vulkan_runtime(context->ti_runtime, &info);
  code = taichi_aot_read_error("ti_export_vulkan_runtime");
  if (code == 0) code = taichi_aot_vulkan_import(context, &info);
  if (code != 0) return code;
  taichi_aot_vulkan_of(context)->is_adopted = 1;
  functions.ti_get_runtime_capabilities(context->ti_runtime, &count, NULL);
  if (count <= COUNT_OF(levels)) functions.ti_get_runtime_capabilities(context->ti_runtime, &count, levels);
  for (i = 0; i < count && count <= COUNT_OF(levels); ++i)
    if ((uint32_t)levels[i].capability < TAICHI_AOT_VULKAN_LEVELS)
      taichi_aot_vulkan_of(context)->levels[levels[i].capability] = levels[i].level;
  return taichi_aot_read_error("ti_get_runtime_capabilities");
}

int taichi_aot_vulkan_set_levels(taichi_aot_runtime *runtime, const uint32_t *levels) {
  taichi_aot_context *context = runtime->context;
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  if (levels[TI_CAPABILITY_SPIRV_HAS_PHYSICAL_STORAGE_BUFFER])
    status = taichi_aot_vulkan_use_addresses(taichi_aot_vulkan_of(context));
  if (status != 0) return taichi_aot_leave_with(runtime, status);
  if (context->ti_runtime != NULL) status = state_levels(context->ti_runtime, levels);
  if (status == 0) memcpy(taichi_aot_vulkan_of(context)->levels, levels, TAICHI_AOT_VULKAN_LEVELS * sizeof *levels);
  return taichi_aot_leave_with(runtime, status);
}

/* Memory. */

/* Imports memory into the library once, as a whole buffer, and returns its handle. */
int taichi_aot_vulkan_give_memory(taichi_aot_context *context, taichi_aot_memory *memory, TiMemory *result) {
  if (memory->ti_memory == NULL)
    memory->ti_memory =
        functions.ti_import_vulkan_memory(context->ti_runtime, &taichi_aot_vulkan_memory_of(memory)->info);
  *result = memory->ti_memory;
  return taichi_aot_read_error("ti_import_vulkan_memory");
}

/* Adopts memory that the library or another owner allocated and frees. */
int taichi_aot_vulkan_adopt_memory(taichi_aot_runtime *runtime, taichi_aot_memory *memory) {
  TiVulkanMemoryInteropInfo info = {0};
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  functions.ti_export_vulkan_memory(runtime->context->ti_runtime, memory->ti_memory, &info);
  status = taichi_aot_leave(runtime, "ti_export_vulkan_memory");
  memory->is_adopted = 1;
  return status != 0 ? status : taichi_aot_vulkan_import_memory(runtime, &info, 0, memory);
}

/* Images. */

int taichi_aot_vulkan_give_image(taichi_aot_context *context, const TiVulkanImageInteropInfo *info, VkImageLayout vk_layout,
                                 TiImageLayout layout, TiImage *result) {
  int code;
  *result = functions.ti_import_vulkan_image(context->ti_runtime, info, (VkImageViewType)info->image_type, vk_layout);
  code = taichi_aot_read_error("ti_import_vulkan_image"); /* types of images and views have the same numbers */
  if (code == 0) functions.ti_track_image_ext(context->ti_runtime, *result, layout);
  return code != 0 ? code : taichi_aot_read_error("ti_track_image_ext");
}

int taichi_aot_vulkan_export_image(taichi_aot_context *context, TiImage ti_image, TiVulkanImageInteropInfo *info) {
  memset(info, 0, sizeof *info);
  functions.ti_export_vulkan_image(context->ti_runtime, ti_image, info);
  return taichi_aot_read_error("ti_export_vulkan_image");
}

void taichi_aot_vulkan_free_given_image(taichi_aot_context *context, TiImage ti_image) {
  functions.ti_free_image(context->ti_runtime, ti_image);
}

/* Lets the library change an image's layout, because only it knows the current one. */
int taichi_aot_vulkan_transition(taichi_aot_context *context, TiImage ti_image, TiImageLayout layout) {
  functions.ti_transition_image(context->ti_runtime, ti_image, layout);
  taichi_aot_library_queued(context);
  return taichi_aot_read_error("ti_transition_image");
}

/* Tells the library the layout in which our commands leave an image. */
void taichi_aot_vulkan_track(taichi_aot_context *context, TiImage ti_image, TiImageLayout layout) {
  functions.ti_track_image_ext(context->ti_runtime, ti_image, layout);
  taichi_aot_clear_error(); /* work so far is done, and the next commands tell it again */
}
