/* The recorder of Vulkan: launches as dispatches in command buffers of our own, on the device and the queue that the library
 * exports. The library makes a buffer, a descriptor set and a barrier for each launch; these stay with the launch here.
 *
 * A plan says what a kernel or graph dispatches; it is made from the module, and only if everything in it is understood
 * (formats/recording). `recorded` is what one launch keeps on the device. Each chunk of iterations is recorded anew,
 * while the device works on the chunk before, so that nothing recorded becomes invalid. */

#include "taichi_aot.h"

#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <time.h>
#endif

#define functions taichi_aot_functions

enum { ALIGNMENT = 256 };             /* the largest that Vulkan allows a device to ask of uniform buffers */
enum { TEMPORARIES_BYTES = 1 << 20 }; /* as in the library */
enum { FIRST_CHUNK = 16 };            /* iterations, before it is known how long they take */
enum { LARGEST_CHUNK = 1024 };        /* dispatches in a command buffer */
enum { SHORT = 8000000, LONG = 25000000 }; /* ns that a chunk should take */
enum { SLICE = 5000000, TURN = 50000000 }; /* ns until waiting threads, and Python's signals, are looked after */

static int64_t now(void) {
#ifdef _WIN32
  return (int64_t)GetTickCount64() * 1000000;
#else
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
#endif
}

static taichi_aot_recorded *recorded_of(const taichi_aot_sequence_item *item) {
  return item->scratch != NULL ? item->scratch->recorded : item->launch->recorded;
}

