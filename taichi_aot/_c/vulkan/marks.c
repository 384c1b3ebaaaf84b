/* Marks on Vulkan: a submission after all others on the queue, which signals a fence. Its commands are recorded once: they make
 * the device's writes visible to the host, and may write a time stamp. */

#include "core/clock.h"
#include "core/wait.h"
#include "vulkan/device.h"

#include <stdio.h>

typedef struct mark_state {
  VkFence fence;
  VkCommandBuffer commands;
  VkQueryPool times;
  uint64_t is_ready; /* the commands are recorded */
} mark_state;

_Static_assert(sizeof(mark_state) <= sizeof(((taichi_aot_point *)0)->own), "the state fits");

static mark_state *mark_state_of(const taichi_aot_point *point) { return (mark_state *)(uintptr_t)point->own; }

static VkResult record(const taichi_aot_vulkan *vulkan, const mark_state *state) {
  const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, NULL, 0, NULL};
  const VkMemoryBarrier memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, VK_ACCESS_MEMORY_WRITE_BIT,
                                  VK_ACCESS_HOST_READ_BIT};
  VkResult result = vulkan->BeginCommandBuffer(state->commands, &begin);
  if (result != VK_SUCCESS) return result;
  vulkan->CmdPipelineBarrier(state->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &memory,
                             0, NULL, 0, NULL);
  if (state->times != NULL) taichi_aot_vulkan_write_time(vulkan, state->commands, state->times);
  return vulkan->EndCommandBuffer(state->commands);
}

static int create_fence(const taichi_aot_vulkan *vulkan, mark_state *state) {
  const VkFenceCreateInfo fence = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, NULL, 0};
  const VkResult result =
      state->fence == NULL ? vulkan->CreateFence(vulkan->device, &fence, NULL, &state->fence) : VK_SUCCESS;
  return taichi_aot_vulkan_error("vkCreateFence", result);
}

/* Makes what a submission of its own needs, once. After a failure the next mark tries the rest. */
static int prepare(const taichi_aot_vulkan *vulkan, const taichi_aot_point *point) {
  const VkCommandBufferAllocateInfo buffers = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, vulkan->commands,
                                               VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  mark_state *state = mark_state_of(point);
  VkResult result = VK_SUCCESS;
  if (state->is_ready) return 0;
  if (state->commands == NULL) result = vulkan->AllocateCommandBuffers(vulkan->device, &buffers, &state->commands);
  if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkAllocateCommandBuffers", result);
  if (point->is_timed) result = taichi_aot_vulkan_make_times(vulkan, &state->times);
  if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkCreateQueryPool", result);
  result = record(vulkan, state);
  if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkBeginCommandBuffer", result);
  state->is_ready = 1;
  return 0;
}

/* Whether a mark submits commands. Software uses the host's memory, so it needs only a fence, which is quicker. */
static int has_commands(const taichi_aot_vulkan *vulkan, const mark_state *state) {
  return !vulkan->is_software || state->times != NULL;
}

/* Makes the fence of the last submission, which lets the host see what it wrote, the mark's: the mark then costs no submission.
 * The two exchange their fences, and the time of a mark that has one. 1 where something else was begun since, or the time was not
 * noted: the mark needs its own, and the next launch notes it. */
static int take_fence(const taichi_aot_context *context, taichi_aot_vulkan *vulkan, const taichi_aot_point *point) {
  taichi_aot_submission *last = vulkan->last;
  mark_state *state = mark_state_of(point);
  vulkan->last = NULL;
  if (last == NULL || !last->pending || context->busy & TAICHI_AOT_BUSY_LIBRARY) return 1;
  if (point->is_timed) {
    const VkQueryPool times = state->times;
    vulkan->ahead.wants_time = last->only != NULL;
    if (last->number != vulkan->ahead.timed) return 1;
    state->times = last->times;
    last->times = times;
    state->is_ready = 0; /* its commands use the other */
  }
  last->mark_fence = last->fence;
  last->fence = state->fence;
  last->ticket = context->marked + 1;
  state->fence = last->mark_fence;
  return 0;
}

static int set(taichi_aot_context *context, taichi_aot_point *point) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  mark_state *state = mark_state_of(point);
  int code;
  if (point->is_timed && vulkan->time_bits == 0) {
    snprintf(taichi_aot_message, sizeof taichi_aot_message, "the queue has no time stamps");
    return taichi_aot_fail("vkCmdWriteTimestamp", (int)TI_ERROR_NOT_SUPPORTED);
  }
  code = create_fence(vulkan, state);
  if (code != 0) return code;
  if (take_fence(context, vulkan, point) == 0) return 0;
  code = prepare(vulkan, point);
  if (code == 0) code = taichi_aot_vulkan_flush(context, TAICHI_AOT_BUSY_RECORDED);
  return code != 0 ? code : taichi_aot_vulkan_queue(vulkan, has_commands(vulkan, state) ? &state->commands : NULL, state->fence);
}

/* Polls, then sleeps. */
static int ask(taichi_aot_context *context, const taichi_aot_point *point, int64_t ns) {
  const taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  const VkFence fence = mark_state_of(point)->fence;
  const int64_t begin = ns > 0 ? taichi_aot_now() : 0;
  const int64_t pause = ns < context->pause ? ns : context->pause;
  VkResult result;
  do result = vulkan->GetFenceStatus(vulkan->device, fence);
  while (result == VK_NOT_READY && pause > 0 && taichi_aot_now() - begin < pause);
  if (result == VK_NOT_READY && ns > pause)
    result = vulkan->WaitForFences(vulkan->device, 1, &fence, 1, (uint64_t)(ns - pause));
  if (result == VK_NOT_READY || result == VK_TIMEOUT) return TAICHI_AOT_UNFINISHED;
  return taichi_aot_vulkan_error("vkWaitForFences", result);
}

static int read_time(const taichi_aot_vulkan *vulkan, const taichi_aot_point *point, uint64_t *time) {
  const VkResult result = vulkan->GetQueryPoolResults(vulkan->device, mark_state_of(point)->times, 0, 1, sizeof *time, time,
                                                      sizeof *time, VK_QUERY_RESULT_64_BIT);
  return taichi_aot_vulkan_error("vkGetQueryPoolResults", result);
}

/* Time stamps of fewer than 64 bits may have gone through 0 once. */
static int elapsed(taichi_aot_context *context, const taichi_aot_point *from, const taichi_aot_point *to, double *seconds) {
  const taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  const uint32_t unused = 64 - vulkan->time_bits;
  uint64_t first, last;
  int code = read_time(vulkan, from, &first);
  if (code == 0) code = read_time(vulkan, to, &last);
  if (code == 0) *seconds = (double)((int64_t)((last - first) << unused) >> unused) * vulkan->time_unit * 1e-9;
  return code;
}

static void destroy(taichi_aot_context *context, taichi_aot_point *point) {
  const taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  const mark_state *state = mark_state_of(point);
  if (state->fence != NULL) vulkan->DestroyFence(vulkan->device, state->fence, NULL);
  if (state->times != NULL) vulkan->DestroyQueryPool(vulkan->device, state->times, NULL);
}

const taichi_aot_marker taichi_aot_vulkan_marker = {
  .most_unreleased = 256, /* its wait costs as much as a hundred launches; each keeps some 10 KB until then */
  .set = set,
  .ask = ask,
  .elapsed = elapsed,
  .destroy = destroy,
};
