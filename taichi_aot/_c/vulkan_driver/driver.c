/* A Vulkan library for the compiler: it has one device without features, and runs nothing.
 *
 * The compiler starts for Vulkan only where it can create a device, although the code that it generates does not depend
 * on one. As with the CUDA driver beside it, a child process that compiles loads this library before the compiler, which
 * then finds it by its soname, libvulkan.so.1. Without the variable that the child process has, instances cannot be
 * created. Quadrants asks the device what its code may use: the device can do what the variable names.
 *
 * Memory is the host's. Command buffers are accepted and not run: the compiler fills and copies memory that nothing
 * reads. Pipelines cannot be created, so launching a kernel fails.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "drivers/vulkan_devices.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" /* functions take what the API states */

#define EXPORT __attribute__((visibility("default")))

static const char VARIABLE[] = "TAICHI_AOT_VULKAN_COMPILER";

enum {
  VK_INCOMPLETE = 5,
  VK_ERROR_FEATURE_NOT_PRESENT = -8,
  VK_ERROR_INCOMPATIBLE_DRIVER = -9,
  ALL_MEMORY_PROPERTIES = 15, /* DEVICE_LOCAL, HOST_VISIBLE, HOST_COHERENT, HOST_CACHED */
  ALIGNMENT = 256,
  PAGE = 4096,
};

static int object; /* its address is every handle that has no state */

/* --- Functions by their form --- */

static VkResult succeed(void) { return VK_SUCCESS; }

static VkResult create(void *parent, const void *info, const void *allocator, void **handle) {
  *handle = &object;
  return VK_SUCCESS;
}

static VkResult create_pipelines(void *device, void *cache, uint32_t count, const void *infos, const void *allocator,
                                 void **pipelines) {
  for (uint32_t i = 0; i < count; ++i) pipelines[i] = NULL;
  return VK_ERROR_FEATURE_NOT_PRESENT;
}

static VkResult allocate_command_buffers(void *device, const VkCommandBufferAllocateInfo *info, void **handles) {
  for (uint32_t i = 0; i < info->commandBufferCount; ++i) handles[i] = &object;
  return VK_SUCCESS;
}

static VkResult get_no_data(void *device, void *cache, size_t *size, void *data) {
  *size = 0;
  return VK_SUCCESS;
}

/* --- The instance and the device --- */

static VkResult create_instance(const void *info, const void *allocator, void **instance) {
  *instance = &object;
  return getenv(VARIABLE) == NULL ? VK_ERROR_INCOMPATIBLE_DRIVER : VK_SUCCESS;
}

static VkResult enumerate_layers(uint32_t *count, void *properties) {
  *count = 0;
  return VK_SUCCESS;
}

static VkResult enumerate_all(const char *const *names, uint32_t total, uint32_t *count, VkExtensionProperties *found) {
  uint32_t given = found == NULL || *count > total ? total : *count;
  for (uint32_t i = 0; found != NULL && i < given; ++i) {
    memset(&found[i], 0, sizeof found[i]);
    strcpy(found[i].extensionName, names[i]);
  }
  *count = given;
  return given < total ? VK_INCOMPLETE : VK_SUCCESS;
}

static VkResult enumerate_instance_extensions(const char *layer, uint32_t *count, VkExtensionProperties *found) {
  static const char *const names[] = {"VK_KHR_get_physical_device_properties2"};
  return enumerate_all(names, 1, count, found);
}

/* With these a device of Vulkan 1.0 has features, and the code for it stays that of SPIR-V 1.0. */
static VkResult enumerate_device_extensions(void *device, const char *layer, uint32_t *count,
                                            VkExtensionProperties *found) {
  static const char *const names[] = {
      "VK_KHR_shader_float16_int8", "VK_KHR_8bit_storage",        "VK_KHR_16bit_storage",       "VK_KHR_variable_pointers",
      "VK_KHR_shader_atomic_int64", "VK_EXT_shader_atomic_float", "VK_EXT_shader_atomic_float2", "VK_KHR_buffer_device_address"};
  return enumerate_all(names, sizeof names / sizeof names[0], count, found);
}

static VkResult enumerate_devices(void *instance, uint32_t *count, void **devices) {
  if (devices != NULL) {
    if (*count == 0) return VK_INCOMPLETE;
    devices[0] = &object;
  }
  *count = 1;
  return VK_SUCCESS;
}

