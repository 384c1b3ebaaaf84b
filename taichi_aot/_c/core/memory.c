/* Memory: holds, closing, and copies. Each operation runs and is recorded under the mutex of the context. */

#include "core/memory.h"

#include "core/checks.h"
#include "core/wait.h"

#include <stdlib.h>
#include <string.h>

#define functions taichi_aot_functions

static int waiting(int32_t may_wait) { return may_wait ? TAICHI_AOT_ENTER_MAY_WAIT : 0; }

/* The lock is held. */
int64_t taichi_aot_generation_of(const taichi_aot_memory *memory) {
  return memory->generation < 0 ? -memory->generation : memory->generation;
}

/* Whether it has been allocated, and not been freed. */
int taichi_aot_is_allocated(const taichi_aot_memory *memory) { return memory->own != NULL || memory->ti_memory != NULL; }

/* Returns the host's address of memory, and maps it if necessary: 0 or an error code. */
static int map(taichi_aot_context *context, taichi_aot_memory *memory, void **result) {
  int code;
  *result = (void *)(uintptr_t)memory->address;
  if (*result != NULL) return 0;
  if (memory->own != NULL && !memory->is_adopted) return context->backend->map(context, memory, result);
  *result = functions.ti_map_memory(context->ti_runtime, memory->ti_memory);
  code = taichi_aot_read_error("ti_map_memory");
  return code != 0 || *result != NULL ? code : taichi_aot_fail("ti_map_memory", (int)TI_ERROR_INVALID_STATE);
}

static void unmap(taichi_aot_context *context, taichi_aot_memory *memory) {
  if (memory->address != 0) return;
  if (memory->own != NULL && !memory->is_adopted)
    context->backend->unmap(context, memory);
  else
    functions.ti_unmap_memory(context->ti_runtime, memory->ti_memory);
}

/* Records a mapping, which delays the end of its runtime, unless the memory is of the host's pool, which outlives it. */
static int map_entered(taichi_aot_runtime *runtime, taichi_aot_memory *memory) {
  int code;
  if (memory->mapped != NULL || (memory->address != 0 && memory->own == NULL)) return 0;
  code = map(runtime->context, memory, &memory->mapped);
  if (code == 0) runtime->holds += 1;
  return code;
}

static void unmap_entered(taichi_aot_runtime *runtime, taichi_aot_memory *memory) {
  if (memory->mapped == NULL) return;
  memory->mapped = NULL;
  runtime->holds -= 1;
  unmap(runtime->context, memory);
}

static int allocate_entered(taichi_aot_context *context, const TiMemoryAllocateInfo *info, taichi_aot_memory *memory) {
  if (context->backend->allocate != NULL) return context->backend->allocate(context, info, memory);
  memory->ti_memory = functions.ti_allocate_memory(context->ti_runtime, info);
  return taichi_aot_read_error("ti_allocate_memory");
}

/* Allocates uninitialized memory. Every failure means that there is not enough. */
int taichi_aot_allocate(taichi_aot_runtime *runtime, const TiMemoryAllocateInfo *info, taichi_aot_memory *memory) {
  const int status = taichi_aot_enter(runtime);
  return status != 0 ? status : taichi_aot_leave_with(runtime, allocate_entered(runtime->context, info, memory));
}

static void free_entered(taichi_aot_context *context, taichi_aot_memory *memory) {
  const TiMemory ti_memory = memory->ti_memory;
  memory->ti_memory = NULL;
  if (ti_memory != NULL && !memory->is_borrowed) functions.ti_free_memory(context->ti_runtime, ti_memory);
  if (memory->own != NULL) context->backend->free(context, memory);
}

/* Begins a use of memory (NULL: of the runtime only), which delays its release, and records it in `hold`. UNFINISHED: before a
 * view the device needs longer than the call may block. */
