/* Names of objects and commands, which layers and drivers show. */

#include "vulkan/labels.h"

void taichi_aot_vulkan_begin_label(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, const char *name) {
  if (name != NULL && vulkan->CmdBeginDebugUtilsLabelEXT != NULL) {
    const VkDebugUtilsLabelEXT label = {VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, NULL, name, {0, 0, 0, 0}};
    vulkan->CmdBeginDebugUtilsLabelEXT(commands, &label);
  }
}

void taichi_aot_vulkan_end_label(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, const char *name) {
  if (name != NULL && vulkan->CmdEndDebugUtilsLabelEXT != NULL) vulkan->CmdEndDebugUtilsLabelEXT(commands);
}

/* A name that cannot be set is no failure. */
void taichi_aot_vulkan_name(const taichi_aot_vulkan *vulkan, VkObjectType type, const void *handle, const char *name) {
  const VkDebugUtilsObjectNameInfoEXT info = {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, NULL, type,
                                              (uint64_t)(uintptr_t)handle, name};
  if (name != NULL && handle != NULL && vulkan->SetDebugUtilsObjectNameEXT != NULL)
    vulkan->SetDebugUtilsObjectNameEXT(vulkan->device, &info);
}
