/* Marks on CUDA: events of the driver. */

#ifndef TAICHI_AOT_CUDA_MARKS_H
#define TAICHI_AOT_CUDA_MARKS_H

#include "cuda/device.h"
#include "core/wait.h"

/* For C only. */

extern const taichi_aot_marker taichi_aot_cuda_marker;

#endif
