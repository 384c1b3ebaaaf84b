/* The interface of backends. Shared files reach CUDA, Vulkan, OpenGL and the CPU only through it.
 *
 * Functions are called with the lock of the context, unless they say otherwise. They return 0 or an error code of the
 * library, and set its message. */

#pragma once

#include "core/base.h"

typedef struct taichi_aot_backend taichi_aot_backend;

/* Numbers of bytes; -1: unknown. */
typedef struct taichi_aot_memory_numbers {
  int64_t free;  /* on the device */
  int64_t total; /* of the device */
  int64_t pooled; /* kept by the backend's C for reuse */
} taichi_aot_memory_numbers;

/* For C only. */

typedef struct taichi_aot_marker taichi_aot_marker;
struct taichi_aot_recording;
struct taichi_aot_context;
struct taichi_aot_launch;
struct taichi_aot_memory;
struct taichi_aot_position;
struct taichi_aot_runtime;
struct taichi_aot_sequence;
struct taichi_aot_sequence_item;

/* The chunks of recorded launches on the device, one per slot. */
#define TAICHI_AOT_CHUNKS 2
typedef struct taichi_aot_chunks {
  int64_t begun[TAICHI_AOT_CHUNKS];       /* ns: when it was submitted; 0 once that is irrelevant */
  int32_t was_awaited[TAICHI_AOT_CHUNKS]; /* it was still running when it was polled */
  const struct taichi_aot_recording *recordings[TAICHI_AOT_CHUNKS];
  uint32_t sizes[TAICHI_AOT_CHUNKS];      /* iterations */
  uint32_t next;
  int64_t finished; /* ns: when the last one was seen to be finished */
} taichi_aot_chunks;

/* Launches without the library. */
typedef struct taichi_aot_recorder {
  const char *routine;
  int32_t is_immediate; /* a launch is done when it returns, and the library makes none that has a plan. A sequence is a loop:
                         * the other functions are NULL */
  /* Called before a sequence: 0, NOT_MINE or an error code. */
  int (*open)(struct taichi_aot_context *context);
  /* Launches with open arrays: 0, UNFINISHED, or an error code. */
  int (*launch)(struct taichi_aot_launch *launch);
  /* Updates an item's launch on the device, for chunks of this many iterations: 0, NOT_MINE if the library must launch it, or an
   * error code. */
  int (*prepare)(struct taichi_aot_runtime *runtime, const struct taichi_aot_sequence_item *item, uint32_t copies);
  /* Whether the device has finished the chunk of a slot; waits briefly for it. */
  int (*is_done)(struct taichi_aot_context *context, uint32_t slot, int *code);
  /* Submits up to `*n` of the `left` iterations from `first` on, in the next slot: 0, NOT_MINE if it cannot, or an error code. */
  int (*submit)(const struct taichi_aot_sequence *sequence, int64_t first, int64_t left, uint32_t *n);
} taichi_aot_recorder;

