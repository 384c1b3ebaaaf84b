/* Command buffers of our own on the device and the queue of a context. */

#ifndef TAICHI_AOT_VULKAN_DEVICE_H
#define TAICHI_AOT_VULKAN_DEVICE_H

#include "core/context.h"
#include "core/plan.h"
#include "core/policy.h"
#include "drivers/vulkan_labels.h"

/* For C alone. */

#define TAICHI_AOT_VULKAN_FUNCTIONS(F)                                                                               \
  F(CreateImage) F(DestroyImage) F(GetImageMemoryRequirements) F(AllocateMemory) F(FreeMemory) F(CreateCommandPool)  \
  F(DestroyCommandPool) F(AllocateCommandBuffers) F(ResetCommandBuffer) F(BeginCommandBuffer) F(EndCommandBuffer)    \
  F(CreateFence) F(DestroyFence) F(ResetFences) F(GetFenceStatus) F(WaitForFences) F(QueueSubmit) F(CreateQueryPool)  \
  F(DestroyQueryPool) F(GetQueryPoolResults) F(CmdResetQueryPool) F(CmdWriteTimestamp) F(CmdPipelineBarrier)         \
  F(CmdCopyBuffer) F(CmdCopyImage) F(CmdCopyBufferToImage) F(CmdCopyImageToBuffer) F(CreateShaderModule) F(DestroyShaderModule)                       \
  F(CreateDescriptorSetLayout) F(DestroyDescriptorSetLayout) F(CreatePipelineLayout) F(DestroyPipelineLayout)        \
  F(CreateComputePipelines) F(DestroyPipeline) F(CreateDescriptorPool) F(DestroyDescriptorPool)                      \
  F(AllocateDescriptorSets) F(UpdateDescriptorSets) F(CmdBindPipeline) F(CmdBindDescriptorSets) F(CmdDispatch)       \
  F(CreateImageView) F(DestroyImageView) F(CreateSampler) F(DestroySampler)
#define TAICHI_AOT_VULKAN_LABELS(F) \
  F(CmdBeginDebugUtilsLabelEXT) F(CmdEndDebugUtilsLabelEXT) F(SetDebugUtilsObjectNameEXT)
#define TAICHI_AOT_DECLARE(name) PFN_vk##name name;

typedef struct taichi_aot_submission {
  VkCommandBuffer commands;
  VkFence fence;
  int pending;    /* submitted, and the fence has not been waited for */
  VkFence lent;   /* the fence that it signals, if that belongs to a mark, or NULL */
  int64_t ticket; /* of that mark */
} taichi_aot_submission;

/* Recorded launches alone, which are submitted several at a time. */
typedef struct taichi_aot_gathered {
  taichi_aot_submission slots[TAICHI_AOT_GATHERS];
  uint32_t slot;     /* that takes the next launch */
  uint32_t launches; /* in it, which are not submitted yet */
  uint32_t size;     /* launches that it should take */
  int64_t begun;     /* ms: when it took the first */
  int64_t waited;    /* ns: for the device, before that */
  uint32_t image_count;
  struct taichi_aot_image *images[TAICHI_AOT_MOST_IMAGES]; /* that they use */
  int failure;   /* of launches that were not made, which no call has told yet */
  uint32_t lost; /* how many */
  const char *routine;
  char message[256];
} taichi_aot_gathered;

typedef struct taichi_aot_vulkan {
  VkDevice device;
  VkQueue queue;
  VkPhysicalDeviceMemoryProperties memory;
  uint32_t most_groups; /* of a dispatch */
  const int64_t *reached; /* the last mark that the device is known to have reached */
  int32_t is_software;  /* it runs on the CPU */
  uint32_t time_bits;   /* of its time stamps; 0: it has none */
  double time_unit;     /* ns */
  VkCommandPool pool;
  taichi_aot_submission submissions[2]; /* one is filled while the device works on the other */
  unsigned next;
  taichi_aot_submission *last; /* of all that was submitted, or NULL: the last were others */
  taichi_aot_submission chunks[TAICHI_AOT_CHUNKS]; /* of recorded launches */
  taichi_aot_gathered gathered;
  taichi_aot_plan *plans;
  TiMemory temporaries; /* of kernels */
  VkSampler sampler;    /* of textures */
  TAICHI_AOT_VULKAN_FUNCTIONS(TAICHI_AOT_DECLARE)
  TAICHI_AOT_VULKAN_LABELS(TAICHI_AOT_DECLARE) /* NULL unless the context is labelled, and the instance has them */
} taichi_aot_vulkan;

taichi_aot_vulkan *taichi_aot_vulkan_of(const taichi_aot_context *context); /* NULL before `open` */
int taichi_aot_vulkan_open(taichi_aot_context *context);
int taichi_aot_vulkan_try_image(const taichi_aot_vulkan *vulkan, const VkImageCreateInfo *info);
int taichi_aot_vulkan_begin(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission);
int taichi_aot_vulkan_flush(taichi_aot_context *context, int32_t begun);
int taichi_aot_vulkan_submit(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission);
int taichi_aot_vulkan_wait(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission);
int taichi_aot_vulkan_wait_for(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission, int64_t ns); /* or UNFINISHED */
int taichi_aot_vulkan_finish(taichi_aot_context *context); /* wait for all of them */
void taichi_aot_vulkan_close(taichi_aot_context *context);
int taichi_aot_vulkan_error(const char *routine, VkResult result);
int taichi_aot_vulkan_count_memory(taichi_aot_context *context, taichi_aot_memory_numbers *numbers);
taichi_aot_submission *taichi_aot_vulkan_next(taichi_aot_vulkan *vulkan); /* of copies */
void taichi_aot_vulkan_barrier(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, VkPipelineStageFlags from,
                               VkAccessFlags written, VkPipelineStageFlags to, VkAccessFlags used);
int taichi_aot_vulkan_copy_memory(taichi_aot_context *context, TiMemory target, uint64_t target_offset, TiMemory source,
                                  uint64_t source_offset, uint64_t size);
VkBuffer taichi_aot_vulkan_buffer(taichi_aot_context *context, TiMemory memory);

#endif