static uint32_t aligned(uint32_t size) { return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

/* Plans. */

static VkDescriptorType type_of(const taichi_aot_plan_binding *binding) {
  return binding->kind == TAICHI_AOT_BINDS_ARGUMENTS ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC
                                                     : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static VkResult create_layouts(const taichi_aot_vulkan *vulkan, taichi_aot_plan_task *task) {
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
  result = vulkan->CreateDescriptorSetLayout(vulkan->device, &set, NULL, &task->set_layout);
  if (result != VK_SUCCESS) return result;
  layout.pSetLayouts = &task->set_layout;
  return vulkan->CreatePipelineLayout(vulkan->device, &layout, NULL, &task->layout);
}

static VkResult create_pipeline(const taichi_aot_vulkan *vulkan, taichi_aot_plan_task *task) {
  const VkShaderModuleCreateInfo code = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, (size_t)task->code_size,
                                         task->code};
  VkComputePipelineCreateInfo info;
  VkShaderModule module = NULL;
  VkResult result = create_layouts(vulkan, task);
  if (result == VK_SUCCESS) result = vulkan->CreateShaderModule(vulkan->device, &code, NULL, &module);
  if (result != VK_SUCCESS) return result;
  memset(&info, 0, sizeof info);
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = task->layout;
  result = vulkan->CreateComputePipelines(vulkan->device, NULL, 1, &info, NULL, &task->pipeline);
  vulkan->DestroyShaderModule(vulkan->device, module, NULL);
  return result;
}

static void destroy_plan(const taichi_aot_vulkan *vulkan, taichi_aot_plan *plan) {
  uint32_t i, k;
  for (i = 0; i < plan->dispatch_count; ++i) {
    for (k = 0; k < plan->dispatches[i].task_count; ++k) {
      taichi_aot_plan_task *task = &plan->dispatches[i].tasks[k];
      if (task->pipeline != NULL) vulkan->DestroyPipeline(vulkan->device, task->pipeline, NULL);
      if (task->layout != NULL) vulkan->DestroyPipelineLayout(vulkan->device, task->layout, NULL);
      if (task->set_layout != NULL) vulkan->DestroyDescriptorSetLayout(vulkan->device, task->set_layout, NULL);
      task->pipeline = NULL;
      task->layout = NULL;
      task->set_layout = NULL;
    }
  }
}

/* Whether the plan can be used; the first use makes its pipelines. */
static int is_usable(taichi_aot_vulkan *vulkan, taichi_aot_plan *plan) {
  VkResult result = VK_SUCCESS;
  uint32_t i, k;
  if (plan->state != TAICHI_AOT_PLAN_NEW) return plan->state == TAICHI_AOT_PLAN_READY;
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

static void free_arguments(taichi_aot_context *context, taichi_aot_recorded *recorded) {
  const TiMemory memory = recorded->arguments;
  recorded->arguments = NULL;
  recorded->copies = 0;
  if (memory == NULL) return;
  if (recorded->mapped != NULL) functions.ti_unmap_memory(context->ti_runtime, memory);
  recorded->mapped = NULL;
  functions.ti_free_memory(context->ti_runtime, memory);
}

/* Room for the arguments of so many iterations in each slot. */
static int allocate_arguments(taichi_aot_context *context, taichi_aot_recorded *recorded, uint32_t copies) {
  TiMemoryAllocateInfo info;
  if (copies <= recorded->copies) return 1;
  free_arguments(context, recorded);
  memset(&info, 0, sizeof info);
  info.size = (uint64_t)recorded->plan->stride * copies * TAICHI_AOT_REPLAYS;
  info.host_write = TI_TRUE;
  info.usage = TI_MEMORY_USAGE_UNIFORM_BIT;
  recorded->arguments = functions.ti_allocate_memory(context->ti_runtime, &info);
  if (recorded->arguments == NULL) return 0;
  recorded->mapped = (char *)functions.ti_map_memory(context->ti_runtime, recorded->arguments);
  if (recorded->mapped == NULL) return 0;
  recorded->copies = copies;
  recorded->version = -1;
  return 1;
}

static VkResult allocate_sets(taichi_aot_vulkan *vulkan, taichi_aot_recorded *recorded) {
  const taichi_aot_plan *plan = recorded->plan;
  const VkDescriptorPoolSize sizes[2] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, plan->binding_count + 1},
                                         {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, plan->task_count}};
  const VkDescriptorPoolCreateInfo pool = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, plan->task_count, 2,
                                           sizes};
  VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, NULL, 1, NULL};
  uint32_t i, k, next = 0;
  VkResult result = vulkan->CreateDescriptorPool(vulkan->device, &pool, NULL, &recorded->pool);
  for (i = 0; i < plan->dispatch_count; ++i) {
    for (k = 0; k < plan->dispatches[i].task_count && result == VK_SUCCESS; ++k, ++next) {
      info.descriptorPool = recorded->pool;
      info.pSetLayouts = &plan->dispatches[i].tasks[k].set_layout;
      result = vulkan->AllocateDescriptorSets(vulkan->device, &info, &recorded->sets[next]);
    }
  }
  return result;
}

/* Waits until the device has done all chunks: what they use may then change. */
static int finish(taichi_aot_vulkan *vulkan) {
  size_t i;
  int code = 0;
  for (i = 0; i < TAICHI_AOT_REPLAYS; ++i) {
    const int failed = taichi_aot_vulkan_wait(vulkan, &vulkan->replays[i]);
    if (failed != 0) code = failed;
  }
  return code;
}

static void release(taichi_aot_context *context, taichi_aot_recorded *recorded) {
  taichi_aot_vulkan *vulkan = context->vulkan;
  if (recorded->pool != NULL) vulkan->DestroyDescriptorPool(vulkan->device, recorded->pool, NULL);
  recorded->pool = NULL;
  free_arguments(context, recorded);
  free(recorded->sets);
  recorded->sets = NULL;
  if (recorded->previous != NULL) *recorded->previous = recorded->next;
  if (recorded->next != NULL) recorded->next->previous = recorded->previous;
  recorded->previous = NULL;
  recorded->next = NULL;
}

