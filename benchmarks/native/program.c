/* The plain C program with which all other variants are compared.
 *
 *     program ARCH MODULE_FOLDER BYTES MEMORIES
 *
 * It allocates MEMORIES unused memories of one number, and one of BYTES for transfers. It reads lines "NAME COUNT" and
 * answers each with the nanoseconds that COUNT runs of NAME took, like serve.py. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "taichi/taichi.h"

static TiRuntime runtime;
static TiKernel saxpy, serial_saxpy, stored, added;
static TiComputeGraph saxpy_graph, serial_saxpy_graph;
static TiArgument args[3];
static TiArgument stored_args[2];
static TiArgument added_args[3];
static TiNamedArgument named[3];
static TiMemory array;
static uint64_t bytes;
static char *host;

static void stop(const char *what) {
  char message[1024] = "";
  uint64_t size = sizeof message;
  ti_get_last_error(&size, message);
  fprintf(stderr, "%s: %s\n", what, message);
  exit(1);
}

static TiMemory allocate(uint64_t size) {
  TiMemoryAllocateInfo info = {.size = size, .host_write = TI_TRUE, .host_read = TI_TRUE,
                               .usage = TI_MEMORY_USAGE_STORAGE_BIT};
  return ti_allocate_memory(runtime, &info);
}

static char *map(TiMemory memory) {
  char *data = ti_map_memory(runtime, memory);
  if (data == NULL) stop("ti_map_memory");
  return data;
}

/* Allocate `size` bytes and write each once: pages do not exist before they are written. */
static TiMemory new_memory(uint64_t size) {
  TiMemory memory = allocate(size);
  if (memory == NULL) stop("ti_allocate_memory");
  memset(map(memory), 0, size);
  ti_unmap_memory(runtime, memory);
  return memory;
}

static TiArgument new_array(uint32_t count) {
  TiArgument argument = {.type = TI_ARGUMENT_TYPE_NDARRAY};
  argument.value.ndarray.memory = new_memory(count * sizeof(float));
  argument.value.ndarray.shape.dim_count = 1;
  argument.value.ndarray.shape.dims[0] = count;
  argument.value.ndarray.elem_type = TI_DATA_TYPE_F32;
  return argument;
}

static void launch(TiKernel kernel, const TiArgument *arguments, long count) {
  for (long i = 0; i < count; ++i) ti_launch_kernel(runtime, kernel, 3, arguments);
  ti_wait(runtime);
}

static void launch_graph(TiComputeGraph graph, long count) {
  for (long i = 0; i < count; ++i) ti_launch_compute_graph(runtime, graph, 3, named);
  ti_wait(runtime);
}

static void launch_saxpy(long count) { launch(saxpy, args, count); }
static void launch_serial_saxpy(long count) { launch(serial_saxpy, args, count); }
static void launch_added(long count) { launch(added, added_args, count); }
static void launch_saxpy_graph(long count) { launch_graph(saxpy_graph, count); }
static void launch_serial_saxpy_graph(long count) { launch_graph(serial_saxpy_graph, count); }

static void launch_and_read(long count) {
  TiMemory memory = stored_args[1].value.ndarray.memory;
  for (long i = 0; i < count; ++i) {
    float value[2];
    ti_launch_kernel(runtime, stored, 2, stored_args);
    ti_wait(runtime);
    memcpy(value, map(memory), sizeof value);
    ti_unmap_memory(runtime, memory);
    __asm__ volatile("" : : "r"(value) : "memory"); /* or the compiler leaves the copy out */
  }
}

static void wait_idle(long count) {
  for (long i = 0; i < count; ++i) ti_wait(runtime);
}

static void launch_and_wait(long count) {
  for (long i = 0; i < count; ++i) {
    ti_launch_kernel(runtime, stored, 2, stored_args);
    ti_wait(runtime);
  }
}

static void create_and_free(long count) {
  for (long i = 0; i < count; ++i) ti_free_memory(runtime, allocate(bytes));
}

