/* Launches with arguments of `capi`. They are checked as far as the kernel's parameters and the handles are known. */

#pragma once

#include "core/memory.h"
#include "core/module.h"
#include "core/numbers.h"

int taichi_aot_register(taichi_aot_runtime *runtime, const taichi_aot_registered *added);

#define TAICHI_AOT_SIZE_NUMBER 0 /* the number itself */
#define TAICHI_AOT_SIZE_SCALAR 1 /* the value of a scalar */
#define TAICHI_AOT_SIZE_AXIS 2   /* a dimension of an array */
typedef struct taichi_aot_place {
  uint32_t kind;
  uint32_t parameter;
  uint32_t number; /* the size, or that of the dimension */
} taichi_aot_place;

typedef struct taichi_aot_rule { /* of a stated shape: two sizes that must be equal */
  taichi_aot_place place;
  taichi_aot_place expected;
} taichi_aot_rule;

typedef struct taichi_aot_pair { /* parameters that cannot be given the same image */
  uint32_t read;
  uint32_t written;
} taichi_aot_pair;

typedef struct taichi_aot_entry {
  const taichi_aot_context *context; /* NULL: its module is not known */
  const taichi_aot_module *module;
  TiKernel ti_kernel; /* NULL: it is a graph */
  TiComputeGraph ti_compute_graph;
  int32_t is_typed; /* whether its parameters are known */
  uint32_t parameter_count;
  const taichi_aot_parameter *parameters;
  uint32_t rule_count;
  const taichi_aot_rule *rules;
  uint32_t pair_count;
  const taichi_aot_pair *pairs;
  /* Scratch of a launch, one for each parameter: */
  const TiArgument **given;
  TiArgument *arguments; /* of a kernel, as the library takes them */
  TiNamedArgument *named_arguments; /* of a graph */
} taichi_aot_entry;

int taichi_aot_launch_kernel(taichi_aot_runtime *runtime, const taichi_aot_entry *entry, uint32_t count,
                             const TiArgument *arguments);
int taichi_aot_launch_graph(taichi_aot_runtime *runtime, const taichi_aot_entry *entry, uint32_t count,
                            const TiNamedArgument *arguments);