/* Makes what a launch needs, once. */
static int create(taichi_aot_context *context, taichi_aot_recorded *recorded) {
  taichi_aot_vulkan *vulkan = context->vulkan;
  if (recorded->previous != NULL) return 1;
  recorded->previous = &vulkan->recorded;
  recorded->next = vulkan->recorded;
  if (recorded->next != NULL) recorded->next->previous = &recorded->next;
  vulkan->recorded = recorded;
  recorded->sets = (VkDescriptorSet *)calloc(recorded->plan->task_count, sizeof *recorded->sets);
  if (recorded->sets != NULL && allocate_sets(vulkan, recorded) == VK_SUCCESS) return 1;
  release(context, recorded);
  return 0;
}

/* For finalizers: BUSY if it would have to wait for another thread and may not. May be called again. */
int taichi_aot_recorded_free(taichi_aot_runtime *runtime, taichi_aot_recorded *recorded, int32_t may_wait) {
  const int flags = TAICHI_AOT_ENTER_CLOSING | TAICHI_AOT_ENTER_ON_DEVICE | (may_wait ? TAICHI_AOT_ENTER_MAY_WAIT : 0);
  const int status = taichi_aot_enter_with(runtime, flags);
  if (status != 0) return status;
  if (recorded->previous != NULL) {
    finish(runtime->context->vulkan);
    release(runtime->context, recorded);
  }
  return taichi_aot_leave(runtime, "ti_free_memory");
}

/* Before the device is destroyed. */
void taichi_aot_recorder_destroy(taichi_aot_context *context) {
  taichi_aot_vulkan *vulkan = context->vulkan;
  finish(vulkan);
  while (vulkan->recorded != NULL) release(context, vulkan->recorded);
  while (vulkan->plans != NULL) {
    destroy_plan(vulkan, vulkan->plans);
    vulkan->plans->state = TAICHI_AOT_PLAN_UNUSABLE;
    vulkan->plans = vulkan->plans->next;
  }
  if (vulkan->temporaries != NULL) functions.ti_free_memory(context->ti_runtime, vulkan->temporaries);
  vulkan->temporaries = NULL;
}

/* Arguments. */

/* The array or result that is an argument of the launch: C arguments get theirs only when the library launches. */
static const TiNdArray *array_of(const taichi_aot_launch *launch, uint32_t source) {
  uint32_t i;
  if (launch->result != NULL && source == launch->argument_count - 1) return &launch->result->ti_ndarray;
  for (i = 0; launch->array_arguments[i] != source;) ++i;
  return &launch->arrays[i]->ti_ndarray;
}

/* Writes the argument struct of a dispatch, as its code reads it. */
static void write_arguments(char *target, const taichi_aot_plan_dispatch *dispatch, const taichi_aot_launch *launch) {
  uint32_t i;
  for (i = 0; i < dispatch->argument_count; ++i) {
    const taichi_aot_plan_argument *argument = &dispatch->arguments[i];
    const TiArgument *source = taichi_aot_argument_of(launch, argument->source);
    char *at = target + argument->offset;
    if (argument->kind == TAICHI_AOT_ARGUMENT_VALUE)
      memcpy(at, &source->value, argument->count);
    else if (argument->kind == TAICHI_AOT_ARGUMENT_WORDS)
      memcpy(at, source->value.tensor.contents.data.x8, argument->count);
    else
      memcpy(at, array_of(launch, argument->source)->shape.dims, (size_t)argument->count * 4);
  }
}

