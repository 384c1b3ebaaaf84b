/* Launches with their arguments. */

#pragma once

#include "core/memory.h"
#include "core/module.h"

struct taichi_aot_recorded;

/* An array or image among the arguments of a launch. */
typedef struct taichi_aot_array {
  union {
    TiNdArray ti_ndarray; /* the larger member of the union, so copying it copies either */
    TiTexture ti_texture;
  };
  taichi_aot_memory *memory;
  uint64_t offset;    /* of its first byte in the memory */
  int64_t generation; /* equals the memory's while the array may be used */
} taichi_aot_array;

/* The memory of a kernel's return values, passed as its last argument. */
typedef struct taichi_aot_result {
  TiNdArray ti_ndarray;
  taichi_aot_memory *memory;
  uint64_t size;
  int32_t is_written; /* by a launch that may still run */
} taichi_aot_result;

/* What tools show of a launch. */
typedef struct taichi_aot_names {
  const char *launch;        /* the kernel or graph */
  const char *const *arrays; /* the parameters of arrays */
} taichi_aot_names;

typedef struct taichi_aot_launch {
  taichi_aot_runtime *runtime;
  const taichi_aot_module *module;
  TiKernel ti_kernel; /* NULL: a graph, or a kernel with machine code or PTX */
  TiComputeGraph ti_compute_graph;
  uint32_t argument_count;
  uint32_t array_count;
  TiArgument *arguments; /* NULL: those of a graph have names */
  TiNamedArgument *named_arguments;
  taichi_aot_array **arrays;
  const uint32_t *array_arguments; /* the number of each array among the arguments */
  int64_t version;                 /* of the arguments; increases when they are replaced */
  taichi_aot_result *result;       /* NULL: the kernel does not return values */
  int32_t is_call;      /* its arguments change at each launch, unlike the version */
  int32_t was_recorded; /* the last launch bypassed the library */
  struct taichi_aot_recorded *recorded; /* NULL: without a plan yet, or launched by the library */
  const taichi_aot_names *names; /* for tools, or NULL */
} taichi_aot_launch;

/* A scalar that a sequence changes in each iteration. */
typedef struct taichi_aot_step {
  void *value;     /* its 32 bits in the scratch launch */
  int32_t is_real; /* float, else int32_t */
  double first;
  double step;
} taichi_aot_step;

typedef struct taichi_aot_sequence_item {
  taichi_aot_launch *launch;
  taichi_aot_launch *scratch; /* NULL, or a copy with the stepped scalars, which is launched instead */
  taichi_aot_step *steps;
  uint32_t step_count;
} taichi_aot_sequence_item;

/* Launches that are repeated in C. */
typedef struct taichi_aot_sequence {
  taichi_aot_runtime *runtime; /* of all of them */
  const taichi_aot_sequence_item *items;
  uint32_t count;
  struct taichi_aot_pace *pace;
  struct taichi_aot_recording *recording; /* NULL if the library must make some of them */
} taichi_aot_sequence;

/* The progress of a sequence's run. */
typedef struct taichi_aot_position {
  int64_t iteration;
  uint32_t launch;
  int32_t way; /* TAICHI_AOT_WAY_... */
  /* For C only, below. */
  int64_t burst; /* launches of the library to wait for, or 0 */
  int64_t begun; /* ns: when the first of them was made */
  int32_t is_end; /* an iteration has ended since then */
} taichi_aot_position;

int taichi_aot_launch_now(taichi_aot_launch *launch);
int taichi_aot_launch_for_result(taichi_aot_launch *launch, void *host);
int taichi_aot_read_result(const taichi_aot_launch *launch, void *host, int32_t may_block);
int taichi_aot_launch_plan(taichi_aot_launch *launch, struct taichi_aot_recorded *recorded);
int taichi_aot_launch_assign(taichi_aot_launch *launch, const taichi_aot_launch *replacement, int64_t version);

/* For C only. */

#define TAICHI_AOT_WAY_UNKNOWN 0
#define TAICHI_AOT_WAY_RECORDED 1
#define TAICHI_AOT_WAY_LIBRARY 2 /* launch by launch */

/* The lock is held. */
TiArgument *taichi_aot_argument_of(const taichi_aot_launch *launch, uint32_t i);
int taichi_aot_launch_check(const taichi_aot_launch *launch);
int taichi_aot_is_native(const taichi_aot_launch *launch);
const char *taichi_aot_launch_routine(const taichi_aot_launch *launch);
int taichi_aot_launch_items(const taichi_aot_sequence *sequence, int64_t repeat, int64_t end, int64_t *left,
                            taichi_aot_position *position);
taichi_aot_launch *taichi_aot_launch_of(const taichi_aot_sequence_item *item, int64_t iteration);
