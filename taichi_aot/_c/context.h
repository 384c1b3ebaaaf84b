/* A `TiRuntime` of the library, with the mutex that every call on it takes; states of runtimes. */

#ifndef TAICHI_AOT_CONTEXT_H
#define TAICHI_AOT_CONTEXT_H

#include "chunks.h"
#include "library.h"
#include "lock.h"
#include "registry.h"

typedef struct taichi_aot_context {
  TiRuntime ti_runtime; /* NULL: not created yet, destroyed, or inherited by a fork */
  int32_t is_borrowed;  /* another owner destroys the TiRuntime */
  /* For C alone. */
  taichi_aot_lock lock;
  uint64_t thread;      /* the one thread that may use it, 0 for any */
  int32_t asynchronous; /* launches return before they have finished */
  int32_t busy;         /* TAICHI_AOT_BUSY_...: what has begun since the last wait */
  uint64_t changes;     /* calls of the library that may have changed the layout of an image */
  taichi_aot_registry registry;
  int32_t lost;         /* CUDA: later calls that use the driver fail */
  void *cuda_context;   /* CUDA: made current around each call */
  struct taichi_aot_cuda *cuda;         /* CUDA: what recorded launches share; NULL before the first one */
  struct taichi_aot_stream *streams;    /* CUDA: non-blocking streams that threads use now */
  int32_t is_direct;    /* CUDA: the call that is inside launches without the library, on the stream itself */
  int64_t default_work; /* CUDA: increases with what is queued on the default stream, or on one that it waits for */
  struct taichi_aot_vulkan *vulkan; /* Vulkan: what submits copies of images; NULL before the first one */
  taichi_aot_chunks chunks;         /* of recorded launches */
} taichi_aot_context;

/* States of a runtime; _handles/runtime.py documents the transitions. */
#define TAICHI_AOT_STATE_CLOSED 0
#define TAICHI_AOT_STATE_OPEN 1
#define TAICHI_AOT_STATE_CLOSING 2
#define TAICHI_AOT_STATE_INHERITED 3

/* The part of a context that belongs to one Runtime object; CUDA runtimes share one context. */
typedef struct taichi_aot_runtime {
  taichi_aot_context *context;
  int32_t state;
  int32_t holds; /* mappings and exports that must end before the context is destroyed */
  struct taichi_aot_recorded *recorded; /* what launches and sequences have on the device */
  struct taichi_aot_recording *recordings;
} taichi_aot_runtime;

void taichi_aot_context_init(taichi_aot_context *context, int32_t asynchronous, int32_t pinned);
int taichi_aot_context_create(taichi_aot_context *context, TiArch arch, uint32_t device_index);
int taichi_aot_context_adopt(taichi_aot_context *context, TiArch arch, TiRuntime ti_runtime, int32_t is_borrowed);
void taichi_aot_context_forget(taichi_aot_context *context);
int taichi_aot_context_is_free(taichi_aot_context *context);
int taichi_aot_begin_close(taichi_aot_runtime *runtime);
int taichi_aot_finish_close(taichi_aot_runtime *runtime, int32_t destroy_context);
int taichi_aot_wait(taichi_aot_runtime *runtime, int32_t for_results);

/* For C alone. */

#define TAICHI_AOT_BUSY_LIBRARY 1 /* what the library has recorded or submitted */
#define TAICHI_AOT_BUSY_COPIES 2  /* copies of images, which the library does not know of */
#define TAICHI_AOT_BUSY_REPLAYS 4 /* recorded launches, which it does not know of either */

/* `enter` takes the lock and clears the thread's error, `leave` returns what the call reported and gives the
 * lock back. After a status other than 0 of `enter` the lock is not held. NULL: without a runtime. */
int taichi_aot_enter(taichi_aot_runtime *runtime);
int taichi_aot_enter_closing(taichi_aot_runtime *runtime); /* also while the runtime is being closed */
#define TAICHI_AOT_ENTER_CLOSING 1   /* also while the runtime is being closed */
#define TAICHI_AOT_ENTER_MAY_WAIT 2  /* else BUSY */
#define TAICHI_AOT_ENTER_ON_DEVICE 4 /* else only our own record is changed: also after a fault on CUDA */
#define TAICHI_AOT_ENTER_DIRECT 8    /* on CUDA it does not use the default stream, unless taichi_aot_cuda_use_default */
int taichi_aot_enter_with(taichi_aot_runtime *runtime, int flags);
int taichi_aot_leave(taichi_aot_runtime *runtime, const char *routine);
int taichi_aot_leave_with(taichi_aot_runtime *runtime, int code); /* where the call did not go to the library */
void taichi_aot_wait_entered(taichi_aot_context *context);

#endif
