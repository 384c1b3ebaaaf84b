/* What a backend is: the only way from shared files to what is CUDA's, Vulkan's, OpenGL's or the CPU's.
 *
 * Functions are called with the lock of the context held, except where they say otherwise. They return 0 or an error code of
 * the library, whose message is in place. */

#ifndef TAICHI_AOT_BACKEND_H
#define TAICHI_AOT_BACKEND_H

#include "core/base.h"

typedef struct taichi_aot_backend taichi_aot_backend;

/* Numbers of bytes; -1: nobody says. */
typedef struct taichi_aot_memory_numbers {
  int64_t free;  /* on the device */
  int64_t total; /* of the device */
  int64_t pooled; /* kept by the backend's C for reuse */
} taichi_aot_memory_numbers;

/* For C alone. */

typedef struct taichi_aot_marker taichi_aot_marker;
struct taichi_aot_context;
struct taichi_aot_launch;
struct taichi_aot_memory;
struct taichi_aot_position;
struct taichi_aot_recorded;
struct taichi_aot_recording;
struct taichi_aot_runtime;
struct taichi_aot_sequence_item;

/* Launches without the library. */
typedef struct taichi_aot_recorder {
  const char *routine;
  int32_t is_immediate; /* a launch has finished when it returns; the library makes none of a launch that has a plan, and a
                         * sequence is a loop. The functions for sequences are NULL */
  /* Before all others: 0, NOT_MINE or an error code. */
  int (*open)(struct taichi_aot_context *context);
  /* Launches, with arrays that are open: 0, UNFINISHED, or an error code. */
  int (*launch)(struct taichi_aot_launch *launch);
  /* Brings what the device has of an item's launch up to date, for chunks of so many iterations: 0, NOT_MINE if the library
   * has to launch it, or an error code. */
  int (*prepare)(struct taichi_aot_runtime *runtime, const struct taichi_aot_sequence_item *item, uint32_t copies);
  /* Whether the device has done the chunk of a slot; waits a little for it. */
  int (*is_done)(struct taichi_aot_context *context, uint32_t slot, int *code);
  /* Gives the device `*n` or fewer of the `left` iterations from `first` on, in the slot that is next: 0, NOT_MINE if it
   * cannot, or an error code. */
  int (*submit)(struct taichi_aot_runtime *runtime, const struct taichi_aot_sequence_item *items, uint32_t count,
                int64_t first, int64_t left, uint32_t *n, struct taichi_aot_recording *recording);
  void (*free_recorded)(struct taichi_aot_context *context, struct taichi_aot_recorded *recorded);
  void (*free_recording)(struct taichi_aot_context *context, struct taichi_aot_recording *recording);
} taichi_aot_recorder;

