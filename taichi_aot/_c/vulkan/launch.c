/* Launches as dispatches in command buffers of our own, on the device that the library exports. The library makes a buffer, a
 * descriptor set and a barrier for each launch; these stay with the launch here. */

#include "vulkan/launch.h"

#include "core/wait.h"

#include <stdlib.h>
#include <string.h>

#define functions taichi_aot_functions

enum { TEMPORARIES_BYTES = 1 << 20 }; /* as in the library */

/* The usage of the buffer of a root, as in the library. */
#define ROOT_USAGE (VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)

/* What is made of a task. */
typedef struct task_state {
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  VkPipeline pipeline;
} task_state;

/* What a launch keeps. */
typedef struct launch_state {
  TiMemory arguments;
  char *host;      /* where the host writes them */
  uint32_t copies; /* of the arguments, for each slot */
  uint32_t made;   /* launches alone, as far as the policy counts them */
  VkDescriptorPool pool;
  VkDescriptorSet *sets;
} launch_state;

_Static_assert(sizeof(task_state) <= sizeof(((taichi_aot_plan_task *)0)->own), "the state of a task fits");
_Static_assert(sizeof(launch_state) <= sizeof(((taichi_aot_recorded *)0)->own), "the state of a launch fits");

static task_state *made_of(const taichi_aot_plan_task *task) { return (task_state *)(uintptr_t)task->own; }

static launch_state *kept_of(const taichi_aot_recorded *recorded) { return (launch_state *)(uintptr_t)recorded->own; }

/* Roots. */

/* The library allocates a root, the memory of a module's fields, while it loads the module, and does not give its handle. A
 * handle is the address of an entry in a list, and the library reuses the entry that was freed last. It allocates nothing else
 * while it loads a module, so the root gets the handle that the next memory would have had. */

static TiMemory allocate_and_free(const taichi_aot_context *context) {
  TiMemoryAllocateInfo info;
  TiMemory memory;
  memset(&info, 0, sizeof info);
  info.size = sizeof(uint32_t);
  info.usage = TI_MEMORY_USAGE_STORAGE_BIT;
  memory = functions.ti_allocate_memory(context->ti_runtime, &info);
  if (memory != NULL) functions.ti_free_memory(context->ti_runtime, memory);
  return memory;
}

/* The handle that the library gives the next memory; NULL if that is not certain. */
static TiMemory next_handle(const taichi_aot_context *context) {
  const TiMemory handle = allocate_and_free(context);
  return allocate_and_free(context) == handle ? handle : NULL;
}

/* Whether a handle that was the next one is now that of a root of at least so many bytes. */
static int is_root(const taichi_aot_context *context, TiMemory handle, uint64_t size) {
  const TiMemory next = next_handle(context);
  TiVulkanMemoryInteropInfo info;
  if (next == NULL || next == handle) return 0;
  memset(&info, 0, sizeof info);
  functions.ti_export_vulkan_memory(context->ti_runtime, handle, &info);
  return info.buffer != NULL && info.size >= size && info.usage == ROOT_USAGE;
}

static int can_find_root(const taichi_aot_context *context, uint64_t size) {
  const int is_used = size > 0 && context->loads == 0 && !context->is_adopted; /* kernels use that of the first module */
  return is_used && functions.ti_allocate_memory != NULL && functions.ti_free_memory != NULL &&
         functions.ti_export_vulkan_memory != NULL;
}

void taichi_aot_vulkan_load(taichi_aot_context *context, const void *archive, uint64_t size, uint64_t root_size,
                            taichi_aot_module *module) {
  const TiMemory next = can_find_root(context, root_size) ? next_handle(context) : NULL;
  taichi_aot_clear_error();
  module->ti_module = functions.ti_create_aot_module(context->ti_runtime, archive, size);
  if (next == NULL || taichi_aot_has_failed()) return;
  if (is_root(context, next, root_size)) module->root = next;
  taichi_aot_clear_error();
}

/* Plans. */

static VkDescriptorType type_of(const taichi_aot_plan_binding *binding) {
  switch (binding->kind) {
    case TAICHI_AOT_BINDS_ARGUMENTS: return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    case TAICHI_AOT_BINDS_TEXTURE: return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    case TAICHI_AOT_BINDS_RW_TEXTURE: return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    default: return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  }
}

