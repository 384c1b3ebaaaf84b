/* A device with its queue, and command buffers of our own. The lock of the context is held.
 *
 * Functions return 0 or an error code of the library, whose message is in place. */

#include "vulkan/device.h"

#include "core/wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESA = 0x10005 }; /* a vendor */
/* Threads that fill a device: Vulkan does not say how many it holds. An NVIDIA H200 holds 270,336. On a CPU each group costs time,
 * and one for each core is enough. */
enum { RESIDENT_THREADS = 1 << 18, MOST_THREADS = 1 << 22, RESIDENT_ON_CPU = 1 << 11, THREADS_ON_CPU = 1 << 17 };
#define VULKAN_1_1 (1u << 22 | 1u << 12) /* the first with vkGetPhysicalDeviceMemoryProperties2 */

/* Returns 0, or the code of a failed call, whose result it sets as the message. */
int taichi_aot_vulkan_error(const char *routine, VkResult result) {
  const int is_memory = result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY;
  if (result == VK_SUCCESS) return 0;
  snprintf(taichi_aot_message, sizeof taichi_aot_message, "VkResult is %d", (int)result);
  return taichi_aot_fail(routine, (int)(is_memory ? TI_ERROR_OUT_OF_MEMORY : TI_ERROR_INVALID_STATE));
}

/* The space that a context has for its backend: a pointer to the device. */
static taichi_aot_vulkan **device_slot(const taichi_aot_context *context) {
  return (taichi_aot_vulkan **)(uintptr_t)context->own;
}

taichi_aot_vulkan *taichi_aot_vulkan_of(const taichi_aot_context *context) { return *device_slot(context); }

PFN_vkVoidFunction taichi_aot_vulkan_function(const TiVulkanRuntimeInteropInfo *info, const char *name) {
  return info->get_instance_proc_addr(info->instance, name);
}

/* Finds the functions; the name of the first one that the device lacks, or NULL. */
static const char *find_functions(taichi_aot_vulkan *vulkan, const TiVulkanRuntimeInteropInfo *info) {
  const PFN_vkGetDeviceProcAddr get = TAICHI_AOT_ON_INSTANCE(info, vkGetDeviceProcAddr);
  if (get == NULL) return "vkGetDeviceProcAddr";
#define FIND(name)                                                    \
  vulkan->name = (PFN_vk##name)get(vulkan->device, "vk" #name);       \
  if (vulkan->name == NULL) return "vk" #name;
  TAICHI_AOT_VULKAN_FUNCTIONS(FIND)
  vulkan->GetBufferDeviceAddress = (PFN_vkGetBufferDeviceAddress)get(vulkan->device, "vkGetBufferDeviceAddress");
  return NULL;
}

/* Lists the families of queues, up to MOST_FAMILIES; returns their number. */
uint32_t taichi_aot_vulkan_families(const TiVulkanRuntimeInteropInfo *info, VkQueueFamilyProperties *families) {
  const PFN_vkGetPhysicalDeviceQueueFamilyProperties list =
      TAICHI_AOT_ON_INSTANCE(info, vkGetPhysicalDeviceQueueFamilyProperties);
  uint32_t count = TAICHI_AOT_MOST_FAMILIES;
  if (list == NULL) return 0;
  list(info->physical_device, &count, families);
  return count;
}

/* Reads the properties of the physical device that matter here; the name of a function that it lacks, or NULL. */
static const char *read_properties(taichi_aot_vulkan *vulkan, const TiVulkanRuntimeInteropInfo *info) {
  const PFN_vkGetPhysicalDeviceMemoryProperties get_memory =
      TAICHI_AOT_ON_INSTANCE(info, vkGetPhysicalDeviceMemoryProperties);
  const PFN_vkGetPhysicalDeviceProperties get = TAICHI_AOT_ON_INSTANCE(info, vkGetPhysicalDeviceProperties);
  const uint32_t family = info->compute_queue_family_index;
  VkQueueFamilyProperties families[TAICHI_AOT_MOST_FAMILIES];
  VkPhysicalDeviceProperties properties;
  if (get_memory == NULL || get == NULL) return "vkGetPhysicalDeviceProperties";
  get_memory(info->physical_device, &vulkan->memory);
  get(info->physical_device, &properties);
  vulkan->is_software = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  vulkan->is_lavapipe = vulkan->is_software && properties.vendorID == MESA;
  vulkan->most_groups = properties.limits.maxComputeWorkGroupCount[0];
  vulkan->resident = vulkan->is_software ? RESIDENT_ON_CPU : RESIDENT_THREADS;
  vulkan->most_threads = vulkan->is_software ? THREADS_ON_CPU : MOST_THREADS;
  vulkan->time_unit = properties.limits.timestampPeriod;
  vulkan->time_bits = family < taichi_aot_vulkan_families(info, families) ? families[family].timestampValidBits : 0;
  return NULL;
}

static int create_objects(taichi_aot_vulkan *vulkan, uint32_t family) {
  const VkCommandPoolCreateInfo pool = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, NULL,
                                        VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT, family};
  const VkFenceCreateInfo fence = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, NULL, 0};
  VkCommandBufferAllocateInfo buffers = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, NULL,
                                         VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  size_t i;
  VkResult result = vulkan->CreateCommandPool(vulkan->device, &pool, NULL, &vulkan->commands);
  if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkCreateCommandPool", result);
  buffers.commandPool = vulkan->commands;
  for (i = 0; i < COUNT_OF(vulkan->submissions); ++i) {
    taichi_aot_submission *submission = &vulkan->submissions[i];
    result = vulkan->AllocateCommandBuffers(vulkan->device, &buffers, &submission->commands);
    if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkAllocateCommandBuffers", result);
    result = vulkan->CreateFence(vulkan->device, &fence, NULL, &submission->fence);
    if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkCreateFence", result);
  }
  return 0;
}