int taichi_aot_hold_begin(taichi_aot_runtime *runtime, taichi_aot_memory *memory, int64_t generation, int32_t kind,
                          int32_t may_block, taichi_aot_hold *hold) {
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  if (memory != NULL && taichi_aot_generation_of(memory) != generation)
    status = TAICHI_AOT_ARRAY_CLOSED;
  else if (kind == TAICHI_AOT_HOLD_VIEW)
    status = taichi_aot_settle(runtime->context, may_block);
  if (status == 0 && kind == TAICHI_AOT_HOLD_VIEW) status = map_entered(runtime, memory);
  if (status == 0) {
    hold->runtime = runtime;
    hold->memory = kind == TAICHI_AOT_HOLD_EXPORT ? NULL : memory;
    hold->of_runtime = kind != TAICHI_AOT_HOLD_VIEW;
    hold->is_active = 1;
    if (hold->memory != NULL) memory->holds += 1;
    if (hold->of_runtime) runtime->holds += 1;
  }
  return taichi_aot_leave_after(runtime, "ti_map_memory", status);
}

/* For finalizers: BUSY instead of a wait, CLOSED if closing the runtime ended the hold. */
int taichi_aot_hold_end(taichi_aot_hold *hold, int32_t may_wait) {
  taichi_aot_runtime *runtime = hold->runtime;
  int status;
  if (!hold->is_active) return 0;
  status = taichi_aot_enter_with(runtime, TAICHI_AOT_ENTER_CLOSING | waiting(may_wait));
  if (status != 0) return status;
  if (hold->is_active) { /* no other thread has ended it meanwhile */
    hold->is_active = 0;
    if (hold->of_runtime) runtime->holds -= 1;
    if (hold->memory != NULL) {
      hold->memory->holds -= 1;
      if (hold->memory->holds == 0) unmap_entered(runtime, hold->memory);
    }
  }
  return taichi_aot_leave(runtime, "ti_unmap_memory");
}

/* Ends the generation of pooled memory; ARRAY_CLOSED if it has already ended. */
int taichi_aot_memory_close(taichi_aot_runtime *runtime, taichi_aot_memory *memory, int64_t generation) {
  int status = taichi_aot_enter_with(runtime, TAICHI_AOT_ENTER_CLOSING | TAICHI_AOT_ENTER_MAY_WAIT);
  if (status != 0) return status;
  if (taichi_aot_generation_of(memory) != generation)
    status = TAICHI_AOT_ARRAY_CLOSED;
  else if (memory->holds > 0 || memory->generation < 0)
    status = TAICHI_AOT_IN_USE;
  else
    memory->generation = generation + 1;
  return taichi_aot_leave_after(runtime, NULL, status);
}

/* Finds or imports the library's handle for an address: 0 or an error code. Imports are never freed, so each address is imported
 * once. Nothing uses an import's size. */
static int import_address(taichi_aot_context *context, uint64_t address, uint64_t size, TiMemory *result) {
  int code;
  *result = (TiMemory)(uintptr_t)taichi_aot_table_find(&context->imports, address);
  if (*result != NULL) return 0;
  *result = (*context->backend->import_address)(context->ti_runtime, (void *)(uintptr_t)address, (size_t)size);
  code = taichi_aot_read_error(context->backend->import_routine);
  /* If the table has no memory, the handle is valid and the next call imports the address again. */
  if (code == 0) (void)taichi_aot_table_put(&context->imports, address, (uint64_t)(uintptr_t)*result);
  return code;
}

/* Finds the library's handle for memory from an offset on, unless the library has allocated it. The lock is held. */
int taichi_aot_import_entered(taichi_aot_context *context, taichi_aot_memory *memory, uint64_t offset, uint64_t size,
                              TiMemory *result) {
  const taichi_aot_backend *backend = context->backend;
  if (backend->import_address != NULL) return import_address(context, memory->address + offset, size, result);
  return backend->import_memory != NULL ? backend->import_memory(context, memory, result) : 0;
}

/* The same; ARRAY_CLOSED if the memory is not open. */
int taichi_aot_import(taichi_aot_runtime *runtime, taichi_aot_memory *memory, int64_t generation, uint64_t offset,
                      uint64_t size, TiMemory *result) {
  const int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  if (taichi_aot_generation_of(memory) != generation) return taichi_aot_leave_with(runtime, TAICHI_AOT_ARRAY_CLOSED);
  return taichi_aot_leave_with(runtime, taichi_aot_import_entered(runtime->context, memory, offset, size, result));
}

uint32_t taichi_aot_import_count(const taichi_aot_context *context) { return context->imports.count; }

