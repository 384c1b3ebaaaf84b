/* From nothing to the first result, in plain C; first_result.py does the same with the package.
 *
 *     first_result ARCH MODULE_FOLDER KERNELS
 *
 * It fetches that many kernels, saxpy, saxpy_1, saxpy_2 and so on, and launches the first. It prints
 * "result NUMBER" immediately, then the time of loading the module and the memory in use. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "taichi/taichi.h"

enum { COUNT = 1024 };

static TiRuntime runtime;

static void stop(const char *what) {
  char message[1024] = "";
  uint64_t size = sizeof message;
  ti_get_last_error(&size, message);
  fprintf(stderr, "%s: %s\n", what, message);
  exit(1);
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static TiMemory new_memory(const float *numbers) {
  TiMemoryAllocateInfo info = {.size = COUNT * sizeof(float), .host_write = TI_TRUE, .host_read = TI_TRUE,
                               .usage = TI_MEMORY_USAGE_STORAGE_BIT};
  TiMemory memory = ti_allocate_memory(runtime, &info);
  void *data = memory == NULL ? NULL : ti_map_memory(runtime, memory);
  if (data == NULL) stop("a memory");
  memcpy(data, numbers, COUNT * sizeof(float));
  ti_unmap_memory(runtime, memory);
  return memory;
}

static TiArgument array(TiMemory memory) {
  TiArgument argument = {.type = TI_ARGUMENT_TYPE_NDARRAY};
  argument.value.ndarray.memory = memory;
  argument.value.ndarray.shape.dim_count = 1;
  argument.value.ndarray.shape.dims[0] = COUNT;
  argument.value.ndarray.elem_type = TI_DATA_TYPE_F32;
  return argument;
}

static void print_status(const char *key) {
  char line[256];
  FILE *status = fopen("/proc/self/status", "r");
  while (status != NULL && fgets(line, sizeof line, status) != NULL)
    if (strncmp(line, key, strlen(key)) == 0) printf("rss_kb %ld\n", atol(line + strlen(key)));
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  runtime = ti_create_runtime((TiArch)atoi(argv[1]), 0);
  if (runtime == NULL) stop("ti_create_runtime");
  long long begin = now();
  TiAotModule module = ti_load_aot_module(runtime, argv[2]);
  if (module == NULL) stop("ti_load_aot_module");
  TiKernel kernel = ti_get_aot_module_kernel(module, "saxpy");
  char name[32];
  for (int i = 1; i < atoi(argv[3]); ++i) {
    snprintf(name, sizeof name, "saxpy_%d", i);
    if (ti_get_aot_module_kernel(module, name) == NULL) stop(name);
  }
  long long load = now() - begin;
  if (kernel == NULL) stop("saxpy");

  float x[COUNT], y[COUNT];
  for (int i = 0; i < COUNT; ++i) x[i] = i, y[i] = 1;
  TiArgument args[3] = {{.type = TI_ARGUMENT_TYPE_F32}, array(new_memory(x)), array(new_memory(y))};
  args[0].value.f32 = 2.0f;
  ti_launch_kernel(runtime, kernel, 3, args);
  ti_wait(runtime);
  const float *result = ti_map_memory(runtime, args[2].value.ndarray.memory);
  printf("result %g\n", result[COUNT - 1]);
  fflush(stdout);
  printf("load_ns %lld\n", load);
  print_status("VmRSS:");
  return 0;
}
