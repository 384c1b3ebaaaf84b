/* The hand-written C of this package. Every .c file includes only this header of the package.
 *
 * Python sees the part above the line "For C alone"; cffi parses it. build_ffi.py generates functions.h, the table of the
 * library's functions. One rule holds for all operations: one call from Python does the whole operation under the mutex of
 * its context, and records it in a struct that Python already holds. An exception, a signal handler or a finalizer can
 * therefore come between any two bytecodes: every operation is recorded, and no lock is held while Python code runs. */

#ifndef TAICHI_AOT_H
#define TAICHI_AOT_H

#include <stddef.h>
#include <stdint.h>

/* The compiler checks the table of functions against the library's prototypes. Those that Python calls unchecked are
 * defined in the extension, and not exported. */
#ifdef __GNUC__
#define TI_DLL_EXPORT __attribute__((visibility("hidden")))
#else
#define TI_DLL_EXPORT
#endif
#include "taichi/taichi.h"
#include "drivers/vulkan_commands.h"
#include "functions.h"

/* Status of a call: 0, an error code of the library (all are negative), or one of these in the low 8 bits. The bits above
 * hold an index if the status refers to one of several arrays. */
#define TAICHI_AOT_CLOSED 1        /* the runtime is not open */
#define TAICHI_AOT_WRONG_THREAD 2  /* OpenGL: another thread than the one that created the runtime */
#define TAICHI_AOT_LOST 3          /* CUDA: a kernel faulted, and the context is unusable */
#define TAICHI_AOT_REENTERED 4     /* this thread is already inside a call on the same context */
#define TAICHI_AOT_ARRAY_CLOSED 5  /* the memory of an array is closed */
#define TAICHI_AOT_ARRAY_MAPPED 6  /* the memory of an array is mapped as a copy */
#define TAICHI_AOT_MODULE_CLOSED 7 /* the module is closed */
#define TAICHI_AOT_IN_USE 8        /* views of the memory are alive */
#define TAICHI_AOT_BUSY 9          /* another thread is inside a call, and the caller must not wait */
#define TAICHI_AOT_CHANGED 10      /* the arguments of the launch now have another version */
#define TAICHI_AOT_NO_RESULT 11    /* the launch has not been made yet */
#define TAICHI_AOT_NOT_RECORDED 12 /* a launch cannot be recorded: the library makes it */
#define TAICHI_AOT_FOREIGN 13      /* the kernel or graph belongs to another runtime */
#define TAICHI_AOT_ARGUMENT 14     /* an argument of a launch is wrong: its number and a TAICHI_AOT_WRONG_... above */
#define TAICHI_AOT_WORTH_RECORDING 15 /* not launched: prepare recording it, and call again */
#define TAICHI_AOT_FILE 16         /* a file or folder cannot be written: `errno` above, and its path as the message */
#define TAICHI_AOT_AGAIN 17        /* not launched: the device has no room for it yet */

/* library.c: the loaded library, the drivers' loaders, and the error of the last failed call of this thread. */
int taichi_aot_load(const char *path, char *message, size_t capacity);
void taichi_aot_forget_library(void);
const char *taichi_aot_error_message(void);
const char *taichi_aot_error_routine(void);
const char *taichi_aot_library_path(void);
void taichi_aot_skip_inherited_exit_handlers(void);
void *taichi_aot_open(const char *name);
void *taichi_aot_symbol(void *library, const char *name);

#define TAICHI_AOT_BUSY_LIBRARY 1 /* what the library has recorded or submitted */
#define TAICHI_AOT_BUSY_COPIES 2  /* copies of images, which the library does not know of */
#define TAICHI_AOT_BUSY_REPLAYS 4 /* recorded launches, which it does not know of either */

/* The chunks of recorded launches that the device works on, one in each slot; recorder.c. */
#define TAICHI_AOT_CHUNKS 2
typedef struct taichi_aot_chunks {
  int64_t begun[TAICHI_AOT_CHUNKS];       /* ns: when it was submitted; 0 if that does not matter any more */
  int32_t was_awaited[TAICHI_AOT_CHUNKS]; /* the device still worked on it when it was asked for */
  const struct taichi_aot_recording *recordings[TAICHI_AOT_CHUNKS]; /* to which it belongs, or did */
  uint32_t sizes[TAICHI_AOT_CHUNKS];      /* iterations */
  uint32_t next;    /* the slot that is used next */
  int64_t finished; /* ns: when the last of them was seen to be done */
} taichi_aot_chunks;