/* Frees memory that C or the library allocated or imported. `wait_first`: unfinished launches may use it. BUSY instead of a wait
 * for another thread that is not allowed. May be repeated. */
int taichi_aot_memory_free(taichi_aot_runtime *runtime, taichi_aot_memory *memory, int32_t wait_first, int32_t may_wait) {
  const int status =
      taichi_aot_enter_with(runtime, TAICHI_AOT_ENTER_CLOSING | TAICHI_AOT_ENTER_ON_DEVICE | waiting(may_wait));
  if (status != 0) return status;
  if (taichi_aot_is_allocated(memory)) {
    /* The library does not keep its imports alive. */
    const int32_t is_used = wait_first || (memory->ti_memory != NULL && memory->own != NULL);
    unmap_entered(runtime, memory);
    if (is_used || memory->ti_memory != NULL) {
      taichi_aot_wait_to_free(runtime->context, is_used);
      if (runtime->context->backend->finish != NULL) runtime->context->backend->finish(runtime->context);
    }
    free_entered(runtime->context, memory);
  }
  memory->generation = 0;
  return taichi_aot_leave(runtime, "ti_free_memory");
}

/* Queues a copy on the device: 0, or the code of a failure below the library. `leave` checks the library's error. */
static int copy_on_device(taichi_aot_runtime *runtime, const taichi_aot_memory *target, uint64_t target_offset,
                          const taichi_aot_memory *source, uint64_t source_offset, uint64_t size) {
  taichi_aot_context *context = runtime->context;
  const TiMemorySlice to = {target->ti_memory, target_offset, size}, from = {source->ti_memory, source_offset, size};
  if (context->backend->copy_memory != NULL)
    return context->backend->copy_memory(context, target, target_offset, source, source_offset, size);
  functions.ti_copy_memory_device_to_device(context->ti_runtime, &to, &from);
  taichi_aot_library_queued(context);
  return 0;
}

/* Copies between the host and memory that the host can map, through an existing mapping if there is one. The device is idle. */
static int copy_mapped(taichi_aot_runtime *runtime, taichi_aot_memory *memory, uint64_t offset, uint64_t host,
                       uint64_t size, int32_t direction) {
  void *mapped = memory->mapped;
  const int code = mapped != NULL ? 0 : map(runtime->context, memory, &mapped);
  char *at = (char *)mapped;
  if (code != 0) return code;
  if (direction == TAICHI_AOT_READ)
    memcpy((void *)(uintptr_t)host, at + offset, (size_t)size);
  else
    memcpy(at + offset, (const void *)(uintptr_t)host, (size_t)size);
  if (memory->mapped == NULL) unmap(runtime->context, memory);
  return 0;
}

static int copy_address(taichi_aot_context *context, uint64_t target, uint64_t source, uint64_t size) {
  if (context->backend->copy != NULL) return context->backend->copy(target, source, size);
  memmove((void *)(uintptr_t)target, (const void *)(uintptr_t)source, (size_t)size);
  return 0;
}

static int read_address(taichi_aot_context *context, uint64_t host, uint64_t address, uint64_t size, int32_t may_block) {
  const taichi_aot_backend *backend = context->backend;
  int status;
  if (backend->read != NULL) {
    status = backend->read(context, host, address, size, may_block);
    return status != 0 ? status : taichi_aot_report_failure(context);
  }
  status = taichi_aot_settle(context, may_block);
  return status != 0 ? status : copy_address(context, host, address, size);
}

static void staging_free_entered(taichi_aot_runtime *runtime, taichi_aot_staging *staging) {
  staging->size = 0;
  free_entered(runtime->context, &staging->memory);
}

/* Grows the staging buffer to a copy's size: a power of two within the bounds. */
int taichi_aot_staging_grow(taichi_aot_runtime *runtime, taichi_aot_staging *staging, uint64_t size) {
  taichi_aot_context *context = runtime->context;
  TiMemoryAllocateInfo info = {.host_write = TI_TRUE, .host_read = TI_TRUE, .usage = TI_MEMORY_USAGE_STORAGE_BIT};
  uint64_t wanted = staging->smallest;
  int code;
  while (wanted < size && wanted < staging->largest) wanted *= 2;
  if (wanted <= staging->size) return 0;
  info.size = wanted;
  taichi_aot_wait_to_free(context, 1);
  staging_free_entered(runtime, staging);
  code = allocate_entered(context, &info, &staging->memory);
  staging->memory.is_staging = 1;
  if (code == 0) staging->size = wanted;
  return code;
}

