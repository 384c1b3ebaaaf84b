/* The part of VK_EXT_debug_utils that names objects and commands for tools: see vulkan_subset.h. */
#ifndef TAICHI_AOT_VULKAN_LABELS_H
#define TAICHI_AOT_VULKAN_LABELS_H

#include "drivers/vulkan_commands.h"

typedef int VkObjectType;

enum {
  VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT = 1000128000,
  VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT = 1000128002,
  VK_OBJECT_TYPE_BUFFER = 9,
  VK_OBJECT_TYPE_IMAGE = 10,
  VK_OBJECT_TYPE_PIPELINE = 19
};

typedef struct VkDebugUtilsLabelEXT {
  VkStructureType sType;
  const void *pNext;
  const char *pLabelName;
  float color[4];
} VkDebugUtilsLabelEXT;

typedef struct VkDebugUtilsObjectNameInfoEXT {
  VkStructureType sType;
  const void *pNext;
  VkObjectType objectType;
  uint64_t objectHandle;
  const char *pObjectName;
} VkDebugUtilsObjectNameInfoEXT;

typedef void (*PFN_vkCmdBeginDebugUtilsLabelEXT)(VkCommandBuffer, const VkDebugUtilsLabelEXT *);
typedef void (*PFN_vkCmdEndDebugUtilsLabelEXT)(VkCommandBuffer);
typedef VkResult (*PFN_vkSetDebugUtilsObjectNameEXT)(VkDevice, const VkDebugUtilsObjectNameInfoEXT *);

#endif
