/* Sharing of host memory with the CPU archs. */
#ifndef TAICHI_CPU_H
#define TAICHI_CPU_H

#include "taichi_core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TiCpuMemoryInteropInfo {
  void *ptr;
  uint64_t size;
} TiCpuMemoryInteropInfo;

TI_DLL_EXPORT void TI_API_CALL ti_export_cpu_memory(TiRuntime runtime, TiMemory memory,
                                                    TiCpuMemoryInteropInfo *interop_info);
TI_DLL_EXPORT TiMemory TI_API_CALL ti_import_cpu_memory(TiRuntime runtime, void *ptr, size_t memory_size);

#ifdef __cplusplus
}
#endif

#endif
