/* Launches as dispatches in command buffers. Pipelines stay with their plans; arguments and descriptor sets belong to the
 * command buffer that uses them. */

#include "vulkan/launch.h"

#include "core/wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPIRV_HEADER = 5, SPIRV_MEMORY_BARRIER = 225 }; /* in words; an opcode */
enum { SEVERAL = 4, MOST_ITERATIONS = 1 << 14 }; /* elements that code does at a time; of a thread on CPUs, see below */
enum { TEMPORARIES_BYTES = 1 << 20, RETURNS_BYTES = 1 << 16, SCRATCH_BYTES = 1 << 20 }; /* the first as in the library */
/* Where code finds the number of tasks that have drawn random numbers, and the word that a seed sets, in the temporaries. */
enum { COUNT_AT = 4 * 1024, SEED_AT = TEMPORARIES_BYTES - 8 };

/* The objects of a task. */
typedef struct task_state {
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
} task_state;

/* What a launch binds of a task. */
typedef struct bound_task {
  VkDescriptorSet set;
  const taichi_aot_plan_code *code;
} bound_task;

/* What a launch keeps. */
typedef struct launch_state {
  char *arguments;       /* those of the last dispatches that were recorded */
  bound_task *tasks; /* with sets in the arena of that number, and a copy of the arguments at an offset */
  char *host;            /* the same copy */
  uint64_t arena;
  uint32_t offset;
  uint32_t copies; /* of the arguments, one after the other */
  uint32_t made;   /* single launches, as far as the policy counts them */
} launch_state;

_Static_assert(sizeof(task_state) <= sizeof(((taichi_aot_plan_task *)0)->own), "the state of a task fits");
_Static_assert(sizeof(launch_state) <= sizeof(((taichi_aot_recorded *)0)->own), "the state of a launch fits");

static task_state *made_of(const taichi_aot_plan_task *task) { return (task_state *)(uintptr_t)task->own; }

static launch_state *launch_state_of(const taichi_aot_recorded *recorded) { return (launch_state *)(uintptr_t)recorded->own; }

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

static VkPipeline pipeline_of(const taichi_aot_plan_code *code) { return (VkPipeline)(uintptr_t)code->own; }

/* Copies SPIR-V without its memory barriers; returns the words of the copy. */
static size_t copy_without_barriers(uint32_t *copy, const uint32_t *words, size_t count) {
  size_t at, length, copied = 0;
  for (at = 0; at < count; at += length) {
    length = at == 0 ? SPIRV_HEADER : words[at] >> 16;
    if (length == 0 || length > count - at) length = count - at;
    if ((words[at] & 0xFFFF) == SPIRV_MEMORY_BARRIER) continue;
    memcpy(copy + copied, words + at, length * sizeof *words);
    copied += length;
  }
  return copied;
}

/* Makes the shader of a code: 0 or an error code. Lavapipe lets threads wait for each other at a memory barrier, and once
 * those with fewer of them have ended, drops the others. Its atomic operations order memory by themselves. */
static int make_shader(const taichi_aot_vulkan *vulkan, const taichi_aot_plan_code *code, VkShaderModule *made) {
  VkShaderModuleCreateInfo shader = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, (size_t)code->size, code->words};
  uint32_t *copy = NULL;
  VkResult result;
  if (vulkan->is_lavapipe) {
    copy = (uint32_t *)malloc((size_t)code->size);
    if (copy == NULL) return taichi_aot_no_memory("the code of a kernel");
    shader.pCode = copy;
    shader.codeSize = sizeof *copy * copy_without_barriers(copy, code->words, (size_t)code->size / sizeof *copy);
  }
  result = vulkan->CreateShaderModule(vulkan->device, &shader, NULL, made);
  free(copy);
  return result == VK_SUCCESS ? 0 : taichi_aot_vulkan_error("vkCreateShaderModule", result);
}