static int is_texture(const taichi_aot_plan_binding *binding) {
  return binding->kind == TAICHI_AOT_BINDS_TEXTURE || binding->kind == TAICHI_AOT_BINDS_RW_TEXTURE;
}

/* The layouts in which the library has images for the same bindings. */
static TiImageLayout layout_of(const taichi_aot_plan_binding *binding) {
  return binding->kind == TAICHI_AOT_BINDS_TEXTURE ? TI_IMAGE_LAYOUT_SHADER_READ : TI_IMAGE_LAYOUT_SHADER_READ_WRITE;
}

static VkResult create_layouts(const taichi_aot_vulkan *vulkan, const taichi_aot_plan_task *task, task_state *made) {
  VkDescriptorSetLayoutBinding bindings[TAICHI_AOT_MOST_BINDINGS];
  VkDescriptorSetLayoutCreateInfo set = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0,
                                         task->binding_count, bindings};
  VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, NULL, 0, NULL};
  uint32_t i;
  VkResult result;
  memset(bindings, 0, sizeof bindings);
  for (i = 0; i < task->binding_count; ++i) {
    bindings[i].binding = task->bindings[i].binding;
    bindings[i].descriptorType = type_of(&task->bindings[i]);
    bindings[i].descriptorCount = 1;
    bindings[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  }
  result = vulkan->CreateDescriptorSetLayout(vulkan->device, &set, NULL, &made->set_layout);
  if (result != VK_SUCCESS) return result;
  layout.pSetLayouts = &made->set_layout;
  return vulkan->CreatePipelineLayout(vulkan->device, &layout, NULL, &made->layout);
}

static VkResult create_pipeline(const taichi_aot_vulkan *vulkan, const taichi_aot_plan_task *task) {
  const VkShaderModuleCreateInfo code = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, (size_t)task->code_size,
                                         task->code};
  VkComputePipelineCreateInfo info;
  task_state *made = made_of(task);
  VkShaderModule module = NULL;
  VkResult result = create_layouts(vulkan, task, made);
  if (result == VK_SUCCESS) result = vulkan->CreateShaderModule(vulkan->device, &code, NULL, &module);
  if (result != VK_SUCCESS) return result;
  memset(&info, 0, sizeof info);
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = made->layout;
  result = vulkan->CreateComputePipelines(vulkan->device, NULL, 1, &info, NULL, &made->pipeline);
  vulkan->DestroyShaderModule(vulkan->device, module, NULL);
  taichi_aot_vulkan_name(vulkan, VK_OBJECT_TYPE_PIPELINE, made->pipeline, task->name);
  return result;
}

static void destroy_plan(const taichi_aot_vulkan *vulkan, taichi_aot_plan *plan) {
  uint32_t i, k;
  for (i = 0; i < plan->dispatch_count; ++i) {
    for (k = 0; k < plan->dispatches[i].task_count; ++k) {
      task_state *made = made_of(&plan->dispatches[i].tasks[k]);
      if (made->pipeline != NULL) vulkan->DestroyPipeline(vulkan->device, made->pipeline, NULL);
      if (made->layout != NULL) vulkan->DestroyPipelineLayout(vulkan->device, made->layout, NULL);
      if (made->set_layout != NULL) vulkan->DestroyDescriptorSetLayout(vulkan->device, made->set_layout, NULL);
      memset(made, 0, sizeof *made);
    }
  }
}

/* Whether the library would dispatch a plan's groups, as many as were compiled; it refuses more than the device takes. */
int taichi_aot_vulkan_can_dispatch(const taichi_aot_vulkan *vulkan, const taichi_aot_plan *plan) {
  uint32_t i, k;
  for (i = 0; i < plan->dispatch_count; ++i) {
    for (k = 0; k < plan->dispatches[i].task_count; ++k)
      if (plan->dispatches[i].tasks[k].groups > vulkan->most_groups) return 0;
  }
  return 1;
}