/* context.c: one TiRuntime of the library, with the mutex that every call on it takes. */
typedef struct taichi_aot_context {
  uint64_t mutex[8];
  uint64_t owner;       /* the thread that is inside a call, 0 for none */
  TiRuntime ti_runtime; /* NULL: not created yet, destroyed, or inherited by a fork */
  uint64_t thread;      /* the one thread that may use it, 0 for any */
  int32_t asynchronous; /* launches return before they have finished */
  int32_t busy;         /* TAICHI_AOT_BUSY_...: what has begun since the last wait */
  uint64_t changes;     /* calls of the library that may have changed the layout of an image */
  int32_t lost;         /* CUDA: later calls that use the driver fail */
  void *cuda_context;   /* CUDA: made current around each call */
  struct taichi_aot_cuda *cuda;         /* CUDA: what recorded launches share; NULL before the first one */
  struct taichi_aot_stream *streams;    /* CUDA: non-blocking streams that threads use now */
  int32_t is_direct;    /* CUDA: the call that is inside launches without the library, on the stream itself */
  int64_t default_work; /* CUDA: increases with what is queued on the default stream, or on one that it waits for */
  struct taichi_aot_vulkan *vulkan; /* Vulkan: what submits copies of images; NULL before the first one */
  taichi_aot_chunks chunks;         /* of recorded launches */
  int32_t is_borrowed;  /* another owner destroys the TiRuntime */
  struct taichi_aot_known *known;   /* what is known of handles of memory and images: a table of 2^known_bits places */
  uint32_t known_count;
  uint32_t known_bits;
  int32_t waiting;      /* threads that wait for the mutex */
  uint32_t served;      /* how often one of them got it */
} taichi_aot_context;

/* States of a runtime; _handles/runtime.py documents the transitions. */
#define TAICHI_AOT_STATE_CLOSED 0
#define TAICHI_AOT_STATE_OPEN 1
#define TAICHI_AOT_STATE_CLOSING 2
#define TAICHI_AOT_STATE_INHERITED 3

/* The part of a context that belongs to one Runtime object; CUDA runtimes share one context. */
typedef struct taichi_aot_runtime {
  taichi_aot_context *context;
  int32_t state;
  int32_t holds; /* mappings and exports that must end before the context is destroyed */
  struct taichi_aot_recorded *recorded; /* what launches and sequences have on the device */
  struct taichi_aot_recording *recordings;
} taichi_aot_runtime;

void taichi_aot_process_init(void);
void taichi_aot_context_init(taichi_aot_context *context, int32_t asynchronous, int32_t pinned);
int taichi_aot_context_create(taichi_aot_context *context, TiArch arch, uint32_t device_index);
int taichi_aot_context_adopt(taichi_aot_context *context, TiArch arch, TiRuntime ti_runtime, int32_t is_borrowed);
void taichi_aot_context_forget(taichi_aot_context *context);
int taichi_aot_context_is_free(taichi_aot_context *context);
int taichi_aot_begin_close(taichi_aot_runtime *runtime);
int taichi_aot_finish_close(taichi_aot_runtime *runtime, int32_t destroy_context);
int taichi_aot_wait(taichi_aot_runtime *runtime, int32_t for_results);

/* memory.c: memory that the library allocated or imported. */

/* The host copy of mapped memory that the host cannot map itself. Freed with the last use that refers to it. */
typedef struct taichi_aot_shadow {
  void *data;
  int32_t uses;       /* active uses, which block launches with the memory */
  int32_t references; /* uses, active or not, whose views are alive */
} taichi_aot_shadow;

typedef struct taichi_aot_memory {
  TiMemory ti_memory;
  int64_t generation; /* launches compare it with an array's; negated while the memory is mapped as a copy */
  uint64_t address;   /* for the host or the device, 0 if only the library knows it */
  void *mapped;       /* the address at which the library mapped it, or NULL */
  int32_t holds;      /* live views */
  int32_t is_borrowed; /* another owner frees the TiMemory, or the image */
  taichi_aot_shadow *shadow; /* NULL while the memory is not mapped as a copy */
} taichi_aot_memory;

typedef struct taichi_aot_shadow_use {
  taichi_aot_runtime *runtime;
  taichi_aot_memory *memory;
  struct taichi_aot_staging *staging; /* NULL on CUDA */
  taichi_aot_shadow *shadow;
  uint64_t size;
  int32_t is_active;
  int32_t writes_back;
} taichi_aot_shadow_use;

/* A use of memory, or of a runtime alone, that delays its release. */
typedef struct taichi_aot_hold {
  taichi_aot_runtime *runtime;
  taichi_aot_memory *memory; /* NULL: of the runtime alone */
  int32_t is_active;
  int32_t of_runtime; /* counted in runtime->holds */
} taichi_aot_hold;

/* A buffer between the host and memory that it cannot map; it grows to the largest copy within its bounds. */
typedef struct taichi_aot_staging {
  TiMemory ti_memory;
  uint64_t size;
  uint64_t smallest;
  uint64_t largest;
} taichi_aot_staging;

#define TAICHI_AOT_HOLD_VIEW 0   /* a view for the host: waits for the device, and maps if the library must */
#define TAICHI_AOT_HOLD_DEVICE 1 /* a view for another library on the device */
#define TAICHI_AOT_HOLD_EXPORT 2 /* an exported address: the memory can be closed, the runtime waits */

int taichi_aot_hold_begin(taichi_aot_runtime *runtime, taichi_aot_memory *memory, int64_t generation, int32_t kind,
                          taichi_aot_hold *hold);