/* Makes the pipeline of a code, once: 0 or an error code. */
static int make_pipeline(const taichi_aot_vulkan *vulkan, const taichi_aot_plan_task *task, taichi_aot_plan_code *code) {
  VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT, .pName = "main"}};
  VkPipeline made = NULL;
  VkResult result;
  int status;
  if (code->own != 0) return 0;
  status = make_shader(vulkan, code, &info.stage.module);
  if (status != 0) return status;
  info.layout = made_of(task)->layout;
  result = vulkan->CreateComputePipelines(vulkan->device, NULL, 1, &info, NULL, &made);
  vulkan->DestroyShaderModule(vulkan->device, info.stage.module, NULL);
  if (result != VK_SUCCESS) return taichi_aot_vulkan_error("vkCreateComputePipelines", result);
  taichi_aot_vulkan_name(vulkan, VK_OBJECT_TYPE_PIPELINE, made, task->name);
  code->own = (uint64_t)(uintptr_t)made;
  return 0;
}

static void destroy_plan(const taichi_aot_vulkan *vulkan, taichi_aot_plan *plan) {
  uint32_t i, k;
  for (i = 0; i < plan->task_count; ++i) {
    task_state *made = made_of(&plan->tasks[i]);
    for (k = 0; k < plan->tasks[i].code_count; ++k) {
      taichi_aot_plan_code *code = &plan->tasks[i].codes[k];
      if (code->own != 0) vulkan->DestroyPipeline(vulkan->device, pipeline_of(code), NULL);
      code->own = 0;
    }
    if (made->layout != NULL) vulkan->DestroyPipelineLayout(vulkan->device, made->layout, NULL);
    if (made->set_layout != NULL) vulkan->DestroyDescriptorSetLayout(vulkan->device, made->set_layout, NULL);
    memset(made, 0, sizeof *made);
  }
}

/* Makes the layouts of a plan, once: 0 or an error code. */
static int make_plan(taichi_aot_vulkan *vulkan, taichi_aot_plan *plan) {
  VkResult result = VK_SUCCESS;
  uint32_t i, n;
  if (plan->state == TAICHI_AOT_PLAN_READY) return 0;
  for (i = 0; i < plan->task_count && result == VK_SUCCESS; ++i) {
    const taichi_aot_plan_task *task = &plan->tasks[i];
    if (task->length_count == 0 && task->groups > vulkan->most_groups) {
      destroy_plan(vulkan, plan);
      snprintf(taichi_aot_message, sizeof taichi_aot_message, "%s has %u groups, and the device takes at most %u", task->name,
               task->groups, vulkan->most_groups);
      return taichi_aot_fail("vkCmdDispatch", (int)TI_ERROR_ARGUMENT_OUT_OF_RANGE);
    }
    result = create_layouts(vulkan, task, made_of(task));
    for (n = 0; n < task->binding_count; ++n) plan->has_textures |= is_texture(&task->bindings[n]);
  }
  if (result != VK_SUCCESS) {
    destroy_plan(vulkan, plan);
    return taichi_aot_vulkan_error("vkCreatePipelineLayout", result);
  }
  plan->state = TAICHI_AOT_PLAN_READY;
  plan->next = vulkan->plans;
  vulkan->plans = plan;
  return 0;
}

/* Before the device is destroyed. */
void taichi_aot_vulkan_destroy_plans(taichi_aot_context *context) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  while (vulkan->plans != NULL) {
    destroy_plan(vulkan, vulkan->plans);
    vulkan->plans->state = TAICHI_AOT_PLAN_NEW;
    vulkan->plans = vulkan->plans->next;
  }
  if (vulkan->temporaries != NULL) taichi_aot_vulkan_retire(vulkan, vulkan->temporaries);
  if (vulkan->returns != NULL) taichi_aot_vulkan_retire(vulkan, vulkan->returns);
  if (vulkan->scratch != NULL) taichi_aot_vulkan_retire(vulkan, vulkan->scratch);
  vulkan->temporaries = vulkan->returns = vulkan->scratch = NULL;
  if (vulkan->sampler != NULL) vulkan->DestroySampler(vulkan->device, vulkan->sampler, NULL);
  vulkan->sampler = NULL;
}

