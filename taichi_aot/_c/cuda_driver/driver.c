/* A CUDA driver for the compiler: it answers the compiler's queries of a device, and runs nothing.
 *
 * The library stands alone, under a file name that no program looks for. A child process that compiles loads it before
 * the compiler, which then finds it by its soname, libcuda.so. taichi_aot/build/_archs.py sets the attributes of the
 * device in the environment. Without them cuInit fails: a process that has loaded this library by mistake sees a
 * machine without a GPU.
 *
 * The device's memory is the host's, and copies and fills are done. A kernel of the compiler's runtime, which sets up
 * memory that nothing reads here, is not run; launching any other kernel fails, as does all else that needs a device.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#pragma GCC diagnostic ignored "-Wunused-parameter" /* functions take what the API states */

#define EXPORT __attribute__((visibility("default")))

/* CUresult */
enum {
  SUCCESS = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NO_DEVICE = 100,
  NOT_SUPPORTED = 801,
};

static const struct {
  int code;
  const char *name, *text;
} errors[] = {
    {SUCCESS, "CUDA_SUCCESS", "no error"},
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument, to the driver with which taichi_aot compiles"},
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of host memory, which stands for the device's here"},
    {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "the driver with which taichi_aot compiles has not been told of a device"},
    {NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED",
     "taichi_aot compiles for CUDA without a device: nothing can be launched or read back here"},
};
enum { ERRORS = sizeof errors / sizeof errors[0] };

static const char ATTRIBUTES[] = "TAICHI_AOT_CUDA_ATTRIBUTES"; /* "NUMBER=VALUE,...": CUdevice_attribute to value */

/* Their addresses are the handles: nothing has a state. */
static int object, kernel_of_runtime, kernel;

/* The number at the beginning of a text, which moves on behind it; -1 if none is there or it is too large. */
static long read_number(const char **text) {
  long number = -1;
  for (; **text >= '0' && **text <= '9'; ++*text) {
    number = (number < 0 ? 0 : number) * 10 + (**text - '0');
    if (number > INT32_MAX) return -1;
  }
  return number;
}

/* The value of an attribute of the device, or -1. */
static int attribute_value(int attribute) {
  const char *text = getenv(ATTRIBUTES);
  while (text != NULL) {
    long number = read_number(&text);
    if (*text++ != '=') return -1;
    long value = read_number(&text);
    if (number == attribute) return (int)value;
    if (*text++ != ',') return -1;
  }
  return -1;
}

/* --- What the compiler asks --- */

EXPORT int cuInit(unsigned flags) { return getenv(ATTRIBUTES) == NULL ? NO_DEVICE : SUCCESS; }

EXPORT int cuDriverGetVersion(int *version) {
  *version = 12000;
  return SUCCESS;
}

EXPORT int cuGetErrorName(int code, const char **name) {
  for (int i = 0; i < ERRORS; ++i) {
    if (errors[i].code == code) return *name = errors[i].name, SUCCESS;
  }
  return INVALID_VALUE;
}

EXPORT int cuGetErrorString(int code, const char **text) {
  for (int i = 0; i < ERRORS; ++i) {
    if (errors[i].code == code) return *text = errors[i].text, SUCCESS;
  }
  return INVALID_VALUE;
}

EXPORT int cuDeviceGetCount(int *count) {
  *count = 1;
  return SUCCESS;
}

EXPORT int cuDeviceGet(int *device, int ordinal) {
  *device = 0;
  return ordinal == 0 ? SUCCESS : NO_DEVICE;
}

EXPORT int cuDeviceGetName(char *name, int size, int device) {
  if (size < 1) return INVALID_VALUE;
  strncpy(name, "taichi_aot compiler device", (size_t)size);
  name[size - 1] = '\0';
  return SUCCESS;
}

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute_value(attribute);
  return *value < 0 ? INVALID_VALUE : SUCCESS;
}

/* Further arguments are not read. */
#define SUCCEEDS(name) \
  EXPORT int name(void) { return SUCCESS; }
#define GIVES_HANDLE(name)         \
  EXPORT int name(void **handle) { \
    *handle = &object;             \
    return SUCCESS;                \
  }