/* Whether the plan can be used; the first use makes its pipelines. */
static int is_usable(taichi_aot_vulkan *vulkan, taichi_aot_plan *plan) {
  VkResult result = VK_SUCCESS;
  uint32_t i, k;
  if (plan->state != TAICHI_AOT_PLAN_NEW) return plan->state == TAICHI_AOT_PLAN_READY;
  if (!taichi_aot_vulkan_can_dispatch(vulkan, plan)) {
    plan->state = TAICHI_AOT_PLAN_UNUSABLE;
    return 0;
  }
  for (i = 0; i < plan->dispatch_count && result == VK_SUCCESS; ++i) {
    for (k = 0; k < plan->dispatches[i].task_count && result == VK_SUCCESS; ++k)
      result = create_pipeline(vulkan, &plan->dispatches[i].tasks[k]);
  }
  if (result != VK_SUCCESS) {
    destroy_plan(vulkan, plan);
    plan->state = TAICHI_AOT_PLAN_UNUSABLE;
    return 0;
  }
  plan->state = TAICHI_AOT_PLAN_READY;
  plan->next = vulkan->plans;
  vulkan->plans = plan;
  return 1;
}

/* What a launch keeps on the device. */

static void free_arguments(taichi_aot_context *context, launch_state *kept) {
  const TiMemory memory = kept->arguments;
  kept->arguments = NULL;
  kept->copies = 0;
  if (memory == NULL) return;
  if (kept->host != NULL) functions.ti_unmap_memory(context->ti_runtime, memory);
  kept->host = NULL;
  functions.ti_free_memory(context->ti_runtime, memory);
}

/* Room for the arguments of so many iterations in each slot: 0, NOT_MINE or an error code. */
static int allocate_arguments(taichi_aot_context *context, taichi_aot_recorded *recorded, uint32_t copies) {
  launch_state *kept = kept_of(recorded);
  TiMemoryAllocateInfo info;
  int code;
  if (copies <= kept->copies) return 0;
  free_arguments(context, kept);
  code = taichi_aot_read_error("ti_free_memory"); /* now: after the launch it would be the launch's */
  if (code != 0) return code;
  memset(&info, 0, sizeof info);
  info.size = (uint64_t)recorded->plan->stride * copies * TAICHI_AOT_CHUNKS;
  info.host_write = TI_TRUE;
  info.usage = TI_MEMORY_USAGE_UNIFORM_BIT;
  kept->arguments = functions.ti_allocate_memory(context->ti_runtime, &info);
  if (kept->arguments == NULL) return TAICHI_AOT_NOT_MINE;
  kept->host = (char *)functions.ti_map_memory(context->ti_runtime, kept->arguments);
  if (kept->host == NULL) return TAICHI_AOT_NOT_MINE;
  kept->copies = copies;
  recorded->version = -1;
  return 0;
}

static VkResult allocate_sets(taichi_aot_vulkan *vulkan, const taichi_aot_plan *plan, launch_state *kept) {
  const VkDescriptorPoolSize sizes[4] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, plan->binding_count + 1},
                                         {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, plan->binding_count + 1},
                                         {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, plan->binding_count + 1},
                                         {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, plan->task_count}};
  const VkDescriptorPoolCreateInfo pool = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, plan->task_count, 4,
                                           sizes};
  VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, NULL, 1, NULL};
  uint32_t i, k, next = 0;
  VkResult result = vulkan->CreateDescriptorPool(vulkan->device, &pool, NULL, &kept->pool);
  for (i = 0; i < plan->dispatch_count; ++i) {
    for (k = 0; k < plan->dispatches[i].task_count && result == VK_SUCCESS; ++k, ++next) {
      info.descriptorPool = kept->pool;
      info.pSetLayouts = &made_of(&plan->dispatches[i].tasks[k])->set_layout;
      result = vulkan->AllocateDescriptorSets(vulkan->device, &info, &kept->sets[next]);
    }
  }
  return result;
}

void taichi_aot_vulkan_free_recorded(taichi_aot_context *context, taichi_aot_recorded *recorded) {
  const taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  launch_state *kept = kept_of(recorded);
  if (kept->pool != NULL) vulkan->DestroyDescriptorPool(vulkan->device, kept->pool, NULL);
  kept->pool = NULL;
  free_arguments(context, kept);
  free(kept->sets);
  kept->sets = NULL;
}

/* Makes what a launch needs, once: 0, or NOT_MINE without memory for it. */
static int create(taichi_aot_runtime *runtime, taichi_aot_recorded *recorded) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(runtime->context);
  launch_state *kept = kept_of(recorded);
  if (recorded->previous != NULL) return 0;
  kept->sets = (VkDescriptorSet *)calloc(recorded->plan->task_count, sizeof *kept->sets);
  if (kept->sets != NULL && allocate_sets(vulkan, recorded->plan, kept) == VK_SUCCESS) {
    taichi_aot_keep_recorded(runtime, recorded);
    return 0;
  }
  taichi_aot_vulkan_free_recorded(runtime->context, recorded);
  return TAICHI_AOT_NOT_MINE;
}