/* What a launch keeps. */

static void free_recorded(taichi_aot_context *context, taichi_aot_kept *kept) {
  taichi_aot_recorded *recorded = (taichi_aot_recorded *)kept;
  launch_state *state = launch_state_of(recorded);
  uint32_t i;
  for (i = 0; i < TAICHI_AOT_GATHERS; ++i) {
    taichi_aot_submission *slot = &taichi_aot_vulkan_of(context)->gathered.slots[i];
    if (slot->only == recorded) slot->only = NULL;
  }
  free(state->arguments);
  free(state->tasks);
  state->arguments = NULL;
  state->tasks = NULL;
  recorded->version = -1;
}

/* Creates what recording a launch needs: 0 or an error code. */
int taichi_aot_vulkan_make(taichi_aot_runtime *runtime, taichi_aot_recorded *recorded) {
  launch_state *state = launch_state_of(recorded);
  const int code = make_plan(taichi_aot_vulkan_of(runtime->context), recorded->plan);
  if (code != 0 || recorded->kept.previous != NULL) return code;
  state->tasks = (bound_task *)calloc((size_t)recorded->plan->task_count + 1, sizeof *state->tasks);
  state->arguments = (char *)calloc((size_t)recorded->plan->stride + 1, 1);
  if (state->tasks == NULL || state->arguments == NULL) {
    free_recorded(runtime->context, &recorded->kept);
    return taichi_aot_no_memory("the arguments of a launch");
  }
  taichi_aot_keep(runtime, &recorded->kept, free_recorded);
  return 0;
}

/* Returns zeroed memory that all launches share, allocated on first use. */
static int find_shared(taichi_aot_context *context, taichi_aot_vulkan_memory **shared, uint64_t size, const char *name,
                       VkBuffer *result) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  if (*shared == NULL) {
    taichi_aot_vulkan_memory *made;
    int code = taichi_aot_vulkan_allocate_buffer(vulkan, size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                                 TAICHI_AOT_VULKAN_NO_HOST, 0, &made);
    if (code != 0) return code;
    code = taichi_aot_vulkan_fill(context, made);
    if (code != 0) {
      taichi_aot_vulkan_retire(vulkan, made);
      return code;
    }
    taichi_aot_vulkan_name(vulkan, VK_OBJECT_TYPE_BUFFER, made->info.buffer, name);
    *shared = made;
  }
  *result = (*shared)->info.buffer;
  return 0;
}

/* Writes the words of random numbers to the temporaries, where tasks find them. */
static int write_seed(taichi_aot_context *context) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  taichi_aot_submission *submission = taichi_aot_vulkan_next(vulkan);
  const int code = taichi_aot_vulkan_begin(vulkan, submission);
  const VkBuffer buffer = vulkan->temporaries->info.buffer;
  if (code != 0) return code;
  taichi_aot_vulkan_barrier(vulkan, submission, VK_PIPELINE_STAGE_TRANSFER_BIT);
  vulkan->CmdFillBuffer(submission->commands, buffer, COUNT_AT, 4, vulkan->seed[0]);
  vulkan->CmdFillBuffer(submission->commands, buffer, SEED_AT, 4, vulkan->seed[1]);
  return taichi_aot_vulkan_submit(context, submission, TAICHI_AOT_BUSY_COPIES);
}

int taichi_aot_vulkan_seed(taichi_aot_runtime *runtime, const uint32_t *words) {
  const int status = taichi_aot_enter(runtime);
  taichi_aot_vulkan *vulkan;
  if (status != 0) return status;
  vulkan = taichi_aot_vulkan_of(runtime->context);
  memcpy(vulkan->seed, words, sizeof vulkan->seed);
  return taichi_aot_leave_with(runtime, vulkan->temporaries == NULL ? 0 : write_seed(runtime->context));
}

/* Memory for the temporaries of launches, each of which uses them for its own tasks, and for the words of random numbers. */
static int find_temporaries(taichi_aot_context *context, VkBuffer *result) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  const int is_new = vulkan->temporaries == NULL;
  const int code = find_shared(context, &vulkan->temporaries, TEMPORARIES_BYTES, "temporaries", result);
  return code == 0 && is_new ? write_seed(context) : code;
}