/* Adopts a device, which is not destroyed on failure. */
int taichi_aot_vulkan_open(taichi_aot_context *context, const TiVulkanRuntimeInteropInfo *info) {
  taichi_aot_vulkan *vulkan = (taichi_aot_vulkan *)calloc(1, sizeof *vulkan);
  const char *missing;
  int code;
  if (vulkan == NULL) return taichi_aot_no_memory("a Vulkan device");
  vulkan->info = *info;
  vulkan->device = info->device;
  vulkan->queue = info->compute_queue;
  missing = find_functions(vulkan, info);
  if (missing == NULL) missing = read_properties(vulkan, info);
  if (missing != NULL) {
    free(vulkan);
    return taichi_aot_missing(missing);
  }
  vulkan->chunks = &vulkan->submissions[TAICHI_AOT_COPIES];
  vulkan->gathered.slots = &vulkan->chunks[TAICHI_AOT_CHUNKS];
  vulkan->reached = &context->reached;
  vulkan->pool.last_retired = &vulkan->pool.retired;
  context->pause = vulkan->is_software ? 0 : TAICHI_AOT_PAUSE;
  *device_slot(context) = vulkan;
  code = create_objects(vulkan, info->compute_queue_family_index);
  if (code != 0) taichi_aot_vulkan_close(context);
  return code;
}

/* The device has finished, and nothing else of ours is on it. */
void taichi_aot_vulkan_close(taichi_aot_context *context) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  size_t i;
  *device_slot(context) = NULL;
  for (i = 0; i < COUNT_OF(vulkan->submissions); ++i) {
    const VkFence fence = vulkan->submissions[i].fence;
    const VkQueryPool times = vulkan->submissions[i].times;
    if (fence != NULL) vulkan->DestroyFence(vulkan->device, fence, NULL);
    if (times != NULL) vulkan->DestroyQueryPool(vulkan->device, times, NULL);
  }
  if (vulkan->commands != NULL) vulkan->DestroyCommandPool(vulkan->device, vulkan->commands, NULL);
  if (vulkan->owns_device) vulkan->DestroyDevice(vulkan->device, NULL);
  if (vulkan->DestroyInstance != NULL) vulkan->DestroyInstance(vulkan->info.instance, NULL);
  free(vulkan);
}

