/* The functions of backends that leave everything to the library. */

#include "core/backend.h"

#include <string.h>

int taichi_aot_no_attach(struct taichi_aot_context *context) {
  (void)context;
  return 0;
}

int taichi_aot_no_use_library(struct taichi_aot_context *context) {
  (void)context;
  return 0;
}

int taichi_aot_no_finish(struct taichi_aot_context *context) {
  (void)context;
  return 0;
}

int taichi_aot_no_close(struct taichi_aot_runtime *runtime) {
  (void)runtime;
  return 0;
}

void taichi_aot_no_destroy(struct taichi_aot_context *context) { (void)context; }

int taichi_aot_host_copy(uint64_t target, uint64_t source, uint64_t size) {
  memmove((void *)(uintptr_t)target, (const void *)(uintptr_t)source, (size_t)size);
  return 0;
}
