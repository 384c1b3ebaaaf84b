/* A fake CUDA driver for tests, without a device, which the library and the extension load as libcuda.so.1.
 *
 * Device memory is host memory at separate addresses. Work is queued and runs in order, as late as the API allows: at
 * the next wait, query or copy to the host. This reveals host memory that is changed too early. Vector clocks over
 * streams and events tell which work can overlap. The log gets a line "race" if a kernel can run before or while its
 * arguments or arrays are written, or together with another kernel: all kernels share the library's temporaries.
 *
 * A module's kernel writes one line to the log and runs no code:
 *     kernel NAME GRID BLOCK SHARED STREAM ARGUMENTS
 * GRID and BLOCK are x,y,z, STREAM a number (0 is the default stream), ARGUMENTS the bytes of the argument struct in hex.
 * The struct's size is that of the smallest buffer that the library has allocated for it. A kernel "saxpy" computes
 * y += a * x; any other hashes its name, its arguments and the first word of each array into these words. What a kernel
 * with PTX returns is then the first word of its first array.
 *
 * Environment:
 *     FAKE_CUDA_LOG      path of the log
 *     FAKE_CUDA_TRACE    if set, the log has a line "call NAME" for each call
 *     FAKE_CUDA_GRID     maximum number of blocks in a launch of a module's kernel
 *     FAKE_CUDA_EAGER    if set, a kernel or a copy runs when it is launched
 *     FAKE_CUDA_DEVICES  number of devices, 1 or 2 (1)
 *     FAKE_CUDA_LEFT_OUT names of kernels that do nothing, each between spaces: those of the library that PTX does without
 * fake_fail("cuMemAlloc_v2:2:3,kernel:700") makes the third call from then on fail with code 2, and a running kernel
 * with 700; without a count, every call fails. Errors 700 to 719 are sticky on the device, which is lost.
 * fake_arm("cuMemAlloc_v2", 2, 999) counts calls other than the library's from then on, and makes the third fail once.
 * A call that releases something does so even then.
 *
 * Using a destroyed handle or freed memory ends the process with a message, and so does using the memory of one device on
 * the other, except in a copy between peers. */

#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* CUresult */
enum {
  SUCCESS = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  INVALID_IMAGE = 200,
  INVALID_CONTEXT = 201,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  NOT_READY = 600,
  ILLEGAL_ADDRESS = 700,
  LAST_LOST = 719,
  NOT_SUPPORTED = 801,
  CAPTURE_UNSUPPORTED = 900,
  CAPTURE_INVALIDATED = 901,
  CAPTURE_UNMATCHED = 903,
  CAPTURE_ISOLATION = 905,
  CAPTURE_IMPLICIT = 906,
  CAPTURE_WRONG_THREAD = 908,
};

enum { MODE_GLOBAL, MODE_THREAD_LOCAL, MODE_RELAXED };
enum { ARGUMENTS_LOGGED = 1024, STREAMS = 64, LARGEST_QUEUE = 8192, DEPENDENCIES = 8, DEVICES = 2 };

__attribute__((format(printf, 1, 2), noreturn)) static void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("CUDA driver for tests: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  abort();
}

/* --- The log, calls and their failures --- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *log_file;
static pid_t process;
static bool traced;
static int lost_on[DEVICES]; /* the sticky error */
static int current_device(void);

__attribute__((format(printf, 1, 2))) static void write_log(const char *format, ...) {
  va_list arguments;
  if (log_file == NULL) return;
  va_start(arguments, format);
  vfprintf(log_file, format, arguments);
  va_end(arguments);
  fputc('\n', log_file);
}

enum { FAILURES = 8 };
static struct failure {
  char name[64];
  int code, number, seen;
} failures[FAILURES];

static int injected_on(const char *name, int device) {
  for (int i = 0; i < FAILURES; ++i) {
    struct failure *failure = &failures[i];
    if (strcmp(failure->name, name) != 0) continue;
    failure->seen += 1;
    if (failure->number != 0 && failure->number != failure->seen) continue;
    if (failure->code >= ILLEGAL_ADDRESS && failure->code <= LAST_LOST) lost_on[device] = failure->code;
    return failure->code;
  }
  return SUCCESS;
}

/* Calls that are not the library's, by function, while they are counted, and the one of them that fails. */
enum { FUNCTIONS = 128 };
static struct {
  const char *name;
  long calls;
} called[FUNCTIONS];
static struct {
  bool counts;
  char name[64];
  long index, fired;
  int code;
} fault;

static bool is_of_the_library(void *caller) {
  Dl_info info;
  return dladdr(caller, &info) != 0 && strstr(info.dli_fname, "taichi_c_api") != NULL;
}

/* Counts a call; the code with which it must fail. */
static int count_call(const char *name, void *caller) {
  int i = 0;
  if (!fault.counts || is_of_the_library(caller)) return SUCCESS;
  while (i < FUNCTIONS && called[i].name != NULL && strcmp(called[i].name, name) != 0) i += 1;
  if (i == FUNCTIONS) die("too many functions");
  called[i].name = name;
  if (called[i].calls++ != fault.index || strcmp(name, fault.name) != 0) return SUCCESS;
  fault.fired += 1;
  return fault.code;
}

static void unlock(const int *status) {
  pthread_mutex_unlock(&mutex);
}

static int lock(const char *name, void *caller) {
  int status;
  pthread_mutex_lock(&mutex);
  if (process != getpid()) return NOT_INITIALIZED; /* before cuInit, or in a child */
  if (traced) write_log("call %s", name);
  const int device = current_device();
  status = injected_on(name, device);
  if (status != SUCCESS) return status;
  if (lost_on[device] != SUCCESS && strstr(name, "Current") == NULL) return lost_on[device]; /* another one can be used */
  return count_call(name, caller);
}

/* The mutex, until the function returns. */
#define HOLD __attribute__((cleanup(unlock), unused)) const int locked = pthread_mutex_lock(&mutex)
#define LOCK __attribute__((cleanup(unlock))) const int entered = lock(__func__, __builtin_return_address(0))

#define ENTER \
  LOCK;       \
  if (entered != SUCCESS) return entered

/* Returns the status of a call that fails. */
#define TRY(call)                                   \
  do {                                              \
    const int failed_with = call;                   \
    if (failed_with != SUCCESS) return failed_with; \
  } while (0)

/* For a function that releases something and returns `entered`. */
#define ENTER_RELEASE \
  LOCK;               \
  if (entered != SUCCESS && entered != fault.code) return entered

static int begin_log(void) {
  const char *path = getenv("FAKE_CUDA_LOG");
  if (process != 0) return process == getpid() ? SUCCESS : NOT_INITIALIZED;
  process = getpid();
  traced = getenv("FAKE_CUDA_TRACE") != NULL;
  if (path != NULL && (log_file = fopen(path, "w")) == NULL) die("the log %s cannot be opened", path);
  return SUCCESS;
}

/* --- Objects behind handles. Handles are never reused, so that destroyed ones are recognized. --- */

enum kind { NONE, CONTEXT, STREAM, EVENT, MODULE, FUNCTION, GRAPH, NODE, EXEC, KINDS };
static const char *const kind_names[KINDS] = {"",       "context",  "stream", "event", "module",
                                              "function", "graph", "node",   "exec"};
enum { OBJECTS = 1 << 22 };

typedef struct {
  enum kind kind;
  void *data; /* NULL once destroyed */
} object;

static object objects[OBJECTS];
static int object_count, alive[KINDS];

static void *create(enum kind kind, size_t size, void **handle) {
  if (object_count == OBJECTS) die("too many objects");
  object *made = &objects[object_count++];
  made->kind = kind;
  made->data = calloc(1, size);
  alive[kind] += 1;
  *handle = made;
  return made->data;
}

/* Returns the object behind a handle, or NULL if it is not a handle of this kind. */
static void *find(enum kind kind, void *handle) {
  const uintptr_t offset = (uintptr_t)handle - (uintptr_t)objects;
  const object *found = handle;
  if (offset >= sizeof objects || offset % sizeof(object) != 0 || found->kind != kind) return NULL;
  if (found->data == NULL) die("a destroyed %s is used", kind_names[kind]);
  return found->data;
}

static void destroy(void *handle) {
  object *found = handle;
  free(found->data);
  found->data = NULL;
  alive[found->kind] -= 1;
}

#define FIND(type, name, kind, handle)                     \
  type *name __attribute__((unused)) = find(kind, handle); \
  if (name == NULL) return INVALID_HANDLE

/* --- Device memory --- */

static const uintptr_t MEMORY = (uintptr_t)1 << 45;
static const size_t MEMORY_SIZE = (size_t)256 << 30;
enum { ALIGNMENT = 512, ALLOCATIONS = 1 << 16 };

typedef struct {
  uintptr_t address;
  size_t size; /* as requested */
  int device;
} allocation;