GIVES_HANDLE(cuDeviceGetDefaultMemPool)
GIVES_HANDLE(cuDevicePrimaryCtxRetain)
GIVES_HANDLE(cuCtxGetCurrent)
GIVES_HANDLE(cuStreamCreate)
SUCCEEDS(cuMemPoolSetAttribute)
SUCCEEDS(cuMemPoolTrimTo)
SUCCEEDS(cuCtxSetCurrent)
SUCCEEDS(cuCtxSetLimit)
SUCCEEDS(cuStreamSynchronize)
SUCCEEDS(cuStreamDestroy_v2)
SUCCEEDS(cuCtxSynchronize)

/* --- Memory: pages of the host, whose size stands in a page before them. Pages that are only zeroed use no memory. --- */

enum { PAGE = 4096 };

static int allocate(void **address, size_t size) {
  *address = NULL;
  if (size == 0 || size > SIZE_MAX - PAGE) return INVALID_VALUE;
  char *pages = mmap(NULL, size + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return OUT_OF_MEMORY;
  *(size_t *)pages = size + PAGE;
  *address = pages + PAGE;
  return SUCCESS;
}

static int release(void *address) {
  if (address == NULL) return SUCCESS;
  char *pages = (char *)address - PAGE;
  return munmap(pages, *(size_t *)pages) == 0 ? SUCCESS : INVALID_VALUE;
}

EXPORT int cuMemAlloc_v2(void **address, size_t size) { return allocate(address, size); }
EXPORT int cuMemAllocHost_v2(void **address, size_t size) { return allocate(address, size); }
EXPORT int cuMemAllocAsync(void **address, size_t size) { return allocate(address, size); }
EXPORT int cuMemAllocManaged(void **address, size_t size) { return allocate(address, size); }
EXPORT int cuMemFree_v2(void *address) { return release(address); }
EXPORT int cuMemFreeHost(void *address) { return release(address); }
EXPORT int cuMemFreeAsync(void *address) { return release(address); }

EXPORT int cuMemGetInfo_v2(size_t *free_size, size_t *size) {
  *free_size = *size = (size_t)16 << 30;
  return SUCCESS;
}

static int copy(void *target, const void *source, size_t size) {
  memmove(target, source, size);
  return SUCCESS;
}

EXPORT int cuMemcpyHtoD_v2(void *target, const void *source, size_t size) { return copy(target, source, size); }
EXPORT int cuMemcpyDtoH_v2(void *target, const void *source, size_t size) { return copy(target, source, size); }
EXPORT int cuMemcpyDtoD_v2(void *target, const void *source, size_t size) { return copy(target, source, size); }
EXPORT int cuMemcpyHtoDAsync_v2(void *target, const void *source, size_t size) { return copy(target, source, size); }
EXPORT int cuMemcpyDtoHAsync_v2(void *target, const void *source, size_t size) { return copy(target, source, size); }

EXPORT int cuMemsetD8_v2(void *address, unsigned char value, size_t size) {
  char *start = address, *end = start + size;
  char *first = (char *)(((uintptr_t)start + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
  char *last = (char *)((uintptr_t)end & ~(uintptr_t)(PAGE - 1));
  if (value != 0 || first >= last || madvise(first, (size_t)(last - first), MADV_DONTNEED) != 0) {
    memset(start, value, size);
    return SUCCESS;
  }
  memset(start, 0, (size_t)(first - start));
  memset(last, 0, (size_t)(end - last));
  return SUCCESS;
}

EXPORT int cuMemsetD32_v2(void *address, unsigned value, size_t count) {
  uint32_t *numbers = address;
  for (size_t i = 0; i < count; ++i) numbers[i] = value;
  return SUCCESS;
}

/* --- Code: accepted, and not run --- */

static void (*receiver)(const char *ptx); /* gets all code; NULL if nothing asks for it */

/* Not a function of CUDA: taichi_aot/build/code/_ptx.py takes the code that the C library compiles. */
EXPORT void taichi_aot_receive_ptx(void (*function)(const char *ptx)) { receiver = function; }

EXPORT int cuModuleLoadDataEx(void **module, const void *image, unsigned count, const int *options, void **values) {
  if (receiver != NULL) receiver(image);
  *module = &object;
  return SUCCESS;
}

EXPORT int cuModuleLoadData(void **module, const void *image) { return cuModuleLoadDataEx(module, image, 0, NULL, NULL); }

EXPORT int cuLinkCreate_v2(unsigned count, const int *options, void **values, void **state) {
  *state = &object;
  return SUCCESS;
}

SUCCEEDS(cuLinkAddData_v2)
SUCCEEDS(cuLinkAddFile_v2)
SUCCEEDS(cuLinkDestroy)

EXPORT int cuLinkComplete(void *state, void **image, size_t *size) {
  *image = &object;
  *size = sizeof object;
  return SUCCESS;
}

/* Kernels of the compiler's runtime, which it launches when it starts and when it allocates fields and ndarrays. */
static const char *const runtime_kernels[] = {
    "runtime_get_memory_requirements",
    "runtime_get_rand_states_buffer_size",
    "runtime_initialize",
    "runtime_initialize_memory",
    "runtime_initialize_rand_states_cuda",
    "runtime_initialize_snodes",
    "runtime_set_adstack_overflow_flag_dev_ptr",
    "runtime_set_adstack_overflow_task_id_dev_ptr",
    "runtime_NodeAllocator_initialize",
    "runtime_allocate_ambient",
};
enum { RUNTIME_KERNELS = sizeof runtime_kernels / sizeof runtime_kernels[0] };

EXPORT int cuModuleGetFunction(void **function, void *module, const char *name) {
  *function = &kernel;
  for (int i = 0; i < RUNTIME_KERNELS; ++i) {
    if (strcmp(name, runtime_kernels[i]) == 0) *function = &kernel_of_runtime;
  }
  return SUCCESS;
}

EXPORT int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned block_x, unsigned block_y,
                          unsigned block_z, unsigned shared, void *stream, void **arguments, void **extra) {
  return function == &kernel_of_runtime ? SUCCESS : NOT_SUPPORTED;
}

/* --- What needs a device --- */

#define NEEDS_DEVICE(name) \
  EXPORT int name(void) { return NOT_SUPPORTED; }

NEEDS_DEVICE(cuCtxCreate_v2)
NEEDS_DEVICE(cuMemAdvise)
NEEDS_DEVICE(cuPointerGetAttribute)
NEEDS_DEVICE(cuFuncGetAttribute)
NEEDS_DEVICE(cuFuncSetAttribute)
NEEDS_DEVICE(cuOccupancyMaxActiveBlocksPerMultiprocessor)
NEEDS_DEVICE(cuEventCreate)
NEEDS_DEVICE(cuEventDestroy)
NEEDS_DEVICE(cuEventRecord)
NEEDS_DEVICE(cuEventSynchronize)
NEEDS_DEVICE(cuEventElapsedTime)
NEEDS_DEVICE(cuImportExternalMemory)
NEEDS_DEVICE(cuExternalMemoryGetMappedBuffer)
NEEDS_DEVICE(cuExternalMemoryGetMappedMipmappedArray)
NEEDS_DEVICE(cuMipmappedArrayGetLevel)
NEEDS_DEVICE(cuSurfObjectCreate)
NEEDS_DEVICE(cuImportExternalSemaphore)
NEEDS_DEVICE(cuSignalExternalSemaphoresAsync)
NEEDS_DEVICE(cuWaitExternalSemaphoresAsync)
NEEDS_DEVICE(cuStreamWaitEvent)
NEEDS_DEVICE(cuGraphCreate)
NEEDS_DEVICE(cuGraphAddKernelNode)
NEEDS_DEVICE(cuGraphAddEmptyNode)
NEEDS_DEVICE(cuGraphAddNode)
NEEDS_DEVICE(cuGraphInstantiate)
NEEDS_DEVICE(cuGraphLaunch)
NEEDS_DEVICE(cuGraphDestroy)
NEEDS_DEVICE(cuGraphExecDestroy)
NEEDS_DEVICE(cuGraphConditionalHandleCreate)
