/* The hand-written C of this package: every header, each below those that it uses.
 *
 * Python sees the part of each header above the line "For C only"; cffi parses it. build_ffi.py generates functions.h, the
 * table of the library's functions. One call from Python does a whole operation under the mutex of its context, and records it
 * in a struct that Python already holds. So an exception, a signal handler or a finalizer may come between any two bytecodes: no
 * operation is lost, and no lock is held while Python code runs. */

#pragma once

#include "core/os.h"
#include "core/base.h"
#include "core/clock.h"
#include "core/pool.h"
#include "core/lock.h"
#include "core/library.h"
#include "core/backend.h"
#include "core/table.h"
#include "core/numbers.h"
#include "core/context.h"
#include "core/checks.h"
#include "core/wait.h"
#include "core/memory.h"
#include "core/module.h"
#include "core/plan.h"
#include "core/policy.h"
#include "core/launch.h"
#include "core/recorder.h"
#include "core/close.h"
#include "core/sequence.h"
#include "cpu/native.h"
#include "cuda/device.h"
#include "cuda/code.h"
#include "cuda/recorder.h"
#include "vulkan/device.h"
#include "vulkan/create.h"
#include "vulkan/memory.h"
#include "vulkan/arena.h"
#include "vulkan/attach.h"
#include "vulkan/image.h"
#include "vulkan/launch.h"
#include "vulkan/recorder.h"
#include "core/archs.h"
#include "core/dlpack.h"
#include "core/guest.h"
