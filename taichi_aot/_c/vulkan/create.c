/* Creates a device with all features that kernels can use, and states its capabilities as the library does. */

#include "vulkan/create.h"

#include "drivers/vulkan_devices.h"

#include <string.h>

enum { MOST_EXTENSIONS = 64, MOST_DEVICES = 64 };

#define VERSION(minor) (1u << 22 | (minor) << 12)
#define NO_FAMILY UINT32_MAX

/* Extensions that are enabled if the device has them: for features of kernels, for memory shared with other processes, and one
 * that must be enabled where it exists. */
static const char *const wanted[] = {"VK_EXT_shader_atomic_float", "VK_EXT_shader_atomic_float2",
                                     "VK_KHR_shader_float16_int8", "VK_KHR_8bit_storage",
                                     "VK_KHR_shader_atomic_int64", "VK_KHR_external_memory_fd",
                                     "VK_KHR_portability_subset"};

/* What the device is created with. */
typedef struct request {
  VkPhysicalDeviceFeatures2 features;
  VkPhysicalDeviceVariablePointersFeatures pointers;
  VkPhysicalDevice16BitStorageFeatures storage_16;
  VkPhysicalDeviceShaderFloat16Int8Features small;
  VkPhysicalDevice8BitStorageFeatures storage_8;
  VkPhysicalDeviceShaderAtomicInt64Features atomics_64;
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomics;
  VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT atomics_2;
  VkPhysicalDeviceBufferDeviceAddressFeatures addresses;
  const char *extensions[MOST_EXTENSIONS];
  uint32_t extension_count;
} request;

static int has_name(const request *r, const char *name) {
  uint32_t i;
  for (i = 0; i < r->extension_count; ++i)
    if (strcmp(r->extensions[i], name) == 0) return 1;
  return 0;
}

static void add(request *r, const char *name) {
  if (!has_name(r, name) && r->extension_count < MOST_EXTENSIONS) r->extensions[r->extension_count++] = name;
}

/* Adds those of the wanted extensions that the device has. */
static int add_wanted(const TiVulkanRuntimeInteropInfo *info, request *r) {
  int32_t has[COUNT_OF(wanted)];
  uint32_t i;
  int code;
  if (info->api_version < VERSION(1)) return 0; /* they need what 1.1 has */
  code = taichi_aot_vulkan_find_extensions(info, wanted, COUNT_OF(wanted), has);
  for (i = 0; i < COUNT_OF(wanted); ++i)
    if (has[i]) add(r, wanted[i]);
  return code;
}

/* Links a structure of features to the others. */
static void chain(request *r, void *structure, VkStructureType type) {
  VkPhysicalDeviceFeatures2 *head = (VkPhysicalDeviceFeatures2 *)structure;
  head->sType = type;
  head->pNext = r->features.pNext;
  r->features.pNext = structure;
}

/* Queries the device's features, to enable those that kernels use. */
static int find_features(const TiVulkanRuntimeInteropInfo *info, request *r) {
  const PFN_vkGetPhysicalDeviceFeatures2 get = TAICHI_AOT_ON_INSTANCE(info, vkGetPhysicalDeviceFeatures2);
  const PFN_vkGetPhysicalDeviceFeatures get_first = TAICHI_AOT_ON_INSTANCE(info, vkGetPhysicalDeviceFeatures);
  VkPhysicalDeviceFeatures found;
  r->features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  if (info->api_version < VERSION(1) || get == NULL) {
    if (get_first == NULL) return taichi_aot_missing("vkGetPhysicalDeviceFeatures");
    get_first(info->physical_device, &r->features.features);
  } else {
    const int is_1_2 = info->api_version >= VERSION(2);
    chain(r, &r->pointers, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES);
    chain(r, &r->storage_16, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES);
    if (is_1_2 || has_name(r, "VK_KHR_shader_float16_int8"))
      chain(r, &r->small, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES);
    if (is_1_2 || has_name(r, "VK_KHR_8bit_storage"))
      chain(r, &r->storage_8, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES);
    if (is_1_2 || has_name(r, "VK_KHR_shader_atomic_int64"))
      chain(r, &r->atomics_64, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES);
    if (has_name(r, "VK_EXT_shader_atomic_float"))
      chain(r, &r->atomics, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT);
    if (has_name(r, "VK_EXT_shader_atomic_float2"))
      chain(r, &r->atomics_2, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT);
    if (is_1_2) chain(r, &r->addresses, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES);
    get(info->physical_device, &r->features);
    r->addresses.bufferDeviceAddressCaptureReplay = r->addresses.bufferDeviceAddressMultiDevice = 0;
  }
  found = r->features.features;
  memset(&r->features.features, 0, sizeof r->features.features);
  r->features.features.shaderInt16 = found.shaderInt16;
  r->features.features.shaderInt64 = found.shaderInt64;
  r->features.features.shaderFloat64 = found.shaderFloat64;
  return 0;
}

