/* The CUDA driver: what the C-API lacks, or does slowly. */

#pragma once

#include "core/context.h"
#include "core/launch.h"
#include "core/memory.h"

typedef struct taichi_aot_stream {
  void *handle;
  void *event;
  int32_t is_blocking;              /* the driver synchronizes it with the default stream, while it exists */
  struct taichi_aot_stream *before; /* the stream that was in use on this thread before */
  taichi_aot_runtime *runtime;
  int32_t is_kept; /* the library still uses it, so it must not be destroyed */
  int64_t seen; /* `default_work` when it last waited for the default stream */
  int32_t is_ahead; /* has work that the default stream does not wait for yet */
  struct taichi_aot_stream *next; /* of those that are not blocking, in the list of the context */
} taichi_aot_stream;

int taichi_aot_cuda_device_count(void);
int taichi_aot_cuda_device(int32_t index, char *name, size_t capacity);
int taichi_aot_cuda_version(void);
int taichi_aot_cuda_allocate(taichi_aot_runtime *runtime, uint64_t size, int32_t on_host, taichi_aot_memory *memory);
int taichi_aot_cuda_free(taichi_aot_runtime *runtime, taichi_aot_memory *memory);
int taichi_aot_cuda_copy_peer(taichi_aot_runtime *target_runtime, const taichi_aot_memory *target, int64_t target_generation,
                              uint64_t target_offset, taichi_aot_runtime *source_runtime, const taichi_aot_memory *source,
                              int64_t source_generation, uint64_t source_offset, uint64_t size);
int taichi_aot_cuda_order(taichi_aot_runtime *runtime, void *stream, int32_t before);
int taichi_aot_cuda_find_device(taichi_aot_runtime *runtime, uint64_t address, int32_t *device);
int taichi_aot_cuda_enter_stream(taichi_aot_runtime *runtime, taichi_aot_stream *stream);
int taichi_aot_cuda_leave_stream(taichi_aot_runtime *runtime, taichi_aot_stream *stream);
int taichi_aot_cuda_current_stream(taichi_aot_runtime *runtime, void **stream);

/* For C only. */

/* The driver's functions that a file calls, each F(name, parameters) in `list`: `cuda` has them once `find_functions` has found
 * them, which returns 0 or an error code. The lock is held. */
#define TAICHI_AOT_CUDA_FUNCTIONS(list)                 \
  static struct { list(TAICHI_AOT_CUDA_DECLARE) } cuda; \
  static int find_functions(void) {                     \
    static int is_done;                                 \
    int code = 0;                                       \
    if (is_done) return 0;                              \
    list(TAICHI_AOT_CUDA_FIND)                          \
    is_done = code == 0;                                \
    return code;                                        \
  }
#define TAICHI_AOT_CUDA_DECLARE(name, parameters) int(TAICHI_AOT_DRIVER_CALL *name) parameters;
#define TAICHI_AOT_CUDA_FIND(name, parameters)          \
  *(void **)&cuda.name = taichi_aot_cuda_symbol(#name); \
  if (cuda.name == NULL) code = taichi_aot_missing(#name);

/* The state of a context. */
typedef struct taichi_aot_cuda {
  void *handle;              /* CUDA's context, the primary one of its device, made current around each call */
  taichi_aot_stream *streams; /* non-blocking ones that threads use now */
  int32_t is_launching;      /* the current call launches without the library, on the stream itself */
  int32_t has_stream;        /* the library uses a stream of ours */
  int32_t failure;           /* of the current call: a code that its end returns */
  int64_t default_work;      /* increases with work on the default stream, or on one that it waits for */
  struct taichi_aot_cuda_shared *shared; /* what recorded launches share; NULL before the first one */
  void *pinned;   /* memory of the host for short reads; NULL before the first one */
  void *event;    /* which orders streams of other libraries; NULL before the first one */
  uint64_t peers; /* devices that it has asked for direct copies, as bits */
} taichi_aot_cuda;

extern const taichi_aot_marker taichi_aot_cuda_marker; /* events of the driver */
taichi_aot_cuda *taichi_aot_cuda_of(taichi_aot_context *context);

/* Functions of the backend. */
int taichi_aot_cuda_attach(taichi_aot_context *context);
int taichi_aot_cuda_make_failure(taichi_aot_context *context);
int taichi_aot_cuda_enter(taichi_aot_context *context, int flags);
int taichi_aot_cuda_use_library(taichi_aot_context *context);
int taichi_aot_cuda_leave(taichi_aot_context *context, int code);
int taichi_aot_cuda_synchronize(taichi_aot_context *context);
int taichi_aot_cuda_copy(uint64_t target, uint64_t source, uint64_t size);
int taichi_aot_cuda_read(taichi_aot_context *context, uint64_t target, uint64_t source, uint64_t size, int32_t may_block);
int taichi_aot_cuda_is_in_order(taichi_aot_context *context, const void *stream);
int taichi_aot_cuda_order_arrays(const taichi_aot_launch *launch, int32_t is_after);
int taichi_aot_cuda_has_address(const taichi_aot_context *context, uint64_t address);
int taichi_aot_cuda_forget_streams(taichi_aot_runtime *runtime);

/* For recorded launches; the lock is held. */
int taichi_aot_cuda_begin_launch(taichi_aot_context *context, void **stream, int32_t *is_captured);
int taichi_aot_cuda_not_captured(const char *reason);
void taichi_aot_cuda_count_captured(int32_t change);
int taichi_aot_cuda_is_captured(void);
void taichi_aot_cuda_end_launch(taichi_aot_context *context);
void taichi_aot_cuda_note(taichi_aot_context *context, int code);
int taichi_aot_cuda_memory(taichi_aot_memory_numbers *numbers);
void *taichi_aot_cuda_symbol(const char *name);
int taichi_aot_cuda_error(const char *routine, int result);