static allocation allocations[ALLOCATIONS]; /* by address; size 0: freed */
static int allocation_count;
static uintptr_t memory_top;
static size_t used_bytes;

static size_t rounded(size_t size) { return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static uintptr_t end_of(int i) {
  if (i + 1 < allocation_count) return allocations[i + 1].address;
  return memory_top;
}

/* Returns the allocation that contains an address, or NULL. */
static const allocation *find_allocation(uint64_t address) {
  int low = 0, high = allocation_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (allocations[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0) return NULL;
  const allocation *found = &allocations[low - 1];
  return address - found->address < found->size ? found : NULL;
}

static bool is_device(uint64_t address) { return address >= MEMORY && address < MEMORY + MEMORY_SIZE; }

/* Returns the number of bytes from an address to the end of its allocation. */
static size_t bytes_from(uint64_t address, const char *user) {
  const allocation *found = find_allocation(address);
  if (found == NULL) die("%s uses device memory at %" PRIx64 ", which is not allocated", user, address);
  return (size_t)(found->address + found->size - address);
}

static void require_memory(const void *address, size_t size, const char *user) {
  if (is_device((uintptr_t)address) && size > 0 && bytes_from((uintptr_t)address, user) < size)
    die("%s goes beyond the end of device memory", user);
}

/* Ends the process if memory is on another device. */
static void require_device(const void *address, int device, const char *user) {
  const allocation *found = is_device((uintptr_t)address) ? find_allocation((uintptr_t)address) : NULL;
  if (found != NULL && found->device != device) die("%s on device %d uses memory of device %d", user, device, found->device);
}

/* Uses the first free slot of the same size, or a new one at the end. */
static int allocate(uint64_t *address, size_t size, int device) {
  static bool is_mapped;
  *address = 0;
  if (size == 0) return INVALID_VALUE;
  if (!is_mapped) {
    void *wanted = (void *)MEMORY;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    if (mmap(wanted, MEMORY_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0) != wanted) die("out of memory for the device");
    is_mapped = true;
    memory_top = MEMORY;
  }
  for (int i = 0; i < allocation_count; ++i) {
    if (allocations[i].size == 0 && allocations[i].device == device && end_of(i) - allocations[i].address == rounded(size)) {
      allocations[i].size = size;
      *address = allocations[i].address;
      used_bytes += size;
      return SUCCESS;
    }
  }
  if (allocation_count == ALLOCATIONS || memory_top + rounded(size) > MEMORY + MEMORY_SIZE) return OUT_OF_MEMORY;
  allocations[allocation_count++] = (allocation){.address = memory_top, .size = size, .device = device};
  *address = memory_top;
  memory_top += rounded(size);
  used_bytes += size;
  return SUCCESS;
}

static size_t release(uint64_t address) {
  allocation *found = (allocation *)find_allocation(address);
  if (found == NULL || found->address != address) die("memory at %" PRIx64 " is freed that is not allocated", address);
  const size_t size = found->size;
  used_bytes -= size;
  found->size = 0;
  return size;
}

static void fill(void *address, unsigned char value, size_t size) {
  enum { PAGE = 4096 };
  char *start = address, *end = start + size;
  char *first = (char *)(((uintptr_t)start + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
  char *last = (char *)((uintptr_t)end & ~(uintptr_t)(PAGE - 1));
  if (value != 0 || first >= last || madvise(first, (size_t)(last - first), MADV_DONTNEED) != 0) {
    memset(start, value, size);
    return;
  }
  memset(start, 0, (size_t)(first - start));
  memset(last, 0, (size_t)(end - last));
}

/* Page-locked host memory, which copies read only when they run. */
enum { PINNED = 4096 };
static struct {
  char *address;
  size_t size;
} pinned[PINNED];
static int pinned_count;

static int find_pinned(const void *address) {
  for (int i = 0; i < PINNED; ++i) {
    if (pinned[i].address != NULL && (size_t)((const char *)address - pinned[i].address) < pinned[i].size) return i;
  }
  return -1;
}

/* --- Order of work: vector clocks --- */

typedef struct {
  uint32_t ticks[STREAMS]; /* by stream: its work up to this number is done */
} ticks;

static void join(ticks *target, const ticks *source) {
  for (int i = 0; i < STREAMS; ++i)
    if (target->ticks[i] < source->ticks[i]) target->ticks[i] = source->ticks[i];
}

typedef struct {
  uint64_t address; /* of 8 bytes */
  uint32_t generation;
  uint32_t reads[STREAMS], writes[STREAMS];
} cell;

enum { CELLS = 1 << 17, LARGEST_CHECKED = 1 << 16 };
static cell cells[CELLS];
static long races;

static cell *find_cell(uint64_t address) {
  uint64_t i = (address >> 3) * 0x9E3779B97F4A7C15u >> 44;
  for (int tried = 0; tried < 64; ++tried) {
    cell *found = &cells[(i + (uint64_t)tried) % CELLS];
    if (found->address == 0) found->address = address;
    if (found->address == address) return found;
  }
  return NULL; /* the table is full: not checked */
}

static void report_race(const cell *cell, const ticks *now, const uint32_t *earlier, const char *what, const char *who) {
  for (int i = 0; i < STREAMS; ++i) {
    if (earlier[i] <= now->ticks[i]) continue;
    races += 1;
    write_log("race: %s at %" PRIx64 " may overtake %s of stream %d", who, cell->address, what, i);
  }
}

static void check_access(uint64_t address, size_t size, const ticks *now, int slot, bool writes, const char *who) {
  if (!is_device(address)) return;
  if (size > LARGEST_CHECKED) size = LARGEST_CHECKED;
  for (uint64_t at = address & ~(uint64_t)7; at < address + size; at += 8) {
    cell *cell = find_cell(at);
    if (cell == NULL) return;
    report_race(cell, now, cell->writes, "a write", who);
    if (writes) report_race(cell, now, cell->reads, "a read", who);
    (writes ? cell->writes : cell->reads)[slot] = now->ticks[slot];
  }
}

static void forget_accesses(uint64_t address, size_t size) {
  if (size > LARGEST_CHECKED) size = LARGEST_CHECKED;
  for (uint64_t at = address; at < address + size; at += 8) {
    cell *cell = find_cell(at);
    if (cell == NULL) return;
    memset(cell->reads, 0, sizeof cell->reads);
    memset(cell->writes, 0, sizeof cell->writes);
  }
}

/* --- Contexts, streams, captures --- */

typedef struct {
  int device;
} context;

typedef struct {
  void *graph;
  int mode;
  pthread_t thread;
  void *origin; /* the stream that began the capture */
  bool is_invalid, is_ended;
} capture;

typedef struct {
  void *handle;
  context *context;
  int slot, device;
  bool is_blocking, is_default;
  ticks done; /* what precedes its next work */
  capture *capture;
  int last_count; /* nodes that the next node depends on */
  void *last[DEPENDENCIES];
} stream;

typedef struct {
  ticks done;
  int device;
  capture *capture; /* if recorded in one */
  int last_count;
  void *last[DEPENDENCIES];
} event;

static context *primary[DEVICES];
static void *primary_handle[DEVICES];
static __thread void *current;
static __thread int thread_mode = MODE_GLOBAL;
static __thread void *thread_stream;
static ticks host;
static stream default_streams[DEVICES] = {{.is_blocking = true, .is_default = true},
                                          {.is_blocking = true, .is_default = true, .slot = 1, .device = 1}};
static stream *streams[STREAMS] = {&default_streams[0], &default_streams[1]};
static int device_of_slot[STREAMS] = {0, 1};

static int device_of(void *handle) {
  const context *found = find(CONTEXT, handle);
  return found != NULL ? found->device : 0;
}

static int current_device(void) { return current != NULL ? device_of(current) : 0; }

static stream *current_default(void) { return &default_streams[current_device()]; }

static void require_initialized(const char *who) {
  if (process == 0) die("%s before cuInit", who);
}

static int create_stream(void **handle, bool is_blocking) {
  int slot = DEVICES;
  while (slot < STREAMS && streams[slot] != NULL) slot += 1;
  if (slot == STREAMS) return OUT_OF_MEMORY;
  stream *made = create(STREAM, sizeof *made, handle);
  device_of_slot[slot] = current_device();
  *made = (stream){.handle = *handle, .slot = slot, .is_blocking = is_blocking, .context = find(CONTEXT, current),
                   .device = current_device()};
  made->done.ticks[slot] = 0;
  for (int i = 0; i < STREAMS; ++i) /* continue the numbers of an earlier stream in this slot */
    if (streams[i] != NULL && streams[i]->done.ticks[slot] > made->done.ticks[slot])
      made->done.ticks[slot] = streams[i]->done.ticks[slot];
  if (host.ticks[slot] > made->done.ticks[slot]) made->done.ticks[slot] = host.ticks[slot];
  streams[slot] = made;
  return SUCCESS;
}

/* Returns the stream behind a handle: 0 and 1 are the default stream, 2 is the per-thread one. */
static int find_stream(void *handle, stream **found) {
  if (current == NULL) return INVALID_CONTEXT;
  if ((uintptr_t)handle < 2) {
    *found = current_default();
    return SUCCESS;
  }
  if ((uintptr_t)handle == 2) {
    if (thread_stream == NULL && create_stream(&thread_stream, true) != SUCCESS) return OUT_OF_MEMORY;
    handle = thread_stream;
  }
  *found = find(STREAM, handle);
  if (*found == NULL || (*found)->device != current_device()) return INVALID_HANDLE;
  return SUCCESS;
}

#define FIND_STREAM(name, handle)       \
  stream *name __attribute__((unused)); \
  TRY(find_stream(handle, &name))

static void invalidate(capture *of) { of->is_invalid = true; }

/* Work on the default stream would have to wait for streams that are captured. */
static int check_implicit(const stream *target) {
  if (!target->is_default) return SUCCESS;
  int status = SUCCESS;
  for (int i = DEVICES; i < STREAMS; ++i) {
    if (streams[i] == NULL || streams[i]->device != target->device || !streams[i]->is_blocking || streams[i]->capture == NULL) continue;
    invalidate(streams[i]->capture);
    status = CAPTURE_IMPLICIT;
  }
  return status;
}

/* Calls that wait or allocate are refused during a capture that is not relaxed, and invalidate it. */
static int check_unsafe(void) {
  int status = SUCCESS;
  if (thread_mode == MODE_RELAXED) return SUCCESS;
  for (int i = 1; i < STREAMS; ++i) {
    capture *under_way = streams[i] == NULL ? NULL : streams[i]->capture;
    if (under_way == NULL || under_way->mode == MODE_RELAXED) continue;
    const bool is_own = pthread_equal(under_way->thread, pthread_self()) != 0;
    if (!is_own && (under_way->mode != MODE_GLOBAL || thread_mode != MODE_GLOBAL)) continue;
    invalidate(under_way);
    status = CAPTURE_UNSUPPORTED;
  }
  return status;
}

#define REFUSE_IN_CAPTURE                      \
  TRY(check_unsafe());                         \
  if (current == NULL) return INVALID_CONTEXT; \
  TRY(check_implicit(current_default()))

/* Returns what precedes the next work of a stream. */
static void order(stream *target) {
  join(&target->done, &host);
  if (target->is_default) {
    for (int i = DEVICES; i < STREAMS; ++i)
      if (streams[i] != NULL && streams[i]->is_blocking && streams[i]->device == target->device) join(&target->done, &streams[i]->done);
  } else if (target->is_blocking) {
    join(&target->done, &default_streams[target->device].done);
  }
}

/* --- Modules and kernels --- */

enum { PARAMETERS = 16, LARGEST_PARAMETERS = 256 };

typedef struct {
  char *name;
  size_t count, offsets[PARAMETERS], sizes[PARAMETERS], bytes;
  size_t argument_size; /* of the struct that its parameter points to, if known */
  bool is_size_known;
  int device;
  bool is_of_the_library; /* the library has loaded it, which gives it its own state */
} function;

typedef struct {
  int count;
  void **functions;
} module;

typedef struct {
  function *function;
  void *function_handle;
  unsigned grid[3], block[3], shared;
  unsigned char bytes[LARGEST_PARAMETERS];
} kernel;

/* Members of the only parameter of a module's kernel: the addresses of its arguments and of the library's state for all
 * kernels. */
static uint64_t member_of(const kernel *kernel, size_t i) {
  uint64_t address;
  memcpy(&address, kernel->bytes + i * sizeof address, sizeof address);
  return address;
}

static uint64_t arguments_of(const kernel *kernel) { return member_of(kernel, 0); }

static uint64_t runtime_of(const kernel *kernel) { return member_of(kernel, 1); }

static bool is_of_module(const function *function) { return function->count == 1 && function->bytes == 32; }

/* Copies a launch's parameters, from a pointer to each or from one buffer. */
static int copy_parameters(kernel *target, void **parameters, void **extra) {
  const function *function = target->function;
  memset(target->bytes, 0, sizeof target->bytes);
  if (parameters != NULL) {
    for (size_t i = 0; i < function->count; ++i)
      memcpy(target->bytes + function->offsets[i], parameters[i], function->sizes[i]);
    return SUCCESS;
  }
  for (int i = 0; extra != NULL && extra[i] != NULL; i += 2) {
    if ((uintptr_t)extra[i] == 1) memcpy(target->bytes, extra[i + 1], function->bytes);
  }
  return extra != NULL || function->count == 0 ? SUCCESS : INVALID_VALUE;
}

static int check_kernel(const kernel *kernel) {
  const uint64_t threads = (uint64_t)kernel->block[0] * kernel->block[1] * kernel->block[2];
  const char *largest = is_of_module(kernel->function) ? getenv("FAKE_CUDA_GRID") : NULL;
  if (threads == 0 || threads > 1024 || kernel->grid[0] == 0 || kernel->grid[1] == 0 || kernel->grid[2] == 0)
    return INVALID_VALUE;
  return largest != NULL && kernel->grid[0] > (unsigned)atoi(largest) ? INVALID_VALUE : SUCCESS;
}

enum { SMALLEST_ARGUMENTS = 256 };

/* Finds the size of a kernel's argument struct: each launch of the library has a buffer of that size, or host memory if
 * there are no arguments. The package gives its own kernels at least so many bytes, with zeros behind the struct. */
static size_t argument_size(const kernel *kernel) {
  function *function = kernel->function;
  const uint64_t address = arguments_of(kernel);
  if (!is_of_module(function)) return 0;
  if (!is_device(address)) {
    function->is_size_known = true;
    return 0;
  }
  const size_t left = bytes_from(address, function->name);
  if (!function->is_of_the_library) return left < SMALLEST_ARGUMENTS ? left : SMALLEST_ARGUMENTS;
  const allocation *found = find_allocation(address);
  if (found->address == address && (!function->is_size_known || left < function->argument_size)) {
    function->argument_size = left;
    function->is_size_known = true;
  }
  const size_t size = function->is_size_known ? function->argument_size : left;
  if (size > left) die("%s has %zu bytes of arguments, and needs %zu", function->name, left, size);
  return size < ARGUMENTS_LOGGED ? size : ARGUMENTS_LOGGED;
}

static uint64_t mixed(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

/* Finds the places of arrays' addresses in an argument struct. */
static int find_arrays(const unsigned char *bytes, size_t size, size_t *offsets, int capacity) {
  int count = 0;
  for (size_t i = 0; i + 8 <= size && count < capacity; i += 8) {
    uint64_t value;
    memcpy(&value, bytes + i, sizeof value);
    if (is_device(value)) offsets[count++] = i;
  }
  return count;
}

static void *array_at(const unsigned char *bytes, size_t offset) {
  void *address;
  memcpy(&address, bytes + offset, sizeof address);
  return address;
}

/* An array of smaller elements may have fewer bytes. */
static size_t word_size(const void *array, const char *name) {
  const size_t left = bytes_from((uintptr_t)array, name);
  return left < 4 ? left : 4;
}

static void compute_saxpy(const unsigned char *bytes, const size_t *offsets) {
  const float *x = array_at(bytes, offsets[0]);
  float a, *y = array_at(bytes, offsets[1]);
  int32_t n;
  memcpy(&a, bytes, sizeof a);
  memcpy(&n, bytes + offsets[0] - 8, sizeof n);
  for (int32_t i = 0; i < n; ++i) y[i] += a * x[i];
}

static void compute(const char *name, const unsigned char *bytes, size_t size, const size_t *offsets, int count) {
  uint64_t hash = 1;
  int next = 0;
  for (const char *c = name; *c != '\0'; ++c) hash = mixed(hash, (unsigned char)*c);
  while (size > 0 && bytes[size - 1] == 0) size -= 1; /* buffers of the package are larger than those of the library */
  for (size_t i = 0; i < size; i += 8) {
    uint64_t value = 0;
    memcpy(&value, bytes + i, size - i < sizeof value ? size - i : sizeof value);
    if (next < count && i == offsets[next]) {
      const void *array = array_at(bytes, offsets[next++]);
      value = 0;
      memcpy(&value, array, word_size(array, name));
    }
    hash = mixed(hash, value);
  }
  for (int i = 0; i < count; ++i) {
    void *array = array_at(bytes, offsets[i]);
    const uint32_t word = (uint32_t)(mixed(hash, (uint64_t)i) >> 33);
    memcpy(array, &word, word_size(array, name));
  }
}

static uint64_t runtime; /* the library's state, passed to all kernels */

/* The library reads the address of its state from what this kernel returns. */
static void initialize_runtime(const kernel *kernel) {
  uint64_t addresses[LARGEST_PARAMETERS / 8];
  memcpy(addresses, kernel->bytes, sizeof addresses);
  runtime = 0;
  for (size_t i = 1; i < kernel->function->bytes / 8 && runtime == 0; ++i)
    if (is_device(addresses[i])) runtime = addresses[i];
  if (is_device(addresses[0])) *(uint64_t *)addresses[0] = runtime;
}

static bool is_left_out(const char *name) {
  const char *names = getenv("FAKE_CUDA_LEFT_OUT");
  char word[300];
  return names != NULL && snprintf(word, sizeof word, " %s ", name) < (int)sizeof word && strstr(names, word) != NULL;
}

static void run_kernel(const kernel *kernel, size_t size, const ticks *now, int slot) {
  const char *name = kernel->function->name;
  const int device = kernel->function->device;
  size_t offsets[64];
  if (strcmp(name, "runtime_initialize") == 0) initialize_runtime(kernel);
  if (!is_of_module(kernel->function)) {
    write_log("internal %s", name);
    return;
  }
  const bool gets_its_state = runtime_of(kernel) == runtime;
  if (gets_its_state != kernel->function->is_of_the_library) die("%s does not get its state", name);
  if (!gets_its_state) bytes_from(runtime_of(kernel), name);
  require_device((void *)runtime_of(kernel), device, name);
  require_device((void *)arguments_of(kernel), device, name);
  if (is_left_out(name) || injected_on("kernel", device) != SUCCESS) return;
  const unsigned char *bytes = (const unsigned char *)arguments_of(kernel);
  char text[2 * ARGUMENTS_LOGGED + 1] = "";
  for (size_t i = 0; i < size; ++i) sprintf(text + 2 * i, "%02x", bytes[i]);
  write_log("kernel %s %u,%u,%u %u,%u,%u %u %d %s", name, kernel->grid[0], kernel->grid[1], kernel->grid[2],
            kernel->block[0], kernel->block[1], kernel->block[2], kernel->shared, slot, text);
  check_access(arguments_of(kernel), size, now, slot, false, name);
  check_access(runtime_of(kernel), 1, now, slot, true, name); /* temporaries, random states */
  const int count = find_arrays(bytes, size, offsets, 64);
  for (int i = 0; i < count; ++i) {
    void *array = array_at(bytes, offsets[i]);
    require_device(array, device, name);
    check_access((uintptr_t)array, word_size(array, name), now, slot, true, name);
  }
  if (strncmp(name, "saxpy_", 6) == 0 && count == 2) {
    if (strstr(name, "range_for") != NULL) compute_saxpy(bytes, offsets);
  } else {
    compute(name, bytes, size, offsets, count);
  }
  if (!is_device(member_of(kernel, 3)) && find_pinned((void *)member_of(kernel, 3)) < 0) return;
  uint32_t *result = (uint32_t *)member_of(kernel, 3);
  require_device(result, device, name);
  check_access((uintptr_t)result, sizeof *result, now, slot, true, name);
  *result = 0;
  if (count > 0) memcpy(result, array_at(bytes, offsets[0]), word_size(array_at(bytes, offsets[0]), name));
}

/* --- The queue --- */

typedef struct {
  enum { COPY, FILL_BYTES, FILL_WORDS, FORGET, KERNEL } kind;
  int slot;
  ticks now;
  void *target;
  const void *source;
  void *staged; /* copy of memory that the host may change at once */
  size_t size;  /* in bytes, or in words to fill */
  uint32_t value;
  kernel kernel;
} work;

static work queue[LARGEST_QUEUE];
static int queued;

static void run(work *work) {
  switch (work->kind) {
    case COPY:
      check_access((uintptr_t)work->source, work->size, &work->now, work->slot, false, "a copy");
      check_access((uintptr_t)work->target, work->size, &work->now, work->slot, true, "a copy");
      memmove(work->target, work->staged != NULL ? work->staged : work->source, work->size);
      free(work->staged);
      break;
    case FILL_BYTES:
      check_access((uintptr_t)work->target, work->size, &work->now, work->slot, true, "a fill");
      fill(work->target, (unsigned char)work->value, work->size);
      break;
    case FILL_WORDS:
      check_access((uintptr_t)work->target, 4 * work->size, &work->now, work->slot, true, "a fill");
      for (size_t i = 0; i < work->size; ++i) ((uint32_t *)work->target)[i] = work->value;
      break;
    case FORGET:
      forget_accesses((uintptr_t)work->target, work->size);
      break;
    case KERNEL:
      run_kernel(&work->kernel, work->size, &work->now, work->slot);
      break;
  }
}

/* Does all queued work, and returns the error that it caused. */
static int finish(void) {
  for (int i = 0; i < queued; ++i)
    if (lost_on[device_of_slot[queue[i].slot]] == SUCCESS) run(&queue[i]);
  queued = 0;
  return lost_on[current_device()];
}

/* Queues work that follows what `now` says, and is the next of a stream's slot in it. */
static work *push_in(int kind, int slot, const ticks *now) {
  if (queued == LARGEST_QUEUE) finish();
  work *pushed = &queue[queued++];
  memset(pushed, 0, sizeof *pushed);
  pushed->kind = kind;
  pushed->slot = slot;
  pushed->now = *now;
  return pushed;
}

static work *push(int kind, stream *target) {
  order(target);
  target->done.ticks[target->slot] += 1;
  return push_in(kind, target->slot, &target->done);
}

/* Makes the host wait for a stream. */
static int wait_for(stream *target) {
  order(target);
  join(&host, &target->done);
  return finish();
}

static int wait_for_all(void) {
  for (int i = 0; i < STREAMS; ++i)
    if (streams[i] != NULL && streams[i]->device == current_device()) join(&host, &streams[i]->done);
  return finish();
}

static void push_copy(void *to, const void *from, size_t size, stream *target, int source_device) {
  require_memory(to, size, "a copy");
  require_memory(from, size, "a copy");
  require_device(to, target->device, "a copy");
  require_device(from, source_device, "a copy");
  if (size == 0) return;
  work *pushed = push(COPY, target);
  pushed->target = to;
  pushed->source = from;
  pushed->size = size;
  if (is_device((uintptr_t)from) || find_pinned(from) >= 0) return;
  pushed->staged = malloc(size);
  memcpy(pushed->staged, from, size);
}

/* A copy to host memory that is not page-locked ends before the call returns. */
static int copy(void *to, const void *from, size_t size, stream *target, bool waits) {
  push_copy(to, from, size, target, target->device);
  if (!is_device((uintptr_t)to) && (waits || find_pinned(to) < 0)) return wait_for(target);
  return SUCCESS;
}

static void push_fill(int kind, void *to, uint32_t value, size_t count, stream *target) {
  require_memory(to, kind == FILL_WORDS ? 4 * count : count, "a fill");
  require_device(to, target->device, "a fill");
  if (count == 0) return;
  work *pushed = push(kind, target);
  pushed->target = to;
  pushed->value = value;
  pushed->size = count;
}

static void push_kernel(const kernel *kernel, stream *target) {
  const size_t size = argument_size(kernel);
  work *pushed = push(KERNEL, target);
  pushed->kernel = *kernel;
  pushed->size = size;
}

/* --- Graphs --- */

enum { KERNEL_NODE = 0, COPY_NODE = 1, FILL_NODE = 2, ALLOCATION_NODE = 10 };

typedef struct {
  void *graph;
  int type;
  kernel kernel;
  void *to; /* of a copy */
  const void *from;
  size_t size;
  int slot; /* of the stream that it was captured on; 0: of none */
  bool is_marked; /* at the end of a capture: it precedes that */
  size_t count;
  void *before[DEPENDENCIES];
} node;

/* What its owner wants to know when the last graph that keeps it is destroyed. */
typedef struct {
  int references;
  void *value;
  void (*destroy)(void *value);
} user_object;

enum { USER_OBJECTS = 256 };

typedef struct {
  size_t count;
  user_object *each[USER_OBJECTS];
} user_objects;

static void release_objects(user_objects *owned) {
  for (size_t i = 0; i < owned->count; ++i) {
    user_object *object = owned->each[i];
    if (--object->references > 0) continue;
    object->destroy(object->value);
    free(object);
  }
}

typedef struct {
  size_t count, capacity;
  void **nodes;
  user_objects objects;
} graph;

typedef struct {
  user_objects objects;
  size_t count;
  node *added;  /* copies of the graph's nodes */
  ticks *done_of; /* each of them, in the last launch */
  void **nodes; /* the graph's nodes, for updates */
  bool is_ordered;
  ticks done;
} exec;

static node *add_node(graph *target, void *handle, int type, void *const *before, size_t count, void **node_handle) {
  node *added = create(NODE, sizeof *added, node_handle);
  if (count > DEPENDENCIES) die("a node has %zu dependencies", count);
  added->graph = handle;
  added->type = type;
  added->count = count;
  if (count > 0) memcpy(added->before, before, count * sizeof *before);
  if (target->count == target->capacity) {
    target->capacity = 2 * target->capacity + 16;
    target->nodes = realloc(target->nodes, target->capacity * sizeof *target->nodes);
  }
  target->nodes[target->count++] = *node_handle;
  return added;
}

/* Turns the work of a captured stream into a node. */
static int capture_node(stream *target, int type, const kernel *captured, const node *copied) {
  capture *under_way = target->capture;
  void *handle;
  if (under_way->is_invalid) return CAPTURE_INVALIDATED;
  graph *into = find(GRAPH, under_way->graph);
  node *made = add_node(into, under_way->graph, type, target->last, (size_t)target->last_count, &handle);
  made->slot = target->slot;
  if (copied != NULL) {
    made->to = copied->to;
    made->from = copied->from;
    made->size = copied->size;
  }
  if (captured != NULL) {
    argument_size(captured);
    made->kernel = *captured;
  }
  target->last[0] = handle;
  target->last_count = 1;
  return SUCCESS;
}

/* --- Interface for tests --- */

/* Makes calls fail from now on (see above). An empty text stops it. */
EXPORT void fake_fail(const char *text) {
  HOLD;
  memset(failures, 0, sizeof failures);
  for (int i = 0; i < FAILURES && *text != '\0'; ++i) {
    int length = 0;
    sscanf(text, "%63[^:]:%d%n:%d%n", failures[i].name, &failures[i].code, &length, &failures[i].number, &length);
    if (length == 0) die("no failure: %s", text);
    text += length;
    if (*text == ',') text += 1;
  }
}

EXPORT void fake_log(const char *text) {
  HOLD;
  finish();
  write_log("%s", text);
}

/* Returns the number of objects of a kind: streams, events, graphs, nodes, execs, or bytes of "memory". */
EXPORT size_t fake_count(const char *kind) {
  HOLD;
  if (strcmp(kind, "memory") == 0) return used_bytes;
  if (strcmp(kind, "pinned") == 0) return (size_t)pinned_count;
  for (int i = 1; i < KINDS; ++i)
    if (strcmp(kind, kind_names[i]) == 0) return (size_t)alive[i];
  die("nothing is called %s", kind);
}

/* Counts calls that are not the library's from 0 again. The call of this number of a function will fail; none if `name` is
 * "". */
EXPORT void fake_arm(const char *name, long index, int code) {
  HOLD;
  memset(called, 0, sizeof called);
  memset(&fault, 0, sizeof fault);
  fault.counts = true;
  snprintf(fault.name, sizeof fault.name, "%s", name);
  fault.index = index;
  fault.code = code;
}

/* Whether calls are counted from now on; returns whether they were before. */
EXPORT int fake_set_counting(int counts) {
  const int before = fault.counts;
  fault.counts = counts != 0;
  return before;
}

EXPORT long fake_fired(void) { return fault.fired; }

/* Does all queued work, writes the log to its file, and returns the number of races so far. */
EXPORT long fake_races(void) {
  HOLD;
  finish();
  fflush(log_file);
  return races;
}

/* The name and the number of calls of a function that was called; NULL behind the last one. */
EXPORT const char *fake_called(int i, long *calls) {
  if (i >= FUNCTIONS || called[i].name == NULL) return NULL;
  *calls = called[i].calls;
  return called[i].name;
}

/* Makes a context current on this thread; returns the one before. */
EXPORT void *fake_set_context(void *handle) {
  void *before = current;
  current = handle;
  return before;
}

/* --- The API: devices and contexts --- */

/* A function that returns `result`, and two that do the same. */
#define DEFINE(name, parameters, result) \
  EXPORT int name parameters {           \
    ENTER;                               \
    return result;                       \
  }
#define BOTH_VERSIONS(name, parameters, result) \
  DEFINE(name, parameters, result)              \
  DEFINE(name##_v2, parameters, result)

EXPORT int cuInit(unsigned flags) {
  HOLD;
  TRY(begin_log());
  return count_call(__func__, __builtin_return_address(0));
}

EXPORT int cuDriverGetVersion(int *version) {
  ENTER;
  *version = 12040;
  return SUCCESS;
}

static const char *const LOST = "an illegal memory access was encountered";

EXPORT int cuGetErrorName(int code, const char **name) {
  *name = code == ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR";
  return SUCCESS;
}

EXPORT int cuGetErrorString(int code, const char **text) {
  *text = code == OUT_OF_MEMORY ? "out of memory" : code == ILLEGAL_ADDRESS ? LOST : "an error";
  return SUCCESS;
}

static int device_count(void) {
  const char *text = getenv("FAKE_CUDA_DEVICES");
  const int count = text != NULL ? atoi(text) : 1;
  return count < DEVICES ? count : DEVICES;
}

EXPORT int cuDeviceGetCount(int *count) {
  ENTER;
  *count = device_count();
  return SUCCESS;
}

EXPORT int cuDeviceGet(int *device, int ordinal) {
  ENTER;
  *device = ordinal;
  return ordinal >= 0 && ordinal < device_count() ? SUCCESS : INVALID_VALUE;
}

EXPORT int cuDeviceGetName(char *name, int size, int device) {
  ENTER;
  snprintf(name, (size_t)size, "CUDA device for tests");
  return SUCCESS;
}

/* The values with which taichi_aot.build compiles, by CUdevice_attribute. */
static const int attributes[][2] = {{2, 1024}, {16, 40}, {39, 2048}, {75, 7}, {76, 5}, {97, 65536}, {106, 32}, {115, 1}};

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device) {
  ENTER;
  *value = 0;
  for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; ++i)
    if (attributes[i][0] == attribute) *value = attributes[i][1];
  return SUCCESS;
}

EXPORT int cuDeviceGetDefaultMemPool(void **pool, int device) {
  ENTER;
  *pool = allocations;
  return SUCCESS;
}

DEFINE(cuMemPoolSetAttribute, (void *pool, int attribute, void *value), SUCCESS)

EXPORT int cuDevicePrimaryCtxRetain(void **handle, int device) {
  ENTER;
  require_initialized(__func__);
  if (device < 0 || device >= device_count()) return INVALID_VALUE;
  if (primary[device] == NULL) {
    primary[device] = create(CONTEXT, sizeof *primary[device], &primary_handle[device]);
    primary[device]->device = device;
  }
  *handle = primary_handle[device];
  return SUCCESS;
}

DEFINE(cuDevicePrimaryCtxRelease_v2, (int device), SUCCESS)

EXPORT int cuCtxCreate_v2(void **handle, unsigned flags, int device) {
  ENTER;
  ((context *)create(CONTEXT, sizeof(context), handle))->device = device;
  current = *handle;
  return SUCCESS;
}

EXPORT int cuCtxSetCurrent(void *handle) {
  ENTER;
  if (handle != NULL && find(CONTEXT, handle) == NULL) return INVALID_CONTEXT;
  current = handle;
  return SUCCESS;
}

EXPORT int cuCtxGetCurrent(void **handle) {
  ENTER;
  *handle = current;
  return SUCCESS;
}

DEFINE(cuCtxSetLimit, (int limit, size_t value), SUCCESS)

/* --- Streams and events --- */

EXPORT int cuStreamCreate(void **handle, unsigned flags) {
  ENTER;
  if (current == NULL) return INVALID_CONTEXT;
  return create_stream(handle, (flags & 1) == 0);
}

static void destroy_graph(void *handle);

EXPORT int cuStreamDestroy_v2(void *handle) {
  ENTER_RELEASE;
  FIND(stream, target, STREAM, handle);
  if (target->capture != NULL) {
    invalidate(target->capture);
    if (target->capture->origin == handle) destroy_graph(target->capture->graph);
  }
  streams[target->slot] = NULL;
  destroy(handle);
  return entered;
}

/* A captured stream has no work to wait for or to query. */
static int check_wait(stream *target) {
  if (target->capture == NULL) return check_implicit(target);
  invalidate(target->capture);
  return CAPTURE_UNSUPPORTED;
}

EXPORT int cuStreamGetFlags(void *handle, unsigned *flags) {
  ENTER;
  FIND_STREAM(target, handle);
  TRY(check_wait(target));
  *flags = target->is_blocking ? 0 : 1;
  return SUCCESS;
}

EXPORT int cuStreamSynchronize(void *handle) {
  ENTER;
  FIND_STREAM(target, handle);
  TRY(check_wait(target));
  return wait_for(target);
}

/* A query does the work, and the next query reports it as done. */
EXPORT int cuStreamQuery(void *handle) {
  ENTER;
  FIND_STREAM(target, handle);
  TRY(check_wait(target));
  if (queued == 0) return wait_for(target);
  return finish() != SUCCESS ? lost_on[current_device()] : NOT_READY;
}

EXPORT int cuEventCreate(void **handle, unsigned flags) {
  ENTER;
  if (current == NULL) return INVALID_CONTEXT;
  ((event *)create(EVENT, sizeof(event), handle))->device = current_device();
  return SUCCESS;
}

EXPORT int cuEventDestroy_v2(void *handle) {
  ENTER_RELEASE;
  FIND(event, target, EVENT, handle);
  destroy(handle);
  return entered;
}

EXPORT int cuEventDestroy(void *handle) { return cuEventDestroy_v2(handle); }

EXPORT int cuEventRecord(void *handle, void *stream_handle) {
  ENTER;
  FIND(event, target, EVENT, handle);
  FIND_STREAM(recorded, stream_handle);
  if (target->device != recorded->device) return INVALID_HANDLE;
  TRY(check_implicit(recorded));
  order(recorded);
  target->done = recorded->done;
  target->capture = recorded->capture;
  target->last_count = recorded->last_count;
  memcpy(target->last, recorded->last, sizeof target->last);
  return SUCCESS;
}

static int check_event(event *target) {
  if (target->capture == NULL) return SUCCESS;
  invalidate(target->capture);
  return CAPTURE_UNSUPPORTED;
}

EXPORT int cuEventQuery(void *handle) {
  ENTER;
  FIND(event, target, EVENT, handle);
  TRY(check_unsafe());
  TRY(check_event(target));
  if (queued != 0) return finish() != SUCCESS ? lost_on[current_device()] : NOT_READY;
  join(&host, &target->done);
  return SUCCESS;
}

EXPORT int cuEventElapsedTime(float *time, void *first, void *second) {
  ENTER;
  FIND(event, begin, EVENT, first);
  FIND(event, end, EVENT, second);
  *time = 0.001f;
  return SUCCESS;
}

EXPORT int cuStreamWaitEvent(void *handle, void *event_handle, unsigned flags) {
  ENTER;
  FIND_STREAM(target, handle);
  FIND(event, awaited, EVENT, event_handle);
  if (awaited->capture != NULL && awaited->capture->is_ended) return NOT_SUPPORTED;
  if (awaited->capture != NULL && target->capture == NULL) {
    if (target->is_default) {
      invalidate(awaited->capture);
      return CAPTURE_IMPLICIT;
    }
    target->capture = awaited->capture; /* the stream joins the capture */
    target->last_count = 0;
  }
  if (target->capture != NULL && awaited->capture != target->capture) {
    invalidate(target->capture);
    return CAPTURE_ISOLATION;
  }
  TRY(check_implicit(target));
  join(&target->done, &awaited->done);
  for (int i = 0; target->capture != NULL && i < awaited->last_count; ++i) {
    int k = 0;
    while (k < target->last_count && target->last[k] != awaited->last[i]) k += 1;
    if (k == DEPENDENCIES) die("a captured stream follows too many nodes");
    target->last[k] = awaited->last[i];
    if (k == target->last_count) target->last_count += 1;
  }
  return SUCCESS;
}

/* --- Memory --- */

/* Beside a stream that is captured, whatever its flags, a thread without a mode may allocate: seen on an H100. */
EXPORT int cuMemAlloc_v2(uint64_t *address, size_t size) {
  ENTER;
  TRY(check_unsafe());
  if (current == NULL) return INVALID_CONTEXT;
  TRY(allocate(address, size, current_device()));
  forget_accesses(*address, size);
  return SUCCESS;
}

EXPORT int cuMemFree_v2(uint64_t address) {
  ENTER_RELEASE;
  REFUSE_IN_CAPTURE;
  if (address == 0) return SUCCESS;
  const int status = wait_for_all();
  const size_t size = release(address);
  fill((void *)address, size < LARGEST_CHECKED ? 0xCD : 0, size);
  return status != SUCCESS ? status : entered;
}

EXPORT int cuMemAllocAsync(uint64_t *address, size_t size, void *handle) {
  ENTER;
  FIND_STREAM(target, handle);
  TRY(check_implicit(target));
  if (target->capture != NULL) return NOT_SUPPORTED;
  TRY(allocate(address, size, target->device));
  work *pushed = push(FORGET, target);
  pushed->target = (void *)*address;
  pushed->size = size;
  return SUCCESS;
}

EXPORT int cuMemFreeAsync(uint64_t address, void *handle) {
  ENTER;
  FIND_STREAM(target, handle);
  TRY(check_implicit(target));
  if (target->capture != NULL) return NOT_SUPPORTED;
  const allocation *freed = find_allocation(address);
  if (freed != NULL && freed->size <= LARGEST_CHECKED) push_fill(FILL_BYTES, (void *)address, 0xCD, freed->size, target);
  release(address);
  return SUCCESS;
}

EXPORT int cuMemGetInfo_v2(size_t *free_size, size_t *size) {
  ENTER;
  *size = (size_t)16 << 30;
  *free_size = *size - used_bytes % *size;
  return SUCCESS;
}

EXPORT int cuMemAllocHost_v2(void **address, size_t size) {
  ENTER;
  REFUSE_IN_CAPTURE;
  for (int i = 0; i < PINNED; ++i) {
    if (pinned[i].address != NULL) continue;
    *address = pinned[i].address = malloc(size);
    pinned[i].size = size;
    pinned_count += 1;
    return SUCCESS;
  }
  return OUT_OF_MEMORY;
}

EXPORT int cuMemFreeHost(void *address) {
  ENTER;
  REFUSE_IN_CAPTURE;
  const int i = find_pinned(address);
  if (i < 0 || pinned[i].address != address) die("freed host memory is not page-locked");
  for (int k = 0; k < queued; ++k)
    if (queue[k].kind == COPY && find_pinned(queue[k].source) == i) die("host memory is freed while a copy reads it");
  free(address);
  pinned[i].address = NULL;
  pinned_count -= 1;
  return SUCCESS;
}

EXPORT int cuPointerGetAttribute(void *value, int attribute, uint64_t address) {
  enum { OF_CONTEXT = 1, MEMORY_TYPE = 2, ORDINAL = 9, HOST = 1, DEVICE = 2 };
  ENTER;
  const allocation *found = find_allocation(address);
  const bool on_device = found != NULL;
  if (!on_device && find_pinned((void *)address) < 0) return INVALID_VALUE;
  if (attribute == MEMORY_TYPE)
    *(unsigned *)value = on_device ? DEVICE : HOST;
  else if (attribute == OF_CONTEXT)
    *(void **)value = primary_handle[on_device ? found->device : 0];
  else if (attribute == ORDINAL && on_device)
    *(int *)value = found->device;
  else
    return NOT_SUPPORTED;
  return SUCCESS;
}

/* Blocking copies use the default stream. */
static int copy_now(void *to, const void *from, size_t size) {
  REFUSE_IN_CAPTURE;
  return copy(to, from, size, current_default(), true);
}

EXPORT int cuCtxEnablePeerAccess(void *peer, unsigned flags) {
  ENTER;
  return find(CONTEXT, peer) == NULL || device_of(peer) == current_device() ? INVALID_CONTEXT : SUCCESS;
}

EXPORT int cuMemcpyPeerAsync(void *to, void *to_context, const void *from, void *from_context, size_t size, void *handle) {
  ENTER;
  FIND_STREAM(target, handle);
  if (find(CONTEXT, to_context) == NULL || find(CONTEXT, from_context) == NULL) return INVALID_CONTEXT;
  if (target->capture != NULL) {
    invalidate(target->capture);
    return CAPTURE_UNSUPPORTED;
  }
  if (device_of(to_context) != target->device || !is_device((uintptr_t)to) || !is_device((uintptr_t)from))
    return INVALID_VALUE;
  TRY(check_implicit(target));
  push_copy(to, from, size, target, device_of(from_context));
  return SUCCESS;
}

static bool is_eager(void) { return getenv("FAKE_CUDA_EAGER") != NULL; }

static int copy_later(void *to, const void *from, size_t size, void *handle) {
  FIND_STREAM(target, handle);
  const node copied = {.to = to, .from = from, .size = size};
  if (target->capture != NULL) return capture_node(target, COPY_NODE, NULL, &copied);
  TRY(check_implicit(target));
  TRY(copy(to, from, size, target, false));
  return is_eager() ? finish() : SUCCESS;
}

#define COPIES(name) DEFINE(name, (void *to, const void *from, size_t size), copy_now(to, from, size))
#define LATER_COPIES(name) \
  DEFINE(name, (void *to, const void *from, size_t size, void *handle), copy_later(to, from, size, handle))
COPIES(cuMemcpy)
COPIES(cuMemcpyHtoD_v2)
COPIES(cuMemcpyDtoH_v2)
COPIES(cuMemcpyDtoD_v2)
LATER_COPIES(cuMemcpyHtoDAsync_v2)
LATER_COPIES(cuMemcpyDtoHAsync_v2)

static int fill_later(int kind, void *to, uint32_t value, size_t count, void *handle) {
  FIND_STREAM(target, handle);
  if (target->capture != NULL) return capture_node(target, FILL_NODE, NULL, NULL);
  TRY(check_implicit(target));
  push_fill(kind, to, value, count, target);
  return SUCCESS;
}

EXPORT int cuMemsetD8_v2(void *to, unsigned char value, size_t count) {
  ENTER;
  REFUSE_IN_CAPTURE;
  return fill_later(FILL_BYTES, to, value, count, NULL);
}

EXPORT int cuMemsetD32Async(void *to, unsigned value, size_t count, void *handle) {
  ENTER;
  return fill_later(FILL_WORDS, to, value, count, handle);
}

/* --- Modules: only the entries of the PTX are read --- */

static bool is_name(char c) { return c == '_' || c == '$' || isalnum((unsigned char)c); }

static char *copy_name(const char *begin, const char **end) {
  *end = begin;
  while (is_name(**end)) *end += 1;
  return strndup(begin, (size_t)(*end - begin));
}

/* ".param .u64 NAME" or ".param .align 8 .b8 NAME[32]", one for each parameter. */
static void read_parameters(function *target, const char *text, const char *end) {
  while ((text = strstr(text, ".param")) != NULL && text < end) {
    const char *next = strchr(text, ',');
    if (next == NULL || next > end) next = end;
    const char *array = memchr(text, '[', (size_t)(next - text)), *align = strstr(text, ".align ");
    size_t size = 0, alignment = 0;
    if (array != NULL) {
      size = (size_t)atoi(array + 1);
      alignment = align != NULL && align < next ? (size_t)atoi(align + 7) : 1;
    } else {
      text += 6;
      while (*text != '.') text += 1;
      size = alignment = (size_t)atoi(text + 2) / 8;
    }
    if (target->count == PARAMETERS || size == 0) die("the parameters of %s are not understood", target->name);
    target->bytes = (target->bytes + alignment - 1) / alignment * alignment;
    target->offsets[target->count] = target->bytes;
    target->sizes[target->count++] = size;
    target->bytes += size;
    if (target->bytes > LARGEST_PARAMETERS) die("%s has too many parameters", target->name);
    text = next;
  }
}

/* What the driver's compiler says, where the caller has room for it. */
static void log_error(const char *text, unsigned count, const int *options, void **values) {
  enum { ERROR_LOG = 5, ERROR_LOG_BYTES = 6 };
  size_t room = 0;
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == ERROR_LOG_BYTES) room = (size_t)(uintptr_t)values[i];
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == ERROR_LOG && room > 0) snprintf(values[i], room, "%s", text);
}

EXPORT int cuModuleLoadDataEx(void **handle, const void *image, unsigned count, const int *options, void **values) {
  LOCK;
  if (entered != SUCCESS) {
    log_error("ptxas for tests: an unknown instruction", count, options, values);
    return entered;
  }
  REFUSE_IN_CAPTURE;
  if (strstr(image, ".entry ") == NULL) return INVALID_IMAGE;
  module *made = create(MODULE, sizeof *made, handle);
  const char *text = image;
  while ((text = strstr(text, ".entry ")) != NULL) {
    made->functions = realloc(made->functions, (size_t)(made->count + 1) * sizeof *made->functions);
    function *found = create(FUNCTION, sizeof *found, &made->functions[made->count++]);
    found->device = current_device();
    found->is_of_the_library = is_of_the_library(__builtin_return_address(0));
    found->name = copy_name(text + 7, &text);
    if (*text == '(') read_parameters(found, text, strchr(text, ')'));
  }
  return SUCCESS;
}

EXPORT int cuModuleUnload(void *handle) {
  ENTER_RELEASE;
  FIND(module, target, MODULE, handle);
  for (int i = 0; i < queued; ++i)
    for (int j = 0; j < target->count; ++j)
      if (queue[i].kind == KERNEL && queue[i].kernel.function == find(FUNCTION, target->functions[j]))
        die("code is unloaded while the device may run it");
  finish();
  for (int i = 0; i < target->count; ++i) destroy(target->functions[i]);
  free(target->functions);
  destroy(handle);
  return entered;
}

EXPORT int cuModuleGetFunction(void **handle, void *module_handle, const char *name) {
  ENTER;
  FIND(module, target, MODULE, module_handle);
  for (int i = 0; i < target->count; ++i) {
    *handle = target->functions[i];
    if (strcmp(((function *)find(FUNCTION, *handle))->name, name) == 0) return SUCCESS;
  }
  return NOT_FOUND;
}

EXPORT int cuFuncSetAttribute(void *handle, int attribute, int value) {
  ENTER;
  FIND(function, target, FUNCTION, handle);
  return SUCCESS;
}

EXPORT int cuLaunchKernel(void *handle, unsigned x, unsigned y, unsigned z, unsigned block_x, unsigned block_y,
                          unsigned block_z, unsigned shared, void *stream_handle, void **parameters, void **extra) {
  ENTER;
  FIND(function, launched, FUNCTION, handle);
  FIND_STREAM(target, stream_handle);
  if (launched->device != target->device) return INVALID_HANDLE;
  kernel made = {.function = launched, .function_handle = handle, .grid = {x, y, z}, .block = {block_x, block_y, block_z},
                 .shared = shared};
  TRY(copy_parameters(&made, parameters, extra));
  TRY(check_kernel(&made));
  TRY(check_implicit(target));
  if (target->capture != NULL) return capture_node(target, KERNEL_NODE, &made, NULL);
  push_kernel(&made, target);
  return is_eager() ? finish() : SUCCESS;
}

/* --- Captures --- */

EXPORT int cuThreadExchangeStreamCaptureMode(int *mode) {
  ENTER;
  const int before = thread_mode;
  if (*mode < MODE_GLOBAL || *mode > MODE_RELAXED) return INVALID_VALUE;
  thread_mode = *mode;
  *mode = before;
  return SUCCESS;
}

EXPORT int cuStreamBeginCapture_v2(void *handle, int mode) {
  ENTER;
  FIND_STREAM(target, handle);
  if (target->is_default) return CAPTURE_UNSUPPORTED;
  if (target->capture != NULL) return INVALID_VALUE;
  capture *begun = calloc(1, sizeof *begun);
  begun->mode = mode;
  begun->thread = pthread_self();
  begun->origin = handle;
  create(GRAPH, sizeof(graph), &begun->graph);
  target->capture = begun;
  target->last_count = 0;
  return SUCCESS;
}

/* Marks nodes and all that they follow. */
static void mark_nodes(void *const *nodes, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    node *found = find(NODE, nodes[i]);
    if (found->is_marked) continue;
    found->is_marked = true;
    mark_nodes(found->before, found->count);
  }
}

/* Ends the capture of all streams that have joined it. The one that began it must have waited for them. */
static void leave_capture(capture *ended, stream *origin) {
  bool is_joined = true;
  mark_nodes(origin->last, (size_t)origin->last_count);
  for (int i = 0; i < STREAMS; ++i) {
    stream *each = streams[i];
    if (each == NULL || each->capture != ended) continue;
    for (int k = 0; each != origin && k < each->last_count && is_joined; ++k)
      is_joined = ((node *)find(NODE, each->last[k]))->is_marked;
    each->capture = NULL;
    if (each != origin) each->last_count = 0;
  }
  ended->is_ended = true;
  if (!is_joined) ended->is_invalid = true;
}

static void destroy_graph(void *handle) {
  graph *target = find(GRAPH, handle);
  for (size_t i = 0; i < target->count; ++i) destroy(target->nodes[i]);
  free(target->nodes);
  release_objects(&target->objects);
  destroy(handle);
}

EXPORT int cuStreamEndCapture(void *handle, void **result) {
  ENTER;
  FIND_STREAM(target, handle);
  capture *ended = target->capture;
  *result = NULL;
  if (ended == NULL) return CAPTURE_UNMATCHED;
  if (ended->mode != MODE_RELAXED && !pthread_equal(ended->thread, pthread_self())) return CAPTURE_WRONG_THREAD;
  leave_capture(ended, target);
  if (ended->is_invalid) {
    destroy_graph(ended->graph);
    return CAPTURE_INVALIDATED; /* keeps `ended`, because events may refer to it */
  }
  *result = ended->graph;
  return SUCCESS;
}

enum { NOT_CAPTURED, CAPTURED, INVALIDATED };

static int capture_status(const stream *target) {
  if (target->capture == NULL) return NOT_CAPTURED;
  return target->capture->is_invalid ? INVALIDATED : CAPTURED;
}

EXPORT int cuStreamIsCapturing(void *handle, int *status) {
  ENTER;
  FIND_STREAM(target, handle);
  const int implicit = check_implicit(target);
  *status = capture_status(target);
  return implicit;
}

EXPORT int cuStreamGetCaptureInfo_v2(void *handle, int *status, uint64_t *id, void **result, void *const **last,
                                     size_t *count) {
  ENTER;
  FIND_STREAM(target, handle);
  *status = capture_status(target);
  if (*status != CAPTURED) return SUCCESS;
  if (id != NULL) *id = (uintptr_t)target->capture;
  if (result != NULL) *result = target->capture->graph;
  if (last != NULL) *last = target->last;
  if (count != NULL) *count = (size_t)target->last_count;
  return SUCCESS;
}

/* --- Graphs --- */

typedef struct {
  void *function;
  unsigned grid[3], block[3], shared;
  void **parameters, **extra;
} node_parameters; /* CUDA_KERNEL_NODE_PARAMS_v1; version 2 appends a CUkernel and a CUcontext */

static int read_parameters_of(kernel *target, const node_parameters *source) {
  FIND(function, launched, FUNCTION, source->function);
  *target = (kernel){.function = launched, .function_handle = source->function, .shared = source->shared};
  memcpy(target->grid, source->grid, sizeof target->grid);
  memcpy(target->block, source->block, sizeof target->block);
  TRY(copy_parameters(target, source->parameters, source->extra));
  return check_kernel(target);
}

EXPORT int cuGraphCreate(void **handle, unsigned flags) {
  ENTER;
  create(GRAPH, sizeof(graph), handle);
  return SUCCESS;
}

EXPORT int cuGraphDestroy(void *handle) {
  ENTER_RELEASE;
  FIND(graph, target, GRAPH, handle);
  destroy_graph(handle);
  return entered;
}

EXPORT int cuUserObjectCreate(void **result, void *value, void (*destroy)(void *value), unsigned count, unsigned flags) {
  ENTER;
  if (count != 1 || flags != 1) return INVALID_VALUE;
  user_object *made = calloc(1, sizeof *made);
  *made = (user_object){.references = 1, .value = value, .destroy = destroy};
  *result = made;
  return SUCCESS;
}

EXPORT int cuGraphRetainUserObject(void *handle, void *object, unsigned count, unsigned flags) {
  ENTER;
  FIND(graph, target, GRAPH, handle);
  if (count != 1 || flags != 1) return INVALID_VALUE;
  if (target->objects.count == USER_OBJECTS) die("a graph has too many user objects");
  target->objects.each[target->objects.count++] = object;
  return SUCCESS;
}

static int add_kernel_node(void **result, void *handle, void *const *before, size_t count,
                           const node_parameters *source) {
  FIND(graph, target, GRAPH, handle);
  kernel made;
  TRY(read_parameters_of(&made, source));
  for (size_t i = 0; i < count; ++i) {
    FIND(node, earlier, NODE, before[i]);
    if (earlier->graph != handle) return INVALID_VALUE;
  }
  add_node(target, handle, KERNEL_NODE, before, count, result)->kernel = made;
  return SUCCESS;
}

BOTH_VERSIONS(cuGraphAddKernelNode,
              (void **result, void *handle, void *const *before, size_t count, const node_parameters *source),
              add_kernel_node(result, handle, before, count, source))

static bool follows(const graph *source, size_t i) {
  const node *added = find(NODE, source->nodes[i]);
  for (size_t k = 0; k < added->count; ++k)
    if (i > 0 && added->before[k] == source->nodes[i - 1]) return true;
  return i == 0;
}

/* Runs its nodes in the order of their addition, which is an allowed order. */
static int instantiate(void **result, void *handle) {
  FIND(graph, source, GRAPH, handle);
  exec *made = create(EXEC, sizeof *made, result);
  made->added = calloc(source->count + 1, sizeof *made->added);
  made->done_of = calloc(source->count + 1, sizeof *made->done_of);
  made->nodes = calloc(source->count + 1, sizeof *made->nodes);
  made->is_ordered = true;
  made->objects = source->objects;
  for (size_t i = 0; i < made->objects.count; ++i) made->objects.each[i]->references += 1;
  for (size_t i = 0; i < source->count; ++i) {
    const node *added = find(NODE, source->nodes[i]);
    if (added->type != KERNEL_NODE && added->to == NULL) die("only kernels and copies can be nodes of an instantiated graph");
    made->is_ordered = made->is_ordered && (added->slot > 0 || follows(source, i));
    made->nodes[made->count] = source->nodes[i];
    made->added[made->count] = *added;
    made->count += 1;
  }
  return SUCCESS;
}

EXPORT int cuGraphInstantiateWithFlags(void **result, void *handle, unsigned long long flags) {
  ENTER;
  return instantiate(result, handle);
}

/* What precedes a node that was captured: the launch, and the nodes that it follows. */
static ticks before_node(const exec *launched, size_t number, const ticks *begin) {
  const node *added = &launched->added[number];
  ticks now = *begin;
  for (size_t k = 0; k < added->count; ++k)
    for (size_t i = 0; i < number; ++i)
      if (launched->nodes[i] == added->before[k]) join(&now, &launched->done_of[i]);
  return now;
}

static int device_of_node(const node *added) {
  if (added->type == KERNEL_NODE) return added->kernel.function->device;
  return find_allocation((uintptr_t)added->to) != NULL ? find_allocation((uintptr_t)added->to)->device : 0;
}

/* Queues a node on the stream that it was captured on, or on that of the launch. */
static void push_node(exec *launched, size_t number, stream *target, const ticks *begin) {
  const node *added = &launched->added[number];
  stream *captured = streams[added->slot];
  ticks now;
  if (added->slot == 0 || captured == NULL) {
    push_kernel(&added->kernel, target);
    launched->done_of[number] = target->done;
    return;
  }
  if (captured->device != device_of_node(added)) die("a node is captured on another device than its own");
  now = before_node(launched, number, begin);
  now.ticks[added->slot] = ++captured->done.ticks[added->slot];
  launched->done_of[number] = now;
  if (added->type == KERNEL_NODE) {
    const size_t size = argument_size(&added->kernel);
    work *pushed = push_in(KERNEL, added->slot, &now);
    pushed->kernel = added->kernel;
    pushed->size = size;
    return;
  }
  require_memory(added->to, added->size, "a copy");
  require_memory(added->from, added->size, "a copy");
  work *pushed = push_in(COPY, added->slot, &now);
  pushed->target = added->to;
  pushed->source = added->from;
  pushed->size = added->size;
}

/* Launches of one graph run one after the other, even on different streams. */
EXPORT int cuGraphLaunch(void *handle, void *stream_handle) {
  ENTER;
  FIND(exec, launched, EXEC, handle);
  FIND_STREAM(target, stream_handle);
  if (target->capture != NULL) return NOT_SUPPORTED;
  TRY(check_implicit(target));
  if (!launched->is_ordered) write_log("race: kernels of a graph may overtake each other");
  join(&target->done, &launched->done);
  order(target);
  const ticks begin = target->done;
  for (size_t i = 0; i < launched->count; ++i) push_node(launched, i, target, &begin);
  for (size_t i = 0; i < launched->count; ++i) join(&target->done, &launched->done_of[i]);
  launched->done = target->done;
  write_log("graph %zu", launched->count);
  return SUCCESS;
}

EXPORT int cuGraphExecDestroy(void *handle) {
  ENTER_RELEASE;
  FIND(exec, target, EXEC, handle);
  release_objects(&target->objects);
  free(target->added);
  free(target->done_of);
  free(target->nodes);
  destroy(handle);
  return entered;
}

/* --- Functions that the library loads but does not call --- */

#define UNUSED(name) \
  EXPORT int name(void) { die("%s is called", #name); }

UNUSED(cuEventSynchronize)
UNUSED(cuFuncGetAttribute)
UNUSED(cuMemAdvise)
UNUSED(cuMemAllocManaged)
UNUSED(cuMemsetD32_v2)
UNUSED(cuOccupancyMaxActiveBlocksPerMultiprocessor)
UNUSED(cuImportExternalMemory)
UNUSED(cuExternalMemoryGetMappedBuffer)
UNUSED(cuExternalMemoryGetMappedMipmappedArray)
UNUSED(cuMipmappedArrayGetLevel)
UNUSED(cuSurfObjectCreate)
UNUSED(cuImportExternalSemaphore)
UNUSED(cuSignalExternalSemaphoresAsync)
UNUSED(cuWaitExternalSemaphoresAsync)

/* Finishes the queue and the log at the end of the process. */
__attribute__((destructor)) static void end_log(void) {
  if (log_file == NULL || process != getpid()) return;
  finish();
  fclose(log_file);
}
