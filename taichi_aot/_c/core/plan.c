/* Checks plans, which come from files. A wrong offset within bounds is a fault of the module's code, which is trusted. */

#include "core/plan.h"

enum { MOST_BYTES = 1 << 20, MOST_DIMENSIONS = 16, MOST_WORD_BYTES = 128, HIGHEST_BINDING = (1 << 16) - 1 };

/* The bytes of an argument in the argument struct; 0 if the launch's argument has another kind. */
static uint32_t size_of_argument(const taichi_aot_plan_argument *argument, char kind) {
  switch (argument->kind) {
  case TAICHI_AOT_ARGUMENT_VALUE:
    return kind == TAICHI_AOT_IS_SCALAR && argument->count <= 8 ? argument->count : 0;
  case TAICHI_AOT_ARGUMENT_WORDS:
    return kind == TAICHI_AOT_IS_TENSOR && argument->count <= MOST_WORD_BYTES ? argument->count : 0;
  case TAICHI_AOT_ARGUMENT_ARRAY:
    if (kind != TAICHI_AOT_IS_ARRAY || argument->count > MOST_DIMENSIONS) return 0;
    return argument->count > 0 ? 4 * argument->count : 1;
  case TAICHI_AOT_ARGUMENT_ADDRESS:
    return kind == TAICHI_AOT_IS_ARRAY ? 8 : 0;
  case TAICHI_AOT_ARGUMENT_EXTENT:
    return kind == TAICHI_AOT_IS_TEXTURE && argument->count <= 3 ? 4 * argument->count : 0;
  default:
    return 0;
  }
}

static int argument_is_sound(const taichi_aot_plan_dispatch *dispatch, const taichi_aot_plan_argument *argument,
                             const char *kinds, uint32_t count) {
  const uint32_t size = argument->source < count ? size_of_argument(argument, kinds[argument->source]) : 0;
  return size > 0 && size <= dispatch->argument_bytes && argument->offset <= dispatch->argument_bytes - size;
}

/* Whether a program leaves one number, and stays within its stack and the argument struct. */
static int length_is_sound(const taichi_aot_plan_task *task, uint32_t argument_bytes) {
  uint32_t i, entries = 0;
  if (task->length_count == 0) return 1;
  if (task->length_count % 2 != 0 || task->block == 0) return 0;
  for (i = 0; i < task->length_count; i += 2) {
    const int32_t operation = task->length[i], operand = task->length[i + 1];
    const uint32_t size = operation == TAICHI_AOT_LENGTH_LOAD_WIDE ? 8 : operation == TAICHI_AOT_LENGTH_LOAD ? 4 : 0;
    if (operation < 0 || operation > TAICHI_AOT_LENGTH_LOAD_WIDE) return 0;
    if (size > 0 && (operand < 0 || argument_bytes < size || (uint32_t)operand > argument_bytes - size)) return 0;
    if (size == 0 && operation != TAICHI_AOT_LENGTH_CONSTANT) {
      if (entries < 2) return 0;
      --entries;
    } else if (++entries > TAICHI_AOT_DEEPEST)
      return 0;
  }
  return entries == 1;
}

static int binding_is_sound(const taichi_aot_plan_binding *binding, const char *kinds, uint32_t count) {
  if (binding->binding > HIGHEST_BINDING) return 0; /* drivers index tables by them */
  if (binding->kind < TAICHI_AOT_BINDS_ARRAY || binding->kind == TAICHI_AOT_BINDS_RETURNS ||
      binding->kind == TAICHI_AOT_BINDS_SCRATCH)
    return 1;
  if (binding->kind > TAICHI_AOT_BINDS_RW_TEXTURE || binding->source >= count) return 0;
  return kinds[binding->source] == (binding->kind == TAICHI_AOT_BINDS_ARRAY ? TAICHI_AOT_IS_ARRAY : TAICHI_AOT_IS_TEXTURE);
}

/* Whether the last code fits all launches, and the others name memory that the launch is given. */
static int has_sound_codes(const taichi_aot_plan_task *task) {
  uint32_t i, k;
  for (i = 0; i < task->code_count; ++i) {
    for (k = 0; k < 2 * task->codes[i].apart_count; ++k) {
      const uint32_t place = task->codes[i].apart[k];
      if (place >= task->binding_count) return 0;
      if (task->bindings[place].kind != TAICHI_AOT_BINDS_ARRAY && task->bindings[place].kind != TAICHI_AOT_BINDS_ROOT) return 0;
    }
  }
  if (task->code_count == 0) return 1;
  --i;
  return task->codes[i].apart_count == 0 && task->codes[i].threads != TAICHI_AOT_THREADS_OF_SEVERAL;
}

static int task_is_sound(const taichi_aot_plan_task *task, uint32_t argument_bytes, const char *kinds, uint32_t count) {
  uint32_t i;
  if (task->binding_count > TAICHI_AOT_MOST_BINDINGS || !length_is_sound(task, argument_bytes)) return 0;
  if (!has_sound_codes(task)) return 0;
  for (i = 0; i < task->binding_count; ++i)
    if (!binding_is_sound(&task->bindings[i], kinds, count)) return 0;
  return 1;
}

int taichi_aot_plan_is_sound(const taichi_aot_plan *plan, const char *kinds, uint32_t count) {
  uint32_t i, k;
  for (i = 0; i < plan->dispatch_count; ++i) {
    const taichi_aot_plan_dispatch *dispatch = &plan->dispatches[i];
    if (dispatch->argument_bytes == 0 || dispatch->argument_bytes > MOST_BYTES) return 0;
    for (k = 0; k < dispatch->argument_count; ++k)
      if (!argument_is_sound(dispatch, &dispatch->arguments[k], kinds, count)) return 0;
    for (k = 0; k < dispatch->task_count; ++k)
      if (!task_is_sound(&dispatch->tasks[k], dispatch->argument_bytes, kinds, count)) return 0;
  }
  return 1;
}
