/* The pool: blocks of device memory, split into allocations. Devices allow a few thousand blocks, and programs need tens of
 * thousands of arrays. Buffers and images have different blocks, because drivers require a distance between them.
 *
 * Freed memory is retired, and reused once the device has finished all earlier submissions. Exported memory has its own
 * block. */

#include "vulkan/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALLEST_BLOCK (UINT64_C(1) << 22)
#define LARGEST_BLOCK (UINT64_C(1) << 26)
#define KEPT (UINT64_C(64) << 20) /* bytes of blocks without an allocation */

/* A part of a block: an allocation, or free. */
typedef struct taichi_aot_memory_place {
  struct taichi_aot_vulkan_block *block;
  uint64_t offset;
  uint64_t size;
  int32_t is_free;
  struct taichi_aot_memory_place *before, *after; /* in the block */
  struct taichi_aot_memory_place *previous, *next; /* of the free ones of the block */
} place;

typedef struct taichi_aot_vulkan_block {
  VkDeviceMemory memory;
  uint64_t size;
  char *host;
  uint32_t pool;
  place *first;
  place *free;
  struct taichi_aot_vulkan_block *next; /* of the pool */
} block;

/* Memory types. */

static uint32_t count_bits(VkFlags flags) {
  uint32_t count = 0;
  for (; flags != 0; flags &= flags - 1) count += 1;
  return count;
}

/* The best of the types whose bits are set that have the required properties and a heap of that size; UINT32_MAX: none. */
static uint32_t choose_type(const taichi_aot_vulkan *vulkan, uint32_t bits, uint64_t size, int host) {
  const VkFlags known = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                        VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  const VkFlags visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  const VkFlags required = host != TAICHI_AOT_VULKAN_NO_HOST ? visible : 0;
  const VkFlags preferred = host == TAICHI_AOT_VULKAN_HOST_READS ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT
                                                                 : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  const VkFlags avoided = host == TAICHI_AOT_VULKAN_HOST_READS    ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
                          : host == TAICHI_AOT_VULKAN_HOST_WRITES ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT
                                                                  : VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
  uint32_t i, found = UINT32_MAX, most = 0;
  for (i = 0; i < vulkan->memory.memoryTypeCount; ++i) {
    const VkMemoryType *type = &vulkan->memory.memoryTypes[i];
    const VkFlags flags = type->propertyFlags;
    const uint32_t score = 8 + 4 * count_bits(flags & preferred) - count_bits(flags & avoided);
    if (!(bits >> i & 1) || (flags & required) != required || (flags & ~known) != 0 || score <= most) continue;
    if (vulkan->memory.memoryHeaps[type->heapIndex].size < size) continue;
    found = i;
    most = score;
  }
  return found;
}

/* Blocks. */

static VkResult allocate_memory(const taichi_aot_vulkan *vulkan, uint64_t size, uint32_t type, int32_t is_exported,
                                VkDeviceMemory *memory) {
  const VkExportMemoryAllocateInfo export = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, NULL,
                                             VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
  const VkMemoryAllocateFlagsInfo flags = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                           is_exported && vulkan->has_export ? &export : NULL,
                                           vulkan->has_addresses ? VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT : 0, 0};
  const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, vulkan->has_addresses ? &flags : flags.pNext, size,
                                     type};
  return vulkan->AllocateMemory(vulkan->device, &info, NULL, memory);
}

