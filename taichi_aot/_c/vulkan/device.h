/* A Vulkan device, its queue, and the command buffers that a context submits there. */

#pragma once

#include "core/context.h"
#include "core/plan.h"
#include "core/policy.h"
#include "drivers/vulkan_devices.h"
#include "drivers/vulkan_labels.h"

#define TAICHI_AOT_VULKAN_LEVELS 32 /* capabilities, by their numbers in the C-API */

int taichi_aot_vulkan_describe(taichi_aot_runtime *runtime, TiVulkanRuntimeInteropInfo *info, uint32_t *levels);
int taichi_aot_vulkan_use_labels(taichi_aot_runtime *runtime);

/* For C only. */

#define TAICHI_AOT_VULKAN_FUNCTIONS(F)                                                                               \
  F(DestroyDevice) F(QueueWaitIdle) F(CreateBuffer) F(DestroyBuffer) F(GetBufferMemoryRequirements)                  \
  F(BindBufferMemory) F(BindImageMemory) F(MapMemory) F(UnmapMemory) F(ResetDescriptorPool) F(CmdFillBuffer)          \
  F(CreateImage) F(DestroyImage) F(GetImageMemoryRequirements) F(AllocateMemory) F(FreeMemory) F(CreateCommandPool)  \
  F(DestroyCommandPool) F(AllocateCommandBuffers) F(BeginCommandBuffer) F(EndCommandBuffer) F(ResetCommandBuffer)    \
  F(CreateFence) F(DestroyFence) F(ResetFences) F(GetFenceStatus) F(WaitForFences) F(QueueSubmit) F(CreateQueryPool) \
  F(DestroyQueryPool) F(GetQueryPoolResults) F(CmdResetQueryPool) F(CmdWriteTimestamp) F(CmdPipelineBarrier)         \
  F(CmdCopyBuffer) F(CmdCopyImage) F(CmdCopyBufferToImage) F(CmdCopyImageToBuffer) F(CreateShaderModule)             \
  F(DestroyShaderModule) F(CreateDescriptorSetLayout) F(DestroyDescriptorSetLayout) F(CreatePipelineLayout)          \
  F(DestroyPipelineLayout) F(CreateComputePipelines) F(DestroyPipeline) F(CreateDescriptorPool)                      \
  F(DestroyDescriptorPool) F(AllocateDescriptorSets) F(UpdateDescriptorSets) F(CmdBindPipeline)                      \
  F(CmdBindDescriptorSets) F(CmdDispatch) F(CreateImageView) F(DestroyImageView) F(CreateSampler) F(DestroySampler)
#define TAICHI_AOT_VULKAN_LABELS(F) \
  F(CmdBeginDebugUtilsLabelEXT) F(CmdEndDebugUtilsLabelEXT) F(SetDebugUtilsObjectNameEXT)
#define TAICHI_AOT_DECLARE(name) PFN_vk##name name;

struct taichi_aot_arena;
struct taichi_aot_vulkan_block;
struct taichi_aot_vulkan_memory;

typedef struct taichi_aot_submission {
  VkCommandBuffer commands;
  VkPipelineStageFlags stages; /* of its commands that waited at a barrier */
  VkFence fence;
  int pending;     /* submitted, and the fence has not been waited for */
  VkFence mark_fence; /* the fence that it signals, if that belongs to a mark, or NULL */
  int64_t ticket;  /* of that mark */
  uint64_t number; /* among all submissions */
  struct taichi_aot_arena *arena; /* what its launches use; NULL before the first */
  const struct taichi_aot_recorded *only; /* the launch, without images or names, that it consists of, or NULL */
  uint64_t copies;   /* the number of the copy ahead that it ends with, or 0 */
  int is_timed;      /* it ends by noting the time */
  int is_begun;      /* its commands have not ended: what followed the first of them failed */
  VkQueryPool times; /* for that, or NULL */
} taichi_aot_submission;

/* What users asked for after the last single launches, a copy to the host or the time of an event: the next submission does it
 * ahead. It continues as long as it is used. */
typedef struct taichi_aot_ahead {
  const struct taichi_aot_vulkan_memory *target, *source;
  VkBufferCopy region;
  uint64_t copy;    /* number of the copy that is described here */
  int wants_copy;
  int wants_time;
  uint64_t copied;  /* number of the last submission, if it ends with the copy, or 0 */
  uint64_t timed;   /* the same, if it notes its time */
} taichi_aot_ahead;

/* Single launches, outside of sequences: submitted several at a time. */
typedef struct taichi_aot_gathered {
  taichi_aot_submission *slots;
  uint32_t slot;     /* that takes the next launch */
  uint32_t launches; /* in it, which are not submitted yet */
  uint32_t size;     /* launches that it should take */
  int64_t begun;     /* ms: when it took the first */
  int64_t waited;    /* ns: for the device, before that */
  uint32_t image_count;
  struct taichi_aot_image *images[TAICHI_AOT_MOST_IMAGES]; /* that they use */
  int failure;   /* of launches that failed, not reported yet */
  uint32_t lost; /* how many */
  const char *routine;
  char message[256];
} taichi_aot_gathered;

enum { TAICHI_AOT_COPIES = 2, TAICHI_AOT_MOST_FAMILIES = 16 }; /* of queues */
enum { TAICHI_AOT_MEMORY_POOLS = 64 }; /* for buffers and for images, of each type of memory */