/* Copies the device's handles, and the levels of its capabilities by number, unless a pointer is NULL. */
int taichi_aot_vulkan_describe(taichi_aot_runtime *runtime, TiVulkanRuntimeInteropInfo *info, uint32_t *levels) {
  const int status = taichi_aot_enter_with(runtime, TAICHI_AOT_ENTER_MAY_WAIT | TAICHI_AOT_ENTER_TO_LAUNCH);
  const taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(runtime->context);
  if (status != 0) return status;
  if (info != NULL) *info = vulkan->info;
  if (levels != NULL) memcpy(levels, vulkan->levels, sizeof vulkan->levels);
  return taichi_aot_leave_with(runtime, 0);
}

/* Finds the functions for names of objects and commands, if the instance has them. */
int taichi_aot_vulkan_use_labels(taichi_aot_runtime *runtime) {
  const int status = taichi_aot_enter_with(runtime, TAICHI_AOT_ENTER_MAY_WAIT);
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(runtime->context);
  if (status != 0) return status;
#define FIND_LABEL(name) vulkan->name = (PFN_vk##name)taichi_aot_vulkan_function(&vulkan->info, "vk" #name);
  TAICHI_AOT_VULKAN_LABELS(FIND_LABEL)
  return taichi_aot_leave_with(runtime, 0);
}

/* Notes which extensions the device has, also if they were not enabled: 0, or an error code if it cannot be asked. */
int taichi_aot_vulkan_find_extensions(const TiVulkanRuntimeInteropInfo *info, const char *const *names, uint32_t count,
                                      int32_t *has) {
  const PFN_vkEnumerateDeviceExtensionProperties list =
      TAICHI_AOT_ON_INSTANCE(info, vkEnumerateDeviceExtensionProperties);
  VkExtensionProperties *found;
  uint32_t i, k, listed = 0;
  memset(has, 0, count * sizeof *has);
  if (list == NULL) return taichi_aot_missing("vkEnumerateDeviceExtensionProperties");
  if (list(info->physical_device, NULL, &listed, NULL) < 0) return 0;
  found = (VkExtensionProperties *)calloc((size_t)listed + 1, sizeof *found);
  if (found == NULL) return taichi_aot_no_memory("the extensions of a device");
  if (list(info->physical_device, NULL, &listed, found) >= 0) {
    for (i = 0; i < listed; ++i)
      for (k = 0; k < count; ++k) has[k] |= strcmp(found[i].extensionName, names[k]) == 0;
  }
  free(found);
  return 0;
}

/* Adds up the device's heaps: their sizes, and what this process may still allocate, if the driver estimates it. */
static void count_heaps(const VkPhysicalDeviceMemoryProperties *memory,
                        const VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget, taichi_aot_memory_numbers *numbers) {
  uint32_t i;
  numbers->total = 0;
  if (budget != NULL) numbers->free = 0;
  for (i = 0; i < memory->memoryHeapCount; ++i) {
    if ((memory->memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) == 0) continue;
    numbers->total += (int64_t)memory->memoryHeaps[i].size;
    if (budget != NULL && budget->heapBudget[i] > budget->heapUsage[i])
      numbers->free += (int64_t)(budget->heapBudget[i] - budget->heapUsage[i]);
  }
}

int taichi_aot_vulkan_count_memory(taichi_aot_context *context, taichi_aot_memory_numbers *numbers) {
  const taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  const TiVulkanRuntimeInteropInfo *info = &vulkan->info;
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
  VkPhysicalDeviceMemoryProperties2 memory = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
  const char *const extension = "VK_EXT_memory_budget";
  int32_t has_budget = 0;
  PFN_vkGetPhysicalDeviceMemoryProperties2 get = NULL;
  numbers->pooled = (int64_t)vulkan->pool.unused;
  if (info->api_version >= VULKAN_1_1 && taichi_aot_vulkan_find_extensions(info, &extension, 1, &has_budget) != 0)
    taichi_aot_clear_error(); /* without it the sizes are known, and not what is free */
  if (has_budget)
    get = TAICHI_AOT_ON_INSTANCE(info, vkGetPhysicalDeviceMemoryProperties2);
  if (get != NULL) get(info->physical_device, &memory);
  count_heaps(get != NULL ? &memory.memoryProperties : &vulkan->memory, get != NULL ? &budget : NULL, numbers);
  return 0;
}

