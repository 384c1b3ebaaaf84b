/* What the hand-written C offers to Python beside the functions of the C API. cffi reads this file too. */

/* library.c: the loaded library and the drivers' loaders. */
int taichi_aot_load(const char *path, char *message, size_t capacity);
void taichi_aot_forget_library(void);
const char *taichi_aot_error_message(void);
const char *taichi_aot_library_path(void);
void taichi_aot_skip_inherited_exit_handlers(void);
void *taichi_aot_open(const char *name);
void *taichi_aot_symbol(void *library, const char *name);

/* runtime.c: every call on a native runtime goes through one of these, one call at a time. */
typedef struct taichi_aot_runtime {
  uint64_t mutex[8];
  TiRuntime native;     /* NULL: every call on it is refused as CLOSED */
  uint64_t thread;      /* the one thread that may use it, 0 for any */
  int32_t asynchronous; /* launches return before they have run */
  int32_t busy;         /* launched since the last wait */
  int32_t lost;         /* CUDA: nothing that reaches the driver works any more */
  void *cuda_context;   /* CUDA: made current around each call */
  int32_t waiting;      /* threads that wait for the mutex */
  uint32_t served;      /* how often one of those got it */
} taichi_aot_runtime;

/* Refusals, beside the library's own codes, which are negative. */
#define TAICHI_AOT_CLOSED 1
#define TAICHI_AOT_WRONG_THREAD 2
#define TAICHI_AOT_LOST 3
#define TAICHI_AOT_ARRAY_CLOSED 5
#define TAICHI_AOT_ARRAY_MAPPED 6
#define TAICHI_AOT_MODULE_CLOSED 7

void taichi_aot_runtime_init(taichi_aot_runtime *runtime, TiRuntime native, int32_t asynchronous, int32_t pinned);
void taichi_aot_runtime_forget(taichi_aot_runtime *runtime);
int taichi_aot_runtime_is_free(taichi_aot_runtime *runtime);
void taichi_aot_runtime_destroy(taichi_aot_runtime *runtime);
int taichi_aot_wait(taichi_aot_runtime *runtime, int32_t for_results);
int taichi_aot_copy_mapped(taichi_aot_runtime *runtime, TiMemory memory, uint64_t offset, uint64_t host, uint64_t size,
                           int32_t to_host);
void taichi_aot_copy(uint64_t target, uint64_t source, uint64_t size);
void taichi_aot_store(taichi_aot_runtime *runtime, int64_t *state, int64_t value);

/* launch.c: launches with their arguments. */
typedef struct taichi_aot_array {
  TiNdArray native;
  const int64_t *state; /* of its memory */
  int64_t open;         /* what the state is while the memory may be used */
} taichi_aot_array;

typedef struct taichi_aot_launch {
  taichi_aot_runtime *runtime;
  const int64_t *runtime_state; /* not 0 while open */
  const int64_t *module_state;
  TiKernel kernel; /* NULL: it is a graph */
  TiComputeGraph graph;
  uint32_t argument_count;
  uint32_t array_count;
  TiArgument *arguments;
  TiNamedArgument *named_arguments;
  taichi_aot_array **arrays;
  const uint32_t *array_arguments; /* the argument of each array */
  int64_t version;                 /* increased when arguments are assigned */
} taichi_aot_launch;

/* A scalar of a launch in a sequence that changes from one iteration to the next. */
typedef struct taichi_aot_step {
  void *value;     /* its 32 bits in the scratch block of the launch */
  int32_t is_real; /* float, else int32_t */
  double first;
  double step;
} taichi_aot_step;

/* A launch in a sequence. */
typedef struct taichi_aot_sequence_item {
  taichi_aot_launch *launch;
  taichi_aot_launch *scratch; /* NULL, or a block for its arguments with the stepped scalars among them */
  taichi_aot_step *steps;
  uint32_t step_count;
} taichi_aot_sequence_item;

typedef struct taichi_aot_position {
  int64_t iteration;
  uint32_t launch;
} taichi_aot_position;

int taichi_aot_launch_now(taichi_aot_launch *launch);
int taichi_aot_launch_assign(taichi_aot_launch *launch, const taichi_aot_launch *staged, int64_t version);
int taichi_aot_run_sequence(const taichi_aot_sequence_item *items, uint32_t count, int64_t repeat, int64_t limit,
                            taichi_aot_position *position);

/* cuda.c: what the C API does not do, or not well, through the driver. */
typedef struct taichi_aot_stream {
  void *handle;
  void *event;
  int32_t is_blocking;              /* ordered with the default stream by the driver itself */
  struct taichi_aot_stream *before; /* what was in use on this thread */
} taichi_aot_stream;

const char *taichi_aot_cuda_device(char *name, size_t capacity);
int taichi_aot_cuda_attach(taichi_aot_runtime *runtime);
int taichi_aot_cuda_allocate(taichi_aot_runtime *runtime, uint64_t size, uint64_t *address);
int taichi_aot_cuda_free(taichi_aot_runtime *runtime, uint64_t address);
int taichi_aot_cuda_copy(taichi_aot_runtime *runtime, uint64_t target, uint64_t source, uint64_t size);
int taichi_aot_cuda_order(taichi_aot_runtime *runtime, void *stream, int32_t before);
int taichi_aot_cuda_is_device_memory(taichi_aot_runtime *runtime, uint64_t address, int32_t *result);
int taichi_aot_cuda_enter_stream(taichi_aot_runtime *runtime, taichi_aot_stream *stream);
int taichi_aot_cuda_leave_stream(taichi_aot_runtime *runtime, taichi_aot_stream *stream);

/* dlpack.c: arrays for other libraries and of theirs, laid out as the specification of DLPack 0.8 and 1.0 has them. */
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

int taichi_aot_dlpack_capsule(void *result, void *owner, void *data, int32_t device_type, int32_t device_id, int32_t code,
                              int32_t bits, int32_t ndim, const int64_t *shape, int32_t versioned, uint64_t flags);
void *taichi_aot_dlpack_consume(void *object, int32_t *versioned);