/* Copies in parts through the staging buffer. A read waits once for all earlier work. */
static int transfer_staged(taichi_aot_runtime *runtime, const taichi_aot_memory *memory, uint64_t offset, uint64_t host,
                           uint64_t size, int32_t direction, int32_t may_block, taichi_aot_staging *staging) {
  const int32_t to_host = direction == TAICHI_AOT_READ;
  uint64_t begin;
  int status = taichi_aot_staging_grow(runtime, staging, size);
  for (begin = 0; status == 0 && begin < size; begin += staging->size) {
    const uint64_t part = size - begin < staging->size ? size - begin : staging->size;
    if (to_host) status = copy_on_device(runtime, &staging->memory, 0, memory, offset + begin, part);
    if (status == 0) status = taichi_aot_settle(runtime->context, may_block || begin > 0);
    if (status == 0) status = copy_mapped(runtime, &staging->memory, 0, host + begin, part, direction);
    if (status == 0 && !to_host) status = copy_on_device(runtime, memory, offset + begin, &staging->memory, 0, part);
    if (taichi_aot_has_failed()) break;
  }
  return status;
}

/* Copies all of a memory to or from its shadow, after the device has finished. The lock is held. */
static int copy_all(const taichi_aot_shadow_use *use, int32_t direction) {
  const taichi_aot_memory *memory = use->memory;
  const uint64_t host = (uint64_t)(uintptr_t)memory->shadow->data;
  taichi_aot_context *context = use->runtime->context;
  taichi_aot_wait_entered(context);
  if (use->staging != NULL) /* `leave` reads the library's error */
    return transfer_staged(use->runtime, memory, 0, host, use->size, direction, 1, use->staging);
  if (direction == TAICHI_AOT_READ) return copy_address(context, host, memory->address, use->size);
  return copy_address(context, memory->address, host, use->size);
}

/* Begins a use of the host copy; the first use creates it. Blocks launches before it reads, because writing the copy back would
 * undo a launch in between. */
int taichi_aot_shadow_begin(taichi_aot_shadow_use *use, int64_t generation, int32_t may_block) {
  taichi_aot_memory *memory = use->memory;
  int status = taichi_aot_enter(use->runtime), code = 0;
  if (status != 0) return status;
  if (taichi_aot_generation_of(memory) != generation)
    status = TAICHI_AOT_ARRAY_CLOSED;
  else if (memory->shadow == NULL)
    status = taichi_aot_settle(use->runtime->context, may_block);
  if (status == 0) {
    if (memory->shadow == NULL) {
      taichi_aot_shadow *shadow = (taichi_aot_shadow *)calloc(1, sizeof *shadow);
      void *data = shadow != NULL ? malloc((size_t)use->size) : NULL;
      if (data == NULL) {
        free(shadow);
        return taichi_aot_leave_with(use->runtime, taichi_aot_no_memory("a copy"));
      }
      shadow->data = data;
      memory->shadow = shadow;
      memory->generation = -generation;
      code = copy_all(use, TAICHI_AOT_READ);
      if (code != 0 || taichi_aot_has_failed()) {
        memory->generation = generation;
        memory->shadow = NULL;
        free(shadow->data);
        free(shadow);
      }
    }
    if (memory->shadow != NULL) {
      use->shadow = memory->shadow;
      use->is_active = 1;
      use->shadow->uses += 1;
      taichi_aot_add32(&(use->shadow)->references, 1);
    }
  }
  return taichi_aot_leave_after(use->runtime, "ti_map_memory", code != 0 ? code : status);
}

/* Ends a use; the last one writes the copy back and allows launches again, even if writing fails. For finalizers: BUSY instead
 * of a wait. May be repeated. */