/* Barriers. One between all stages takes an NVIDIA H200 some us longer than one between those of our commands. The library's have the
 * same, and applications wait for their own. */

#define OWN_STAGES (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT)

static VkAccessFlags writes_of(VkPipelineStageFlags stages) {
  return (stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT ? VK_ACCESS_SHADER_WRITE_BIT : 0) |
         (stages & VK_PIPELINE_STAGE_TRANSFER_BIT ? VK_ACCESS_TRANSFER_WRITE_BIT : 0);
}

static VkAccessFlags reads_of(VkPipelineStageFlags stages) {
  return (stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT ? VK_ACCESS_SHADER_READ_BIT : 0) |
         (stages & VK_PIPELINE_STAGE_TRANSFER_BIT ? VK_ACCESS_TRANSFER_READ_BIT : 0);
}

static void order(const taichi_aot_vulkan *vulkan, const taichi_aot_submission *submission, VkPipelineStageFlags to,
                  VkAccessFlags used) {
  const VkPipelineStageFlags from = submission->stages != 0 ? submission->stages : OWN_STAGES;
  const VkMemoryBarrier memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, writes_of(from), used};
  vulkan->CmdPipelineBarrier(submission->commands, from, to, 0, 1, &memory, 0, NULL, 0, NULL);
}

/* Makes the next command, of a stage, wait for all commands before it. */
void taichi_aot_vulkan_barrier(const taichi_aot_vulkan *vulkan, taichi_aot_submission *submission, VkPipelineStageFlags stage) {
  order(vulkan, submission, stage, reads_of(stage) | writes_of(stage));
  submission->stages |= stage;
}

/* After a failed wait the device may still use the commands and the fence, unless it is lost for good. */
int taichi_aot_vulkan_wait_for(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission, int64_t ns) {
  const VkFence fence = submission->mark_fence != NULL ? submission->mark_fence : submission->fence;
  VkResult result = VK_SUCCESS;
  if (!submission->pending) return 0;
  if (submission->mark_fence == NULL || submission->ticket > *vulkan->reached) /* else the fence may be another mark's */
    result = vulkan->WaitForFences(vulkan->device, 1, &fence, 1, (uint64_t)ns);
  if (result == VK_TIMEOUT) return TAICHI_AOT_UNFINISHED;
  submission->pending = result != VK_SUCCESS && result != VK_ERROR_DEVICE_LOST;
  if (result == VK_SUCCESS && submission->number > vulkan->done) vulkan->done = submission->number;
  return taichi_aot_vulkan_error("vkWaitForFences", result);
}

int taichi_aot_vulkan_wait(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission) {
  int code;
  do code = taichi_aot_vulkan_wait_for(vulkan, submission, INT64_MAX);
  while (code == TAICHI_AOT_UNFINISHED);
  return code;
}

int taichi_aot_vulkan_synchronize(taichi_aot_context *context) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  const VkResult result = vulkan->QueueWaitIdle(vulkan->queue);
  size_t i;
  for (i = 0; i < COUNT_OF(vulkan->submissions) && (result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST); ++i)
    vulkan->submissions[i].pending = 0;
  if (result == VK_SUCCESS) vulkan->done = vulkan->submitted;
  return taichi_aot_vulkan_error("vkQueueWaitIdle", result);
}

/* Waits for all submissions, or for the queue if that fails. */
int taichi_aot_vulkan_finish(taichi_aot_context *context) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  size_t i;
  for (i = 0; vulkan != NULL && i < COUNT_OF(vulkan->submissions); ++i)
    if (taichi_aot_vulkan_wait(vulkan, &vulkan->submissions[i]) != 0) return taichi_aot_vulkan_synchronize(context);
  return 0;
}

VkResult taichi_aot_vulkan_make_times(const taichi_aot_vulkan *vulkan, VkQueryPool *times) {
  const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = 1};
  return *times != NULL ? VK_SUCCESS : vulkan->CreateQueryPool(vulkan->device, &info, NULL, times);
}

