/* The part of Vulkan 1.0 that this package calls itself, declared for the C compiler and for cffi alike.
 *
 * To use another function, add PFN_<name>, its structures and its constants: here if Python uses them, else in
 * vulkan_commands.h. Names, types and order are Vulkan's own; tests/drivers/test_headers.py compares every line with
 * <vulkan/vulkan.h>. Handles of device objects are pointers, as on every 64-bit platform. */
#ifndef TAICHI_AOT_VULKAN_SUBSET_H
#define TAICHI_AOT_VULKAN_SUBSET_H

#include "taichi/taichi_vulkan.h" /* handles, VkExtent3D, PFN_vkGetInstanceProcAddr */

typedef uint32_t VkBool32;
typedef uint32_t VkFlags;
typedef uint64_t VkDeviceSize;
typedef VkFlags VkSampleCountFlags;

#include "drivers/vulkan_limits.h" /* Python sees only the size */

typedef int VkResult;
typedef int VkStructureType;
typedef int VkPhysicalDeviceType;
typedef VkFlags VkInstanceCreateFlags;
typedef VkFlags VkQueueFlags;
typedef VkFlags VkImageCreateFlags;
typedef struct VkImageView_T *VkImageView;
typedef struct VkDescriptorSetLayout_T *VkDescriptorSetLayout;
typedef struct VkDescriptorPool_T *VkDescriptorPool;
typedef struct VkDescriptorSet_T *VkDescriptorSet;
typedef struct VkPipelineLayout_T *VkPipelineLayout;
typedef struct VkPipeline_T *VkPipeline;
typedef struct VkAllocationCallbacks VkAllocationCallbacks;

enum {
  VK_SUCCESS = 0,
  VK_STRUCTURE_TYPE_APPLICATION_INFO = 0,
  VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO = 1,
  VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU = 1,
  VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU = 2,
  VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU = 3,
  VK_PHYSICAL_DEVICE_TYPE_CPU = 4,
  VK_QUEUE_COMPUTE_BIT = 2,
  VK_BUFFER_USAGE_TRANSFER_SRC_BIT = 1,
  VK_BUFFER_USAGE_TRANSFER_DST_BIT = 2,
  VK_BUFFER_USAGE_STORAGE_BUFFER_BIT = 32,
  VK_IMAGE_TYPE_1D = 0,
  VK_IMAGE_TILING_OPTIMAL = 0,
  VK_IMAGE_USAGE_TRANSFER_SRC_BIT = 1,
  VK_IMAGE_USAGE_TRANSFER_DST_BIT = 2,
  VK_IMAGE_USAGE_SAMPLED_BIT = 4,
  VK_IMAGE_USAGE_STORAGE_BIT = 8,
  VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT = 16,
  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2 = 1000059001,
  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES = 1000071004,
  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TOOL_PROPERTIES_EXT = 1000245000,
  VK_TOOL_PURPOSE_DEBUG_MARKERS_BIT_EXT = 64
};

typedef struct VkOffset3D {
  int32_t x;
  int32_t y;
  int32_t z;
} VkOffset3D;

typedef struct VkApplicationInfo {
  VkStructureType sType;
  const void *pNext;
  const char *pApplicationName;
  uint32_t applicationVersion;
  const char *pEngineName;
  uint32_t engineVersion;
  uint32_t apiVersion;
} VkApplicationInfo;

typedef struct VkInstanceCreateInfo {
  VkStructureType sType;
  const void *pNext;
  VkInstanceCreateFlags flags;
  const VkApplicationInfo *pApplicationInfo;
  uint32_t enabledLayerCount;
  const char *const *ppEnabledLayerNames;
  uint32_t enabledExtensionCount;
  const char *const *ppEnabledExtensionNames;
} VkInstanceCreateInfo;

typedef struct VkPhysicalDeviceSparseProperties {
  VkBool32 residencyStandard2DBlockShape;
  VkBool32 residencyStandard2DMultisampleBlockShape;
  VkBool32 residencyStandard3DBlockShape;
  VkBool32 residencyAlignedMipSize;
  VkBool32 residencyNonResidentStrict;
} VkPhysicalDeviceSparseProperties;