int taichi_aot_hold_end(taichi_aot_hold *hold, int32_t may_wait);
int taichi_aot_memory_close(taichi_aot_runtime *runtime, taichi_aot_memory *memory, int64_t generation);
int taichi_aot_memory_free(taichi_aot_runtime *runtime, taichi_aot_memory *memory, int32_t wait_first, int32_t may_wait);
int taichi_aot_shadow_begin(taichi_aot_shadow_use *use, int64_t generation);
int taichi_aot_shadow_end(taichi_aot_shadow_use *use, int32_t may_wait);
void taichi_aot_shadow_drop(taichi_aot_shadow_use *use);
#define TAICHI_AOT_WRITE 0       /* from the host, after the device is done */
#define TAICHI_AOT_READ 1        /* to the host, after the device is done */
#define TAICHI_AOT_WRITE_FRESH 2 /* from the host to memory that nothing launched can use yet */
int taichi_aot_transfer(taichi_aot_runtime *runtime, taichi_aot_memory *memory, int64_t generation, uint64_t offset,
                        uint64_t host, uint64_t size, int32_t direction, taichi_aot_staging *staging);
int taichi_aot_copy_memory(taichi_aot_runtime *runtime, taichi_aot_memory *target, uint64_t target_offset,
                           taichi_aot_memory *source, uint64_t source_offset, uint64_t size);
int taichi_aot_staging_free(taichi_aot_runtime *runtime, taichi_aot_staging *staging);
int taichi_aot_copy(taichi_aot_runtime *runtime, const taichi_aot_memory *target, int64_t target_generation,
                    uint64_t target_offset, const taichi_aot_memory *source, int64_t source_generation,
                    uint64_t source_offset, uint64_t size);

/* image.c: images, and copies of their texels, which the C-API lacks. Vulkan only. */
typedef struct taichi_aot_image {
  taichi_aot_memory memory; /* its generation and holds; the library's memory of an image is unknown */
  TiImage ti_image;
  VkImage vk_image;
  VkImageView view;      /* of recorded launches; NULL before the first one */
  uint32_t texel_size;   /* bytes */
  TiImageLayout layout;  /* in which copies leave it; launches change the library's layout and not this one */
  TiImageLayout current; /* in which commands of our own left it */
  uint64_t settled;      /* `changes` of the context at that time: then it still is in it */
} taichi_aot_image;

/* A box of texels: x, y, z. */
typedef struct taichi_aot_region {
  uint32_t offset[3];
  uint32_t extent[3];
} taichi_aot_region;

int taichi_aot_image_allocate(taichi_aot_runtime *runtime, const TiImageAllocateInfo *info, VkFormat format,
                              taichi_aot_image *image);
int taichi_aot_image_import(taichi_aot_runtime *runtime, const TiVulkanImageInteropInfo *info, VkImageViewType view_type,
                            TiImageLayout layout, taichi_aot_image *image);
int taichi_aot_image_adopt(taichi_aot_runtime *runtime, TiImage ti_image, int32_t is_borrowed, taichi_aot_image *image);
int taichi_aot_image_free(taichi_aot_runtime *runtime, taichi_aot_image *image, int32_t wait_first, int32_t may_wait);
#define TAICHI_AOT_TRANSITION 0 /* change the layout, in launch order */
#define TAICHI_AOT_TRACK 1      /* the application has changed it */
int taichi_aot_image_layout(taichi_aot_runtime *runtime, taichi_aot_image *image, TiImageLayout layout, int32_t how);
int taichi_aot_image_transfer(taichi_aot_runtime *runtime, taichi_aot_image *image, const taichi_aot_region *region,
                              uint64_t host, int32_t direction, taichi_aot_staging *staging);
int taichi_aot_image_copy(taichi_aot_runtime *runtime, taichi_aot_image *target, const taichi_aot_region *target_region,
                          taichi_aot_image *source, const taichi_aot_region *source_region);
int taichi_aot_image_copy_memory(taichi_aot_runtime *runtime, taichi_aot_image *image, const taichi_aot_region *region,
                                 taichi_aot_memory *memory, int64_t generation, uint64_t offset, int32_t direction);

/* module.c: modules, and the files of LLVM modules that the library reads during a call. */
typedef struct taichi_aot_module {
  TiAotModule ti_module;
  int64_t is_open;
  const struct taichi_aot_module *lender; /* of a borrowed module, which must be open too; or NULL */
} taichi_aot_module;

typedef struct taichi_aot_file {
  const char *name;
  const void *data;
  uint64_t size;
} taichi_aot_file;

/* Files that a call writes into a folder and deletes with it. */
typedef struct taichi_aot_files {
  const char *folder;
  uint32_t count;
  const taichi_aot_file *files;
} taichi_aot_files;

int taichi_aot_module_load(taichi_aot_runtime *runtime, const taichi_aot_files *files, taichi_aot_module *module);
int taichi_aot_module_fetch(taichi_aot_runtime *runtime, const taichi_aot_files *files, TiAotModule ti_module,
                            const char *name, TiKernel *ti_kernel, TiComputeGraph *ti_compute_graph);
int taichi_aot_module_close(taichi_aot_runtime *runtime, taichi_aot_module *module);
int taichi_aot_module_destroy(taichi_aot_runtime *runtime, taichi_aot_module *module);

/* launch.c: launches with their arguments. */

/* An array or image among the arguments of a launch. */
typedef struct taichi_aot_array {
  union {
    TiNdArray ti_ndarray; /* the larger one: launches copy it, whichever is set */
    TiTexture ti_texture;
  };
  const taichi_aot_memory *memory;
  int64_t generation; /* that of the memory while the array may be used */
} taichi_aot_array;

