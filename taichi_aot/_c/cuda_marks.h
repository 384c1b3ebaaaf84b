/* Marks on CUDA: events of the driver. */

#ifndef TAICHI_AOT_CUDA_MARKS_H
#define TAICHI_AOT_CUDA_MARKS_H

#include "cuda_device.h"
#include "wait.h"

/* For C alone. */

extern const taichi_aot_marker taichi_aot_cuda_marker;

#endif