typedef struct VkPhysicalDeviceProperties {
  uint32_t apiVersion;
  uint32_t driverVersion;
  uint32_t vendorID;
  uint32_t deviceID;
  VkPhysicalDeviceType deviceType;
  char deviceName[256];
  uint8_t pipelineCacheUUID[16];
  VkPhysicalDeviceLimits limits;
  VkPhysicalDeviceSparseProperties sparseProperties;
} VkPhysicalDeviceProperties;

typedef struct VkPhysicalDeviceProperties2 {
  VkStructureType sType;
  void *pNext;
  VkPhysicalDeviceProperties properties;
} VkPhysicalDeviceProperties2;

typedef struct VkPhysicalDeviceIDProperties {
  VkStructureType sType;
  void *pNext;
  uint8_t deviceUUID[16];
  uint8_t driverUUID[16];
  uint8_t deviceLUID[8];
  uint32_t deviceNodeMask;
  VkBool32 deviceLUIDValid;
} VkPhysicalDeviceIDProperties;

typedef struct VkQueueFamilyProperties {
  VkQueueFlags queueFlags;
  uint32_t queueCount;
  uint32_t timestampValidBits;
  VkExtent3D minImageTransferGranularity;
} VkQueueFamilyProperties;

typedef struct VkExtensionProperties {
  char extensionName[256];
  uint32_t specVersion;
} VkExtensionProperties;

typedef struct VkPhysicalDeviceToolPropertiesEXT {
  VkStructureType sType;
  void *pNext;
  char name[256];
  char version[256];
  VkFlags purposes;
  char description[256];
  char layer[256];
} VkPhysicalDeviceToolPropertiesEXT;

typedef struct VkMemoryRequirements {
  VkDeviceSize size;
  VkDeviceSize alignment;
  uint32_t memoryTypeBits;
} VkMemoryRequirements;

typedef struct VkImageFormatProperties {
  VkExtent3D maxExtent;
  uint32_t maxMipLevels;
  uint32_t maxArrayLayers;
  VkSampleCountFlags sampleCounts;
  VkDeviceSize maxResourceSize;
} VkImageFormatProperties;

typedef VkResult (*PFN_vkCreateInstance)(const VkInstanceCreateInfo *, const VkAllocationCallbacks *, VkInstance *);
typedef VkResult (*PFN_vkEnumerateInstanceVersion)(uint32_t *);
typedef PFN_vkVoidFunction (*PFN_vkGetDeviceProcAddr)(VkDevice, const char *);
typedef VkResult (*PFN_vkEnumeratePhysicalDevices)(VkInstance, uint32_t *, VkPhysicalDevice *);
typedef VkResult (*PFN_vkEnumerateInstanceExtensionProperties)(const char *, uint32_t *, VkExtensionProperties *);
typedef VkResult (*PFN_vkEnumerateDeviceExtensionProperties)(VkPhysicalDevice, const char *, uint32_t *,
                                                             VkExtensionProperties *);
typedef VkResult (*PFN_vkGetPhysicalDeviceToolPropertiesEXT)(VkPhysicalDevice, uint32_t *,
                                                             VkPhysicalDeviceToolPropertiesEXT *);
typedef void (*PFN_vkGetPhysicalDeviceProperties)(VkPhysicalDevice, VkPhysicalDeviceProperties *);
typedef void (*PFN_vkGetPhysicalDeviceProperties2)(VkPhysicalDevice, VkPhysicalDeviceProperties2 *);
typedef void (*PFN_vkGetPhysicalDeviceQueueFamilyProperties)(VkPhysicalDevice, uint32_t *, VkQueueFamilyProperties *);
typedef void (*PFN_vkGetBufferMemoryRequirements)(VkDevice, VkBuffer, VkMemoryRequirements *);
typedef VkResult (*PFN_vkGetPhysicalDeviceImageFormatProperties)(VkPhysicalDevice, VkFormat, VkImageType, VkImageTiling,
                                                                  VkImageUsageFlags, VkImageCreateFlags,
                                                                  VkImageFormatProperties *);
typedef void (*PFN_vkGetImageMemoryRequirements)(VkDevice, VkImage, VkMemoryRequirements *);

#endif
