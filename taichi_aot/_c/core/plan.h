/* Plans: what a kernel or graph launches on the device. Modules state them (`bundle/_plan.py`). */

#pragma once

#include "core/base.h"

#define TAICHI_AOT_ARGUMENT_VALUE 0 /* `count` bytes of a scalar */
#define TAICHI_AOT_ARGUMENT_WORDS 1 /* `count` bytes of a tensor */
#define TAICHI_AOT_ARGUMENT_ARRAY 2 /* the sizes of `count` dimensions */
#define TAICHI_AOT_ARGUMENT_ADDRESS 3 /* the device address of an array */
#define TAICHI_AOT_ARGUMENT_EXTENT 4 /* `count` sizes of a texture */
typedef struct taichi_aot_plan_argument {
  uint32_t source; /* the number of the launch's argument */
  uint32_t kind;
  uint32_t offset; /* in the argument struct */
  uint32_t count;
} taichi_aot_plan_argument;

#define TAICHI_AOT_BINDS_ARGUMENTS 0
#define TAICHI_AOT_BINDS_TEMPORARIES 1
#define TAICHI_AOT_BINDS_ROOT 2 /* the memory of a tree of fields */
#define TAICHI_AOT_BINDS_ARRAY 3
#define TAICHI_AOT_BINDS_TEXTURE 4
#define TAICHI_AOT_BINDS_RW_TEXTURE 5
#define TAICHI_AOT_BINDS_RETURNS 6 /* memory for unused return values */
#define TAICHI_AOT_BINDS_SCRATCH 7 /* memory of all launches, which each leaves zeroed at its beginning */
typedef struct taichi_aot_plan_binding {
  uint32_t binding;
  uint32_t kind;
  uint32_t source; /* of an array or a texture: the number of the launch's argument; of a tree: its place in the module's */
} taichi_aot_plan_binding;

/* A program on a stack of integers: pairs of an operation and an operand. The compiler's code computes with 32 bits. */
#define TAICHI_AOT_LENGTH_CONSTANT 0
#define TAICHI_AOT_LENGTH_LOAD 1 /* at an offset in the argument struct */
#define TAICHI_AOT_LENGTH_ADD 2
#define TAICHI_AOT_LENGTH_SUBTRACT 3
#define TAICHI_AOT_LENGTH_MULTIPLY 4
#define TAICHI_AOT_LENGTH_SHIFT 5
#define TAICHI_AOT_LENGTH_SMALLEST 6
#define TAICHI_AOT_LENGTH_LARGEST 7
#define TAICHI_AOT_LENGTH_LOAD_WIDE 8 /* 64 bits at an offset */
#define TAICHI_AOT_DEEPEST 16
/* How many threads a loop of known length gets. */
#define TAICHI_AOT_THREADS_AS_COMPILED 0 /* at most */
#define TAICHI_AOT_THREADS_OF_ELEMENTS 1 /* one for each element, up to what fills the device several times over */
#define TAICHI_AOT_THREADS_RESIDENT 2    /* at most as many as the device holds at a time */
#define TAICHI_AOT_THREADS_OF_SEVERAL 3  /* GPUs: one for several elements, which the code does at a time */
#define TAICHI_AOT_THREADS_RESIDENT_IN_LOOPS 4 /* as RESIDENT, where the loop has inner ones */
#define TAICHI_AOT_MOST_BINDINGS 32

/* SPIR-V of a task, for launches whose bindings are as it needs them. */
typedef struct taichi_aot_plan_code {
  const uint32_t *words;
  uint64_t size;        /* in bytes */
  uint32_t threads;     /* TAICHI_AOT_THREADS_... of its loop */
  uint32_t apart_count; /* of pairs */
  const uint32_t *apart; /* pairs of the task's bindings, by their places, that must have different buffers */
  /* For C only. */
  uint64_t own; /* private to the recorder's file */
} taichi_aot_plan_code;

typedef struct taichi_aot_plan_task {
  const struct taichi_aot_plan_dispatch *dispatch; /* that it belongs to */
  uint32_t groups; /* as compiled */
  uint32_t block; /* threads of a group; on the CPU what may be added to the last index of its loop */
  uint32_t length_count;
  const int32_t *length; /* the program of the length of its loop */
  /* Vulkan */
  uint32_t code_count;
  taichi_aot_plan_code *codes; /* the first that fits a launch is used: the last fits all */
  uint32_t takes_arguments; /* 1 if it binds them */
  uint32_t binding_count;
  const taichi_aot_plan_binding *bindings;
  const char *name; /* the compiler's */
  /* CUDA */
  uint32_t shared; /* bytes of shared memory */
  uint32_t each;   /* iterations that a thread had better do */
  uint32_t filled; /* the blocks that fill the device: with fewer, a thread does one */
  /* CPU and CUDA */
  uint64_t function; /* the address of its code, or the driver's function */
  /* For C only. */
  uint64_t own[5]; /* private to the recorder's file */
} taichi_aot_plan_task;

typedef struct taichi_aot_plan_dispatch {
  uint32_t argument_bytes;
  uint32_t at; /* bytes of the arguments of dispatches before it, each aligned */
  uint32_t argument_count;
  const taichi_aot_plan_argument *arguments;
  uint32_t task_count;
  const taichi_aot_plan_task *tasks; /* among those of the plan */
  /* CPU and CUDA */
  void *runtime; /* the runtime that its code gets, on CUDA on the device */
  /* CPU: code with checks */
  uint64_t checks; /* the address of the taichi_aot_check_record that it writes; 0 without checks */
  int64_t kernel;  /* the number in failures */
  const char *name; /* of the kernel, for messages */
} taichi_aot_plan_dispatch;

typedef struct taichi_aot_plan {
  uint32_t dispatch_count;
  taichi_aot_plan_dispatch *dispatches;
  uint32_t task_count;    /* of all dispatches */
  taichi_aot_plan_task *tasks;
  uint32_t binding_count; /* of all tasks */
  uint32_t stride;        /* bytes of the arguments of all dispatches, each aligned */
  uint32_t return_bytes;  /* CPU and CUDA: the most of any kernel */
  /* For C only. */
  int32_t state;                /* TAICHI_AOT_PLAN_... */
  int32_t has_textures;         /* once it is ready */
  struct taichi_aot_plan *next; /* of the context's ready plans */
} taichi_aot_plan;

#define TAICHI_AOT_ARGUMENT_ALIGNMENT 256 /* of a dispatch's arguments: the largest that Vulkan devices may require */

/* Kinds of a launch's arguments. */
#define TAICHI_AOT_IS_SCALAR 's'
#define TAICHI_AOT_IS_TENSOR 'w'
#define TAICHI_AOT_IS_ARRAY 'a'
#define TAICHI_AOT_IS_TEXTURE 't'

/* Whether a plan stays within its argument structs, and fits the kinds of a launch's `count` arguments. */
int taichi_aot_plan_is_sound(const taichi_aot_plan *plan, const char *kinds, uint32_t count);

/* For C only. */

#define TAICHI_AOT_PLAN_NEW 0
#define TAICHI_AOT_PLAN_READY 1