/* Memory that a kernel writes its return values to, passed as its last argument. */
typedef struct taichi_aot_result {
  TiNdArray ti_ndarray;
  taichi_aot_memory *memory;
  uint64_t size;
  int32_t is_written; /* by a launch, which may still run */
} taichi_aot_result;

/* What a kernel or graph launches on the device, if all of it is understood; lowering/plans makes it. */
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
#define TAICHI_AOT_BINDS_ARRAY 2
#define TAICHI_AOT_BINDS_TEXTURE 3
#define TAICHI_AOT_BINDS_RW_TEXTURE 4
typedef struct taichi_aot_plan_binding {
  uint32_t binding;
  uint32_t kind;
  uint32_t source; /* of an array or a texture: the number of the launch's argument */
} taichi_aot_plan_binding;

/* A program on a stack of 32-bit integers: pairs of an operation and an operand. */
#define TAICHI_AOT_LENGTH_CONSTANT 0
#define TAICHI_AOT_LENGTH_LOAD 1 /* at an offset in the argument struct */
#define TAICHI_AOT_LENGTH_ADD 2
#define TAICHI_AOT_LENGTH_SUBTRACT 3
#define TAICHI_AOT_LENGTH_MULTIPLY 4
#define TAICHI_AOT_LENGTH_SHIFT 5
#define TAICHI_AOT_LENGTH_SMALLEST 6
#define TAICHI_AOT_LENGTH_LARGEST 7
#define TAICHI_AOT_DEEPEST 16
#define TAICHI_AOT_MOST_BINDINGS 32

typedef struct taichi_aot_plan_task {
  uint32_t groups; /* as compiled */
  uint32_t block;
  uint32_t length_count;
  const int32_t *length; /* the program of the length of its loop */
  /* Vulkan */
  const uint32_t *code;
  uint64_t code_size;
  uint32_t takes_arguments; /* 1 if it binds them */
  uint32_t binding_count;
  const taichi_aot_plan_binding *bindings;
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  VkPipeline pipeline;
  /* CUDA */
  const char *name;
  uint32_t shared;     /* bytes of shared memory */
  void *function;      /* learned from the library's first launch */
  uint64_t context[4]; /* the same: the kernel's parameter, in which the first word is the address of the arguments */
} taichi_aot_plan_task;

typedef struct taichi_aot_plan_dispatch {
  uint32_t argument_bytes;
  uint32_t argument_count;
  const taichi_aot_plan_argument *arguments;
  uint32_t task_count;
  taichi_aot_plan_task *tasks;
} taichi_aot_plan_dispatch;

#define TAICHI_AOT_PLAN_NEW 0
#define TAICHI_AOT_PLAN_READY 1
#define TAICHI_AOT_PLAN_UNUSABLE 2
typedef struct taichi_aot_plan {
  uint32_t dispatch_count;
  taichi_aot_plan_dispatch *dispatches;
  uint32_t task_count;    /* of all dispatches */
  uint32_t binding_count; /* of all tasks */
  uint32_t stride;        /* bytes of the arguments of all dispatches, each aligned */
  int32_t state;
  struct taichi_aot_plan *next; /* of those of the context that are ready */
} taichi_aot_plan;

#define TAICHI_AOT_ARGUMENT_ALIGNMENT 256 /* of the arguments of a dispatch: the largest that a Vulkan device may ask */

/* What a launch keeps on the device to be recorded; recorder.c. */
typedef struct taichi_aot_recorded {
  taichi_aot_plan *plan;
  int64_t version; /* of the arguments that it was written for */
  uint32_t copies; /* of the arguments; on Vulkan for each slot */
  char *host;      /* where the host writes them */
  struct taichi_aot_recorded *next;      /* of its runtime */
  struct taichi_aot_recorded **previous; /* NULL: it has nothing on the device */
  /* Vulkan */
  TiMemory arguments;
  VkDescriptorPool pool;
  VkDescriptorSet *sets;
  /* CUDA */
  struct taichi_aot_cuda_block *block; /* the arguments on the device */
  uint32_t *grids;                     /* of each task */
  uint32_t changes;                    /* increases when graphs that contain it are out of date */
  int32_t is_changing;                 /* arguments may change from launch to launch, and the version does not */
  uint32_t launches;
  void *graph;                         /* of the launch alone, or NULL */
  uint32_t graph_changes;
} taichi_aot_recorded;

/* What a sequence keeps. */
#define TAICHI_AOT_LARGEST_CHUNK 1024 /* tasks that are recorded at a time */
#define TAICHI_AOT_LEVELS 11
typedef struct taichi_aot_recording {
  uint32_t size;                          /* iterations at a time, which is learned */
  int32_t is_quick;                       /* they took the device no longer than a chunk should */
  struct taichi_aot_recording *next;      /* of its runtime */
  struct taichi_aot_recording **previous; /* NULL: it has nothing on the device */
  /* CUDA */
  void *graphs[TAICHI_AOT_LEVELS]; /* of 2^i iterations, that can be launched */
  uint32_t *changes;               /* of each launch when they were made */
} taichi_aot_recording;

