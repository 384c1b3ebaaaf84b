/* Recorded launches on CUDA. */

#ifndef TAICHI_AOT_CUDA_RECORDER_H
#define TAICHI_AOT_CUDA_RECORDER_H

#include "recorder.h"

/* For C alone. */

extern const taichi_aot_recorder taichi_aot_cuda_recorder;

#endif