typedef struct taichi_aot_vulkan {
  TiVulkanRuntimeInteropInfo info;
  int32_t owns_device;
  PFN_vkDestroyInstance DestroyInstance; /* NULL unless the instance is the device's own */
  int32_t is_adopted;   /* the device is that of the TiRuntime */
  int32_t is_software;  /* it runs on the CPU */
  int32_t is_lavapipe;  /* Mesa's for the CPU */
  int32_t has_export;   /* memory can be shared with other devices and processes */
  int32_t has_addresses; /* code may take those of buffers */
  uint32_t levels[TAICHI_AOT_VULKAN_LEVELS]; /* of its capabilities */
  VkDevice device;
  VkQueue queue;
  VkPhysicalDeviceMemoryProperties memory;
  uint32_t most_groups; /* of a dispatch */
  uint32_t resident;    /* threads that it may hold at a time, about */
  uint32_t most_threads; /* of a loop over elements */
  const int64_t *reached; /* the last mark that the device is known to have reached */
  uint32_t time_bits;   /* of its time stamps; 0: it has none */
  double time_unit;     /* ns */
  struct {
    struct taichi_aot_vulkan_block *blocks[TAICHI_AOT_MEMORY_POOLS];
    struct taichi_aot_vulkan_memory *retired, **last_retired; /* freed, while the device may have used them */
    uint64_t unused; /* bytes of blocks without an allocation */
  } pool;
  VkCommandPool commands;
  /* Of copies, one of which is filled while the device works on the other; of chunks of recorded launches; of single ones. */
  taichi_aot_submission submissions[TAICHI_AOT_COPIES + TAICHI_AOT_CHUNKS + TAICHI_AOT_GATHERS];
  unsigned next; /* of copies */
  taichi_aot_submission *last; /* of all that was submitted, or NULL: the last were others */
  taichi_aot_submission *chunks;
  taichi_aot_gathered gathered;
  taichi_aot_ahead ahead;
  uint64_t submitted; /* the number of the last submission */
  uint64_t done;      /* of the last one that the device is known to have finished */
  uint64_t arenas;    /* how often one was used again */
  taichi_aot_plan *plans;
  struct taichi_aot_vulkan_memory *temporaries; /* of kernels */
  uint32_t seed[2]; /* the words of random numbers in new temporaries */
  struct taichi_aot_vulkan_memory *returns;     /* which nobody reads */
  struct taichi_aot_vulkan_memory *scratch;     /* for partial results */
  VkSampler sampler;    /* of textures */
  PFN_vkGetBufferDeviceAddress GetBufferDeviceAddress; /* NULL before Vulkan 1.2 */
  TAICHI_AOT_VULKAN_FUNCTIONS(TAICHI_AOT_DECLARE)
  TAICHI_AOT_VULKAN_LABELS(TAICHI_AOT_DECLARE) /* NULL unless the context is labelled, and the instance has them */
} taichi_aot_vulkan;

extern const taichi_aot_marker taichi_aot_vulkan_marker; /* fences, with time stamps where they are wanted */
taichi_aot_vulkan *taichi_aot_vulkan_of(const taichi_aot_context *context); /* NULL without a device */
int taichi_aot_vulkan_open(taichi_aot_context *context, const TiVulkanRuntimeInteropInfo *info);
int taichi_aot_vulkan_begin(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission);
int taichi_aot_vulkan_flush(taichi_aot_context *context, int32_t begun);
int taichi_aot_vulkan_submit(taichi_aot_context *context, taichi_aot_submission *submission, int32_t begun);
int taichi_aot_vulkan_queue(const taichi_aot_vulkan *vulkan, const VkCommandBuffer *commands, VkFence fence);
int taichi_aot_vulkan_submit_again(taichi_aot_context *context, taichi_aot_submission *submission, int32_t begun);
int taichi_aot_vulkan_wait(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission);
int taichi_aot_vulkan_wait_for(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission, int64_t ns); /* or UNFINISHED */
int taichi_aot_vulkan_finish(taichi_aot_context *context); /* wait for all of them */
int taichi_aot_vulkan_synchronize(taichi_aot_context *context); /* wait for the queue */
void taichi_aot_vulkan_look(taichi_aot_vulkan *vulkan); /* poll the device */
void taichi_aot_vulkan_close(taichi_aot_context *context);
int taichi_aot_vulkan_error(const char *routine, VkResult result);
int taichi_aot_vulkan_count_memory(taichi_aot_context *context, taichi_aot_memory_numbers *numbers);
taichi_aot_submission *taichi_aot_vulkan_next(taichi_aot_vulkan *vulkan); /* of copies */
void taichi_aot_vulkan_barrier(const taichi_aot_vulkan *vulkan, taichi_aot_submission *submission, VkPipelineStageFlags stage);
VkResult taichi_aot_vulkan_make_times(const taichi_aot_vulkan *vulkan, VkQueryPool *times); /* unless they are there */
void taichi_aot_vulkan_write_time(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, VkQueryPool times);
uint32_t taichi_aot_vulkan_families(const TiVulkanRuntimeInteropInfo *info, VkQueueFamilyProperties *families);
int taichi_aot_vulkan_find_extensions(const TiVulkanRuntimeInteropInfo *info, const char *const *names, uint32_t count,
                                      int32_t *has);
#define TAICHI_AOT_ON_INSTANCE(info, name) ((PFN_##name)taichi_aot_vulkan_function(info, #name)) /* or NULL */
/* Names for tools, by VK_EXT_debug_utils. They do nothing without a name, or if the context has no labels. Labels are nested. */
void taichi_aot_vulkan_begin_label(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, const char *name);
void taichi_aot_vulkan_end_label(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, const char *name);
void taichi_aot_vulkan_name(const taichi_aot_vulkan *vulkan, VkObjectType type, const void *handle, const char *name);
PFN_vkVoidFunction taichi_aot_vulkan_function(const TiVulkanRuntimeInteropInfo *info, const char *name); /* of the instance */