static void get_properties(void *device, VkPhysicalDeviceProperties *properties) {
  memset(properties, 0, sizeof *properties);
  properties->apiVersion = 1u << 22; /* 1.0 */
  properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
  strcpy(properties->deviceName, "taichi_aot compiler device");
  properties->limits.bufferImageGranularity = ALIGNMENT;
  properties->limits.nonCoherentAtomSize = ALIGNMENT;
  properties->limits.maxMemoryAllocationCount = UINT32_MAX;
}

/* Whether the variable names a capability, as "spirv_has_NAME=1". */
static VkBool32 can(const char *name) {
  char stated[64] = "spirv_has_";
  const char *all = getenv(VARIABLE);
  strcat(strcat(stated, name), "=1");
  return all != NULL && strstr(all, stated) != NULL;
}

static void get_features(void *device, VkPhysicalDeviceFeatures *features) {
  memset(features, 0, sizeof *features);
  features->shaderInt16 = can("int16");
  features->shaderInt64 = can("int64");
  features->shaderFloat64 = can("float64");
}

/* The members of a structure of features follow its type and the pointer to the next, in the order of these names. */
static const struct {
  VkStructureType type;
  const char *capabilities[12];
} extended[] = {
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES, {"variable_ptr", "variable_ptr"}},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, {"physical_storage_buffer"}},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES, {"float16", "int8"}},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, {"int8"}},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES, {"int16"}},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES, {"atomic_int64"}},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT,
     {"atomic_float", "atomic_float_add", "atomic_float64", "atomic_float64_add"}},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT,
     {"atomic_float16", "atomic_float16_add", "atomic_float16_minmax", "atomic_float_minmax", "atomic_float64_minmax"}},
};
enum { EXTENDED = sizeof extended / sizeof extended[0] };

static void get_features_2(void *device, VkPhysicalDeviceFeatures2 *features) {
  get_features(device, &features->features);
  for (VkPhysicalDeviceFeatures2 *next = features->pNext; next != NULL; next = next->pNext) {
    VkBool32 *members = (VkBool32 *)&next->features;
    for (int i = 0; i < EXTENDED; ++i) {
      if (extended[i].type != next->sType) continue;
      for (int k = 0; extended[i].capabilities[k] != NULL; ++k) members[k] = can(extended[i].capabilities[k]);
    }
  }
}

static void get_queue_families(void *device, uint32_t *count, VkQueueFamilyProperties *families) {
  if (families != NULL && *count > 0) {
    memset(families, 0, sizeof *families);
    families->queueFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    families->queueCount = 1;
  }
  *count = 1;
}

static void get_memory_properties(void *device, VkPhysicalDeviceMemoryProperties *properties) {
  memset(properties, 0, sizeof *properties);
  properties->memoryTypeCount = properties->memoryHeapCount = 1;
  properties->memoryTypes[0].propertyFlags = ALL_MEMORY_PROPERTIES;
  properties->memoryHeaps[0].size = (VkDeviceSize)16 << 30;
  properties->memoryHeaps[0].flags = 1; /* DEVICE_LOCAL */
}

static void get_queue(void *device, uint32_t family, uint32_t index, void **queue) { *queue = &object; }

/* --- Memory: pages of the host, whose size stands in a page before them --- */

struct buffer_info { /* VkBufferCreateInfo, as far as it is read here */
  VkStructureType type;
  const void *next;
  VkFlags flags;
  VkDeviceSize size;
};

static VkResult create_buffer(void *device, const struct buffer_info *info, const void *allocator, void **buffer) {
  VkDeviceSize *size = malloc(sizeof *size);
  if (size == NULL) return VK_ERROR_OUT_OF_HOST_MEMORY;
  *size = info->size;
  *buffer = size;
  return VK_SUCCESS;
}

static void destroy_buffer(void *device, void *buffer, const void *allocator) { free(buffer); }

static void get_buffer_requirements(void *device, void *buffer, VkMemoryRequirements *requirements) {
  VkDeviceSize size = *(VkDeviceSize *)buffer;
  requirements->size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  requirements->alignment = ALIGNMENT;
  requirements->memoryTypeBits = 1;
}

static uint64_t get_buffer_address(void *device, const void *info) { return ALIGNMENT; } /* which no code follows */

static void get_image_requirements(void *device, void *image, VkMemoryRequirements *requirements) {
  requirements->size = PAGE; /* images have no contents here */
  requirements->alignment = ALIGNMENT;
  requirements->memoryTypeBits = 1;
}

static VkResult allocate_memory(void *device, const VkMemoryAllocateInfo *info, const void *allocator, void **memory) {
  if (info->allocationSize > SIZE_MAX - PAGE) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  size_t size = info->allocationSize + PAGE;
  char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  *(size_t *)pages = size;
  *memory = pages;
  return VK_SUCCESS;
}

