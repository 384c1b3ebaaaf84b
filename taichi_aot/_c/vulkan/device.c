/* Command buffers of our own, on the device and the queue that the library exports. The lock of the context is held.
 *
 * Functions return 0 or an error code of the library, whose message is in place. */

#include "vulkan/device.h"

#include "core/wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define functions taichi_aot_functions

#define COPIES COUNT_OF(((taichi_aot_vulkan *)0)->submissions)
#define SUBMISSIONS (COPIES + TAICHI_AOT_CHUNKS + TAICHI_AOT_GATHERS)

#define VULKAN_1_1 (1u << 22 | 1u << 12) /* the first with vkGetPhysicalDeviceMemoryProperties2 */

static taichi_aot_submission *submission_of(taichi_aot_vulkan *vulkan, size_t i) {
  if (i < COPIES) return &vulkan->submissions[i];
  i -= COPIES;
  return i < TAICHI_AOT_CHUNKS ? &vulkan->chunks[i] : &vulkan->gathered.slots[i - TAICHI_AOT_CHUNKS];
}

/* The code for a failed call, whose result becomes the error message. */
int taichi_aot_vulkan_error(const char *routine, VkResult result) {
  const int is_memory = result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY;
  snprintf(taichi_aot_message, sizeof taichi_aot_message, "VkResult is %d", (int)result);
  return taichi_aot_fail(routine, (int)(is_memory ? TI_ERROR_OUT_OF_MEMORY : TI_ERROR_INVALID_STATE));
}

/* The state of a context is a pointer. */
static taichi_aot_vulkan **state_of(const taichi_aot_context *context) {
  return (taichi_aot_vulkan **)(uintptr_t)context->own;
}

taichi_aot_vulkan *taichi_aot_vulkan_of(const taichi_aot_context *context) { return *state_of(context); }

enum { MOST_FAMILIES = 16 };

/* How many bits the time stamps of the queue have. */
static uint32_t time_bits(PFN_vkGetPhysicalDeviceQueueFamilyProperties get, const TiVulkanRuntimeInteropInfo *info) {
  VkQueueFamilyProperties families[MOST_FAMILIES];
  uint32_t count = MOST_FAMILIES;
  get(info->physical_device, &count, families);
  return info->compute_queue_family_index < count ? families[info->compute_queue_family_index].timestampValidBits : 0;
}

/* Finds the functions; the name of the first one that the device lacks, or NULL. */
static const char *find_functions(taichi_aot_vulkan *vulkan, const TiVulkanRuntimeInteropInfo *info) {
  PFN_vkVoidFunction found = info->get_instance_proc_addr(info->instance, "vkGetPhysicalDeviceMemoryProperties");
  PFN_vkGetDeviceProcAddr get;
  VkPhysicalDeviceProperties properties;
  if (found == NULL) return "vkGetPhysicalDeviceMemoryProperties";
  ((PFN_vkGetPhysicalDeviceMemoryProperties)found)(info->physical_device, &vulkan->memory);
  found = info->get_instance_proc_addr(info->instance, "vkGetPhysicalDeviceProperties");
  if (found == NULL) return "vkGetPhysicalDeviceProperties";
  ((PFN_vkGetPhysicalDeviceProperties)found)(info->physical_device, &properties);
  vulkan->is_software = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  vulkan->most_groups = properties.limits.maxComputeWorkGroupCount[0];
  vulkan->time_unit = properties.limits.timestampPeriod;
  found = info->get_instance_proc_addr(info->instance, "vkGetPhysicalDeviceQueueFamilyProperties");
  if (found == NULL) return "vkGetPhysicalDeviceQueueFamilyProperties";
  vulkan->time_bits = time_bits((PFN_vkGetPhysicalDeviceQueueFamilyProperties)found, info);
  found = info->get_instance_proc_addr(info->instance, "vkGetDeviceProcAddr");
  if (found == NULL) return "vkGetDeviceProcAddr";
  get = (PFN_vkGetDeviceProcAddr)found;
#define FIND(name)                                   \
  found = get(vulkan->device, "vk" #name);           \
  if (found == NULL) return "vk" #name;              \
  vulkan->name = (PFN_vk##name)found;
  TAICHI_AOT_VULKAN_FUNCTIONS(FIND)
  return NULL;
}

static void find_labels(taichi_aot_vulkan *vulkan, const TiVulkanRuntimeInteropInfo *info) {
#define FIND_LABEL(name) vulkan->name = (PFN_vk##name)info->get_instance_proc_addr(info->instance, "vk" #name);
  TAICHI_AOT_VULKAN_LABELS(FIND_LABEL)
}

static int create_objects(taichi_aot_vulkan *vulkan, uint32_t family) {
  const VkCommandPoolCreateInfo pool = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, NULL,
                                        VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT, family};
  const VkFenceCreateInfo fence = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, NULL, 0};
  VkCommandBufferAllocateInfo buffers = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, NULL,
                                         VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  size_t i;
  VkResult result = vulkan->CreateCommandPool(vulkan->device, &pool, NULL, &vulkan->pool);
  if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkCreateCommandPool", result);
  buffers.commandPool = vulkan->pool;
  for (i = 0; i < SUBMISSIONS; ++i) {
    taichi_aot_submission *submission = submission_of(vulkan, i);
    result = vulkan->AllocateCommandBuffers(vulkan->device, &buffers, &submission->commands);
    if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkAllocateCommandBuffers", result);
    result = vulkan->CreateFence(vulkan->device, &fence, NULL, &submission->fence);
    if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkCreateFence", result);
  }
  return 0;
}

