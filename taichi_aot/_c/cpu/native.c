/* Machine code of kernels. The system's loader takes only files, so the code is in an unnamed one. Without /proc, such a file
 * has no path, and Python writes the code to a folder. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "cpu/native.h"

#include "core/library.h"

#include <stdarg.h>
#include <stdio.h>

#if defined(__linux__) && defined(__aarch64__)
#include <sys/auxv.h>

#define HALF_SCALAR (1UL << 9)
#define HALF_VECTOR (1UL << 10)
/* Whether the CPU computes with 16-bit numbers. */
static int has_half(void) {
  const unsigned long wanted = HALF_SCALAR | HALF_VECTOR;
  return (getauxval(AT_HWCAP) & wanted) == wanted;
}
#endif

/* The CPU kinds whose code this machine runs, best first, separated by spaces. */
const char *taichi_aot_native_targets(void) {
#if defined(__linux__) && defined(__x86_64__) && defined(__GNUC__)
  static const char all[] = "x86-64-v4 x86-64-v3 x86-64-v2";
  __builtin_cpu_init();
#define HAS(feature) __builtin_cpu_supports(feature)
  if (!(HAS("sse3") && HAS("ssse3") && HAS("sse4.1") && HAS("sse4.2") && HAS("popcnt"))) return "";
  if (!(HAS("avx") && HAS("avx2") && HAS("bmi") && HAS("bmi2") && HAS("f16c") && HAS("fma") && HAS("lzcnt") && HAS("movbe")))
    return all + 20;
  if (!(HAS("avx512f") && HAS("avx512bw") && HAS("avx512cd") && HAS("avx512dq") && HAS("avx512vl"))) return all + 10;
#undef HAS
  return all;
#elif defined(__linux__) && defined(__aarch64__)
  return has_half() ? "aarch64-v8.2 aarch64" : "aarch64";
#else
  return "";
#endif
}

/* Flushes, so that what kernels print stands in order with the output of Python. */
static void print(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  fflush(stdout);
}

uint64_t taichi_aot_print_function(void) { return (uint64_t)(uintptr_t)&print; }

#ifdef __linux__
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Forks wait for the loader, because a child inherits its locks, which another thread might hold forever. */
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static void begin_loading(void) { pthread_mutex_lock(&loading); }

static void end_loading(void) { pthread_mutex_unlock(&loading); }

static void watch_forks(void) { pthread_atfork(begin_loading, end_loading, end_loading); }

/* The loader takes two files of one name for the same file, so each gets a new name: the number of files so far, written as
 * slashes and dots. */
static void name_file(char *path, size_t capacity, int file) {
  static uint32_t count;
  const uint32_t number = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  size_t length = (size_t)snprintf(path, capacity, "/proc/self/fd");
  int i;
  for (i = 0; i < 32; ++i) length += (size_t)snprintf(path + length, capacity - length, number >> i & 1 ? "//." : "/.");
  snprintf(path + length, capacity - length, "/%d", file);
}

/* 0, or `errno`. */
static int write_all(int file, const char *data, size_t size) {
  while (size > 0) {
    const ssize_t n = write(file, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : EIO;
    data += n;
    size -= (size_t)n;
  }
  return 0;
}

/* Opens a shared object; NULL with a message. The code was checked, and runs nothing on opening. */
void *taichi_aot_native_open_file(const char *path) {
  static pthread_once_t watching = PTHREAD_ONCE_INIT;
  const char *text;
  void *library;
  pthread_once(&watching, watch_forks);
  begin_loading();
  library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  text = library == NULL ? dlerror() : NULL;
  end_loading();
  if (text != NULL) snprintf(taichi_aot_message, sizeof taichi_aot_message, "%s", text);
  return library;
}

/* Opens a shared object in memory. */
void *taichi_aot_native_open(const void *code, size_t size) {
  char path[256];
  void *library = NULL;
  const int file = memfd_create("taichi_aot kernels", MFD_CLOEXEC);
  const int failed = file < 0 ? errno : write_all(file, (const char *)code, size);
  if (failed != 0) {
    snprintf(taichi_aot_message, sizeof taichi_aot_message, "no file in memory: %s", strerror(failed));
  } else {
    name_file(path, sizeof path, file);
    library = taichi_aot_native_open_file(path);
  }
  if (file >= 0) close(file);
  return library;
}

void taichi_aot_native_close(void *library) {
  begin_loading();
  dlclose(library);
  end_loading();
}
#else
void *taichi_aot_native_open(const void *code, size_t size) {
  (void)code;
  (void)size;
  return NULL;
}

void *taichi_aot_native_open_file(const char *path) {
  (void)path;
  snprintf(taichi_aot_message, sizeof taichi_aot_message, "this system does not run the machine code of modules");
  return NULL;
}

void taichi_aot_native_close(void *library) { (void)library; }
#endif