static void free_memory(void *device, void *memory, const void *allocator) {
  if (memory != NULL) munmap(memory, *(size_t *)memory);
}

static VkResult map_memory(void *device, void *memory, VkDeviceSize offset, VkDeviceSize size, VkFlags flags,
                           void **address) {
  *address = (char *)memory + PAGE + offset;
  return VK_SUCCESS;
}

/* --- Functions by their names --- */

typedef void (*function)(void);
static function find(void *parent, const char *name);

#define AS(f) ((function)(uintptr_t)(f))
static const struct {
  const char *name;
  function function;
} functions[] = {
    {"vkGetInstanceProcAddr", AS(find)},
    {"vkGetDeviceProcAddr", AS(find)},
    {"vkCreateInstance", AS(create_instance)},
    {"vkEnumerateInstanceExtensionProperties", AS(enumerate_instance_extensions)},
    {"vkEnumerateInstanceLayerProperties", AS(enumerate_layers)},
    {"vkEnumeratePhysicalDevices", AS(enumerate_devices)},
    {"vkEnumerateDeviceExtensionProperties", AS(enumerate_device_extensions)},
    {"vkGetPhysicalDeviceProperties", AS(get_properties)},
    {"vkGetPhysicalDeviceFeatures", AS(get_features)},
    {"vkGetPhysicalDeviceFeatures2KHR", AS(get_features_2)},
    {"vkGetPhysicalDeviceQueueFamilyProperties", AS(get_queue_families)},
    {"vkGetPhysicalDeviceMemoryProperties", AS(get_memory_properties)},
    {"vkGetDeviceQueue", AS(get_queue)},
    {"vkCreateBuffer", AS(create_buffer)},
    {"vkDestroyBuffer", AS(destroy_buffer)},
    {"vkGetBufferMemoryRequirements", AS(get_buffer_requirements)},
    {"vkGetBufferDeviceAddressKHR", AS(get_buffer_address)},
    {"vkGetImageMemoryRequirements", AS(get_image_requirements)},
    {"vkAllocateMemory", AS(allocate_memory)},
    {"vkFreeMemory", AS(free_memory)},
    {"vkMapMemory", AS(map_memory)},
    {"vkAllocateCommandBuffers", AS(allocate_command_buffers)},
    {"vkGetPipelineCacheData", AS(get_no_data)},
    {"vkCreateComputePipelines", AS(create_pipelines)},
    {"vkCreateGraphicsPipelines", AS(create_pipelines)},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static const char *const created[] = {
    "vkCreateDevice",        "vkCreateCommandPool", "vkCreateDescriptorPool",      "vkCreateFence", "vkCreateSemaphore",
    "vkCreatePipelineCache", "vkCreateQueryPool",   "vkCreateDescriptorSetLayout", "vkCreateImage", "vkCreateImageView",
    "vkCreateShaderModule",  "vkCreateSampler",     "vkCreatePipelineLayout",      "vkCreateEvent",
};
enum { CREATED = sizeof created / sizeof created[0] };

static const char *const succeeding[] = {
    "vkBindBufferMemory", "vkBindImageMemory", "vkBeginCommandBuffer", "vkEndCommandBuffer",   "vkResetCommandBuffer",
    "vkQueueSubmit",      "vkQueueWaitIdle",   "vkDeviceWaitIdle",     "vkWaitForFences",      "vkResetFences",
    "vkGetFenceStatus",   "vkUnmapMemory",     "vkFreeCommandBuffers", "vkFlushMappedMemoryRanges",
    "vkInvalidateMappedMemoryRanges",
};
enum { SUCCEEDING = sizeof succeeding / sizeof succeeding[0] };

static function find(void *parent, const char *name) {
  for (int i = 0; i < FUNCTIONS; ++i) {
    if (strcmp(name, functions[i].name) == 0) return functions[i].function;
  }
  for (int i = 0; i < CREATED; ++i) {
    if (strcmp(name, created[i]) == 0) return AS(create);
  }
  for (int i = 0; i < SUCCEEDING; ++i) {
    if (strcmp(name, succeeding[i]) == 0) return AS(succeed);
  }
  if (strncmp(name, "vkDestroy", 9) == 0 || strncmp(name, "vkCmd", 5) == 0) return AS(succeed);
  return NULL;
}

EXPORT PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance instance, const char *name) {
  return (PFN_vkVoidFunction)find(instance, name);
}