static int export_runtime(const taichi_aot_context *context, TiVulkanRuntimeInteropInfo *info) {
  if (functions.ti_export_vulkan_runtime == NULL) return taichi_aot_missing("ti_export_vulkan_runtime");
  memset(info, 0, sizeof *info);
  functions.ti_export_vulkan_runtime(context->ti_runtime, info);
  return taichi_aot_read_error("ti_export_vulkan_runtime");
}

/* Creates what copies need, for the first of them. */
int taichi_aot_vulkan_open(taichi_aot_context *context) {
  taichi_aot_vulkan *vulkan;
  TiVulkanRuntimeInteropInfo info;
  const char *missing;
  int code;
  if (taichi_aot_vulkan_of(context) != NULL) return 0;
  code = export_runtime(context, &info);
  if (code != 0) return code;
  vulkan = (taichi_aot_vulkan *)calloc(1, sizeof *vulkan);
  if (vulkan == NULL) return taichi_aot_vulkan_error("calloc", VK_ERROR_OUT_OF_HOST_MEMORY);
  vulkan->device = info.device;
  vulkan->queue = info.compute_queue;
  missing = find_functions(vulkan, &info);
  if (missing != NULL) {
    free(vulkan);
    return taichi_aot_missing(missing);
  }
  if (context->is_labelled) find_labels(vulkan, &info);
  *state_of(context) = vulkan;
  vulkan->reached = &context->reached;
  context->pause = vulkan->is_software ? 0 : TAICHI_AOT_PAUSE;
  code = create_objects(vulkan, info.compute_queue_family_index);
  if (code != 0) taichi_aot_vulkan_close(context);
  return code;
}

/* Before the TiRuntime, and with it the device, is destroyed; the device has finished. */
void taichi_aot_vulkan_close(taichi_aot_context *context) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  size_t i;
  *state_of(context) = NULL;
  for (i = 0; i < SUBMISSIONS; ++i) {
    const VkFence fence = submission_of(vulkan, i)->fence;
    if (fence != NULL) vulkan->DestroyFence(vulkan->device, fence, NULL);
  }
  if (vulkan->pool != NULL) vulkan->DestroyCommandPool(vulkan->device, vulkan->pool, NULL);
  free(vulkan);
}

/* Whether an image can be created and memory be allocated for it. The library crashes on an image that it cannot create, so
 * this creates and destroys one first. A driver may give more memory than the heap has, but the library does not take it. */
int taichi_aot_vulkan_try_image(const taichi_aot_vulkan *vulkan, const VkImageCreateInfo *info) {
  VkMemoryAllocateInfo allocation = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, 0, 0};
  VkMemoryRequirements needs;
  const VkPhysicalDeviceMemoryProperties *types = &vulkan->memory;
  VkDeviceMemory memory = NULL;
  VkImage image = NULL;
  VkResult result = vulkan->CreateImage(vulkan->device, info, NULL, &image);
  if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkCreateImage", result);
  vulkan->GetImageMemoryRequirements(vulkan->device, image, &needs);
  vulkan->DestroyImage(vulkan->device, image, NULL);
  allocation.allocationSize = needs.size;
  result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  for (; allocation.memoryTypeIndex < types->memoryTypeCount && result != VK_SUCCESS; ++allocation.memoryTypeIndex) {
    const uint32_t heap = types->memoryTypes[allocation.memoryTypeIndex].heapIndex;
    if (needs.memoryTypeBits >> allocation.memoryTypeIndex & 1 && needs.size <= types->memoryHeaps[heap].size)
      result = vulkan->AllocateMemory(vulkan->device, &allocation, NULL, &memory);
  }
  if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkAllocateMemory", result);
  vulkan->FreeMemory(vulkan->device, memory, NULL);
  return 0;
}