#define TAICHI_AOT_NEVER -1 /* countdown of a launch that is recorded in sequences alone */
typedef struct taichi_aot_launch {
  taichi_aot_runtime *runtime;
  const taichi_aot_module *module;
  TiKernel ti_kernel; /* NULL: it is a graph */
  TiComputeGraph ti_compute_graph;
  uint32_t argument_count;
  uint32_t array_count;
  TiArgument *arguments;
  TiNamedArgument *named_arguments;
  taichi_aot_array **arrays;
  const uint32_t *array_arguments; /* the number of each array among the arguments */
  int64_t version;                 /* of the arguments; increases when they are replaced */
  taichi_aot_result *result;       /* NULL: the kernel does not return values */
  taichi_aot_recorded *recorded;   /* NULL: it is not recorded */
  int32_t countdown;               /* calls until the one with the status WORTH_RECORDING; 0: never */
} taichi_aot_launch;

/* A scalar of a launch that changes from one iteration of a sequence to the next. */
typedef struct taichi_aot_step {
  void *value;     /* its 32 bits in the scratch launch */
  int32_t is_real; /* float, else int32_t */
  double first;
  double step;
} taichi_aot_step;

typedef struct taichi_aot_sequence_item {
  taichi_aot_launch *launch;
  taichi_aot_launch *scratch; /* NULL, or the launch that replaces it: its arguments with the stepped scalars */
  taichi_aot_step *steps;
  uint32_t step_count;
} taichi_aot_sequence_item;

typedef struct taichi_aot_position {
  int64_t iteration;
  uint32_t launch;
} taichi_aot_position;

int taichi_aot_launch_now(taichi_aot_launch *launch);
int taichi_aot_launch_for_result(taichi_aot_launch *launch, void *host);
int taichi_aot_read_result(const taichi_aot_launch *launch, void *host);
int taichi_aot_launch_assign(taichi_aot_launch *launch, const taichi_aot_launch *replacement, int64_t version);
int taichi_aot_run_sequence(const taichi_aot_sequence_item *items, uint32_t count, int64_t repeat, int64_t limit,
                            taichi_aot_position *position);
int taichi_aot_run_recorded(const taichi_aot_sequence_item *items, uint32_t count, int64_t repeat,
                            taichi_aot_recording *recording, taichi_aot_position *position);
int taichi_aot_recorded_free(taichi_aot_runtime *runtime, taichi_aot_recorded *recorded, int32_t may_wait);
int taichi_aot_recording_free(taichi_aot_runtime *runtime, taichi_aot_recording *recording, int32_t may_wait);

/* capi.c: launches with arguments that the caller has filled in, as in C. They are checked as far as is known what the
 * kernel takes, and what a handle of memory or of an image stands for. */
typedef struct taichi_aot_known {
  uint64_t handle; /* TiMemory or TiImage; 0: a free place */
  const taichi_aot_memory *memory;
  int64_t generation; /* that of the memory until it is freed */
  uint64_t size;      /* bytes; 0 for an image */
  TiImageExtent extent;
  TiFormat format;
  TiImageUsageFlags usage;
  int32_t is_read_only;
} taichi_aot_known;

int taichi_aot_know(taichi_aot_runtime *runtime, const taichi_aot_known *known);

typedef struct taichi_aot_parameter {
  const char *name;      /* of a graph */
  uint32_t types;        /* TiArgumentType that it accepts, as bits */
  uint32_t scalar_types; /* TiDataType that it accepts for a scalar, as bits */
  uint32_t data_types;   /* TiDataType that it accepts for a tensor or array, as bits */
  TiDataType dtype;      /* of its numbers */
  int32_t low;           /* the smallest number that it accepts as an I32 or a larger element */
  int32_t high;
  uint32_t length;       /* numbers of a tensor */
  uint32_t words;        /* the library takes it as a tensor of so many I32; 0: by its own type */
  uint32_t ndim;         /* of an array or a texture */
  uint32_t elem_ndim;
  uint32_t elem_shape[2];
  TiFormat format;       /* of a texture; TI_FORMAT_UNKNOWN: any */
  TiImageUsageFlags usage;
  int32_t is_written;    /* whether the kernel may write to the array */
} taichi_aot_parameter;

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
  /* Of a launch that is being made, one for each parameter: */
  const TiArgument **given;
  TiArgument *arguments; /* of a kernel, as the library takes them */
  TiNamedArgument *named_arguments; /* of a graph */
} taichi_aot_entry;

#define TAICHI_AOT_WRONG_COUNT 1    /* the number of arguments */
#define TAICHI_AOT_WRONG_NAME 2     /* the parameter of this number has none, or several */
#define TAICHI_AOT_WRONG_TYPE 3     /* its TiArgumentType */
#define TAICHI_AOT_WRONG_DATA 4     /* its TiDataType */
#define TAICHI_AOT_WRONG_LENGTH 5   /* of a tensor */
#define TAICHI_AOT_WRONG_NDIM 6     /* the number of dimensions */
#define TAICHI_AOT_WRONG_ELEMENT 7  /* the shape of elements */
#define TAICHI_AOT_WRONG_SHAPE 8    /* more dimensions than an array can have, or 2^31 numbers and more */
#define TAICHI_AOT_WRONG_NULL 9     /* the memory or image is the null handle */
#define TAICHI_AOT_WRONG_FREED 10   /* the memory or image was freed */
#define TAICHI_AOT_WRONG_MAPPED 11  /* the memory is mapped as a copy */
#define TAICHI_AOT_WRONG_SIZE 12    /* the memory is smaller than the array */
#define TAICHI_AOT_WRONG_EXTENT 13  /* not those of the image: the extent or the format */
#define TAICHI_AOT_WRONG_USAGE 14   /* of the image */
#define TAICHI_AOT_WRONG_RANGE 15   /* a number does not fit the type of the parameter */
#define TAICHI_AOT_WRONG_HALF 16    /* an f16 in x16 */
#define TAICHI_AOT_WRONG_READ_ONLY 17 /* the memory, and the kernel may write to it */
#define TAICHI_AOT_WRONG_STATED 18  /* a shape, for the module that states it */
#define TAICHI_AOT_WRONG_LAYOUTS 19 /* the two parameters of the pair of this number have one image */