struct taichi_aot_backend {
  int32_t queues;       /* TAICHI_AOT_BUSY_LIBRARY if launches return before they have finished, else 0 */
  int32_t is_boundless; /* the library's queue grows with each launch until a wait */
  int32_t is_pinned;    /* only the thread that created a TiRuntime may use it */
  /* Opens the device, unless it is open; the lock is not held. NULL: nothing to open. */
  int (*attach)(struct taichi_aot_context *context);
  /* Begins each operation, with the flags of `taichi_aot_enter_with`. After an error code the operation does not begin, and
   * `leave` is not called. NULL: nothing to do, because two empty calls would cost a launch 2 ns. Never CLOSING. */
  int (*enter)(struct taichi_aot_context *context, int flags);
  /* Called before the library in an operation that was entered TO_LAUNCH. NULL: nothing to do. */
  int (*use_library)(struct taichi_aot_context *context);
  /* Ends each operation, and returns its code so far, or LOST. NULL: nothing to do. */
  int (*leave)(struct taichi_aot_context *context, int code);
  /* Creates the TiRuntime later, on the device of the context. NULL: the library opens a device. */
  int (*create)(struct taichi_aot_context *context, TiRuntime *result);
  /* Names a launch's arrays for tools. NULL: nothing on the device has a name. */
  void (*name_arrays)(const struct taichi_aot_launch *launch);
  /* Allocates memory (`memory->own`), with an address if the host can always access it; else it is mapped. NULL: the library
   * allocates, maps and copies. */
  int (*allocate)(struct taichi_aot_context *context, const TiMemoryAllocateInfo *info, struct taichi_aot_memory *memory);
  void (*free)(struct taichi_aot_context *context, struct taichi_aot_memory *memory); /* even if the device uses it */
  int (*map)(struct taichi_aot_context *context, struct taichi_aot_memory *memory, void **result);
  void (*unmap)(struct taichi_aot_context *context, struct taichi_aot_memory *memory);
  /* Queues a copy. */
  int (*copy_memory)(struct taichi_aot_context *context, const struct taichi_aot_memory *target, uint64_t target_offset,
                     const struct taichi_aot_memory *source, uint64_t source_offset, uint64_t size);
  /* Imports memory into the library by its address. NULL: `import_memory` imports it as a whole, or the library allocates all. */
  TiMemory(TI_API_CALL *const *import_address)(TiRuntime ti_runtime, void *address, size_t size);
  const char *import_routine; /* its name */
  int (*import_memory)(struct taichi_aot_context *context, struct taichi_aot_memory *memory, TiMemory *result);
  int (*import_image)(struct taichi_aot_context *context, struct taichi_aot_memory *image, TiImage *result);
  /* Copies from an address of the device to the host, after all earlier work: 0, UNFINISHED if that takes longer than the call
   * may block, or an error code. NULL: `copy`, after a wait. */
  int (*read)(struct taichi_aot_context *context, uint64_t target, uint64_t source, uint64_t size, int32_t may_block);
  /* Copies between addresses of the host or the device, after earlier launches. NULL: the host copies. */
  int (*copy)(uint64_t target, uint64_t source, uint64_t size);
  /* Waits for the device without a TiRuntime: 0 or an error code. NULL: nothing runs then. */
  int (*synchronize)(struct taichi_aot_context *context);
  /* Waits for work that bypassed the library, so that its resources may be freed. NULL: nothing to wait for. */
  int (*finish)(struct taichi_aot_context *context);
  /* Reports the driver's numbers of the device's memory, and what `trim` would free. NULL: unknown. */
  int (*count_memory)(struct taichi_aot_context *context, taichi_aot_memory_numbers *numbers);
  /* Frees what is kept for reuse, after a wait, and adds its bytes to `freed`. NULL: nothing is kept. */
  int (*trim)(struct taichi_aot_context *context, uint64_t *freed);
  /* Frees what a closing runtime has besides recorded launches; calls no driver if the device is lost. NULL: nothing. */
  int (*close)(struct taichi_aot_runtime *runtime);
  /* Allocates `context->failure`, zeroed, where kernels can write and the host can read. It is never freed. NULL: `calloc`. */
  int (*make_failure)(struct taichi_aot_context *context);
  /* Called before the TiRuntime is destroyed; destroys it too if it uses a device of ours. NULL: nothing to do. */
  void (*destroy)(struct taichi_aot_context *context);
  /* Whether another library's stream is in order with the launches of this thread. Takes no lock. NULL: the arch has no streams. */
  int (*is_in_order)(struct taichi_aot_context *context, const void *stream);
  /* Makes the next launch wait for the streams of its arrays (`memory->stream`), or those streams for the launch. The latter
   * cannot fail, because their libraries may reuse the memory. NULL: the arch has no streams. */
  int (*order_arrays)(const struct taichi_aot_launch *launch, int32_t is_after);
  /* Whether an address is in the device's memory. Takes no lock. NULL: other libraries state it. */
  int (*has_address)(const struct taichi_aot_context *context, uint64_t address);
  const taichi_aot_recorder *recorder; /* NULL: the library makes all launches */
  const taichi_aot_marker *marker;
};
