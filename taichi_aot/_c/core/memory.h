/* Memory that the library allocated or imported: holds, closing, copies. */

#pragma once

#include "core/context.h"

/* The host copy of mapped memory that the host cannot map. Freed with its last use. */
typedef struct taichi_aot_shadow {
  void *data;
  int32_t uses;       /* active uses, which block launches with the memory */
  int32_t references; /* uses, active or not, whose views are alive */
} taichi_aot_shadow;

typedef struct taichi_aot_memory {
  TiMemory ti_memory;
  int64_t generation; /* launches compare it with an array's; negated while the memory is mapped as a copy */
  uint64_t address;   /* for the host or the device, 0 if it has none all the time */
  uint64_t device;    /* for code on the device, if that is another one */
  void *mapped;       /* where the host has it while it is mapped, or NULL */
  void *own;          /* what the backend has allocated, or NULL */
  int32_t holds;      /* live views */
  int32_t is_borrowed; /* another owner frees the TiMemory, or the image */
  int32_t is_adopted;  /* allocated and mapped by the library, also if the backend has its address */
  int32_t is_named;    /* for tools, by the first launch with names */
  int32_t is_polled;   /* of the host, which sees at once what a kernel writes there */
  int32_t is_staging;  /* no caller has it: it may be written at any time before a read through it */
  taichi_aot_shadow *shadow; /* NULL while the memory is not mapped as a copy */
  void *stream; /* another library's stream that works on it, unless launches are in order with it */
} taichi_aot_memory;

typedef struct taichi_aot_shadow_use {
  taichi_aot_runtime *runtime;
  taichi_aot_memory *memory;
  struct taichi_aot_staging *staging; /* NULL: the backend copies from and to its address */
  taichi_aot_shadow *shadow;
  uint64_t size;
  int32_t is_active;
  int32_t writes_back;
} taichi_aot_shadow_use;

/* A use of memory, or only of a runtime, that delays its release. */
typedef struct taichi_aot_hold {
  taichi_aot_runtime *runtime;
  taichi_aot_memory *memory; /* NULL: only of the runtime */
  int32_t is_active;
  int32_t of_runtime; /* counted in runtime->holds */
} taichi_aot_hold;

/* A buffer for copies to and from memory that the host cannot map. It grows to the largest copy, within bounds. */
typedef struct taichi_aot_staging {
  taichi_aot_memory memory;
  uint64_t size;
  uint64_t smallest;
  uint64_t largest;
} taichi_aot_staging;

#define TAICHI_AOT_HOLD_VIEW 0   /* a view for the host: waits for the device, and maps if the library must */
#define TAICHI_AOT_HOLD_DEVICE 1 /* a view for another library on the device */
#define TAICHI_AOT_HOLD_EXPORT 2 /* an exported address: the memory can be closed, the runtime waits */

int taichi_aot_hold_begin(taichi_aot_runtime *runtime, taichi_aot_memory *memory, int64_t generation, int32_t kind,
                          int32_t may_block, taichi_aot_hold *hold);
int taichi_aot_hold_end(taichi_aot_hold *hold, int32_t may_wait);
int taichi_aot_memory_close(taichi_aot_runtime *runtime, taichi_aot_memory *memory, int64_t generation);
int taichi_aot_memory_free(taichi_aot_runtime *runtime, taichi_aot_memory *memory, int32_t wait_first, int32_t may_wait);
int taichi_aot_shadow_begin(taichi_aot_shadow_use *use, int64_t generation, int32_t may_block);
int taichi_aot_shadow_end(taichi_aot_shadow_use *use, int32_t may_wait);
void taichi_aot_shadow_drop(taichi_aot_shadow_use *use);
#define TAICHI_AOT_WRITE 0       /* from the host, after the device has finished */
#define TAICHI_AOT_READ 1        /* to the host, after the device has finished */
#define TAICHI_AOT_WRITE_FRESH 2 /* from the host, to memory that no launch uses yet */
int taichi_aot_transfer(taichi_aot_runtime *runtime, taichi_aot_memory *memory, int64_t generation, uint64_t offset,
                        uint64_t host, uint64_t size, int32_t direction, int32_t may_block, taichi_aot_staging *staging);
int taichi_aot_copy_memory(taichi_aot_runtime *runtime, taichi_aot_memory *target, uint64_t target_offset,
                           taichi_aot_memory *source, uint64_t source_offset, uint64_t size);
int taichi_aot_allocate(taichi_aot_runtime *runtime, const TiMemoryAllocateInfo *info, taichi_aot_memory *memory);
int taichi_aot_import(taichi_aot_runtime *runtime, taichi_aot_memory *memory, int64_t generation, uint64_t offset,
                      uint64_t size, TiMemory *result);
uint32_t taichi_aot_import_count(const taichi_aot_context *context);
int taichi_aot_staging_free(taichi_aot_runtime *runtime, taichi_aot_staging *staging);
int taichi_aot_count_memory(taichi_aot_runtime *runtime, taichi_aot_memory_numbers *numbers);
int taichi_aot_trim(taichi_aot_runtime *runtime, int32_t may_block, taichi_aot_staging *staging, uint64_t *freed);
int taichi_aot_copy(taichi_aot_runtime *runtime, const taichi_aot_memory *target, int64_t target_generation,
                    uint64_t target_offset, const taichi_aot_memory *source, int64_t source_generation,
                    uint64_t source_offset, uint64_t size);
int taichi_aot_copy_host(taichi_aot_runtime *runtime, const taichi_aot_memory *memory, int64_t generation, uint64_t offset,
                         void *host, uint64_t size, int32_t direction, int32_t may_block);

/* For C only. */

int64_t taichi_aot_generation_of(const taichi_aot_memory *memory);
int taichi_aot_is_allocated(const taichi_aot_memory *memory);
int taichi_aot_import_entered(taichi_aot_context *context, taichi_aot_memory *memory, uint64_t offset, uint64_t size,
                              TiMemory *result);
int taichi_aot_locate(const taichi_aot_memory *memory, int64_t generation, uint64_t *offset);
int taichi_aot_read_entered(taichi_aot_runtime *runtime, taichi_aot_memory *memory, uint64_t offset, uint64_t host,
                            uint64_t size, int32_t may_block, taichi_aot_staging *staging);
int taichi_aot_staging_grow(taichi_aot_runtime *runtime, taichi_aot_staging *staging, uint64_t size);
