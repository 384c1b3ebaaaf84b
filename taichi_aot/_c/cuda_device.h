/* The CUDA driver: what the C-API lacks, or does slowly. */

#ifndef TAICHI_AOT_CUDA_DEVICE_H
#define TAICHI_AOT_CUDA_DEVICE_H

#include "context.h"
#include "memory.h"

typedef struct taichi_aot_stream {
  void *handle;
  void *event;
  int32_t is_blocking;              /* the driver synchronizes it with the default stream */
  struct taichi_aot_stream *before; /* the stream that was in use on this thread before */
  taichi_aot_runtime *runtime;
  int64_t seen; /* `default_work` when it last waited for the default stream */
  /* Of a stream that is not blocking, in the list of the context: */
  struct taichi_aot_stream *next;
  int32_t is_ahead; /* it has work of ours that the default stream has not waited for */
} taichi_aot_stream;

const char *taichi_aot_cuda_device(char *name, size_t capacity);
int taichi_aot_cuda_version(void);
int taichi_aot_cuda_allocate(taichi_aot_runtime *runtime, uint64_t size, taichi_aot_memory *memory);
int taichi_aot_cuda_free(taichi_aot_runtime *runtime, taichi_aot_memory *memory);
int taichi_aot_cuda_copy(taichi_aot_runtime *runtime, const taichi_aot_memory *target, int64_t target_generation,
                         uint64_t target_offset, const taichi_aot_memory *source, int64_t source_generation,
                         uint64_t source_offset, uint64_t size);
int taichi_aot_cuda_order(taichi_aot_runtime *runtime, void *stream, int32_t before);
int taichi_aot_cuda_is_device_memory(taichi_aot_runtime *runtime, uint64_t address, int32_t *result);
int taichi_aot_cuda_enter_stream(taichi_aot_runtime *runtime, taichi_aot_stream *stream);
int taichi_aot_cuda_leave_stream(taichi_aot_runtime *runtime, taichi_aot_stream *stream);
int taichi_aot_cuda_current_stream(taichi_aot_runtime *runtime, void **stream);

/* For C alone. */

#ifdef _WIN32
#define CUDA_CALL __stdcall /* of the driver's functions */
#else
#define CUDA_CALL
#endif

/* Called with the lock held. */
void taichi_aot_cuda_enter_context(taichi_aot_context *context, int is_direct);
void taichi_aot_cuda_use_default(taichi_aot_context *context);
int taichi_aot_cuda_leave_context(taichi_aot_context *context, int code);
int taichi_aot_cuda_begin_direct(taichi_aot_context *context, void **stream);
void taichi_aot_cuda_end_direct(taichi_aot_context *context);
void taichi_aot_cuda_forget_streams(taichi_aot_runtime *runtime);
void *taichi_aot_cuda_symbol(const char *name);
int taichi_aot_cuda_error(const char *routine, int result);
int taichi_aot_cuda_still_lost(void);
int taichi_aot_cuda_attach(taichi_aot_context *context);
int taichi_aot_cuda_copy_entered(uint64_t target, uint64_t source, uint64_t size);

#endif
