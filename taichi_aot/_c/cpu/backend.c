/* The backend of the CPU: the host can address all memory. Its recorder calls machine code. A launch is done when it returns, so
 * sequences need no chunks. */

#include "core/archs.h"
#include "core/checks.h"
#include "core/recorder.h"
#include "core/wait.h"

#include <stdlib.h>

/* The context that tasks get: the longest one that compiled code copies. Shorter ones are its start. */
typedef struct task_context {
  void *arguments;
  void *runtime;
  int32_t thread;
  void *result; /* where return values go */
  int32_t has_failed; /* 1 after a failed check: later tasks are skipped */
  void *unused[2];
} task_context;

_Static_assert(sizeof(task_context) == 56 && offsetof(task_context, result) == 24 && offsetof(task_context, has_failed) == 32,
               "RuntimeContext in the code of compilers");

typedef void (*task_function)(task_context *context);

/* The state of a launch. */
typedef struct launch_state {
  char *arguments; /* and space for return values that a graph drops */
} launch_state;

_Static_assert(sizeof(launch_state) <= sizeof(((taichi_aot_recorded *)0)->own), "the state of a launch fits");

static launch_state *launch_state_of(taichi_aot_recorded *recorded) { return (launch_state *)(void *)recorded->own; }

static void free_recorded(taichi_aot_context *context, taichi_aot_kept *kept) {
  taichi_aot_recorded *recorded = (taichi_aot_recorded *)kept;
  (void)context;
  free(launch_state_of(recorded)->arguments);
  launch_state_of(recorded)->arguments = NULL;
  recorded->version = -1;
}

/* Allocates space for the arguments; 0 or an error code. */
static int make_room(taichi_aot_runtime *runtime, taichi_aot_recorded *recorded) {
  launch_state *state = launch_state_of(recorded);
  if (recorded->kept.previous != NULL) return 0;
  state->arguments = (char *)calloc(1, (size_t)recorded->plan->stride + recorded->plan->return_bytes + 1);
  if (state->arguments == NULL) return taichi_aot_no_memory("the arguments of a launch");
  taichi_aot_keep(runtime, &recorded->kept, free_recorded);
  return 0;
}

static void run(taichi_aot_context *owner, const taichi_aot_plan *plan, char *arguments, void *result) {
  uint32_t i, k;
  for (i = 0; i < plan->dispatch_count; ++i) {
    const taichi_aot_plan_dispatch *dispatch = &plan->dispatches[i];
    task_context context = {arguments + dispatch->at, dispatch->runtime, 0, result, 0, {NULL, NULL}};
    for (k = 0; k < dispatch->task_count && !context.has_failed; ++k) ((task_function)(uintptr_t)dispatch->tasks[k].function)(&context);
    if (context.has_failed && dispatch->checks != 0) taichi_aot_take_failure(owner, dispatch->checks, dispatch->kernel);
  }
}

static int launch_cpu(taichi_aot_launch *launch) {
  taichi_aot_recorded *recorded = launch->recorded;
  int code = make_room(launch->runtime, recorded);
  const taichi_aot_plan *plan = recorded->plan;
  char *const arguments = launch_state_of(recorded)->arguments;
  void *result;
  if (code != 0) return code;
  if (launch->is_call || recorded->version != launch->version) {
    recorded->version = -1;
    code = taichi_aot_write_arguments(arguments, plan, launch);
    if (code != 0) return code;
    recorded->version = launch->version;
  }
  result = launch->result != NULL ? (void *)(uintptr_t)launch->result->memory->address : arguments + plan->stride;
  run(launch->runtime->context, plan, arguments, result);
  return 0;
}

static const taichi_aot_recorder recorder = {
  .routine = "calloc",
  .is_immediate = 1,
  .launch = launch_cpu,
};

const taichi_aot_backend taichi_aot_cpu_backend = {
  .import_address = &taichi_aot_functions.ti_import_cpu_memory,
  .import_routine = "ti_import_cpu_memory",
  .recorder = &recorder,
  .marker = &taichi_aot_host_marker,
};
