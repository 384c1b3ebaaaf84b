/* Arenas of command buffers. They grow to their command buffer's needs, and fill from front to back. */

#include "vulkan/arena.h"

#include <stdlib.h>

enum { ARGUMENT_BYTES = 1 << 16, SETS = 128 };

/* How many descriptors of each type a pool has: enough for several sets of any task. */
static const VkDescriptorPoolSize sizes[TAICHI_AOT_DESCRIPTOR_TYPES] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4 * SETS},
                                                                        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, SETS},
                                                                        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, SETS},
                                                                        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, SETS}};

_Static_assert(SETS >= TAICHI_AOT_MOST_BINDINGS, "a pool has room for any set");

/* A buffer for arguments, or a pool of descriptor sets. */
typedef struct taichi_aot_arena_part {
  struct taichi_aot_arena_part *next;
  taichi_aot_vulkan_memory *memory;
  uint32_t used; /* bytes */
  VkDescriptorPool pool;
  uint32_t sets;
  uint32_t left[TAICHI_AOT_DESCRIPTOR_TYPES];
} part;

uint32_t taichi_aot_arena_index(VkDescriptorType type) {
  uint32_t i = 0;
  while (sizes[i].type != type) ++i;
  return i;
}

static void fill(part *p) {
  uint32_t i;
  p->sets = SETS;
  for (i = 0; i < TAICHI_AOT_DESCRIPTOR_TYPES; ++i) p->left[i] = sizes[i].descriptorCount;
}

/* The device has finished the submission, whose launches need nothing now. */
int taichi_aot_arena_begin(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission) {
  taichi_aot_arena *arena = submission->arena;
  part *p;
  if (arena == NULL) arena = submission->arena = (taichi_aot_arena *)calloc(1, sizeof *arena);
  if (arena == NULL) return taichi_aot_no_memory("the arguments of launches");
  arena->number = ++vulkan->arenas;
  for (p = arena->arguments; p != NULL; p = p->next) p->used = 0;
  for (p = arena->sets; p != NULL; p = p->next) {
    if (p->sets == SETS) continue;
    (void)vulkan->ResetDescriptorPool(vulkan->device, p->pool, 0); /* it never fails */
    fill(p);
  }
  arena->next_arguments = arena->arguments;
  arena->next_sets = arena->sets;
  return 0;
}

/* Adds a part to the end of a list. */
static part *add(part **list) {
  part *p = (part *)calloc(1, sizeof *p);
  while (*list != NULL) list = &(*list)->next;
  *list = p;
  return p;
}

static void remove_last(part **list) {
  while ((*list)->next != NULL) list = &(*list)->next;
  free(*list);
  *list = NULL;
}

int taichi_aot_arena_take_arguments(taichi_aot_vulkan *vulkan, taichi_aot_arena *arena, uint32_t size,
                                    taichi_aot_arguments *result) {
  part *p = arena->next_arguments;
  while (p != NULL && p->memory->info.size - p->used < size) p = p->next;
  if (p == NULL) {
    int code;
    p = add(&arena->arguments);
    if (p == NULL) return taichi_aot_no_memory("the arguments of launches");
    code = taichi_aot_vulkan_allocate_buffer(vulkan, size > ARGUMENT_BYTES ? size : ARGUMENT_BYTES,
                                             VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, TAICHI_AOT_VULKAN_HOST_WRITES, 0,
                                             &p->memory);
    if (code != 0) {
      remove_last(&arena->arguments);
      return code;
    }
  }
  arena->next_arguments = p;
  result->buffer = p->memory->info.buffer;
  result->offset = p->used;
  result->host = p->memory->host + p->used;
  p->used += size;
  return 0;
}

static int has_room(const part *p, const uint32_t *counts) {
  uint32_t i;
  if (p->sets == 0) return 0;
  for (i = 0; i < TAICHI_AOT_DESCRIPTOR_TYPES; ++i)
    if (p->left[i] < counts[i]) return 0;
  return 1;
}

static VkResult create_pool(const taichi_aot_vulkan *vulkan, part *p) {
  const VkDescriptorPoolCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, SETS,
                                           TAICHI_AOT_DESCRIPTOR_TYPES, sizes};
  fill(p);
  return vulkan->CreateDescriptorPool(vulkan->device, &info, NULL, &p->pool);
}

/* `counts`: how many descriptors of each type the layout has. */
int taichi_aot_arena_take_set(taichi_aot_vulkan *vulkan, taichi_aot_arena *arena, VkDescriptorSetLayout layout,
                              const uint32_t *counts, VkDescriptorSet *result) {
  VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, NULL, 1, &layout};
  part *p = arena->next_sets;
  VkResult code;
  uint32_t i;
  while (p != NULL && !has_room(p, counts)) p = p->next;
  if (p == NULL) {
    p = add(&arena->sets);
    if (p == NULL) return taichi_aot_no_memory("the arguments of launches");
    code = create_pool(vulkan, p);
    if (code != VK_SUCCESS) {
      remove_last(&arena->sets);
      return taichi_aot_vulkan_error("vkCreateDescriptorPool", code);
    }
  }
  arena->next_sets = p;
  info.descriptorPool = p->pool;
  code = vulkan->AllocateDescriptorSets(vulkan->device, &info, result);
  if (code != VK_SUCCESS) return taichi_aot_vulkan_error("vkAllocateDescriptorSets", code);
  p->sets -= 1;
  for (i = 0; i < TAICHI_AOT_DESCRIPTOR_TYPES; ++i) p->left[i] -= counts[i];
  return 0;
}

/* The device has finished. */
void taichi_aot_arena_destroy(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission) {
  taichi_aot_arena *arena = submission->arena;
  part *p, *next;
  submission->arena = NULL;
  if (arena == NULL) return;
  for (p = arena->arguments; p != NULL; p = next) {
    next = p->next;
    taichi_aot_vulkan_retire(vulkan, p->memory);
    free(p);
  }
  for (p = arena->sets; p != NULL; p = next) {
    next = p->next;
    vulkan->DestroyDescriptorPool(vulkan->device, p->pool, NULL);
    free(p);
  }
  free(arena);
}
