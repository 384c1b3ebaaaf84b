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

enum { CUDA_OK = 0, CUDA_NOT_READY = 600, CUDA_STREAM_NON_BLOCKING = 1, CUDA_EVENT_WITHOUT_TIMING = 2 };

typedef struct taichi_aot_cuda_node { /* of a graph: a launch of a task */
  void *function;
  unsigned int grid[3];
  unsigned int block[3];
  unsigned int shared;
  void **parameters;
  void **extra;
  void *kernel;
  void *context;
} taichi_aot_cuda_node;

/* The driver's functions: those that every driver has, */
#define TAICHI_AOT_CUDA_REQUIRED(F)                                                                          \
  F(cuInit, (unsigned int flags))                                                                            \
  F(cuDriverGetVersion, (int *version))                                                                      \
  F(cuDeviceGetCount, (int *count))                                                                          \
  F(cuDeviceGet, (int *device, int ordinal))                                                                 \
  F(cuDeviceGetName, (char *name, int length, int device))                                                   \
  F(cuDevicePrimaryCtxRetain, (void **context, int device))                                                  \
  F(cuCtxGetCurrent, (void **context))                                                                       \
  F(cuCtxSetCurrent, (void *context))                                                                        \
  F(cuGetErrorString, (int error, const char **text))                                                        \
  F(cuMemAlloc_v2, (uint64_t *address, size_t size))                                                         \
  F(cuMemFree_v2, (uint64_t address))                                                                        \
  F(cuMemGetInfo_v2, (size_t *free, size_t *total))                                                          \
  F(cuMemcpy, (uint64_t target, uint64_t source, size_t size))                                               \
  F(cuPointerGetAttribute, (void *value, int attribute, uint64_t address))                                   \
  F(cuStreamDestroy_v2, (void *stream))                                                                      \
  F(cuStreamQuery, (void *stream))                                                                           \
  F(cuStreamSynchronize, (void *stream))                                                                     \
  F(cuStreamGetFlags, (void *stream, unsigned int *flags))                                                   \
  F(cuStreamWaitEvent, (void *stream, void *event, unsigned int flags))                                      \
  F(cuEventCreate, (void **event, unsigned int flags))                                                       \
  F(cuEventRecord, (void *event, void *stream))                                                              \
  F(cuEventQuery, (void *event))                                                                             \
  F(cuEventElapsedTime, (float *milliseconds, void *from, void *to))                                         \
  F(cuEventDestroy_v2, (void *event))                                                                        \
  F(cuModuleLoadDataEx, (void **module, const void *image, unsigned int count, int *options, void **values)) \
  F(cuModuleGetFunction, (void **function, void *module, const char *name))                                  \
  F(cuModuleUnload, (void *module))                                                                          \
  F(cuFuncSetAttribute, (void *function, int attribute, int value))
/* those that may be NULL, */
#define TAICHI_AOT_CUDA_OPTIONAL(F)                                                                   \
  F(cuMemAllocHost_v2, (void **memory, size_t size))                                                  \
  F(cuMemFreeHost, (void *memory))                                                                    \
  F(cuMemcpyDtoHAsync_v2, (void *target, uint64_t source, size_t size, void *stream))                 \
  F(cuMemcpyPeerAsync, (uint64_t target, void *target_context, uint64_t source, void *source_context, \
    size_t size, void *stream))                                                                       \
  F(cuCtxEnablePeerAccess, (void *peer, unsigned int flags))                                          \
  F(cuStreamIsCapturing, (void *stream, int *status))                                                 \
  F(cuThreadExchangeStreamCaptureMode, (int *mode))
/* and those of launches without the library, all of which the driver of CUDA 12.0 has first. */
#define TAICHI_AOT_CUDA_LAUNCHING(F)                                                                                   \
  F(cuGraphAddKernelNode_v2,                                                                                           \
    (void **node, void *graph, void *const *before, size_t count, const taichi_aot_cuda_node *info))                   \
  F(cuGraphCreate, (void **graph, unsigned int flags))                                                                 \
  F(cuGraphDestroy, (void *graph))                                                                                     \
  F(cuGraphExecDestroy, (void *graph))                                                                                 \
  F(cuGraphInstantiateWithFlags, (void **result, void *graph, unsigned long long flags))                               \
  F(cuGraphLaunch, (void *graph, void *stream))                                                                        \
  F(cuGraphRetainUserObject, (void *graph, void *object, unsigned int count, unsigned int flags))                      \
  F(cuLaunchKernel,                                                                                                    \
    (void *function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,              \
     unsigned int block_y, unsigned int block_z, unsigned int shared, void *stream, void **parameters, void **extra))  \
  F(cuMemcpyHtoDAsync_v2, (uint64_t target, const void *source, size_t size, void *stream))                            \
  F(cuStreamCreate, (void **stream, unsigned int flags))                                                               \
  F(cuStreamGetCaptureInfo_v2,                                                                                         \
    (void *stream, int *status, uint64_t *number, void **graph, void *const **before, size_t *count))                  \
  F(cuUserObjectCreate, (void **object, void *value, void(TAICHI_AOT_DRIVER_CALL *destroy)(void *value),               \
                         unsigned int count, unsigned int flags))
#define TAICHI_AOT_CUDA_DECLARE(name, parameters) int(TAICHI_AOT_DRIVER_CALL *name) parameters;

extern struct taichi_aot_cuda_driver {
  TAICHI_AOT_CUDA_REQUIRED(TAICHI_AOT_CUDA_DECLARE)
  TAICHI_AOT_CUDA_OPTIONAL(TAICHI_AOT_CUDA_DECLARE)
  TAICHI_AOT_CUDA_LAUNCHING(TAICHI_AOT_CUDA_DECLARE)
} taichi_aot_cuda_driver;

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
  void *event;    /* which orders streams of other libraries and devices; NULL before the first one */
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
int taichi_aot_cuda_error(const char *routine, int result);