static int is_visible(const taichi_aot_vulkan *vulkan, uint32_t type) {
  const VkFlags flags = vulkan->memory.memoryTypes[type].propertyFlags;
  return (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) && (flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
}

static void link_free(place *p) {
  p->is_free = 1;
  p->previous = NULL;
  p->next = p->block->free;
  if (p->next != NULL) p->next->previous = p;
  p->block->free = p;
}

static void unlink_free(place *p) {
  p->is_free = 0;
  if (p->previous != NULL)
    p->previous->next = p->next;
  else
    p->block->free = p->next;
  if (p->next != NULL) p->next->previous = p->previous;
}

/* Adds a free place to a block, behind another one, or at the front. */
static void add_place(place *p, block *b, place *before, uint64_t offset, uint64_t size) {
  p->block = b;
  p->offset = offset;
  p->size = size;
  p->before = before;
  p->after = before != NULL ? before->after : b->first;
  *(before != NULL ? &before->after : &b->first) = p;
  if (p->after != NULL) p->after->before = p;
  link_free(p);
}

static void destroy_block(taichi_aot_vulkan *vulkan, block *b) {
  block **link = &vulkan->pool.blocks[b->pool];
  while (*link != b) link = &(*link)->next;
  *link = b->next;
  vulkan->pool.unused -= b->size;
  vulkan->FreeMemory(vulkan->device, b->memory, NULL); /* which also unmaps it */
  free(b->first);
  free(b);
}

static int is_unused(const block *b) { return b->first->is_free && b->first->after == NULL; }

/* Frees empty blocks, until at most `most` bytes of them are left. */
static void free_blocks(taichi_aot_vulkan *vulkan, uint64_t most) {
  uint32_t i;
  for (i = 0; i < TAICHI_AOT_MEMORY_POOLS; ++i) {
    block *b = vulkan->pool.blocks[i], *next;
    for (; b != NULL && vulkan->pool.unused > most; b = next) {
      next = b->next;
      if (is_unused(b)) destroy_block(vulkan, b);
    }
  }
}

static uint64_t block_size(const taichi_aot_vulkan *vulkan, uint32_t pool, uint64_t size) {
  uint64_t wanted = SMALLEST_BLOCK;
  const block *b;
  for (b = vulkan->pool.blocks[pool]; b != NULL && wanted < LARGEST_BLOCK; b = b->next) wanted *= 2;
  return size > wanted ? size : wanted;
}

/* Adds a block of at least `size` bytes to a pool. */
static VkResult add_block(taichi_aot_vulkan *vulkan, uint32_t pool, uint64_t size) {
  const uint32_t type = pool / 2;
  block *b = (block *)calloc(1, sizeof *b);
  place *p = (place *)calloc(1, sizeof *p);
  VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
  if (b != NULL && p != NULL) {
    b->size = block_size(vulkan, pool, size);
    result = allocate_memory(vulkan, b->size, type, 0, &b->memory);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY) { /* what is kept may be in its way */
      free_blocks(vulkan, 0);
      b->size = size;
      result = allocate_memory(vulkan, b->size, type, 0, &b->memory);
    }
  }
  if (result == VK_SUCCESS && is_visible(vulkan, type)) {
    result = vulkan->MapMemory(vulkan->device, b->memory, 0, ~UINT64_C(0), 0, (void **)&b->host);
    if (result != VK_SUCCESS) vulkan->FreeMemory(vulkan->device, b->memory, NULL);
  }
  if (result != VK_SUCCESS) {
    free(b);
    free(p);
    return result;
  }
  b->pool = pool;
  add_place(p, b, NULL, 0, b->size);
  b->next = vulkan->pool.blocks[pool];
  vulkan->pool.blocks[pool] = b;
  vulkan->pool.unused += b->size;
  return VK_SUCCESS;
}

/* Takes the bytes from `offset` on from a free place: 0, or a failure without memory for the note of what is left. */
static int split(place *p, uint64_t offset, uint64_t size) {
  const uint64_t ahead = offset - p->offset, behind = p->size - ahead - size;
  place *head = ahead > 0 ? (place *)calloc(1, sizeof *head) : NULL;
  place *tail = behind > 0 ? (place *)calloc(1, sizeof *tail) : NULL;
  if ((ahead > 0 && head == NULL) || (behind > 0 && tail == NULL)) {
    free(head);
    free(tail);
    return -1;
  }
  unlink_free(p);
  if (head != NULL) add_place(head, p->block, p->before, p->offset, ahead);
  if (tail != NULL) add_place(tail, p->block, p, offset + size, behind);
  p->offset = offset;
  p->size = size;
  return 0;
}

/* The first place of a pool with room for an allocation, taken; NULL if it has none. */
static place *take(taichi_aot_vulkan *vulkan, uint32_t pool, uint64_t size, uint64_t alignment) {
  block *b;
  place *p;
  for (b = vulkan->pool.blocks[pool]; b != NULL; b = b->next) {
    for (p = b->free; p != NULL; p = p->next) {
      const uint64_t offset = (p->offset + alignment - 1) / alignment * alignment;
      const int was_unused = is_unused(b);
      if (offset + size > p->offset + p->size) continue;
      if (split(p, offset, size) != 0) return NULL;
      if (was_unused) vulkan->pool.unused -= b->size;
      return p;
    }
  }
  return NULL;
}