/* The number of groups for a loop as long as the program says of these arguments: code strides over what is left. */
static uint32_t groups_of(const taichi_aot_plan_task *task, const char *arguments) {
  uint32_t stack[TAICHI_AOT_DEEPEST], top = 0, i, a, b;
  int32_t length;
  for (i = 0; i + 1 < task->length_count; i += 2) {
    const int32_t operation = task->length[i], operand = task->length[i + 1];
    if (operation == TAICHI_AOT_LENGTH_CONSTANT) {
      stack[top++] = (uint32_t)operand;
      continue;
    }
    if (operation == TAICHI_AOT_LENGTH_LOAD) {
      memcpy(&stack[top++], arguments + operand, 4);
      continue;
    }
    b = stack[--top];
    a = stack[top - 1];
    if (operation == TAICHI_AOT_LENGTH_ADD) a += b;
    else if (operation == TAICHI_AOT_LENGTH_SUBTRACT) a -= b;
    else if (operation == TAICHI_AOT_LENGTH_MULTIPLY) a *= b;
    else if (operation == TAICHI_AOT_LENGTH_SHIFT) a <<= b & 31;
    else if (operation == TAICHI_AOT_LENGTH_SMALLEST) a = (int32_t)a < (int32_t)b ? a : b;
    else a = (int32_t)a > (int32_t)b ? a : b;
    stack[top - 1] = a;
  }
  if (top != 1) return task->groups;
  length = (int32_t)stack[0];
  if (length <= (int32_t)task->block) return 1;
  a = ((uint32_t)length - 1) / task->block + 1;
  return a < task->groups ? a : task->groups;
}

static VkBuffer temporaries_of(taichi_aot_context *context) {
  taichi_aot_vulkan *vulkan = context->vulkan;
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

/* Points the descriptor sets to the buffers of the launch's present arguments; the device uses none of them. */
static int write_sets(taichi_aot_context *context, taichi_aot_recorded *recorded, const taichi_aot_launch *launch) {
  taichi_aot_vulkan *vulkan = context->vulkan;
  const VkBuffer arguments = taichi_aot_vulkan_buffer(context, recorded->arguments);
  uint32_t i, k, n, next = 0;
  for (i = 0; i < recorded->plan->dispatch_count; ++i) {
    const taichi_aot_plan_dispatch *dispatch = &recorded->plan->dispatches[i];
    for (k = 0; k < dispatch->task_count; ++k, ++next) {
      const taichi_aot_plan_task *task = &dispatch->tasks[k];
      VkDescriptorBufferInfo buffers[TAICHI_AOT_MOST_BINDINGS];
      VkWriteDescriptorSet writes[TAICHI_AOT_MOST_BINDINGS];
      memset(writes, 0, sizeof writes);
      for (n = 0; n < task->binding_count; ++n) {
        const taichi_aot_plan_binding *binding = &task->bindings[n];
        buffers[n].offset = 0;
        buffers[n].range = UINT64_MAX;
        if (binding->kind == TAICHI_AOT_BINDS_ARGUMENTS) {
          buffers[n].buffer = arguments;
          buffers[n].range = dispatch->argument_bytes;
        } else if (binding->kind == TAICHI_AOT_BINDS_TEMPORARIES) {
          buffers[n].buffer = temporaries_of(context);
        } else {
          buffers[n].buffer = taichi_aot_vulkan_buffer(context, array_of(launch, binding->source)->memory);
        }
        if (buffers[n].buffer == NULL) return 0;
        writes[n].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        writes[n].dstSet = recorded->sets[next];
        writes[n].dstBinding = binding->binding;
        writes[n].descriptorCount = 1;
        writes[n].descriptorType = type_of(binding);
        writes[n].pBufferInfo = &buffers[n];
      }
      vulkan->UpdateDescriptorSets(vulkan->device, task->binding_count, writes, 0, NULL);
    }
  }
  return 1;
}

/* Brings what the device has of a launch up to date with its arguments, for chunks of so many iterations. */
static int refresh(taichi_aot_context *context, taichi_aot_recorded *recorded, const taichi_aot_launch *launch,
                   uint32_t copies) {
  uint32_t i, at = 0;
  if (recorded->version == launch->version && recorded->copies >= copies) return 1;
  if (finish(context->vulkan) != 0) return 0;
  if (!create(context, recorded) || !allocate_arguments(context, recorded, copies)) return 0;
  if (!write_sets(context, recorded, launch)) return 0;
  for (i = 0; i < recorded->plan->dispatch_count; ++i) {
    write_arguments(recorded->mapped + at, &recorded->plan->dispatches[i], launch);
    at += aligned(recorded->plan->dispatches[i].argument_bytes);
  }
  recorded->version = launch->version;
  return 1;
}

/* Chunks. */

static void barrier(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, VkPipelineStageFlags from,
                    VkAccessFlags written, VkPipelineStageFlags to, VkAccessFlags used) {
  const VkMemoryBarrier memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, written, used};
  vulkan->CmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, NULL, 0, NULL);
}