int taichi_aot_shadow_end(taichi_aot_shadow_use *use, int32_t may_wait) {
  taichi_aot_memory *memory = use->memory;
  const taichi_aot_runtime *runtime = use->runtime;
  int status, code = 0;
  if (!use->is_active) return 0;
  status = taichi_aot_enter_with(use->runtime, TAICHI_AOT_ENTER_CLOSING | waiting(may_wait));
  if (status == TAICHI_AOT_CLOSED) use->is_active = 0; /* the copy cannot be written anywhere */
  if (status != 0) return status;
  if (use->is_active) { /* no other thread has ended it meanwhile */
    use->is_active = 0;
    use->shadow->uses -= 1;
    if (use->shadow->uses == 0) {
      if (use->writes_back && runtime->state == TAICHI_AOT_STATE_OPEN && !runtime->context->lost)
        code = copy_all(use, TAICHI_AOT_WRITE);
      memory->generation = taichi_aot_generation_of(memory);
      memory->shadow = NULL;
    }
  }
  return taichi_aot_leave_after(use->runtime, "ti_map_memory", code);
}

/* After the last view of an ended use. */
void taichi_aot_shadow_drop(taichi_aot_shadow_use *use) {
  taichi_aot_shadow *shadow = (taichi_aot_shadow *)taichi_aot_take_pointer(&use->shadow); /* two threads may drain a queue */
  if (shadow != NULL && taichi_aot_add32(&shadow->references, -1) == 1) {
    free(shadow->data);
    free(shadow);
  }
}

static int transfer_entered(taichi_aot_runtime *runtime, taichi_aot_memory *memory, uint64_t offset, uint64_t host,
                            uint64_t size, int32_t direction, int32_t may_block, taichi_aot_staging *staging) {
  if (size == 0) return 0;
  if (staging != NULL && memory->mapped == NULL)
    return transfer_staged(runtime, memory, offset, host, size, direction, may_block, staging);
  if (direction != TAICHI_AOT_WRITE_FRESH) {
    const int status = taichi_aot_settle(runtime->context, may_block);
    if (status != 0) return status;
  }
  return copy_mapped(runtime, memory, offset, host, size, direction);
}

/* Waits for the device and copies a part of open memory to the host, through `staging` unless it is NULL: 0, UNFINISHED, or the
 * code of an error below the library. `leave` checks the library's error. */
int taichi_aot_read_entered(taichi_aot_runtime *runtime, taichi_aot_memory *memory, uint64_t offset, uint64_t host,
                            uint64_t size, int32_t may_block, taichi_aot_staging *staging) {
  if (memory->address != 0 && memory->mapped == NULL)
    return read_address(runtime->context, host, memory->address + offset, size, may_block);
  return transfer_entered(runtime, memory, offset, host, size, TAICHI_AOT_READ, may_block, staging);
}

/* Waits for the device and copies between the host and the library's memory, through `staging` if that is not NULL.
 * UNFINISHED: nothing was copied, because the device needs longer than the call may block. */
int taichi_aot_transfer(taichi_aot_runtime *runtime, taichi_aot_memory *memory, int64_t generation, uint64_t offset,
                        uint64_t host, uint64_t size, int32_t direction, int32_t may_block, taichi_aot_staging *staging) {
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  status = TAICHI_AOT_ARRAY_CLOSED;
  if (taichi_aot_generation_of(memory) == generation)
    status = transfer_entered(runtime, memory, offset, host, size, direction, may_block, staging);
  return taichi_aot_leave_after(runtime, "ti_map_memory", status);
}

/* Queues a copy on the device, in launch order. The caller has checked the ranges. */
int taichi_aot_copy_memory(taichi_aot_runtime *runtime, taichi_aot_memory *target, uint64_t target_offset,
                           taichi_aot_memory *source, uint64_t source_offset, uint64_t size) {
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  if (!taichi_aot_is_allocated(target) || !taichi_aot_is_allocated(source))
    status = TAICHI_AOT_ARRAY_CLOSED;
  else if (target->generation < 0 || source->generation < 0)
    status = TAICHI_AOT_ARRAY_MAPPED;
  else
    status = copy_on_device(runtime, target, target_offset, source, source_offset, size);
  return taichi_aot_leave_after(runtime, "ti_copy_memory_device_to_device", status);
}

int taichi_aot_staging_free(taichi_aot_runtime *runtime, taichi_aot_staging *staging) {
  const int status = taichi_aot_enter_closing(runtime);
  if (status != 0) return status;
  staging_free_entered(runtime, staging);
  return taichi_aot_leave(runtime, "ti_free_memory");
}

