/* Waits with the CUDA driver alone, in the context of a runtime: a shared library that waits/drivers.py loads.
 *
 * Each run launches an empty kernel on a stream of its own, and waits for it: by polling an event, by waiting for the event,
 * or by waiting for the stream. Others fill four bytes instead, which needs no kernel, or wait for the idle stream. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { STREAM_NON_BLOCKING = 1, EVENT_DISABLE_TIMING = 2, ERROR_NOT_READY = 600 };

static int (*event_record)(void *event, void *stream);
static int (*event_query)(void *event);
static int (*event_synchronize)(void *event);
static int (*stream_synchronize)(void *stream);
static int (*launch_kernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                            void **);
static int (*fill)(uint64_t address, unsigned value, size_t count, void *stream);
static const char EMPTY_KERNEL[] = ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry empty() { ret; }\n";
static void *driver, *stream, *event, *kernel;
static uint64_t memory;

static void check(int result, const char *what) {
  if (result == 0) return;
  fprintf(stderr, "%s: CUresult %d\n", what, result);
  exit(1);
}

static void *function(const char *name) {
  void *found = dlsym(driver, name);
  if (found == NULL) check(-1, name);
  return found;
}

/* Prepare the waits on device 0, on which a runtime exists. */
void prepare(void) {
  driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver == NULL) check(-1, "libcuda.so.1");
  int (*retain)(void **, int) = function("cuDevicePrimaryCtxRetain");
  int (*set_current)(void *) = function("cuCtxSetCurrent");
  int (*create_stream)(void **, unsigned) = function("cuStreamCreate");
  int (*create_event)(void **, unsigned) = function("cuEventCreate");
  int (*allocate)(uint64_t *, size_t) = function("cuMemAlloc_v2");
  int (*load)(void **, const void *) = function("cuModuleLoadData");
  int (*get_function)(void **, void *, const char *) = function("cuModuleGetFunction");
  launch_kernel = function("cuLaunchKernel");
  event_record = function("cuEventRecord");
  event_query = function("cuEventQuery");
  event_synchronize = function("cuEventSynchronize");
  stream_synchronize = function("cuStreamSynchronize");
  fill = function("cuMemsetD32Async");
  void *context, *module;
  check(retain(&context, 0), "the context");
  check(set_current(context), "the context");
  check(create_stream(&stream, STREAM_NON_BLOCKING), "the stream");
  check(create_event(&event, EVENT_DISABLE_TIMING), "the event");
  check(allocate(&memory, 4), "the memory");
  check(load(&module, EMPTY_KERNEL), "the kernel");
  check(get_function(&kernel, module, "empty"), "the kernel");
}

static void submit(void) {
  check(launch_kernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL), "cuLaunchKernel");
}

static void poll(void) {
  int result;
  check(event_record(event, stream), "cuEventRecord");
  do {
    result = event_query(event);
  } while (result == ERROR_NOT_READY);
  check(result, "cuEventQuery");
}

void event_polled(long count) {
  for (long i = 0; i < count; ++i) {
    submit();
    poll();
  }
}

void fill_polled(long count) {
  for (long i = 0; i < count; ++i) {
    check(fill(memory, 0, 1, stream), "cuMemsetD32Async");
    poll();
  }
}

void event_waited(long count) {
  for (long i = 0; i < count; ++i) {
    submit();
    check(event_record(event, stream), "cuEventRecord");
    check(event_synchronize(event), "cuEventSynchronize");
  }
}

void stream_waited(long count) {
  for (long i = 0; i < count; ++i) {
    submit();
    check(stream_synchronize(stream), "cuStreamSynchronize");
  }
}

void stream_idle(long count) {
  for (long i = 0; i < count; ++i) check(stream_synchronize(stream), "cuStreamSynchronize");
}