/* Whether the device has an extension; a query may use one that was not enabled. */
static int has_extension(const TiVulkanRuntimeInteropInfo *info, const char *name) {
  const PFN_vkEnumerateDeviceExtensionProperties list = (PFN_vkEnumerateDeviceExtensionProperties)
      info->get_instance_proc_addr(info->instance, "vkEnumerateDeviceExtensionProperties");
  VkExtensionProperties *found;
  uint32_t i, count = 0;
  int has = 0;
  if (list == NULL || list(info->physical_device, NULL, &count, NULL) < 0) return 0;
  found = (VkExtensionProperties *)calloc((size_t)count + 1, sizeof *found);
  if (found != NULL && list(info->physical_device, NULL, &count, found) >= 0) {
    for (i = 0; i < count; ++i) has |= strcmp(found[i].extensionName, name) == 0;
  }
  free(found);
  return has;
}

/* Adds up the heaps on the device: their sizes, and what this process may still take, where the driver estimates that. */
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
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget;
  VkPhysicalDeviceMemoryProperties2 memory;
  TiVulkanRuntimeInteropInfo info;
  PFN_vkVoidFunction get;
  const int code = export_runtime(context, &info);
  if (code != 0) return code;
  memset(&budget, 0, sizeof budget);
  memset(&memory, 0, sizeof memory);
  budget.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT;
  memory.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2;
  memory.pNext = &budget;
  get = info.api_version >= VULKAN_1_1 && has_extension(&info, "VK_EXT_memory_budget")
            ? info.get_instance_proc_addr(info.instance, "vkGetPhysicalDeviceMemoryProperties2")
            : NULL;
  if (get != NULL) {
    ((PFN_vkGetPhysicalDeviceMemoryProperties2)get)(info.physical_device, &memory);
    count_heaps(&memory.memoryProperties, &budget, numbers);
    return 0;
  }
  get = info.get_instance_proc_addr(info.instance, "vkGetPhysicalDeviceMemoryProperties");
  if (get == NULL) return taichi_aot_missing("vkGetPhysicalDeviceMemoryProperties");
  ((PFN_vkGetPhysicalDeviceMemoryProperties)get)(info.physical_device, &memory.memoryProperties);
  count_heaps(&memory.memoryProperties, NULL, numbers);
  return 0;
}

/* The buffer of memory that the library has allocated or imported. */
VkBuffer taichi_aot_vulkan_buffer(taichi_aot_context *context, TiMemory memory) {
  TiVulkanMemoryInteropInfo info;
  memset(&info, 0, sizeof info);
  functions.ti_export_vulkan_memory(context->ti_runtime, memory, &info);
  return info.buffer;
}

/* After a failed wait the device may still use the commands and the fence, unless it is lost for good. */
int taichi_aot_vulkan_wait_for(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission, int64_t ns) {
  const VkFence fence = submission->lent != NULL ? submission->lent : submission->fence;
  VkResult result = VK_SUCCESS;
  if (!submission->pending) return 0;
  if (submission->lent == NULL || submission->ticket > *vulkan->reached) /* else the fence may be another mark's */
    result = vulkan->WaitForFences(vulkan->device, 1, &fence, 1, (uint64_t)ns);
  if (result == VK_TIMEOUT) return TAICHI_AOT_UNFINISHED;
  submission->pending = result != VK_SUCCESS && result != VK_ERROR_DEVICE_LOST;
  return result == VK_SUCCESS ? 0 : taichi_aot_vulkan_error("vkWaitForFences", result);
}

int taichi_aot_vulkan_wait(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission) {
  int code;
  do code = taichi_aot_vulkan_wait_for(vulkan, submission, INT64_MAX);
  while (code == TAICHI_AOT_UNFINISHED);
  return code;
}

/* The library waits for the queue, and with it for all submissions: 0 or its error. */
static int wait_by_library(taichi_aot_context *context) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  size_t i;
  int code;
  taichi_aot_wait_by_library(context);
  code = taichi_aot_read_error("ti_wait");
  for (i = 0; i < SUBMISSIONS && code == 0; ++i) submission_of(vulkan, i)->pending = 0;
  return code;
}