static void create_all_and_free(long count) {
  TiMemory *memories = malloc(count * sizeof *memories);
  for (long i = 0; i < count; ++i) memories[i] = allocate(bytes);
  for (long i = 0; i < count; ++i) ti_free_memory(runtime, memories[i]);
  free(memories);
}

static void map_and_unmap(long count) {
  for (long i = 0; i < count; ++i) {
    map(array);
    ti_unmap_memory(runtime, array);
  }
}

static void read_fresh(long count) {
  for (long i = 0; i < count; ++i) {
    char *target = malloc(bytes);
    memcpy(target, map(array), bytes);
    ti_unmap_memory(runtime, array);
    __asm__ volatile("" : : "r"(target) : "memory"); /* or the compiler leaves the copy out */
    free(target);
  }
}

static void write_all(long count) {
  for (long i = 0; i < count; ++i) {
    memcpy(map(array), host, bytes);
    ti_unmap_memory(runtime, array);
  }
}

static void prepare(void) {
  const char *names[] = {"a", "x", "y"};
  args[0].type = TI_ARGUMENT_TYPE_F32;
  args[0].value.f32 = 2.0f;
  args[1] = new_array(1);
  args[2] = new_array(1);
  stored_args[0] = args[0];
  stored_args[1] = new_array(2);
  for (int i = 0; i < 3; ++i) added_args[i] = new_array(1);
  for (int i = 0; i < 3; ++i) {
    named[i].name = names[i];
    named[i].argument = args[i];
  }
  array = new_memory(bytes);
  host = malloc(bytes);
  memset(host, 1, bytes);
}

static const struct {
  const char *name;
  void (*run)(long count);
} commands[] = {{"saxpy", launch_saxpy},
                {"serial_saxpy", launch_serial_saxpy},
                {"saxpy_graph", launch_saxpy_graph},
                {"serial_saxpy_graph", launch_serial_saxpy_graph},
                {"stored", launch_and_read},
                {"added", launch_added},
                {"wait", wait_idle},
                {"stored_waited", launch_and_wait},
                {"allocate", create_and_free},
                {"allocate_held", create_all_and_free},
                {"map", map_and_unmap},
                {"read", read_fresh},
                {"write", write_all}};

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void serve(FILE *answers) {
  char name[32];
  long count;
  fprintf(answers, "ready\n");
  fflush(answers);
  while (scanf("%31s %ld", name, &count) == 2) {
    size_t i = 0;
    while (i < sizeof commands / sizeof *commands && strcmp(commands[i].name, name)) ++i;
    if (i == sizeof commands / sizeof *commands) stop(name);
    commands[i].run(count / 10 + 1);
    long long begin = now();
    commands[i].run(count);
    fprintf(answers, "%lld\n", now() - begin);
    fflush(answers);
  }
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  FILE *answers = fdopen(dup(1), "w"); /* the library writes to stdout too */
  dup2(2, 1);
  bytes = strtoull(argv[3], NULL, 10);
  runtime = ti_create_runtime((TiArch)atoi(argv[1]), 0);
  if (runtime == NULL) stop("ti_create_runtime");
  TiAotModule module = ti_load_aot_module(runtime, argv[2]);
  if (module == NULL) stop("ti_load_aot_module");
  saxpy = ti_get_aot_module_kernel(module, "saxpy");
  serial_saxpy = ti_get_aot_module_kernel(module, "serial_saxpy");
  saxpy_graph = ti_get_aot_module_compute_graph(module, "saxpy_graph");
  serial_saxpy_graph = ti_get_aot_module_compute_graph(module, "serial_saxpy_graph");
  stored = ti_get_aot_module_kernel(module, "stored");
  added = ti_get_aot_module_kernel(module, "added");
  if (!saxpy || !serial_saxpy || !stored || !added || !saxpy_graph || !serial_saxpy_graph) stop("the module");
  for (long i = atol(argv[4]); i > 0; --i) new_memory(sizeof(float));
  prepare();
  serve(answers);
  return 0;
}