static uint32_t spirv_version(uint32_t api_version) {
  return api_version >= VERSION(2) ? 0x10500 : api_version >= VERSION(1) ? 0x10300 : 0x10000;
}

/* States what an enabled feature makes possible. */
static void state(uint32_t *levels, TiCapability capability, VkBool32 is_enabled) {
  if (is_enabled) levels[capability] = 1;
}

static void state_subgroups(const TiVulkanRuntimeInteropInfo *info, uint32_t *levels) {
  const PFN_vkGetPhysicalDeviceProperties2 get = TAICHI_AOT_ON_INSTANCE(info, vkGetPhysicalDeviceProperties2);
  VkPhysicalDeviceSubgroupProperties groups = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
  VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &groups};
  if (info->api_version < VERSION(1) || get == NULL) return;
  get(info->physical_device, &properties);
  state(levels, TI_CAPABILITY_SPIRV_HAS_SUBGROUP_BASIC, groups.supportedOperations & VK_SUBGROUP_FEATURE_BASIC_BIT);
  state(levels, TI_CAPABILITY_SPIRV_HAS_SUBGROUP_VOTE, groups.supportedOperations & VK_SUBGROUP_FEATURE_VOTE_BIT);
  state(levels, TI_CAPABILITY_SPIRV_HAS_SUBGROUP_ARITHMETIC,
        groups.supportedOperations & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT);
  state(levels, TI_CAPABILITY_SPIRV_HAS_SUBGROUP_BALLOT, groups.supportedOperations & VK_SUBGROUP_FEATURE_BALLOT_BIT);
}

static void state_levels(const TiVulkanRuntimeInteropInfo *info, const request *r, uint32_t *levels) {
  const VkPhysicalDeviceFeatures *plain = &r->features.features;
  levels[TI_CAPABILITY_SPIRV_VERSION] = spirv_version(info->api_version);
  state(levels, TI_CAPABILITY_SPIRV_HAS_INT16, plain->shaderInt16);
  state(levels, TI_CAPABILITY_SPIRV_HAS_INT64, plain->shaderInt64);
  state(levels, TI_CAPABILITY_SPIRV_HAS_FLOAT64, plain->shaderFloat64);
  state(levels, TI_CAPABILITY_SPIRV_HAS_VARIABLE_PTR,
        r->pointers.variablePointers && r->pointers.variablePointersStorageBuffer);
  state(levels, TI_CAPABILITY_SPIRV_HAS_PHYSICAL_STORAGE_BUFFER, r->addresses.bufferDeviceAddress && plain->shaderInt64);
  state(levels, TI_CAPABILITY_SPIRV_HAS_FLOAT16, r->small.shaderFloat16);
  state(levels, TI_CAPABILITY_SPIRV_HAS_INT8, r->small.shaderInt8);
  state(levels, TI_CAPABILITY_SPIRV_HAS_ATOMIC_INT64, r->atomics_64.shaderBufferInt64Atomics);
  state(levels, TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT, r->atomics.shaderBufferFloat32Atomics);
  state(levels, TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT_ADD, r->atomics.shaderBufferFloat32AtomicAdd);
  state(levels, TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT64, r->atomics.shaderBufferFloat64Atomics);
  state(levels, TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT64_ADD, r->atomics.shaderBufferFloat64AtomicAdd);
  state(levels, TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT16, r->atomics_2.shaderBufferFloat16Atomics);
  state(levels, TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT16_ADD, r->atomics_2.shaderBufferFloat16AtomicAdd);
  state(levels, TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT16_MINMAX, r->atomics_2.shaderBufferFloat16AtomicMinMax);
  state(levels, TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT_MINMAX, r->atomics_2.shaderBufferFloat32AtomicMinMax);
  state(levels, TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT64_MINMAX, r->atomics_2.shaderBufferFloat64AtomicMinMax);
  state_subgroups(info, levels);
}

/* The family of the queue: one that also draws, if there is one, so that an application can draw what kernels compute. */
static uint32_t find_family(const TiVulkanRuntimeInteropInfo *info) {
  VkQueueFamilyProperties families[TAICHI_AOT_MOST_FAMILIES];
  const uint32_t count = taichi_aot_vulkan_families(info, families);
  uint32_t i, found = NO_FAMILY;
  for (i = 0; i < count; ++i) {
    if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT)) continue;
    if (families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT) return i;
    if (found == NO_FAMILY) found = i;
  }
  return found;
}

