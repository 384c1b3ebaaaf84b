/* Launches on the CPU without the library. */

#ifndef TAICHI_AOT_CPU_RECORDER_H
#define TAICHI_AOT_CPU_RECORDER_H

#include "core/recorder.h"

/* For C only. */

extern const taichi_aot_recorder taichi_aot_cpu_recorder;

#endif
