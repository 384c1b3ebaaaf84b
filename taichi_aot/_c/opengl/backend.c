/* The backend of OpenGL: the library does everything, on the thread that created the runtime. */

#include "core/archs.h"
#include "core/context.h"
#include "core/wait.h"

const taichi_aot_backend taichi_aot_opengl_backend = {
  .queues = TAICHI_AOT_BUSY_LIBRARY,
  .is_boundless = 1,
  .is_pinned = 1,
  .marker = &taichi_aot_host_marker,
};