static void join_next(place *p) {
  place *next = p->after;
  p->size += next->size;
  p->after = next->after;
  if (p->after != NULL) p->after->before = p;
  unlink_free(next);
  free(next);
}

static void give_back(taichi_aot_vulkan *vulkan, place *p) {
  link_free(p);
  if (p->after != NULL && p->after->is_free) join_next(p);
  if (p->before != NULL && p->before->is_free) {
    p = p->before;
    join_next(p);
  }
  if (!is_unused(p->block)) return;
  vulkan->pool.unused += p->block->size;
  if (vulkan->pool.unused > KEPT) destroy_block(vulkan, p->block);
}

/* Allocations. */

static void release(taichi_aot_vulkan *vulkan, taichi_aot_vulkan_memory *memory) {
  if (memory->view != NULL) vulkan->DestroyImageView(vulkan->device, memory->view, NULL);
  if (memory->image != NULL) vulkan->DestroyImage(vulkan->device, memory->image, NULL);
  if (memory->info.buffer != NULL && !memory->is_imported)
    vulkan->DestroyBuffer(vulkan->device, memory->info.buffer, NULL);
  if (memory->place != NULL)
    give_back(vulkan, memory->place);
  else if (memory->info.memory != NULL && !memory->is_imported)
    vulkan->FreeMemory(vulkan->device, memory->info.memory, NULL);
  free(memory);
}

/* Returns retired memory that the device has finished with. */
static void reclaim(taichi_aot_vulkan *vulkan) {
  if (vulkan->pool.retired == NULL) return;
  if (vulkan->pool.retired->number > vulkan->done) taichi_aot_vulkan_look(vulkan);
  while (vulkan->pool.retired != NULL && vulkan->pool.retired->number <= vulkan->done) {
    taichi_aot_vulkan_memory *memory = vulkan->pool.retired;
    vulkan->pool.retired = memory->next;
    if (memory->next == NULL) vulkan->pool.last_retired = &vulkan->pool.retired;
    release(vulkan, memory);
  }
}

/* Frees an allocation once the device has finished all earlier submissions. */
void taichi_aot_vulkan_retire(taichi_aot_vulkan *vulkan, taichi_aot_vulkan_memory *memory) {
  taichi_aot_ahead *ahead = &vulkan->ahead;
  if (memory == ahead->target || memory == ahead->source) {
    ahead->target = ahead->source = NULL;
    ahead->wants_copy = 0;
  }
  memory->number = vulkan->submitted;
  memory->next = NULL;
  *vulkan->pool.last_retired = memory;
  vulkan->pool.last_retired = &memory->next;
  reclaim(vulkan);
}

/* Lets code take the addresses of buffers that are allocated from now on. */
int taichi_aot_vulkan_use_addresses(taichi_aot_vulkan *vulkan) {
  uint32_t i;
  if (vulkan->has_addresses) return 0;
  vulkan->has_addresses = vulkan->GetBufferDeviceAddress != NULL;
  for (i = 0; i < TAICHI_AOT_MEMORY_POOLS; ++i)
    if (vulkan->pool.blocks[i] != NULL) vulkan->has_addresses = 0;
  if (vulkan->has_addresses) return 0;
  snprintf(taichi_aot_message, sizeof taichi_aot_message, "memory was allocated without addresses, or the device has none");
  return taichi_aot_fail("vkGetBufferDeviceAddress", (int)TI_ERROR_NOT_SUPPORTED);
}

void taichi_aot_vulkan_free_all(taichi_aot_vulkan *vulkan) {
  vulkan->done = vulkan->submitted;
  reclaim(vulkan);
  free_blocks(vulkan, 0);
}

/* Takes a place, of a new block if the pool has no room. */
static VkResult take_or_add(taichi_aot_vulkan *vulkan, uint32_t pool, const VkMemoryRequirements *needs, place **taken) {
  VkResult result = VK_SUCCESS;
  *taken = take(vulkan, pool, needs->size, needs->alignment);
  if (*taken == NULL) result = add_block(vulkan, pool, needs->size);
  if (*taken == NULL && result == VK_SUCCESS) *taken = take(vulkan, pool, needs->size, needs->alignment);
  return *taken == NULL && result == VK_SUCCESS ? VK_ERROR_OUT_OF_HOST_MEMORY : result;
}

