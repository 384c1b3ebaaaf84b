/* Waits with the CUDA driver alone, in the context of a runtime: a shared library that waits/drivers.py loads.
 *
 * Each run fills four bytes on a stream of its own, and waits for that: by polling an event, by waiting for the event, or
 * by waiting for the stream. One more variant waits for the idle stream. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { STREAM_NON_BLOCKING = 1, EVENT_DISABLE_TIMING = 2, ERROR_NOT_READY = 600 };

static int (*event_record)(void *event, void *stream);
static int (*event_query)(void *event);
static int (*event_synchronize)(void *event);
static int (*stream_synchronize)(void *stream);
static int (*fill)(uint64_t address, unsigned value, size_t count, void *stream);
static void *driver, *stream, *event;
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
  event_record = function("cuEventRecord");
  event_query = function("cuEventQuery");
  event_synchronize = function("cuEventSynchronize");
  stream_synchronize = function("cuStreamSynchronize");
  fill = function("cuMemsetD32Async");
  void *context;
  check(retain(&context, 0), "the context");
  check(set_current(context), "the context");
  check(create_stream(&stream, STREAM_NON_BLOCKING), "the stream");
  check(create_event(&event, EVENT_DISABLE_TIMING), "the event");
  check(allocate(&memory, 4), "the memory");
}

static void submit(void) { check(fill(memory, 0, 1, stream), "cuMemsetD32Async"); }

void event_polled(long count) {
  for (long i = 0; i < count; ++i) {
    submit();
    check(event_record(event, stream), "cuEventRecord");
    int result;
    do {
      result = event_query(event);
    } while (result == ERROR_NOT_READY);
    check(result, "cuEventQuery");
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
