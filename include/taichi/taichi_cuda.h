/* Sharing of device memory and streams with CUDA. */
#ifndef TAICHI_CUDA_H
#define TAICHI_CUDA_H

#include "taichi_core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TiCudaMemoryInteropInfo {
  void *ptr;
  uint64_t size;
} TiCudaMemoryInteropInfo;

TI_DLL_EXPORT void TI_API_CALL ti_export_cuda_memory(TiRuntime runtime, TiMemory memory,
                                                     TiCudaMemoryInteropInfo *interop_info);
TI_DLL_EXPORT TiMemory TI_API_CALL ti_import_cuda_memory(TiRuntime runtime, void *ptr, size_t memory_size);
TI_DLL_EXPORT void TI_API_CALL ti_set_cuda_stream(void *stream);
TI_DLL_EXPORT void TI_API_CALL ti_get_cuda_stream(void **stream);

#ifdef __cplusplus
}
#endif

#endif