/* Finds memory for a buffer or an image: a part of a block, or with `is_exported` memory of its own. */
static VkResult find_memory(taichi_aot_vulkan *vulkan, const VkMemoryRequirements *needs, int host, int32_t is_exported,
                            int is_image, taichi_aot_vulkan_memory *memory) {
  const uint32_t type = choose_type(vulkan, needs->memoryTypeBits, needs->size, host);
  const uint32_t pool = 2 * type + (uint32_t)is_image;
  VkResult result;
  if (type == UINT32_MAX) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  if (is_exported) return allocate_memory(vulkan, needs->size, type, 1, &memory->info.memory);
  reclaim(vulkan);
  result = take_or_add(vulkan, pool, needs, &memory->place);
  if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY && vulkan->pool.retired != NULL) { /* the device may still use what is free */
    if (vulkan->QueueWaitIdle(vulkan->queue) == VK_SUCCESS) vulkan->done = vulkan->submitted;
    reclaim(vulkan);
    result = take_or_add(vulkan, pool, needs, &memory->place);
  }
  if (result != VK_SUCCESS) return result;
  memory->info.memory = memory->place->block->memory;
  memory->info.offset = memory->place->offset;
  if (memory->place->block->host != NULL && host != TAICHI_AOT_VULKAN_NO_HOST)
    memory->host = memory->place->block->host + memory->place->offset;
  return VK_SUCCESS;
}

static int fail(taichi_aot_vulkan *vulkan, taichi_aot_vulkan_memory *memory, const char *routine, VkResult result) {
  release(vulkan, memory);
  return taichi_aot_vulkan_error(routine, result);
}

