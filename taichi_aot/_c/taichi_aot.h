/* The hand-written C of this package: every header, each below those that it uses.
 *
 * Python sees the part of each header above the line "For C alone"; cffi parses it. build_ffi.py generates functions.h, the
 * table of the library's functions. One rule holds for all operations: one call from Python does the whole operation under
 * the mutex of its context, and notes it in a struct that Python already holds. An exception, a signal handler or a finalizer
 * can therefore come between any two bytecodes: no operation is lost, and no lock is held while Python code runs. */

#ifndef TAICHI_AOT_H
#define TAICHI_AOT_H

#include "base.h"
#include "clock.h"
#include "pool.h"
#include "lock.h"
#include "library.h"
#include "labels.h"
#include "backend.h"
#include "chunks.h"
#include "table.h"
#include "registry.h"
#include "context.h"
#include "checks.h"
#include "wait.h"
#include "close.h"
#include "memory.h"
#include "module.h"
#include "plan.h"
#include "policy.h"
#include "launch.h"
#include "recorder.h"
#include "sequence.h"
#include "numbers.h"
#include "capi.h"
#include "native.h"
#include "cpu_recorder.h"
#include "cuda_device.h"
#include "cuda_exchange.h"
#include "cuda_code.h"
#include "cuda_marks.h"
#include "cuda_recorder.h"
#include "cuda_until.h"
#include "cuda_across.h"
#include "vulkan_device.h"
#include "vulkan_marks.h"
#include "vulkan_labels.h"
#include "image.h"
#include "vulkan_launch.h"
#include "vulkan_recorder.h"
#include "archs.h"
#include "dlpack.h"
#include "guest.h"

#endif