int taichi_aot_launch_kernel(taichi_aot_runtime *runtime, const taichi_aot_entry *entry, uint32_t count,
                             const TiArgument *arguments);
int taichi_aot_launch_graph(taichi_aot_runtime *runtime, const taichi_aot_entry *entry, uint32_t count,
                            const TiNamedArgument *arguments);

/* cuda.c: what the C-API lacks, or does slowly, through the driver. */
typedef struct taichi_aot_stream {
  void *handle;
  void *event;
  int32_t is_blocking;              /* the driver synchronizes it with the default stream */
  struct taichi_aot_stream *before; /* the stream that was in use on this thread before */
  taichi_aot_runtime *runtime;
  int64_t seen; /* `default_work` when it last waited for the default stream */
  /* Of a stream that is not blocking, in the list of the context: */
  struct taichi_aot_stream *next;
  int32_t is_ahead; /* it has work of ours that the default stream has not waited for */
} taichi_aot_stream;

const char *taichi_aot_cuda_device(char *name, size_t capacity);
int taichi_aot_cuda_version(void);
int taichi_aot_cuda_allocate(taichi_aot_runtime *runtime, uint64_t size, taichi_aot_memory *memory);
int taichi_aot_cuda_free(taichi_aot_runtime *runtime, taichi_aot_memory *memory);
int taichi_aot_cuda_copy(taichi_aot_runtime *runtime, const taichi_aot_memory *target, int64_t target_generation,
                         uint64_t target_offset, const taichi_aot_memory *source, int64_t source_generation,
                         uint64_t source_offset, uint64_t size);
int taichi_aot_cuda_order(taichi_aot_runtime *runtime, void *stream, int32_t before);
int taichi_aot_cuda_is_device_memory(taichi_aot_runtime *runtime, uint64_t address, int32_t *result);
int taichi_aot_cuda_enter_stream(taichi_aot_runtime *runtime, taichi_aot_stream *stream);
int taichi_aot_cuda_leave_stream(taichi_aot_runtime *runtime, taichi_aot_stream *stream);
int taichi_aot_cuda_current_stream(taichi_aot_runtime *runtime, void **stream);

/* dlpack.c: arrays for and from other libraries, laid out as specified by DLPack 0.8 and 1.0. */
typedef struct taichi_aot_dlpack_tensor {
  void *data;
  int32_t device_type;
  int32_t device_id;
  int32_t ndim;
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
  int64_t *shape;
  int64_t *strides; /* in elements; NULL: C order */
  uint64_t byte_offset;
} taichi_aot_dlpack_tensor;

typedef struct taichi_aot_dlpack_managed {
  taichi_aot_dlpack_tensor tensor;
  void *context;
  void (*deleter)(struct taichi_aot_dlpack_managed *self);
} taichi_aot_dlpack_managed;

typedef struct taichi_aot_dlpack_versioned {
  uint32_t major;
  uint32_t minor;
  void *context;
  void (*deleter)(struct taichi_aot_dlpack_versioned *self);
  uint64_t flags;
  taichi_aot_dlpack_tensor tensor;
} taichi_aot_dlpack_versioned;

/* What a capsule held: one of the two, or neither. */
typedef struct taichi_aot_dlpack_consumed {
  taichi_aot_dlpack_managed *managed;
  taichi_aot_dlpack_versioned *versioned;
} taichi_aot_dlpack_consumed;

int taichi_aot_dlpack_export(const taichi_aot_dlpack_tensor *tensor, int32_t versioned, uint64_t flags, void *owner,
                             void *result);
void taichi_aot_dlpack_consume(void *capsule, taichi_aot_dlpack_consumed *consumed);
void taichi_aot_dlpack_release(taichi_aot_dlpack_consumed *consumed);

/* For C alone. */

#ifdef _WIN32
#define TAICHI_AOT_THREAD_LOCAL __declspec(thread)
#define CUDA_CALL __stdcall /* of the driver's functions */
#else
#define TAICHI_AOT_THREAD_LOCAL __thread
#define CUDA_CALL
#endif

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* library.c */
extern TAICHI_AOT_THREAD_LOCAL char taichi_aot_message[4096];
int taichi_aot_missing(const char *routine);
int taichi_aot_fail(const char *routine, int code);
void taichi_aot_clear_error(void);
int taichi_aot_read_error(const char *routine);

/* context.c. `enter` takes the lock and clears the thread's error, `leave` returns what the call reported and gives the
 * lock back. After a status other than 0 of `enter` the lock is not held. NULL: without a runtime. */
