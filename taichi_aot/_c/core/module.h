/* Modules, and the files of LLVM modules that the library reads during a call. */

#pragma once

#include "core/context.h"

typedef struct taichi_aot_module {
  TiAotModule ti_module;
  int64_t is_open;
  const struct taichi_aot_module *owner; /* the owner of a borrowed module, which must be open too; or NULL */
  struct taichi_aot_memory **trees; /* the memory of its field trees if launches bind it, else NULL */
} taichi_aot_module;

typedef struct taichi_aot_file {
  const char *name;
  const void *data;
  uint64_t size;
} taichi_aot_file;

/* Files that exist in a folder during a call. */
typedef struct taichi_aot_files {
  const char *folder;
  uint32_t count;
  const taichi_aot_file *files;
} taichi_aot_files;

int taichi_aot_module_load(taichi_aot_runtime *runtime, const taichi_aot_files *files, const void *archive, uint64_t size,
                           taichi_aot_module *module);
int taichi_aot_module_fetch(taichi_aot_runtime *runtime, const taichi_aot_files *files, TiAotModule ti_module,
                            const char *name, TiKernel *ti_kernel, TiComputeGraph *ti_compute_graph);
int taichi_aot_module_close(taichi_aot_runtime *runtime, taichi_aot_module *module);
int taichi_aot_module_destroy(taichi_aot_runtime *runtime, taichi_aot_module *module);

/* For C only. */

/* The lock is held. Inline, because each launch calls it. */
static inline int taichi_aot_is_module_open(const taichi_aot_module *module) {
  while (module != NULL && taichi_aot_load64(&module->is_open)) module = module->owner;
  return module == NULL;
}
