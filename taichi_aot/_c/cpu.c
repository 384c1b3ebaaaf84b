/* The backend of the CPU: a launch has finished when it returns, and the host can address all memory. */

#include "archs.h"
#include "context.h"
#include "recorder.h"
#include "wait.h"

const taichi_aot_backend taichi_aot_cpu_backend = {
  .queues = 0,
  .is_boundless = 0,
  .is_pinned = 0,
  .attach = taichi_aot_no_attach,
  .enter = NULL,
  .use_library = taichi_aot_no_use_library,
  .leave = NULL,
  .load = NULL,
  .copy = taichi_aot_host_copy,
  .finish = taichi_aot_no_finish,
  .close = taichi_aot_no_close,
  .destroy = taichi_aot_no_destroy,
  .recorder = &taichi_aot_no_recorder,
  .marker = &taichi_aot_host_marker,
};
