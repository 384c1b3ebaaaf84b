/* Launches on the CPU without the library. */

#pragma once

#include "core/recorder.h"

/* For C only. */

extern const taichi_aot_recorder taichi_aot_cpu_recorder;