/* The sampler of all textures, as in the library: it repeats, on one mip level. */
static int sampler_of(taichi_aot_vulkan *vulkan, VkSampler *result) {
  const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                    .magFilter = VK_FILTER_LINEAR,
                                    .minFilter = VK_FILTER_LINEAR,
                                    .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR};
  VkResult code = VK_SUCCESS;
  if (vulkan->sampler == NULL) code = vulkan->CreateSampler(vulkan->device, &info, NULL, &vulkan->sampler);
  if (code != VK_SUCCESS) vulkan->sampler = NULL;
  *result = vulkan->sampler;
  return taichi_aot_vulkan_error("vkCreateSampler", code);
}

/* What a binding refers to. */
typedef union resource {
  VkDescriptorBufferInfo buffer;
  VkDescriptorImageInfo image;
} resource;

/* The image of a texture: its memory is the first member. */
static taichi_aot_image *image_of(const taichi_aot_launch *launch, uint32_t source) {
  return (taichi_aot_image *)(void *)taichi_aot_launch_array(launch, source)->memory;
}

/* Names the arrays and images of a launch after their parameters; each keeps its first name. */
void taichi_aot_vulkan_name_arrays(const taichi_aot_launch *launch) {
  taichi_aot_context *context = launch->runtime->context;
  uint32_t i;
  for (i = 0; i < launch->array_count; ++i) {
    const taichi_aot_array *array = launch->arrays[i];
    const int is_image = taichi_aot_argument_of(launch, launch->array_arguments[i])->type == TI_ARGUMENT_TYPE_TEXTURE;
    taichi_aot_memory *memory = array->memory;
    if (memory->is_named || memory->generation != array->generation) continue;
    memory->is_named = 1;
    if (is_image)
      taichi_aot_vulkan_name(taichi_aot_vulkan_of(context), VK_OBJECT_TYPE_IMAGE, ((taichi_aot_image *)memory)->info.image,
                             launch->names->arrays[i]);
    else
      taichi_aot_vulkan_name(taichi_aot_vulkan_of(context), VK_OBJECT_TYPE_BUFFER,
                             taichi_aot_vulkan_memory_of(memory)->info.buffer, launch->names->arrays[i]);
  }
}

/* Finds what a binding refers to, and creates it on first use if it is ours: 0 or an error code. */
static int find_texture(taichi_aot_context *context, const taichi_aot_plan_binding *binding,
                        const taichi_aot_launch *launch, VkDescriptorImageInfo *found) {
  int code = sampler_of(taichi_aot_vulkan_of(context), &found->sampler);
  if (code == 0) code = taichi_aot_image_view(context, image_of(launch, binding->source), &found->imageView);
  found->imageLayout = binding->kind == TAICHI_AOT_BINDS_TEXTURE ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
                                                                 : VK_IMAGE_LAYOUT_GENERAL;
  return code;
}

/* The memory that is an argument of the launch. */
static const taichi_aot_memory *memory_of(const taichi_aot_launch *launch, uint32_t source) {
  if (launch->result != NULL && source == launch->argument_count - 1) return launch->result->memory;
  return taichi_aot_launch_array(launch, source)->memory;
}

/* The memory that a launch is given for a binding: that of an array, or of fields. */
static const taichi_aot_vulkan_memory *given(const taichi_aot_launch *launch, const taichi_aot_plan_binding *binding) {
  const int is_root = binding->kind == TAICHI_AOT_BINDS_ROOT;
  return taichi_aot_vulkan_memory_of(is_root ? launch->module->trees[binding->source] : memory_of(launch, binding->source));
}