/* Notes the time at which all commands before have ended. */
void taichi_aot_vulkan_write_time(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, VkQueryPool times) {
  vulkan->CmdResetQueryPool(commands, times, 0, 1);
  vulkan->CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, times, 0);
}

void taichi_aot_vulkan_look(taichi_aot_vulkan *vulkan) {
  size_t i;
  for (i = 0; i < COUNT_OF(vulkan->submissions); ++i)
    if (vulkan->submissions[i].number > vulkan->done) (void)taichi_aot_vulkan_wait_for(vulkan, &vulkan->submissions[i], 0);
}

/* Begins a command buffer, which also empties it. Its first command comes after a barrier. */
int taichi_aot_vulkan_begin(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission) {
  const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, NULL, 0, NULL};
  const int code = taichi_aot_vulkan_wait(vulkan, submission);
  VkResult result;
  if (code != 0) return code;
  submission->only = NULL;
  submission->stages = 0;
  submission->copies = 0;
  submission->is_timed = 0;
  if (submission->is_begun) { /* a command buffer that ended is emptied by its next beginning */
    result = vulkan->ResetCommandBuffer(submission->commands, 0);
    if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkResetCommandBuffer", result);
  }
  result = vulkan->BeginCommandBuffer(submission->commands, &begin);
  submission->is_begun = result == VK_SUCCESS;
  return taichi_aot_vulkan_error("vkBeginCommandBuffer", result);
}

/* Called before a submission of ours, which starts a kind of work (TAICHI_AOT_BUSY_...): first submits what the library has
 * queued. */
int taichi_aot_vulkan_flush(taichi_aot_context *context, int32_t begun) {
  if (context->busy & TAICHI_AOT_BUSY_LIBRARY) {
    int code;
    taichi_aot_flush_library(context);
    code = taichi_aot_read_error("ti_flush");
    if (code != 0) return code;
    context->busy &= ~TAICHI_AOT_BUSY_LIBRARY;
    taichi_aot_vulkan_of(context)->last = NULL; /* the library's submission is behind it */
    taichi_aot_vulkan_of(context)->ahead.copied = 0;
  }
  context->busy |= begun;
  return 0;
}

/* Submits commands after what the library has queued; the host sees what they wrote. Where it fails, nothing has been
 * submitted. */
int taichi_aot_vulkan_submit(taichi_aot_context *context, taichi_aot_submission *submission, int32_t begun) {
  const taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  VkResult result;
  order(vulkan, submission, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT,
        VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT);
  result = vulkan->EndCommandBuffer(submission->commands);
  if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkEndCommandBuffer", result);
  submission->is_begun = 0;
  return taichi_aot_vulkan_submit_again(context, submission, begun);
}

/* Gives the queue commands, or none, with a fence that is signalled after them. */
int taichi_aot_vulkan_queue(const taichi_aot_vulkan *vulkan, const VkCommandBuffer *commands, VkFence fence) {
  const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = commands != NULL,
                               .pCommandBuffers = commands};
  VkResult result = vulkan->ResetFences(vulkan->device, 1, &fence);
  if (result == VK_SUCCESS) result = vulkan->QueueSubmit(vulkan->queue, 1, &submit, fence);
  return taichi_aot_vulkan_error("vkQueueSubmit", result);
}

/* The device has done these commands before. */
int taichi_aot_vulkan_submit_again(taichi_aot_context *context, taichi_aot_submission *submission, int32_t begun) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  int code = taichi_aot_vulkan_flush(context, begun);
  if (code == 0) code = taichi_aot_vulkan_queue(vulkan, &submission->commands, submission->fence);
  if (code != 0) return code;
  submission->pending = 1;
  submission->mark_fence = NULL;
  submission->number = ++vulkan->submitted;
  vulkan->last = submission;
  return 0;
}

taichi_aot_submission *taichi_aot_vulkan_next(taichi_aot_vulkan *vulkan) {
  return &vulkan->submissions[vulkan->next++ % TAICHI_AOT_COPIES];
}

/* Names of objects and commands, which layers and drivers show. */

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
