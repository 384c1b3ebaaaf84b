/* Closing runtimes. */

#pragma once

#include "core/context.h"

int taichi_aot_begin_close(taichi_aot_runtime *runtime);
int taichi_aot_finish_close(taichi_aot_runtime *runtime, int32_t destroy_context);