/* Before the device is destroyed. */
void taichi_aot_vulkan_destroy_plans(taichi_aot_context *context) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  while (vulkan->plans != NULL) {
    destroy_plan(vulkan, vulkan->plans);
    vulkan->plans->state = TAICHI_AOT_PLAN_UNUSABLE;
    vulkan->plans = vulkan->plans->next;
  }
  if (vulkan->temporaries != NULL) functions.ti_free_memory(context->ti_runtime, vulkan->temporaries);
  vulkan->temporaries = NULL;
  if (vulkan->sampler != NULL) vulkan->DestroySampler(vulkan->device, vulkan->sampler, NULL);
  vulkan->sampler = NULL;
}

static VkBuffer temporaries_of(taichi_aot_context *context) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  if (vulkan->temporaries == NULL) {
    TiMemoryAllocateInfo info;
    memset(&info, 0, sizeof info);
    info.size = TEMPORARIES_BYTES;
    info.usage = TI_MEMORY_USAGE_STORAGE_BIT;
    vulkan->temporaries = functions.ti_allocate_memory(context->ti_runtime, &info);
    if (vulkan->temporaries == NULL) return NULL;
  }
  return taichi_aot_vulkan_buffer(context, vulkan->temporaries);
}

/* The library's only sampler. */
static VkSampler sampler_of(taichi_aot_vulkan *vulkan) {
  VkSamplerCreateInfo info;
  if (vulkan->sampler != NULL) return vulkan->sampler;
  memset(&info, 0, sizeof info); /* repeats, on one mip level */
  info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  info.magFilter = info.minFilter = VK_FILTER_LINEAR;
  info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
  if (vulkan->CreateSampler(vulkan->device, &info, NULL, &vulkan->sampler) != VK_SUCCESS) vulkan->sampler = NULL;
  return vulkan->sampler;
}

/* What a binding refers to. */
typedef union resource {
  VkDescriptorBufferInfo buffer;
  VkDescriptorImageInfo image;
} resource;

/* The image of a texture, with whose memory it begins. */
static taichi_aot_image *image_of(const taichi_aot_launch *launch, uint32_t source) {
  return (taichi_aot_image *)(uintptr_t)taichi_aot_launch_array(launch, source)->memory;
}

/* Names the arrays and images of a launch after their parameters; each keeps its first name. */
void taichi_aot_vulkan_name_arrays(const taichi_aot_launch *launch) {
  taichi_aot_context *context = launch->runtime->context;
  uint32_t i;
  if (taichi_aot_vulkan_open(context) != 0) {
    taichi_aot_clear_error();
    return;
  }
  for (i = 0; i < launch->array_count; ++i) {
    const taichi_aot_array *array = launch->arrays[i];
    const int is_image = taichi_aot_argument_of(launch, launch->array_arguments[i])->type == TI_ARGUMENT_TYPE_TEXTURE;
    taichi_aot_memory *memory = (taichi_aot_memory *)(uintptr_t)array->memory;
    if (memory->is_named || memory->generation != array->generation) continue;
    memory->is_named = 1;
    if (is_image)
      taichi_aot_vulkan_name(taichi_aot_vulkan_of(context), VK_OBJECT_TYPE_IMAGE, ((taichi_aot_image *)memory)->vk_image,
                             launch->names->arrays[i]);
    else
      taichi_aot_vulkan_name(taichi_aot_vulkan_of(context), VK_OBJECT_TYPE_BUFFER,
                             taichi_aot_vulkan_buffer(context, array->ti_ndarray.memory), launch->names->arrays[i]);
  }
}

/* Finds what a binding refers to, made for the first launch where it is ours: 0, or NOT_MINE if that fails. */
static int find_texture(taichi_aot_context *context, const taichi_aot_plan_binding *binding,
                        const taichi_aot_launch *launch, VkDescriptorImageInfo *found) {
  taichi_aot_image *image = image_of(launch, binding->source);
  found->sampler = sampler_of(taichi_aot_vulkan_of(context));
  found->imageView = taichi_aot_image_view(context, image);
  found->imageLayout = binding->kind == TAICHI_AOT_BINDS_TEXTURE ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
                                                                 : VK_IMAGE_LAYOUT_GENERAL;
  return found->sampler != NULL && found->imageView != NULL ? 0 : TAICHI_AOT_NOT_MINE;
}