static int find_buffer(taichi_aot_context *context, const taichi_aot_plan_task *task, const taichi_aot_plan_binding *binding,
                       const taichi_aot_launch *launch, const taichi_aot_arguments *arguments,
                       VkDescriptorBufferInfo *found) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  found->offset = 0;
  found->range = UINT64_MAX;
  switch (binding->kind) {
    case TAICHI_AOT_BINDS_ARGUMENTS:
      found->buffer = arguments->buffer;
      found->range = task->dispatch->argument_bytes;
      return 0;
    case TAICHI_AOT_BINDS_TEMPORARIES:
      return find_temporaries(context, &found->buffer);
    case TAICHI_AOT_BINDS_RETURNS:
      return find_shared(context, &vulkan->returns, RETURNS_BYTES, "returns", &found->buffer);
    case TAICHI_AOT_BINDS_SCRATCH:
      return find_shared(context, &vulkan->scratch, SCRATCH_BYTES, "scratch", &found->buffer);
    default:
      found->buffer = given(launch, binding)->info.buffer;
      return 0;
  }
}

/* Whether two are different memory. An application may have several buffers for one. */
static int is_apart(const TiVulkanMemoryInteropInfo *a, const TiVulkanMemoryInteropInfo *b) {
  if (a->buffer == b->buffer) return 0;
  return a->memory == NULL || a->memory != b->memory || a->offset + a->size <= b->offset || b->offset + b->size <= a->offset;
}

/* Whether a code is for the device and for what the launch binds. */
static int is_for_launch(const taichi_aot_vulkan *vulkan, const taichi_aot_plan_task *task, const taichi_aot_plan_code *code,
                         const taichi_aot_launch *launch) {
  uint32_t i;
  if (code->threads == TAICHI_AOT_THREADS_OF_SEVERAL && vulkan->is_software) return 0;
  for (i = 0; i < code->apart_count; ++i) {
    const uint32_t *pair = code->apart + 2 * i;
    if (!is_apart(&given(launch, &task->bindings[pair[0]])->info, &given(launch, &task->bindings[pair[1]])->info)) return 0;
  }
  return 1;
}

/* Picks the code for what the launch binds, and makes its pipeline: 0 or an error code. */
static int pick_code(const taichi_aot_vulkan *vulkan, const taichi_aot_plan_task *task, const taichi_aot_launch *launch,
                     bound_task *bound) {
  uint32_t i = 0;
  while (!is_for_launch(vulkan, task, &task->codes[i], launch)) ++i;
  bound->code = &task->codes[i];
  return make_pipeline(vulkan, task, &task->codes[i]);
}

/* Makes the descriptor set of a task, and picks its code: 0 or an error code. */
static int bind_task(taichi_aot_context *context, taichi_aot_arena *arena, const taichi_aot_plan_task *task,
                     const taichi_aot_launch *launch, const taichi_aot_arguments *arguments, bound_task *bound) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  resource resources[TAICHI_AOT_MOST_BINDINGS];
  VkWriteDescriptorSet writes[TAICHI_AOT_MOST_BINDINGS];
  uint32_t counts[TAICHI_AOT_DESCRIPTOR_TYPES] = {0}, n;
  int code = 0;
  if (task->binding_count == 0) return pick_code(vulkan, task, launch, bound);
  memset(writes, 0, task->binding_count * sizeof *writes);
  for (n = 0; n < task->binding_count && code == 0; ++n) {
    const taichi_aot_plan_binding *binding = &task->bindings[n];
    writes[n].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[n].dstBinding = binding->binding;
    writes[n].descriptorCount = 1;
    writes[n].descriptorType = type_of(binding);
    counts[taichi_aot_arena_index(writes[n].descriptorType)] += 1;
    if (is_texture(binding)) {
      code = find_texture(context, binding, launch, &resources[n].image);
      writes[n].pImageInfo = &resources[n].image;
    } else {
      code = find_buffer(context, task, binding, launch, arguments, &resources[n].buffer);
      writes[n].pBufferInfo = &resources[n].buffer;
    }
  }
  if (code == 0) code = pick_code(vulkan, task, launch, bound);
  if (code == 0) code = taichi_aot_arena_take_set(vulkan, arena, made_of(task)->set_layout, counts, &bound->set);
  if (code != 0) return code;
  for (n = 0; n < task->binding_count; ++n) writes[n].dstSet = bound->set;
  vulkan->UpdateDescriptorSets(vulkan->device, task->binding_count, writes, 0, NULL);
  return 0;
}