/* Waits for all submissions. Where our wait for one fails, the library waits for all, and its error is that of the call. */
int taichi_aot_vulkan_finish(taichi_aot_context *context) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  size_t i;
  if (vulkan == NULL) return 0;
  for (i = 0; i < SUBMISSIONS; ++i) {
    int code = taichi_aot_vulkan_wait(vulkan, submission_of(vulkan, i));
    if (code != 0) code = wait_by_library(context);
    if (code != 0) return code;
  }
  return 0;
}

int taichi_aot_vulkan_begin(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission) {
  const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, NULL,
                                          VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, NULL};
  const int code = taichi_aot_vulkan_wait(vulkan, submission);
  VkResult result;
  if (code != 0) return code;
  result = vulkan->ResetCommandBuffer(submission->commands, 0);
  if (result == VK_SUCCESS) result = vulkan->BeginCommandBuffer(submission->commands, &begin);
  return result == VK_SUCCESS ? 0 : taichi_aot_vulkan_error("vkBeginCommandBuffer", result);
}

/* Before a submission of ours, which begins work of a kind (TAICHI_AOT_BUSY_...): gives the device what the library has
 * queued, once. */
int taichi_aot_vulkan_flush(taichi_aot_context *context, int32_t begun) {
  if (context->busy & TAICHI_AOT_BUSY_LIBRARY) {
    int code;
    taichi_aot_flush_library(context);
    code = taichi_aot_read_error("ti_flush");
    if (code != 0) return code;
    context->busy &= ~TAICHI_AOT_BUSY_LIBRARY;
    taichi_aot_vulkan_of(context)->last = NULL; /* the library's submission is behind it */
  }
  context->busy |= begun;
  return 0;
}

int taichi_aot_vulkan_submit(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission) {
  VkSubmitInfo submit;
  VkResult result = vulkan->EndCommandBuffer(submission->commands);
  if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkEndCommandBuffer", result);
  memset(&submit, 0, sizeof submit);
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &submission->commands;
  result = vulkan->ResetFences(vulkan->device, 1, &submission->fence);
  if (result == VK_SUCCESS) result = vulkan->QueueSubmit(vulkan->queue, 1, &submit, submission->fence);
  if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkQueueSubmit", result);
  submission->pending = 1;
  submission->lent = NULL;
  vulkan->last = submission;
  return 0;
}

taichi_aot_submission *taichi_aot_vulkan_next(taichi_aot_vulkan *vulkan) {
  return &vulkan->submissions[vulkan->next++ % COPIES];
}

void taichi_aot_vulkan_barrier(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, VkPipelineStageFlags from,
                               VkAccessFlags written, VkPipelineStageFlags to, VkAccessFlags used) {
  const VkMemoryBarrier memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, written, used};
  vulkan->CmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, NULL, 0, NULL);
}

/* Queues a copy after everything before it. The library's copies take longer, because submissions of the library do. */
int taichi_aot_vulkan_copy_memory(taichi_aot_context *context, TiMemory target, uint64_t target_offset, TiMemory source,
                                  uint64_t source_offset, uint64_t size) {
  const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT;
  const VkAccessFlags uses = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  const VkBufferCopy region = {source_offset, target_offset, size};
  const VkBuffer from = taichi_aot_vulkan_buffer(context, source), to = taichi_aot_vulkan_buffer(context, target);
  taichi_aot_submission *submission;
  taichi_aot_vulkan *vulkan;
  int code = taichi_aot_read_error("ti_export_vulkan_memory");
  if (code == 0) code = taichi_aot_vulkan_open(context);
  if (code != 0) return code;
  vulkan = taichi_aot_vulkan_of(context);
  submission = taichi_aot_vulkan_next(vulkan);
  code = taichi_aot_vulkan_begin(vulkan, submission);
  if (code != 0) return code;
  taichi_aot_vulkan_barrier(vulkan, submission->commands, all, uses, VK_PIPELINE_STAGE_TRANSFER_BIT, uses);
  vulkan->CmdCopyBuffer(submission->commands, from, to, 1, &region);
  taichi_aot_vulkan_barrier(vulkan, submission->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, all,
                            uses);
  code = taichi_aot_vulkan_flush(context, TAICHI_AOT_BUSY_COPIES);
  return code != 0 ? code : taichi_aot_vulkan_submit(vulkan, submission);
}