static int create_device(TiVulkanRuntimeInteropInfo *info, const request *r) {
  const PFN_vkCreateDevice create = TAICHI_AOT_ON_INSTANCE(info, vkCreateDevice);
  const PFN_vkGetDeviceQueue get_queue = TAICHI_AOT_ON_INSTANCE(info, vkGetDeviceQueue);
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, find_family(info), 1, &priority};
  const int is_chained = r->features.pNext != NULL;
  const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = is_chained ? &r->features : NULL,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = r->extension_count,
                                     .ppEnabledExtensionNames = r->extensions,
                                     .pEnabledFeatures = is_chained ? NULL : &r->features.features};
  VkResult result;
  if (create == NULL || get_queue == NULL) return taichi_aot_missing("vkCreateDevice");
  if (queue.queueFamilyIndex == NO_FAMILY) return taichi_aot_missing("vkGetPhysicalDeviceQueueFamilyProperties");
  result = create(info->physical_device, &device, NULL, &info->device);
  if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkCreateDevice", result);
  get_queue(info->device, queue.queueFamilyIndex, 0, &info->compute_queue);
  info->compute_queue_family_index = info->graphics_queue_family_index = queue.queueFamilyIndex;
  info->graphics_queue = info->compute_queue;
  return 0;
}

/* Creates an instance with these extensions. The physical device of `info` is then the one of the same number there. */
static int create_instance(TiVulkanRuntimeInteropInfo *info, const char *const *extensions, uint32_t count) {
  const PFN_vkCreateInstance create =
      (PFN_vkCreateInstance)info->get_instance_proc_addr(NULL, "vkCreateInstance");
  const PFN_vkEnumeratePhysicalDevices list = TAICHI_AOT_ON_INSTANCE(info, vkEnumeratePhysicalDevices);
  const VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO, NULL, NULL, 0, NULL, 0, info->api_version};
  const VkInstanceCreateInfo wanted = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, NULL, 0, &application, 0, NULL, count,
                                       extensions};
  VkPhysicalDevice devices[MOST_DEVICES];
  VkInstance instance;
  uint32_t found = MOST_DEVICES, number = 0;
  VkResult result;
  if (create == NULL || list == NULL) return taichi_aot_missing("vkCreateInstance");
  result = list(info->instance, &found, devices);
  if (result < 0) return taichi_aot_vulkan_error("vkEnumeratePhysicalDevices", result);
  while (number < found && devices[number] != info->physical_device) ++number;
  result = create(&wanted, NULL, &instance);
  if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkCreateInstance", result);
  info->instance = instance;
  found = MOST_DEVICES;
  result = list(instance, &found, devices);
  if (result < 0 || number >= found)
    return taichi_aot_vulkan_error("vkEnumeratePhysicalDevices", result < 0 ? result : VK_ERROR_DEVICE_LOST);
  info->physical_device = devices[number];
  return 0;
}

/* Creates a device with these extensions on the physical device of `on`. It is on an instance of its own if that needs
 * extensions. The loader's functions serve all instances, so what destroys them is found first. */
int taichi_aot_vulkan_create(taichi_aot_context *context, const TiVulkanRuntimeInteropInfo *on,
                             const char *const *instance_extensions, uint32_t instance_count,
                             const char *const *extensions, uint32_t count) {
  const PFN_vkDestroyDevice destroy = TAICHI_AOT_ON_INSTANCE(on, vkDestroyDevice);
  const PFN_vkDestroyInstance destroy_instance = TAICHI_AOT_ON_INSTANCE(on, vkDestroyInstance);
  TiVulkanRuntimeInteropInfo info = *on;
  taichi_aot_vulkan *vulkan;
  request r = {.extension_count = 0};
  uint32_t i;
  int code = 0;
  if (destroy == NULL || destroy_instance == NULL) return taichi_aot_missing("vkDestroyDevice");
  for (i = 0; i < count; ++i) add(&r, extensions[i]);
  if (instance_count > 0) code = create_instance(&info, instance_extensions, instance_count);
  if (code == 0) code = add_wanted(&info, &r);
  if (code == 0) code = find_features(&info, &r);
  if (code == 0) code = create_device(&info, &r);
  if (code == 0) {
    code = taichi_aot_vulkan_open(context, &info);
    if (code != 0) destroy(info.device, NULL);
  }
  if (code != 0) {
    if (info.instance != on->instance) destroy_instance(info.instance, NULL);
    return code;
  }
  vulkan = taichi_aot_vulkan_of(context);
  vulkan->owns_device = 1;
  if (info.instance != on->instance) vulkan->DestroyInstance = destroy_instance;
  vulkan->has_export = info.api_version >= VERSION(1) && has_name(&r, "VK_KHR_external_memory_fd");
  state_levels(&info, &r, vulkan->levels);
  vulkan->has_addresses = vulkan->levels[TI_CAPABILITY_SPIRV_HAS_PHYSICAL_STORAGE_BUFFER] != 0;
  return 0;
}

/* Adopts an application's device, whose features Vulkan does not state. */
int taichi_aot_vulkan_import(taichi_aot_context *context, const TiVulkanRuntimeInteropInfo *info) {
  const int code = taichi_aot_vulkan_open(context, info);
  if (code == 0)
    taichi_aot_vulkan_of(context)->levels[TI_CAPABILITY_SPIRV_VERSION] = spirv_version(info->api_version);
  return code;
}
