/* Marks on CUDA: events of the driver. */

#pragma once

#include "cuda/device.h"
#include "core/wait.h"

/* For C only. */

extern const taichi_aot_marker taichi_aot_cuda_marker;
