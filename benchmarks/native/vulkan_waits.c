/* Waits with Vulkan alone, on the queue of a runtime: a shared library that waits/drivers.py loads.
 *
 * Each run submits a command buffer with one dispatch of an empty shader, and waits for it: by polling its fence, by
 * waiting for the fence, or by waiting for the queue. One more variant waits for the idle queue. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "drivers/vulkan_commands.h"

typedef VkResult (*GetFenceStatus)(VkDevice, VkFence);
typedef VkResult (*QueueWaitIdle)(VkQueue);

enum { NOT_READY = 1 };

/* SPIR-V 1.0, a word count and an opcode at a time: void main() {} in groups of one thread. */
#define OP(words, opcode) ((words) << 16 | (opcode))
static const uint32_t EMPTY_SHADER[] = {0x07230203, 0x10000, 0, 5, 0,         /* ids below 5 */
                                        OP(2, 17), 1,                         /* the capability Shader */
                                        OP(3, 14), 0, 1,                      /* the memory model */
                                        OP(5, 15), 5, 1, 0x6e69616d, 0,       /* entry point 1, "main" */
                                        OP(6, 16), 1, 17, 1, 1, 1,            /* its local size */
                                        OP(2, 19), 2,                         /* type 2: void */
                                        OP(3, 33), 3, 2,                      /* type 3: void () */
                                        OP(5, 54), 2, 1, 0, 3,                /* function 1 */
                                        OP(2, 248), 4, OP(1, 253), OP(1, 56)}; /* label, return, end */

static PFN_vkGetDeviceProcAddr get_function;
static PFN_vkQueueSubmit queue_submit;
static PFN_vkResetFences reset_fences;
static PFN_vkWaitForFences wait_for_fences;
static GetFenceStatus get_fence_status;
static QueueWaitIdle queue_wait_idle;
static VkDevice device;
static VkQueue queue;
static VkFence fence;
static VkCommandBuffer commands;

static void check(VkResult result, const char *what) {
  if (result == VK_SUCCESS) return;
  fprintf(stderr, "%s: VkResult %d\n", what, result);
  exit(1);
}

static PFN_vkVoidFunction function(const char *name) {
  PFN_vkVoidFunction found = get_function(device, name);
  if (found == NULL) check(-1, name);
  return found;
}

static VkPipeline new_pipeline(void) {
  VkShaderModuleCreateInfo shader_info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = sizeof EMPTY_SHADER, .pCode = EMPTY_SHADER};
  VkPipelineLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                .pName = "main"}};
  VkPipeline pipeline;
  PFN_vkCreateShaderModule create_shader = (PFN_vkCreateShaderModule)function("vkCreateShaderModule");
  PFN_vkCreatePipelineLayout create_layout = (PFN_vkCreatePipelineLayout)function("vkCreatePipelineLayout");
  PFN_vkCreateComputePipelines create = (PFN_vkCreateComputePipelines)function("vkCreateComputePipelines");
  check(create_shader(device, &shader_info, NULL, &info.stage.module), "vkCreateShaderModule");
  check(create_layout(device, &layout_info, NULL, &info.layout), "vkCreatePipelineLayout");
  check(create(device, NULL, 1, &info, NULL, &pipeline), "vkCreateComputePipelines");
  return pipeline;
}

static void record(uint32_t family) {
  VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = family};
  VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                      .commandBufferCount = 1};
  VkCommandBufferBeginInfo begin_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  PFN_vkCreateCommandPool create_pool = (PFN_vkCreateCommandPool)function("vkCreateCommandPool");
  PFN_vkAllocateCommandBuffers allocate = (PFN_vkAllocateCommandBuffers)function("vkAllocateCommandBuffers");
  PFN_vkBeginCommandBuffer begin = (PFN_vkBeginCommandBuffer)function("vkBeginCommandBuffer");
  PFN_vkEndCommandBuffer end = (PFN_vkEndCommandBuffer)function("vkEndCommandBuffer");
  PFN_vkCmdBindPipeline bind = (PFN_vkCmdBindPipeline)function("vkCmdBindPipeline");
  PFN_vkCmdDispatch dispatch = (PFN_vkCmdDispatch)function("vkCmdDispatch");
  check(create_pool(device, &pool_info, NULL, &info.commandPool), "vkCreateCommandPool");
  check(allocate(device, &info, &commands), "vkAllocateCommandBuffers");
  check(begin(commands, &begin_info), "vkBeginCommandBuffer");
  bind(commands, VK_PIPELINE_BIND_POINT_COMPUTE, new_pipeline());
  dispatch(commands, 1, 1, 1);
  check(end(commands), "vkEndCommandBuffer");
}

/* Prepare the waits on the device and queue of a runtime. */
void prepare(PFN_vkGetInstanceProcAddr get, VkInstance instance, VkDevice its_device, VkQueue its_queue,
             uint32_t family) {
  get_function = (PFN_vkGetDeviceProcAddr)get(instance, "vkGetDeviceProcAddr");
  device = its_device;
  queue = its_queue;
  queue_submit = (PFN_vkQueueSubmit)function("vkQueueSubmit");
  reset_fences = (PFN_vkResetFences)function("vkResetFences");
  wait_for_fences = (PFN_vkWaitForFences)function("vkWaitForFences");
  get_fence_status = (GetFenceStatus)function("vkGetFenceStatus");
  queue_wait_idle = (QueueWaitIdle)function("vkQueueWaitIdle");
  VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  check(((PFN_vkCreateFence)function("vkCreateFence"))(device, &info, NULL, &fence), "vkCreateFence");
  record(family);
}

/* Submit, with or without the fence. The last submission has ended, so the same command buffer can be used again. */
static void submit(VkFence signalled) {
  VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  if (signalled != NULL) check(reset_fences(device, 1, &fence), "vkResetFences");
  check(queue_submit(queue, 1, &info, signalled), "vkQueueSubmit");
}

void fence_polled(long count) {
  for (long i = 0; i < count; ++i) {
    submit(fence);
    VkResult result;
    do {
      result = get_fence_status(device, fence);
    } while (result == NOT_READY);
    check(result, "vkGetFenceStatus");
  }
}

void fence_waited(long count) {
  for (long i = 0; i < count; ++i) {
    submit(fence);
    check(wait_for_fences(device, 1, &fence, 1, UINT64_MAX), "vkWaitForFences");
  }
}

void queue_waited(long count) {
  for (long i = 0; i < count; ++i) {
    submit(NULL);
    check(queue_wait_idle(queue), "vkQueueWaitIdle");
  }
}

void queue_idle(long count) {
  for (long i = 0; i < count; ++i) check(queue_wait_idle(queue), "vkQueueWaitIdle");
}
