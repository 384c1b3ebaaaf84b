/* The public C ABI of Taichi 1.7: every header that is declared here. */
#ifndef TAICHI_H
#define TAICHI_H

#include "taichi_platform.h"

#include "taichi_core.h"

#include "taichi_cpu.h"
#include "taichi_cuda.h"
#include "taichi_opengl.h"
#include "taichi_vulkan.h"

#endif
