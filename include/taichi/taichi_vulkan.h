/* Sharing of a device, buffers and images with Vulkan. */
#ifndef TAICHI_VULKAN_H
#define TAICHI_VULKAN_H

#include "taichi_core.h"

/* The Vulkan types in the structures below, for a build without the Vulkan headers. A C program includes those
 * first. Widths are those of 64-bit platforms, because Taichi does not support others. */
#ifndef VULKAN_CORE_H_
typedef struct VkInstance_T *VkInstance;
typedef struct VkPhysicalDevice_T *VkPhysicalDevice;
typedef struct VkDevice_T *VkDevice;
typedef struct VkQueue_T *VkQueue;
typedef struct VkBuffer_T *VkBuffer;
typedef struct VkDeviceMemory_T *VkDeviceMemory;
typedef struct VkImage_T *VkImage;
typedef void (*PFN_vkVoidFunction)(void);
typedef PFN_vkVoidFunction (*PFN_vkGetInstanceProcAddr)(VkInstance instance, const char *name);
typedef uint32_t VkBufferUsageFlags;
typedef uint32_t VkImageUsageFlags;
typedef int VkImageType;
typedef int VkFormat;
typedef int VkSampleCountFlagBits;
typedef int VkImageTiling;
typedef int VkImageViewType;
typedef int VkImageLayout;
typedef struct VkExtent3D {
  uint32_t width;
  uint32_t height;
  uint32_t depth;
} VkExtent3D;
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TiVulkanRuntimeInteropInfo {
  PFN_vkGetInstanceProcAddr get_instance_proc_addr;
  uint32_t api_version;
  VkInstance instance;
  VkPhysicalDevice physical_device;
  VkDevice device;
  VkQueue compute_queue;
  uint32_t compute_queue_family_index;
  VkQueue graphics_queue;
  uint32_t graphics_queue_family_index;
} TiVulkanRuntimeInteropInfo;

typedef struct TiVulkanMemoryInteropInfo {
  VkBuffer buffer;
  uint64_t size;
  VkBufferUsageFlags usage;
  VkDeviceMemory memory;
  uint64_t offset;
} TiVulkanMemoryInteropInfo;

typedef struct TiVulkanImageInteropInfo {
  VkImage image;
  VkImageType image_type;
  VkFormat format;
  VkExtent3D extent;
  uint32_t mip_level_count;
  uint32_t array_layer_count;
  VkSampleCountFlagBits sample_count;
  VkImageTiling tiling;
  VkImageUsageFlags usage;
} TiVulkanImageInteropInfo;

TI_DLL_EXPORT TiRuntime TI_API_CALL ti_create_vulkan_runtime_ext(uint32_t api_version,
                                                                 uint32_t instance_extension_count,
                                                                 const char **instance_extensions,
                                                                 uint32_t device_extension_count,
                                                                 const char **device_extensions);
TI_DLL_EXPORT TiRuntime TI_API_CALL ti_import_vulkan_runtime(const TiVulkanRuntimeInteropInfo *interop_info);
TI_DLL_EXPORT void TI_API_CALL ti_export_vulkan_runtime(TiRuntime runtime, TiVulkanRuntimeInteropInfo *interop_info);
TI_DLL_EXPORT TiMemory TI_API_CALL ti_import_vulkan_memory(TiRuntime runtime,
                                                           const TiVulkanMemoryInteropInfo *interop_info);
TI_DLL_EXPORT void TI_API_CALL ti_export_vulkan_memory(TiRuntime runtime, TiMemory memory,
                                                       TiVulkanMemoryInteropInfo *interop_info);
TI_DLL_EXPORT TiImage TI_API_CALL ti_import_vulkan_image(TiRuntime runtime,
                                                         const TiVulkanImageInteropInfo *interop_info,
                                                         VkImageViewType view_type, VkImageLayout layout);
TI_DLL_EXPORT void TI_API_CALL ti_export_vulkan_image(TiRuntime runtime, TiImage image,
                                                      TiVulkanImageInteropInfo *interop_info);

#ifdef __cplusplus
}
#endif

#endif
