/* What a backend is: the only way from shared files to what is CUDA's, Vulkan's, OpenGL's or the CPU's.
 *
 * Functions are called with the lock of the context held, except where they say otherwise. They return 0 or an error code of
 * the library, whose message is in place. */

#ifndef TAICHI_AOT_BACKEND_H
#define TAICHI_AOT_BACKEND_H

#include "base.h"

typedef struct taichi_aot_backend taichi_aot_backend;

/* For C alone. */

struct taichi_aot_context;
struct taichi_aot_runtime;
struct taichi_aot_recorder;

struct taichi_aot_backend {
  int32_t queues;    /* TAICHI_AOT_BUSY_LIBRARY if launches return before they have finished, else 0 */
  int32_t is_pinned; /* only the thread that created a TiRuntime may use it */
  /* After the TiRuntime came into being; the lock is not held. */
  int (*attach)(struct taichi_aot_context *context);
  /* At the begin of each operation, with the flags of `taichi_aot_enter_with`. */
  void (*enter)(struct taichi_aot_context *context, int flags);
  /* Before the library is called in an operation that was entered TO_LAUNCH. */
  void (*use_library)(struct taichi_aot_context *context);
  /* At the end of each operation: the code of the operation so far, or LOST. */
  int (*leave)(struct taichi_aot_context *context, int code);
  /* Between addresses of the host or of the device, after the launches before. */
  int (*copy)(uint64_t target, uint64_t source, uint64_t size);
  /* Waits for what the library does not know of, so that what it uses may be freed. */
  int (*finish)(struct taichi_aot_context *context);
  /* Drops what a runtime that is being closed has; calls no driver if the device is lost. */
  void (*close)(struct taichi_aot_runtime *runtime);
  /* Before the TiRuntime is destroyed. */
  void (*destroy)(struct taichi_aot_context *context);
  const struct taichi_aot_recorder *recorder;
};

/* For backends that leave it to the library. */
int taichi_aot_no_attach(struct taichi_aot_context *context);
void taichi_aot_no_enter(struct taichi_aot_context *context, int flags);
void taichi_aot_no_use_library(struct taichi_aot_context *context);
int taichi_aot_no_leave(struct taichi_aot_context *context, int code);
int taichi_aot_no_finish(struct taichi_aot_context *context);
void taichi_aot_no_close(struct taichi_aot_runtime *runtime);
void taichi_aot_no_destroy(struct taichi_aot_context *context);
int taichi_aot_host_copy(uint64_t target, uint64_t source, uint64_t size); /* the host can address both */

#endif
