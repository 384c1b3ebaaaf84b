/* Machine code of kernels: shared objects opened from memory. */

#pragma once

#include "core/base.h"

const char *taichi_aot_native_targets(void);
void *taichi_aot_native_open(const void *code, size_t size);
void *taichi_aot_native_open_file(const char *path);
void taichi_aot_native_close(void *library);
uint64_t taichi_aot_print_function(void); /* what kernels print with */