/* `host` is one of TAICHI_AOT_VULKAN_... */
int taichi_aot_vulkan_allocate_buffer(taichi_aot_vulkan *vulkan, uint64_t size, VkBufferUsageFlags usage, int host,
                                      int32_t is_exported, taichi_aot_vulkan_memory **result) {
  const VkExternalMemoryBufferCreateInfo external = {VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, NULL,
                                                     VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
  const VkBufferUsageFlags addressed = vulkan->has_addresses ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0;
  const VkBufferCreateInfo create = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .pNext = is_exported && vulkan->has_export ? &external : NULL,
      .size = (size + 3) / 4 * 4, /* code reads and fills words */
      .usage = usage | addressed | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  VkMemoryRequirements needs;
  taichi_aot_vulkan_memory *memory = (taichi_aot_vulkan_memory *)calloc(1, sizeof *memory);
  VkResult code;
  if (memory == NULL) return taichi_aot_no_memory("an allocation");
  code = vulkan->CreateBuffer(vulkan->device, &create, NULL, &memory->info.buffer);
  if (code != VK_SUCCESS) {
    memory->info.buffer = NULL;
    return fail(vulkan, memory, "vkCreateBuffer", code);
  }
  memory->info.size = create.size;
  memory->info.usage = create.usage;
  vulkan->GetBufferMemoryRequirements(vulkan->device, memory->info.buffer, &needs);
  code = find_memory(vulkan, &needs, host, is_exported, 0, memory);
  if (code != VK_SUCCESS) return fail(vulkan, memory, "vkAllocateMemory", code);
  code = vulkan->BindBufferMemory(vulkan->device, memory->info.buffer, memory->info.memory, memory->info.offset);
  if (code != VK_SUCCESS) return fail(vulkan, memory, "vkBindBufferMemory", code);
  *result = memory;
  return 0;
}

int taichi_aot_vulkan_allocate_image(taichi_aot_vulkan *vulkan, VkImageCreateInfo *create, int32_t is_exported,
                                     taichi_aot_vulkan_memory **result) {
  const VkExternalMemoryImageCreateInfo external = {VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO, NULL,
                                                    VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
  VkMemoryRequirements needs;
  taichi_aot_vulkan_memory *memory = (taichi_aot_vulkan_memory *)calloc(1, sizeof *memory);
  VkResult code;
  if (memory == NULL) return taichi_aot_no_memory("an allocation");
  create->pNext = is_exported && vulkan->has_export ? &external : NULL;
  code = vulkan->CreateImage(vulkan->device, create, NULL, &memory->image);
  if (code != VK_SUCCESS) {
    memory->image = NULL;
    return fail(vulkan, memory, "vkCreateImage", code);
  }
  vulkan->GetImageMemoryRequirements(vulkan->device, memory->image, &needs);
  code = find_memory(vulkan, &needs, TAICHI_AOT_VULKAN_NO_HOST, is_exported, 1, memory);
  if (code != VK_SUCCESS) return fail(vulkan, memory, "vkAllocateMemory", code);
  code = vulkan->BindImageMemory(vulkan->device, memory->image, memory->info.memory, memory->info.offset);
  if (code != VK_SUCCESS) return fail(vulkan, memory, "vkBindImageMemory", code);
  *result = memory;
  return 0;
}

/* Memory of the package. */

taichi_aot_vulkan_memory *taichi_aot_vulkan_memory_of(const taichi_aot_memory *memory) {
  return (taichi_aot_vulkan_memory *)memory->own;
}

static VkBufferUsageFlags usage_of(TiMemoryUsageFlags usage) {
  VkBufferUsageFlags flags = 0;
  if (usage & TI_MEMORY_USAGE_STORAGE_BIT) flags |= VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  if (usage & TI_MEMORY_USAGE_UNIFORM_BIT) flags |= VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
  if (usage & TI_MEMORY_USAGE_VERTEX_BIT) flags |= VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
  if (usage & TI_MEMORY_USAGE_INDEX_BIT) flags |= VK_BUFFER_USAGE_INDEX_BUFFER_BIT;
  return flags;
}

/* Where code has a buffer; 0 if it cannot. */
static uint64_t device_address(const taichi_aot_vulkan *vulkan, const TiVulkanMemoryInteropInfo *info) {
  const VkBufferDeviceAddressInfo of = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, NULL, info->buffer};
  if (!vulkan->has_addresses || vulkan->GetBufferDeviceAddress == NULL) return 0;
  if (!(info->usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)) return 0;
  return vulkan->GetBufferDeviceAddress(vulkan->device, &of);
}

int taichi_aot_vulkan_allocate(taichi_aot_context *context, const TiMemoryAllocateInfo *info, taichi_aot_memory *memory) {
  const int host = info->host_read    ? TAICHI_AOT_VULKAN_HOST_READS
                   : info->host_write ? TAICHI_AOT_VULKAN_HOST_WRITES
                                      : TAICHI_AOT_VULKAN_NO_HOST;
  taichi_aot_vulkan_memory *found;
  const int code = taichi_aot_vulkan_allocate_buffer(taichi_aot_vulkan_of(context), info->size, usage_of(info->usage), host,
                                                     info->export_sharing, &found);
  if (code != 0) return code;
  memory->address = (uint64_t)(uintptr_t)found->host;
  memory->device = device_address(taichi_aot_vulkan_of(context), &found->info);
  memory->own = found;
  return 0;
}

void taichi_aot_vulkan_free(taichi_aot_context *context, taichi_aot_memory *memory) {
  taichi_aot_vulkan_memory *own = taichi_aot_vulkan_memory_of(memory);
  memory->own = NULL;
  memory->address = memory->device = 0;
  taichi_aot_vulkan_retire(taichi_aot_vulkan_of(context), own);
}

/* Maps memory that is no part of a block. */
int taichi_aot_vulkan_map(taichi_aot_context *context, taichi_aot_memory *memory, void **result) {
  const taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  const TiVulkanMemoryInteropInfo *info = &taichi_aot_vulkan_memory_of(memory)->info;
  const VkResult code = vulkan->MapMemory(vulkan->device, info->memory, info->offset, info->size, 0, result);
  return taichi_aot_vulkan_error("vkMapMemory", code);
}

void taichi_aot_vulkan_unmap(taichi_aot_context *context, taichi_aot_memory *memory) {
  const taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  vulkan->UnmapMemory(vulkan->device, taichi_aot_vulkan_memory_of(memory)->info.memory);
}

/* Adopts an application's buffer. `address`: the host's address if the buffer is this package's and mapped, else 0. */
int taichi_aot_vulkan_import_memory(taichi_aot_runtime *runtime, const TiVulkanMemoryInteropInfo *info, uint64_t address,
                                    taichi_aot_memory *memory) {
  taichi_aot_vulkan_memory *own;
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  own = (taichi_aot_vulkan_memory *)calloc(1, sizeof *own);
  if (own == NULL) {
    status = taichi_aot_no_memory("an allocation");
  } else {
    own->info = *info;
    own->is_imported = 1;
    memory->address = address;
    memory->device = device_address(taichi_aot_vulkan_of(runtime->context), info);
    memory->own = own;
  }
  return taichi_aot_leave_with(runtime, status);
}

int taichi_aot_vulkan_describe_memory(taichi_aot_runtime *runtime, const taichi_aot_memory *memory,
                               TiVulkanMemoryInteropInfo *info) {
  const int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  if (memory->own == NULL) return taichi_aot_leave_with(runtime, TAICHI_AOT_ARRAY_CLOSED);
  taichi_aot_vulkan_memory_of(memory)->is_shared = 1;
  *info = taichi_aot_vulkan_memory_of(memory)->info;
  return taichi_aot_leave_with(runtime, 0);
}

/* Commands. */

enum { MOST_AHEAD = 1 << 14 }; /* bytes of a copy that is made ahead: as long as a launch takes anyway */

/* Whether the commands before end with this copy already. */
static int is_done_ahead(taichi_aot_context *context, const taichi_aot_vulkan_memory *target,
                         const taichi_aot_vulkan_memory *source, const VkBufferCopy *region) {
  const taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  const taichi_aot_ahead *ahead = &vulkan->ahead;
  return ahead->copied != 0 && ahead->copied == vulkan->submitted && !(context->busy & TAICHI_AOT_BUSY_LIBRARY) &&
         !context->is_shared && !source->is_imported && !source->is_shared && ahead->target == target && ahead->source == source &&
         memcmp(&ahead->region, region, sizeof *region) == 0;
}

/* Expects a read behind the next launch too. */
static void expect(taichi_aot_vulkan *vulkan, const taichi_aot_vulkan_memory *target, const taichi_aot_vulkan_memory *source,
                   const VkBufferCopy *region) {
  taichi_aot_ahead *ahead = &vulkan->ahead;
  ahead->target = target;
  ahead->source = source;
  ahead->region = *region;
  ahead->copy += 1;
  ahead->wants_copy = 1;
}

/* Queues a copy after everything before it. */
int taichi_aot_vulkan_copy_memory(taichi_aot_context *context, const taichi_aot_memory *target, uint64_t target_offset,
                                  const taichi_aot_memory *source, uint64_t source_offset, uint64_t size) {
  const VkBufferCopy region = {source_offset, target_offset, size};
  const taichi_aot_vulkan_memory *from = taichi_aot_vulkan_memory_of(source), *to = taichi_aot_vulkan_memory_of(target);
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  const int is_behind_launch = vulkan->last != NULL && vulkan->last->only != NULL;
  taichi_aot_submission *submission;
  int code;
  if (target->is_staging && is_done_ahead(context, to, from, &region)) {
    vulkan->ahead.wants_copy = 1;
    return 0;
  }
  submission = taichi_aot_vulkan_next(vulkan);
  code = taichi_aot_vulkan_begin(vulkan, submission);
  if (code != 0) return code;
  taichi_aot_vulkan_barrier(vulkan, submission, VK_PIPELINE_STAGE_TRANSFER_BIT);
  vulkan->CmdCopyBuffer(submission->commands, from->info.buffer, to->info.buffer, 1, &region);
  code = taichi_aot_vulkan_submit(context, submission, TAICHI_AOT_BUSY_COPIES);
  if (code == 0 && target->is_staging && is_behind_launch && size <= MOST_AHEAD) expect(vulkan, to, from, &region);
  return code;
}

/* Sets all bytes to 0, after everything before it. */
int taichi_aot_vulkan_fill(taichi_aot_context *context, const taichi_aot_vulkan_memory *memory) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  taichi_aot_submission *submission = taichi_aot_vulkan_next(vulkan);
  const int code = taichi_aot_vulkan_begin(vulkan, submission);
  if (code != 0) return code;
  taichi_aot_vulkan_barrier(vulkan, submission, VK_PIPELINE_STAGE_TRANSFER_BIT);
  vulkan->CmdFillBuffer(submission->commands, memory->info.buffer, 0, ~UINT64_C(0), 0);
  return taichi_aot_vulkan_submit(context, submission, TAICHI_AOT_BUSY_COPIES);
}

int taichi_aot_vulkan_clear(taichi_aot_runtime *runtime, const taichi_aot_memory *memory) {
  const int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  return taichi_aot_leave_with(runtime, taichi_aot_vulkan_fill(runtime->context, taichi_aot_vulkan_memory_of(memory)));
}

/* The device has finished. */
int taichi_aot_vulkan_trim(taichi_aot_context *context, uint64_t *freed) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  *freed += vulkan->pool.unused; /* as `count_memory` counts them */
  reclaim(vulkan);
  free_blocks(vulkan, 0);
  return 0;
}