struct taichi_aot_backend {
  int32_t queues;       /* TAICHI_AOT_BUSY_LIBRARY if launches return before they have finished, else 0 */
  int32_t is_boundless; /* the library's queue grows with each launch until a wait */
  int32_t is_pinned;    /* only the thread that created a TiRuntime may use it */
  /* Opens the device, unless it is open; the lock is not held. */
  int (*attach)(struct taichi_aot_context *context);
  /* At the begin of each operation, with the flags of `taichi_aot_enter_with`. NULL: nothing to do; two calls that do nothing
   * would cost a launch 2 ns. An error code: the operation does not begin, and `leave` is not called. Never CLOSING. */
  int (*enter)(struct taichi_aot_context *context, int flags);
  /* Before the library is called in an operation that was entered TO_LAUNCH. */
  int (*use_library)(struct taichi_aot_context *context);
  /* At the end of each operation: the code of the operation so far, or LOST. NULL: nothing to do. */
  int (*leave)(struct taichi_aot_context *context, int code);
  /* Gives the library the device of a context whose TiRuntime is created later. NULL: the library opens one. */
  int (*create)(struct taichi_aot_context *context, TiRuntime *result);
  /* Names the arrays of a launch that has names, for tools. NULL: nothing on the device has a name. */
  void (*name_arrays)(const struct taichi_aot_launch *launch);
  /* Memory that C allocates (`memory->own`), with an address if the host has it all the time; else it is mapped. NULL: the
   * library does all that, and copies. */
  int (*allocate)(struct taichi_aot_context *context, const TiMemoryAllocateInfo *info, struct taichi_aot_memory *memory);
  void (*free)(struct taichi_aot_context *context, struct taichi_aot_memory *memory); /* even if the device uses it */
  int (*map)(struct taichi_aot_context *context, struct taichi_aot_memory *memory, void **result);
  void (*unmap)(struct taichi_aot_context *context, struct taichi_aot_memory *memory);
  /* Queues a copy. */
  int (*copy_memory)(struct taichi_aot_context *context, const struct taichi_aot_memory *target, uint64_t target_offset,
                     const struct taichi_aot_memory *source, uint64_t source_offset, uint64_t size);
  /* Gives the library memory that it did not allocate, from an offset on. NULL: it allocates all memory. */
  int (*import_memory)(struct taichi_aot_context *context, struct taichi_aot_memory *memory, uint64_t offset,
                       uint64_t size, TiMemory *result);
  int (*import_image)(struct taichi_aot_context *context, struct taichi_aot_memory *image, TiImage *result);
  /* From an address of the device to the host, after all before it: 0, UNFINISHED if that takes longer than the call may
   * block, or an error code. NULL: `copy`, after a wait. */
  int (*read)(struct taichi_aot_context *context, uint64_t target, uint64_t source, uint64_t size, int32_t may_block);
  /* Between addresses of the host or of the device, after the launches before. */
  int (*copy)(uint64_t target, uint64_t source, uint64_t size);
  /* Waits for the device where there is no TiRuntime: 0 or an error code. NULL: nothing runs then. */
  int (*synchronize)(struct taichi_aot_context *context);
  /* Waits for what the library does not know of, so that what it uses may be freed. */
  int (*finish)(struct taichi_aot_context *context);
  /* What the driver says of the device's memory, and what `trim` would free. NULL: nothing. */
  int (*count_memory)(struct taichi_aot_context *context, taichi_aot_memory_numbers *numbers);
  /* Frees what is kept for reuse, after a wait, and adds its bytes to `freed`. NULL: there is nothing. */
  int (*trim)(struct taichi_aot_context *context, uint64_t *freed);
  /* Drops what a runtime that is being closed has; calls no driver if the device is lost. */
  int (*close)(struct taichi_aot_runtime *runtime);
  /* Makes `context->failure`, zeroed, where kernels can write it and the host read it. It is never freed. NULL: `calloc`. */
  int (*make_failure)(struct taichi_aot_context *context);
  /* Before the TiRuntime is destroyed, or with it, if it uses a device of ours. */
  void (*destroy)(struct taichi_aot_context *context);
  /* Whether work in a stream of another library is in order with the launches of this thread. Takes no lock. NULL: there are
   * no streams. */
  int (*is_in_order)(struct taichi_aot_context *context, const void *stream);
  /* Makes the next launch wait for the streams of its arrays (`memory->stream`), or after it those streams for the launch, which
   * cannot fail: their libraries may reuse the arrays' memory. NULL: there are no streams. */
  int (*order_arrays)(const struct taichi_aot_launch *launch, int32_t is_after);
  /* Whether an address is in memory of the device. Takes no lock. NULL: other libraries say so themselves. */
  int (*has_address)(const struct taichi_aot_context *context, uint64_t address);
  const taichi_aot_recorder *recorder;
  const taichi_aot_marker *marker; /* how it waits: see wait.h */
};

/* For backends that leave it to the library. */
int taichi_aot_no_attach(struct taichi_aot_context *context);
int taichi_aot_no_use_library(struct taichi_aot_context *context);
int taichi_aot_no_finish(struct taichi_aot_context *context);
int taichi_aot_no_close(struct taichi_aot_runtime *runtime);
void taichi_aot_no_destroy(struct taichi_aot_context *context);
int taichi_aot_host_copy(uint64_t target, uint64_t source, uint64_t size); /* the host can address both */

#endif