int taichi_aot_enter(taichi_aot_runtime *runtime);
int taichi_aot_enter_closing(taichi_aot_runtime *runtime); /* also while the runtime is being closed */
#define TAICHI_AOT_ENTER_CLOSING 1   /* also while the runtime is being closed */
#define TAICHI_AOT_ENTER_MAY_WAIT 2  /* else BUSY */
#define TAICHI_AOT_ENTER_ON_DEVICE 4 /* else only our own record is changed: also after a fault on CUDA */
#define TAICHI_AOT_ENTER_DIRECT 8    /* on CUDA it does not use the default stream, unless taichi_aot_cuda_use_default */
int taichi_aot_enter_with(taichi_aot_runtime *runtime, int flags);
int taichi_aot_leave(taichi_aot_runtime *runtime, const char *routine);
int taichi_aot_leave_with(taichi_aot_runtime *runtime, int code); /* where the call did not go to the library */
int taichi_aot_enter_process(void); /* create, destroy, load, fetch: one at a time in a process */
void taichi_aot_leave_process(void);
void taichi_aot_let_one_pass(taichi_aot_context *context);
void taichi_aot_wait_entered(taichi_aot_context *context);
int32_t taichi_aot_waiting(const taichi_aot_context *context);

/* capi.c */
uint32_t taichi_aot_size_of(TiDataType type);
int taichi_aot_is_words(const taichi_aot_parameter *parameter, const TiTensor *tensor);
void taichi_aot_forget_known(taichi_aot_context *context);

/* memory.c, called with the lock held */
int taichi_aot_missing_map(void);
int taichi_aot_read_entered(taichi_aot_runtime *runtime, const taichi_aot_memory *memory, uint64_t host, uint64_t size);
uint64_t taichi_aot_staging_size(taichi_aot_runtime *runtime, taichi_aot_staging *staging, uint64_t size);
int taichi_aot_locate_entered(const taichi_aot_memory *memory, int64_t generation, uint64_t *offset);

/* vulkan.c, called with the lock held: command buffers of our own on the device and the queue of a context. */
#define TAICHI_AOT_VULKAN_FUNCTIONS(F)                                                                               \
  F(CreateImage) F(DestroyImage) F(GetImageMemoryRequirements) F(AllocateMemory) F(FreeMemory) F(CreateCommandPool)  \
  F(DestroyCommandPool) F(AllocateCommandBuffers) F(ResetCommandBuffer) F(BeginCommandBuffer) F(EndCommandBuffer)    \
  F(CreateFence) F(DestroyFence) F(ResetFences) F(WaitForFences) F(QueueSubmit) F(CmdPipelineBarrier) F(CmdCopyImage) \
  F(CmdCopyBufferToImage) F(CmdCopyImageToBuffer) F(CreateShaderModule) F(DestroyShaderModule)                       \
  F(CreateDescriptorSetLayout) F(DestroyDescriptorSetLayout) F(CreatePipelineLayout) F(DestroyPipelineLayout)        \
  F(CreateComputePipelines) F(DestroyPipeline) F(CreateDescriptorPool) F(DestroyDescriptorPool)                      \
  F(AllocateDescriptorSets) F(UpdateDescriptorSets) F(CmdBindPipeline) F(CmdBindDescriptorSets) F(CmdDispatch)       \
  F(CreateImageView) F(DestroyImageView) F(CreateSampler) F(DestroySampler)
#define TAICHI_AOT_DECLARE(name) PFN_vk##name name;

typedef struct taichi_aot_submission {
  VkCommandBuffer commands;
  VkFence fence;
  int pending; /* submitted, and the fence has not been waited for */
} taichi_aot_submission;

#define TAICHI_AOT_SINGLES 16 /* launches that the device may have at a time */

typedef struct taichi_aot_vulkan {
  VkDevice device;
  VkQueue queue;
  VkPhysicalDeviceMemoryProperties memory;
  int is_cpu; /* the device is one */
  uint32_t most_groups; /* of a dispatch */
  VkCommandPool pool;
  taichi_aot_submission submissions[2]; /* one is recorded while the device works on the other */
  unsigned next;
  taichi_aot_submission replays[TAICHI_AOT_CHUNKS]; /* chunks of recorded launches */
  taichi_aot_submission singles[TAICHI_AOT_SINGLES]; /* recorded launches that no sequence makes */
  uint32_t next_single;
  taichi_aot_plan *plans;
  TiMemory temporaries; /* of kernels */
  VkSampler sampler;    /* of textures */
  TAICHI_AOT_VULKAN_FUNCTIONS(TAICHI_AOT_DECLARE)
} taichi_aot_vulkan;

int taichi_aot_vulkan_open(taichi_aot_context *context);
int taichi_aot_vulkan_try_image(const taichi_aot_vulkan *vulkan, const VkImageCreateInfo *info);
int taichi_aot_vulkan_begin(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission);
int taichi_aot_vulkan_submit(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission);
int taichi_aot_vulkan_wait(taichi_aot_vulkan *vulkan, taichi_aot_submission *submission);
int taichi_aot_vulkan_finish(taichi_aot_context *context); /* wait for all of them */
void taichi_aot_vulkan_destroy(taichi_aot_context *context);
VkBuffer taichi_aot_vulkan_buffer(taichi_aot_context *context, TiMemory memory);