static void record_launch(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, const taichi_aot_recorded *recorded,
                          uint32_t copy) {
  uint32_t i, k, next = 0, at = copy * recorded->plan->stride;
  for (i = 0; i < recorded->plan->dispatch_count; ++i) {
    const taichi_aot_plan_dispatch *dispatch = &recorded->plan->dispatches[i];
    for (k = 0; k < dispatch->task_count; ++k, ++next) {
      const taichi_aot_plan_task *task = &dispatch->tasks[k];
      vulkan->CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, task->pipeline);
      if (task->binding_count > 0)
        vulkan->CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, task->layout, 0, 1, &recorded->sets[next],
                                      task->takes_arguments, &at);
      vulkan->CmdDispatch(commands, groups_of(task, recorded->mapped + at), 1, 1);
      barrier(vulkan, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
              VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    }
    at += aligned(dispatch->argument_bytes);
  }
}

/* Records and submits iterations `first` to `first + n - 1`, in a slot that the device has done. */
static int submit(taichi_aot_context *context, const taichi_aot_sequence_item *items, uint32_t count, int64_t first,
                  uint32_t n, uint32_t slot) {
  taichi_aot_vulkan *vulkan = context->vulkan;
  taichi_aot_submission *replay = &vulkan->replays[slot];
  uint32_t i, k;
  int code = taichi_aot_vulkan_begin(vulkan, replay);
  if (code != 0) return code;
  barrier(vulkan, replay->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
          VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
  for (k = 0; k < n; ++k) {
    for (i = 0; i < count; ++i) {
      taichi_aot_recorded *recorded = recorded_of(&items[i]);
      uint32_t copy = 0;
      if (items[i].scratch != NULL) {
        const taichi_aot_launch *launch = taichi_aot_launch_of(&items[i], first + k);
        uint32_t d, at;
        copy = slot * recorded->copies + k;
        at = copy * recorded->plan->stride;
        for (d = 0; d < recorded->plan->dispatch_count; ++d) {
          write_arguments(recorded->mapped + at, &recorded->plan->dispatches[d], launch);
          at += aligned(recorded->plan->dispatches[d].argument_bytes);
        }
      }
      record_launch(vulkan, replay->commands, recorded, copy);
    }
  }
  barrier(vulkan, replay->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
          VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT,
          VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT);
  if (context->busy & TAICHI_AOT_BUSY_LIBRARY) { /* what it has recorded comes first */
    functions.ti_flush(context->ti_runtime);
    context->busy &= ~TAICHI_AOT_BUSY_LIBRARY;
  }
  context->busy |= TAICHI_AOT_BUSY_REPLAYS;
  return taichi_aot_vulkan_submit(vulkan, replay);
}

/* Whether all launches can be recorded, and are up to date for chunks of so many iterations. A launch with a closed array
 * cannot: the library makes those before it. */
static int prepare(taichi_aot_context *context, const taichi_aot_sequence_item *items, uint32_t count, uint32_t chunk) {
  uint32_t i;
  for (i = 0; i < count; ++i) {
    taichi_aot_recorded *recorded = recorded_of(&items[i]);
    if (taichi_aot_launch_check(items[i].launch) != 0 || !is_usable(context->vulkan, recorded->plan)) return 0;
    if (!refresh(context, recorded, taichi_aot_launch_of(&items[i], 0), items[i].scratch != NULL ? chunk : 1)) return 0;
  }
  return 1;
}

/* Whether the device has done a chunk; waits a slice of time for it. */
static int is_done(taichi_aot_vulkan *vulkan, taichi_aot_submission *replay, int *code) {
  VkResult result;
  if (!replay->pending) return 1;
  result = vulkan->WaitForFences(vulkan->device, 1, &replay->fence, 1, SLICE);
  if (result == VK_TIMEOUT) {
    replay->was_awaited = 1;
    return 0;
  }
  *code = taichi_aot_vulkan_wait(vulkan, replay);
  return 1;
}

/* The next size of a chunk, after one that is done: it should take the device some milliseconds. How long this one took is
 * known if it was waited for, and at most as long as it seems otherwise. */
static uint32_t next_chunk(taichi_aot_vulkan *vulkan, const taichi_aot_submission *replay, uint32_t chunk,
                           uint32_t largest) {
  const int64_t finished = now();
  const int64_t taken = finished - (vulkan->finished > replay->begun ? vulkan->finished : replay->begun);
  vulkan->finished = finished;
  if (replay->begun == 0) return chunk;
  if (taken < SHORT) return chunk <= largest / 2 ? 2 * chunk : largest;
  return taken > LONG && replay->was_awaited && chunk > 1 ? chunk / 2 : chunk;
}

static uint32_t dispatches_of(const taichi_aot_sequence_item *items, uint32_t count) {
  uint32_t i, sum = 0;
  for (i = 0; i < count; ++i) sum += recorded_of(&items[i])->plan->task_count;
  return sum > 0 ? sum : 1;
}

/* As `taichi_aot_run_sequence`, with recorded launches; NOT_RECORDED if the library has to go on from `position`. `chunk` is
 * the number of iterations that are recorded at a time, which is learned. */
int taichi_aot_run_recorded(const taichi_aot_sequence_item *items, uint32_t count, int64_t repeat, uint32_t *chunk,
                            taichi_aot_position *position) {
  taichi_aot_runtime *runtime = items[0].launch->runtime;
  taichi_aot_context *context = runtime->context;
  const int64_t end = now() + TURN;
  const uint32_t dispatches = dispatches_of(items, count);
  const uint32_t largest = dispatches < LARGEST_CHUNK ? LARGEST_CHUNK / dispatches : 1;
  uint32_t i;
  int status = taichi_aot_enter(runtime), code = 0;
  if (status != 0) return status;
  if (*chunk < 1) *chunk = largest < FIRST_CHUNK ? largest : FIRST_CHUNK;
  code = taichi_aot_vulkan_open(context);
  while (code == 0 && status == 0 && position->iteration < repeat) {
    taichi_aot_vulkan *vulkan = context->vulkan;
    const uint32_t slot = vulkan->next_replay;
    taichi_aot_submission *replay = &vulkan->replays[slot];
    if (is_done(vulkan, replay, &code)) {
      const int64_t left = repeat - position->iteration;
      uint32_t n;
      if (code != 0) break;
      *chunk = next_chunk(vulkan, replay, *chunk, largest);
      n = left < (int64_t)*chunk ? (uint32_t)left : *chunk;
      if (!prepare(context, items, count, n)) {
        status = TAICHI_AOT_NOT_RECORDED;
        taichi_aot_clear_error();
        break;
      }
      code = submit(context, items, count, position->iteration, n, slot);
      if (code != 0) break;
      replay->begun = now();
      replay->was_awaited = 0;
      for (i = 0; i < count; ++i)
        if (items[i].launch->result != NULL) items[i].launch->result->is_written = 1;
      vulkan->next_replay = (slot + 1) % TAICHI_AOT_REPLAYS;
      position->iteration += n;
    }
    if (now() >= end) break;
    if (taichi_aot_waiting(context) > 0) {
      taichi_aot_leave_with(runtime, 0);
      taichi_aot_let_one_pass(context);
      status = taichi_aot_enter(runtime);
      if (status != 0) return status;
    }
  }
  code = code != 0 ? taichi_aot_leave_with(runtime, code) : taichi_aot_leave(runtime, "vkQueueSubmit");
  return status != 0 ? status : code;
}