/* The same for a buffer. */
static int find_buffer(taichi_aot_context *context, const taichi_aot_recorded *recorded,
                       const taichi_aot_plan_dispatch *dispatch, const taichi_aot_plan_binding *binding,
                       const taichi_aot_launch *launch, VkDescriptorBufferInfo *found) {
  uint64_t address;
  found->offset = 0;
  found->range = UINT64_MAX;
  if (binding->kind == TAICHI_AOT_BINDS_ARGUMENTS) {
    found->buffer = taichi_aot_vulkan_buffer(context, kept_of(recorded)->arguments);
    taichi_aot_vulkan_name(taichi_aot_vulkan_of(context), VK_OBJECT_TYPE_BUFFER, found->buffer, "arguments");
    found->range = dispatch->argument_bytes;
  } else if (binding->kind == TAICHI_AOT_BINDS_TEMPORARIES) {
    found->buffer = temporaries_of(context);
    taichi_aot_vulkan_name(taichi_aot_vulkan_of(context), VK_OBJECT_TYPE_BUFFER, found->buffer, "temporaries");
  } else if (binding->kind == TAICHI_AOT_BINDS_ROOT) {
    found->buffer = taichi_aot_vulkan_buffer(context, launch->module->root);
  } else {
    found->buffer = taichi_aot_vulkan_buffer(context, taichi_aot_array_of(launch, binding->source, &address)->memory);
  }
  return found->buffer != NULL ? 0 : TAICHI_AOT_NOT_MINE;
}

/* Points one descriptor set to what its bindings refer to, or leaves it as it is: 0 or NOT_MINE. */
static int write_set(taichi_aot_context *context, const taichi_aot_recorded *recorded,
                     const taichi_aot_plan_dispatch *dispatch, const taichi_aot_plan_task *task, VkDescriptorSet set,
                     const taichi_aot_launch *launch) {
  const taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  resource resources[TAICHI_AOT_MOST_BINDINGS];
  VkWriteDescriptorSet writes[TAICHI_AOT_MOST_BINDINGS];
  uint32_t n;
  int status = 0;
  memset(writes, 0, sizeof writes);
  for (n = 0; n < task->binding_count && status == 0; ++n) {
    const taichi_aot_plan_binding *binding = &task->bindings[n];
    writes[n].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[n].dstSet = set;
    writes[n].dstBinding = binding->binding;
    writes[n].descriptorCount = 1;
    writes[n].descriptorType = type_of(binding);
    if (is_texture(binding)) {
      status = find_texture(context, binding, launch, &resources[n].image);
      writes[n].pImageInfo = &resources[n].image;
    } else {
      status = find_buffer(context, recorded, dispatch, binding, launch, &resources[n].buffer);
      writes[n].pBufferInfo = &resources[n].buffer;
    }
  }
  if (status == 0) vulkan->UpdateDescriptorSets(vulkan->device, task->binding_count, writes, 0, NULL);
  return status;
}

/* Points the descriptor sets to what the launch's present arguments are: 0 or NOT_MINE. The device uses none of the sets. */
static int write_sets(taichi_aot_context *context, const taichi_aot_recorded *recorded, const taichi_aot_launch *launch) {
  uint32_t i, k, next = 0;
  int status = 0;
  for (i = 0; i < recorded->plan->dispatch_count; ++i) {
    const taichi_aot_plan_dispatch *dispatch = &recorded->plan->dispatches[i];
    for (k = 0; k < dispatch->task_count && status == 0; ++k, ++next)
      status = write_set(context, recorded, dispatch, &dispatch->tasks[k], kept_of(recorded)->sets[next], launch);
  }
  return status;
}

/* How often a launch was made alone, for the policy. */
uint32_t *taichi_aot_vulkan_made(const taichi_aot_recorded *recorded) { return &kept_of(recorded)->made; }

/* Whether the device has a launch as it is, for chunks of so many iterations. */
int taichi_aot_vulkan_is_current(const taichi_aot_recorded *recorded, const taichi_aot_launch *launch, uint32_t copies) {
  return recorded->version == launch->version && kept_of(recorded)->copies >= copies;
}