/* How often a launch was made by itself, for the policy. */
uint32_t *taichi_aot_vulkan_made(const taichi_aot_recorded *recorded) { return &launch_state_of(recorded)->made; }

/* Whether the device has the addresses that code takes. Those of an application's buffers it may not have. */
static int check_addresses(const taichi_aot_plan *plan, const taichi_aot_launch *launch) {
  uint32_t i, k;
  for (i = 0; i < plan->dispatch_count; ++i) {
    for (k = 0; k < plan->dispatches[i].argument_count; ++k) {
      const taichi_aot_plan_argument *argument = &plan->dispatches[i].arguments[k];
      if (argument->kind != TAICHI_AOT_ARGUMENT_ADDRESS || memory_of(launch, argument->source)->device != 0) continue;
      snprintf(taichi_aot_message, sizeof taichi_aot_message, "argument %u is a buffer without an address", argument->source);
      return taichi_aot_fail("vkGetBufferDeviceAddress", (int)TI_ERROR_NOT_SUPPORTED);
    }
  }
  return 0;
}

/* Whether an arena has a launch with its present arguments. */
int taichi_aot_vulkan_is_placed(const taichi_aot_arena *arena, const taichi_aot_recorded *recorded,
                                const taichi_aot_launch *launch, uint32_t copies) {
  const launch_state *state = launch_state_of(recorded);
  return state->arena == arena->number && recorded->version == launch->version && !launch->is_call && state->copies >= copies;
}

/* Writes the arguments of a launch into an arena, with room for those of so many iterations, and makes its descriptor sets, unless
 * they are there. 0 or an error code. */
int taichi_aot_vulkan_place(taichi_aot_context *context, taichi_aot_arena *arena, taichi_aot_recorded *recorded,
                            const taichi_aot_launch *launch, uint32_t copies) {
  launch_state *state = launch_state_of(recorded);
  const taichi_aot_plan *plan = recorded->plan;
  taichi_aot_arguments arguments;
  uint32_t i;
  int code;
  if (taichi_aot_vulkan_is_placed(arena, recorded, launch, copies)) return 0;
  code = check_addresses(plan, launch);
  if (code != 0) return code;
  state->arena = 0; /* until all is made */
  code = taichi_aot_write_arguments(state->arguments, plan, launch);
  if (code != 0) return code;
  code = taichi_aot_arena_take_arguments(taichi_aot_vulkan_of(context), arena, plan->stride * copies, &arguments);
  for (i = 0; i < plan->task_count && code == 0; ++i)
    code = bind_task(context, arena, &plan->tasks[i], launch, &arguments, &state->tasks[i]);
  if (code != 0) return code;
  memcpy(arguments.host, state->arguments, plan->stride);
  state->host = arguments.host;
  state->offset = arguments.offset;
  state->copies = copies;
  state->arena = arena->number;
  recorded->version = launch->version;
  return 0;
}

/* Writes the arguments of an iteration into one of the copies: 0 or TOO_LONG. */
int taichi_aot_vulkan_write_copy(const taichi_aot_recorded *recorded, uint32_t copy, const taichi_aot_launch *launch) {
  const launch_state *state = launch_state_of(recorded);
  const uint32_t stride = recorded->plan->stride;
  const int code = taichi_aot_write_arguments(state->arguments, recorded->plan, launch);
  memcpy(state->host + (size_t)copy * stride, state->arguments, stride);
  return code;
}

/* Commands. */