/* Reports the driver's numbers of the device's memory, and the bytes that `taichi_aot_trim` would free besides a staging buffer. */
int taichi_aot_count_memory(taichi_aot_runtime *runtime, taichi_aot_memory_numbers *numbers) {
  const taichi_aot_backend *backend = runtime->context->backend;
  int status;
  numbers->free = numbers->total = -1;
  numbers->pooled = 0;
  if (backend->count_memory == NULL) return 0;
  status = taichi_aot_enter_with(runtime,
                                 TAICHI_AOT_ENTER_MAY_WAIT | TAICHI_AOT_ENTER_ON_DEVICE | TAICHI_AOT_ENTER_TO_LAUNCH);
  if (status != 0) return status;
  return taichi_aot_leave_after(runtime, NULL, backend->count_memory(runtime->context, numbers));
}

/* Waits for the device, and lets the library free what its launches have used. Then frees the staging buffer, unless it is
 * NULL, and what the backend keeps for reuse, and adds the bytes of both to `freed`. Frees nothing if the wait fails. */
int taichi_aot_trim(taichi_aot_runtime *runtime, int32_t may_block, taichi_aot_staging *staging, uint64_t *freed) {
  taichi_aot_context *context = runtime->context;
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  status = taichi_aot_settle(context, may_block);
  if (status == 0 && !taichi_aot_has_failed()) taichi_aot_wait_to_free(context, 0);
  if (status != 0 || taichi_aot_has_failed()) return taichi_aot_leave_after(runtime, "ti_wait", status);
  if (context->backend->trim != NULL) status = context->backend->trim(context, freed);
  if (staging != NULL && status == 0) {
    uint64_t counted = 0; /* not counted twice: freeing the buffer may return a block to the backend */
    *freed += staging->size;
    staging_free_entered(runtime, staging);
    if (context->backend->trim != NULL) status = context->backend->trim(context, &counted);
  }
  return taichi_aot_leave_after(runtime, "ti_free_memory", status);
}

/* Adds the address of open memory to an offset in it. The lock is held. */
int taichi_aot_locate(const taichi_aot_memory *memory, int64_t generation, uint64_t *offset) {
  if (taichi_aot_generation_of(memory) != generation) return TAICHI_AOT_ARRAY_CLOSED;
  *offset += memory->address;
  return 0;
}

/* Copies to `address`, in launch order. The lock is held. */
static int copy_to(taichi_aot_context *context, uint64_t address, uint64_t source, uint64_t size) {
  const int status = copy_address(context, address, source, size);
  context->busy |= context->backend->queues; /* a copy on the device may still run */
  return status;
}

/* Copies between memories of a pool, without the GIL. Holds the mutex, because closed memory may become another array's. */
int taichi_aot_copy(taichi_aot_runtime *runtime, const taichi_aot_memory *target, int64_t target_generation,
                    uint64_t target_offset, const taichi_aot_memory *source, int64_t source_generation,
                    uint64_t source_offset, uint64_t size) {
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  status = taichi_aot_locate(target, target_generation, &target_offset);
  if (status == 0) status = taichi_aot_locate(source, source_generation, &source_offset);
  if (status == 0) status = copy_to(runtime->context, target_offset, source_offset, size);
  return taichi_aot_leave_after(runtime, NULL, status);
}

/* The same between memory of a pool and the host, after the device has finished. UNFINISHED as above. */
int taichi_aot_copy_host(taichi_aot_runtime *runtime, const taichi_aot_memory *memory, int64_t generation, uint64_t offset,
                         void *host, uint64_t size, int32_t direction, int32_t may_block) {
  const uint64_t at = (uint64_t)(uintptr_t)host;
  int status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  status = taichi_aot_locate(memory, generation, &offset);
  if (status == 0 && direction == TAICHI_AOT_READ) {
    status = read_address(runtime->context, at, offset, size, may_block);
  } else if (status == 0) {
    status = taichi_aot_settle(runtime->context, may_block);
    if (status == 0) status = copy_to(runtime->context, offset, at, size);
  }
  return taichi_aot_leave_after(runtime, NULL, status);
}