/* Brings what the device has of a launch up to date: 0, NOT_MINE, UNFINISHED or an error code. Nothing is left to be
 * submitted. */
int taichi_aot_vulkan_refresh(taichi_aot_runtime *runtime, taichi_aot_recorded *recorded, const taichi_aot_launch *launch,
                              uint32_t copies) {
  taichi_aot_context *context = runtime->context;
  int result;
  if (!is_usable(taichi_aot_vulkan_of(context), recorded->plan)) return TAICHI_AOT_NOT_MINE;
  result = taichi_aot_settle(context, 0);
  if (result == 0) result = taichi_aot_vulkan_finish(context); /* what it uses may then change */
  if (result != 0) return result;
  if (launch->names != NULL) taichi_aot_vulkan_name_arrays(launch);
  result = create(runtime, recorded);
  if (result == 0) result = allocate_arguments(context, recorded, copies);
  if (result == 0) result = write_sets(context, recorded, launch);
  if (result != 0) return result;
  taichi_aot_write_arguments(kept_of(recorded)->host, recorded->plan, launch);
  recorded->version = launch->version;
  return 0;
}

/* Writes the arguments of an iteration, for a copy of them in a slot of chunks; its number among all copies. */
uint32_t taichi_aot_vulkan_write_copy(const taichi_aot_recorded *recorded, uint32_t slot, uint32_t k,
                                      const taichi_aot_launch *launch) {
  const uint32_t copy = slot * kept_of(recorded)->copies + k;
  taichi_aot_write_arguments(kept_of(recorded)->host + (size_t)copy * recorded->plan->stride, recorded->plan, launch);
  return copy;
}

/* Commands. */

/* Calls a function, if it is not NULL, with each image that a launch of these uses, and counts them; some come more than once. */
uint32_t taichi_aot_vulkan_each_image(taichi_aot_context *context, const taichi_aot_sequence_item *items, uint32_t count,
                                      void (*act)(taichi_aot_context *context, taichi_aot_image *image)) {
  uint32_t i, d, k, n, found = 0;
  for (i = 0; i < count; ++i) {
    const taichi_aot_plan *plan = taichi_aot_recorded_of(&items[i])->plan;
    for (d = 0; d < plan->dispatch_count; ++d) {
      for (k = 0; k < plan->dispatches[d].task_count; ++k) {
        const taichi_aot_plan_task *task = &plan->dispatches[d].tasks[k];
        for (n = 0; n < task->binding_count; ++n) {
          if (!is_texture(&task->bindings[n])) continue;
          if (act != NULL) act(context, image_of(items[i].launch, task->bindings[n].source));
          found += 1;
        }
      }
    }
  }
  return found;
}

static void use_images(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, const taichi_aot_plan_task *task,
                       const taichi_aot_launch *launch) {
  uint32_t n;
  for (n = 0; n < task->binding_count; ++n) {
    const taichi_aot_plan_binding *binding = &task->bindings[n];
    if (is_texture(binding))
      taichi_aot_image_use(vulkan, commands, image_of(launch, binding->source), layout_of(binding));
  }
}

void taichi_aot_vulkan_record(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, const taichi_aot_launch *launch,
                              const taichi_aot_recorded *recorded, uint32_t copy) {
  const launch_state *kept = kept_of(recorded);
  uint32_t i, k, next = 0, at = copy * recorded->plan->stride;
  if (launch->names != NULL) taichi_aot_vulkan_begin_label(vulkan, commands, launch->names->launch);
  for (i = 0; i < recorded->plan->dispatch_count; ++i) {
    const taichi_aot_plan_dispatch *dispatch = &recorded->plan->dispatches[i];
    for (k = 0; k < dispatch->task_count; ++k, ++next) {
      const taichi_aot_plan_task *task = &dispatch->tasks[k];
      use_images(vulkan, commands, task, launch);
      vulkan->CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, made_of(task)->pipeline);
      if (task->binding_count > 0)
        vulkan->CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, made_of(task)->layout, 0, 1,
                                      &kept->sets[next], task->takes_arguments, &at);
      vulkan->CmdDispatch(commands, taichi_aot_groups_of(task, kept->host + at), 1, 1);
      taichi_aot_vulkan_barrier(vulkan, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    }
    at += taichi_aot_argument_room(dispatch);
  }
  if (launch->names != NULL) taichi_aot_vulkan_end_label(vulkan, commands, launch->names->launch);
}