/* image.c, called with the lock held: images in recorded launches */
VkImageView taichi_aot_image_view(taichi_aot_context *context, taichi_aot_image *image);
void taichi_aot_image_begin(taichi_aot_context *context, taichi_aot_image *image);
void taichi_aot_image_use(const taichi_aot_vulkan *vulkan, VkCommandBuffer commands, taichi_aot_image *image,
                          TiImageLayout layout);
void taichi_aot_image_end(taichi_aot_context *context, taichi_aot_image *image);
void taichi_aot_image_forget(taichi_aot_context *context, taichi_aot_image *image);

/* numbers.c: arguments of `capi` as the library takes them */
#define TAICHI_AOT_CONVERTED (-1)
int taichi_aot_convert(const taichi_aot_parameter *parameter, const TiArgument *given, TiArgument *passed);
int64_t taichi_aot_integer_of(const taichi_aot_parameter *parameter, const TiArgument *passed);

/* launch.c, called with the lock held */
int taichi_aot_is_module_open(const taichi_aot_module *module);
TiArgument *taichi_aot_argument_of(const taichi_aot_launch *launch, uint32_t i);
int taichi_aot_launch_check(const taichi_aot_launch *launch);
void taichi_aot_launch_by_library(taichi_aot_launch *launch);
taichi_aot_launch *taichi_aot_launch_of(const taichi_aot_sequence_item *item, int64_t iteration);

/* recorder.c, and what an arch has for it, called with the lock held */
typedef struct taichi_aot_recorder {
  const char *routine;
  int (*open)(taichi_aot_context *context);
  /* Whether the launch of an item is up to date on the device, for chunks of so many iterations. */
  int (*prepare)(taichi_aot_runtime *runtime, const taichi_aot_sequence_item *item, uint32_t copies);
  /* Whether the device has done the chunk of a slot; waits a little for it. */
  int (*is_done)(taichi_aot_context *context, uint32_t slot, int *code);
  /* Gives the device `*n` or fewer of the `left` iterations from `first` on, in the slot that is next; NOT_RECORDED if it
   * cannot. */
  int (*submit)(taichi_aot_runtime *runtime, const taichi_aot_sequence_item *items, uint32_t count, int64_t first,
                int64_t left, uint32_t *n, taichi_aot_recording *recording);
  int (*finish)(taichi_aot_context *context); /* waits until what is recorded may be freed */
  void (*free_recorded)(taichi_aot_context *context, taichi_aot_recorded *recorded);
  void (*free_recording)(taichi_aot_context *context, taichi_aot_recording *recording);
} taichi_aot_recorder;

extern const taichi_aot_recorder taichi_aot_vulkan_recorder, taichi_aot_cuda_recorder;
taichi_aot_recorded *taichi_aot_recorded_of(const taichi_aot_sequence_item *item);
const TiTexture *taichi_aot_texture_of(const taichi_aot_launch *launch, uint32_t source, taichi_aot_image **image);
const TiNdArray *taichi_aot_array_of(const taichi_aot_launch *launch, uint32_t source, const taichi_aot_memory **memory);
uint32_t taichi_aot_argument_room(const taichi_aot_plan_dispatch *dispatch);
void taichi_aot_write_arguments(char *target, const taichi_aot_plan *plan, const taichi_aot_launch *launch);
uint32_t taichi_aot_groups_of(const taichi_aot_plan_task *task, const char *arguments);
uint32_t taichi_aot_tasks_of(const taichi_aot_sequence_item *items, uint32_t count);
void taichi_aot_keep_recorded(taichi_aot_runtime *runtime, taichi_aot_recorded *recorded);
void taichi_aot_keep_recording(taichi_aot_runtime *runtime, taichi_aot_recording *recording);
void taichi_aot_chunk_begun(taichi_aot_context *context, const taichi_aot_recording *recording, uint32_t size);
void taichi_aot_recorder_close(taichi_aot_runtime *runtime);

/* vulkan.c calls it before the device is destroyed */
void taichi_aot_vulkan_destroy_plans(taichi_aot_context *context);

/* recorder_cuda.c and recorder_vulkan.c: a bound launch */
int taichi_aot_cuda_launch(taichi_aot_launch *launch, int *code);
int taichi_aot_vulkan_launch(taichi_aot_launch *launch, int *code);

/* cuda.c, called with the lock held */
void taichi_aot_cuda_enter_context(taichi_aot_context *context, int is_direct);
void taichi_aot_cuda_use_default(taichi_aot_context *context);
int taichi_aot_cuda_leave_context(taichi_aot_context *context, int code);
int taichi_aot_cuda_begin_direct(taichi_aot_context *context, void **stream);
void taichi_aot_cuda_end_direct(taichi_aot_context *context);
void taichi_aot_cuda_forget_streams(taichi_aot_runtime *runtime);
void *taichi_aot_cuda_symbol(const char *name);
int taichi_aot_cuda_error(const char *routine, int result);
int taichi_aot_cuda_still_lost(void);
int taichi_aot_cuda_attach(taichi_aot_context *context);
int taichi_aot_cuda_copy_entered(uint64_t target, uint64_t source, uint64_t size);

#endif