/* Calls a function with each image that a launch of these uses, some more than once, until it returns a code that is not 0. */
int taichi_aot_vulkan_each_image(taichi_aot_context *context, const taichi_aot_sequence_item *items, uint32_t count,
                                 int (*act)(taichi_aot_context *context, taichi_aot_image *image)) {
  uint32_t i, k, n;
  int code = 0;
  for (i = 0; i < count; ++i) {
    const taichi_aot_plan *plan = taichi_aot_recorded_of(&items[i])->plan;
    if (!plan->has_textures) continue;
    for (k = 0; k < plan->task_count; ++k) {
      const taichi_aot_plan_task *task = &plan->tasks[k];
      for (n = 0; n < task->binding_count && code == 0; ++n)
        if (is_texture(&task->bindings[n])) code = act(context, image_of(items[i].launch, task->bindings[n].source));
    }
  }
  return code;
}

/* Returns an upper bound of the images that a launch uses. */
uint32_t taichi_aot_vulkan_count_images(const taichi_aot_sequence_item *item) {
  const taichi_aot_plan *plan = taichi_aot_recorded_of(item)->plan;
  return plan->has_textures ? plan->binding_count : 0;
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

/* The most groups of a task. Loads in flight are what bandwidth is, so loops over elements take more threads than the device holds
 * at a time. But a group that starts takes as long as some elements of a simple loop. Mesa's devices on CPUs end the loops of a
 * thread after 65,535 iterations in all: no more may fall to one than as compiled. */
static uint32_t most_groups_of(const taichi_aot_vulkan *vulkan, const taichi_aot_plan_task *task, uint32_t threads,
                               const char *arguments) {
  const uint32_t full = vulkan->resident / task->block, most = vulkan->most_threads / task->block;
  if (threads == TAICHI_AOT_THREADS_AS_COMPILED) return task->groups;
  if (threads == TAICHI_AOT_THREADS_RESIDENT && vulkan->is_software)
    return full + (uint32_t)(taichi_aot_all_groups_of(task, arguments) / MOST_ITERATIONS);
  if (threads == TAICHI_AOT_THREADS_RESIDENT) return full;
  if (vulkan->is_software) return task->groups > most ? task->groups : most;
  if (threads == TAICHI_AOT_THREADS_RESIDENT_IN_LOOPS) return full;
  if (threads == TAICHI_AOT_THREADS_OF_SEVERAL) {
    const uint32_t several = taichi_aot_groups_of(task, arguments, most * SEVERAL) / SEVERAL;
    return several > full ? several : full;
  }
  return most;
}

static uint32_t groups_of(const taichi_aot_vulkan *vulkan, const taichi_aot_plan_task *task, uint32_t threads,
                          const char *arguments) {
  uint32_t most;
  if (task->length_count == 0) return task->groups;
  most = most_groups_of(vulkan, task, threads, arguments);
  if (most == 0) most = 1;
  return taichi_aot_groups_of(task, arguments, most < vulkan->most_groups ? most : vulkan->most_groups);
}

void taichi_aot_vulkan_record(const taichi_aot_vulkan *vulkan, taichi_aot_submission *target, const taichi_aot_launch *launch,
                              const taichi_aot_recorded *recorded, uint32_t copy) {
  const VkCommandBuffer commands = target->commands;
  const launch_state *state = launch_state_of(recorded);
  uint32_t i;
  if (launch->names != NULL) taichi_aot_vulkan_begin_label(vulkan, commands, launch->names->launch);
  for (i = 0; i < recorded->plan->task_count; ++i) {
    const taichi_aot_plan_task *task = &recorded->plan->tasks[i];
    const bound_task *bound = &state->tasks[i];
    const uint32_t at = state->offset + copy * recorded->plan->stride + task->dispatch->at;
    taichi_aot_vulkan_barrier(vulkan, target, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    use_images(vulkan, commands, task, launch);
    vulkan->CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_of(bound->code));
    if (task->binding_count > 0)
      vulkan->CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, made_of(task)->layout, 0, 1, &bound->set,
                                    task->takes_arguments, &at);
    vulkan->CmdDispatch(commands, groups_of(vulkan, task, bound->code->threads, state->arguments + task->dispatch->at), 1, 1);
  }
  if (launch->names != NULL) taichi_aot_vulkan_end_label(vulkan, commands, launch->names->launch);
}
