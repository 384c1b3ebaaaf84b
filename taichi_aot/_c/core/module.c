/* Modules. The library reads SPIR-V modules from an archive in memory, and LLVM modules from a folder: metadata on loading, a
 * kernel's code on fetching. The files exist only during such a call. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "core/module.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#include <direct.h>
#define remove_folder(path) _rmdir(path)

static int open_folder(const char *path) { return _mkdir(path) == 0 || errno == EEXIST ? 0 : -1; }
static void close_folder(int folder) { (void)folder; }
#else
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#define remove_folder(path) rmdir(path)
#define close_folder(folder) close(folder)

/* Whether the folder is ours and still exists. Another user may have made it, and another process may have deleted it as one of
 * a killed process (_host.py). */
static int is_usable(int folder) {
  struct stat found;
  return fstat(folder, &found) == 0 && found.st_nlink > 0 && found.st_uid == geteuid() && (found.st_mode & 077) == 0;
}

/* Creates a folder, locked until it is closed; -1 with `errno`. */
static int open_folder(const char *path) {
  int tries, folder;
  for (tries = 0; tries < 1000; ++tries) {
    if (mkdir(path, 0700) != 0 && errno != EEXIST) return -1;
    folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0 && errno != ENOENT) return -1;
    if (folder < 0) continue;
    /* Some file systems have no locks. */
    if ((flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) && is_usable(folder)) return folder;
    close(folder);
    usleep(1000);
  }
  errno = EEXIST;
  return -1;
}
#endif

#define functions taichi_aot_functions
#define CAPACITY sizeof taichi_aot_message

static void join(char *path, const char *folder, const char *name) { snprintf(path, CAPACITY, "%s/%s", folder, name); }

/* The status of a failed system call, whose message is the path. */
static int failed(void) { return TAICHI_AOT_FILE | errno << 8; }

static int write_file(const taichi_aot_file *file) {
  FILE *stream = fopen(taichi_aot_message, "wb");
  int status;
  if (stream == NULL) return failed();
  status = fwrite(file->data, 1, file->size, stream) == file->size ? 0 : failed();
  if (fclose(stream) != 0 && status == 0) status = failed();
  return status;
}

static int write_files(const taichi_aot_files *files) {
  uint32_t i;
  int status = 0;
  for (i = 0; i < files->count && status == 0; ++i) {
    join(taichi_aot_message, files->folder, files->files[i].name);
    status = write_file(&files->files[i]);
  }
  return status;
}

static void remove_files(const taichi_aot_files *files) {
  char path[CAPACITY];
  uint32_t i;
  for (i = 0; i < files->count; ++i) {
    join(path, files->folder, files->files[i].name);
    remove(path);
  }
  join(path, files->folder, "metadata.lock"); /* of the library, if it failed */
  remove(path);
  remove_folder(files->folder);
}

/* Writes the files and takes the lock of the runtime. The caller releases it after the library's call. */
static int begin(taichi_aot_runtime *runtime, const taichi_aot_files *files, int *folder) {
  int status = 0;
  *folder = -1;
  if (files->count > 0) {
    snprintf(taichi_aot_message, CAPACITY, "%s", files->folder);
    *folder = open_folder(files->folder);
    status = *folder < 0 ? failed() : write_files(files);
  }
  return status != 0 ? status : taichi_aot_enter(runtime);
}

static int end(taichi_aot_runtime *runtime, const taichi_aot_files *files, int folder, int status) {
  if (folder >= 0) {
    remove_files(files);
    close_folder(folder);
  }
  taichi_aot_leave_process();
  /* A thread that fetches many kernels lets launching threads enter. */
  taichi_aot_let_one_pass(&runtime->context->lock);
  return status;
}

/* Loads an LLVM module of files, or a SPIR-V module of an archive. */
int taichi_aot_module_load(taichi_aot_runtime *runtime, const taichi_aot_files *files, const void *archive, uint64_t size,
                           taichi_aot_module *module) {
  taichi_aot_context *context = runtime->context;
  int folder, status = taichi_aot_enter_process();
  if (status != 0) return status;
  status = begin(runtime, files, &folder);
  if (status == 0) {
    module->ti_module = archive != NULL ? functions.ti_create_aot_module(context->ti_runtime, archive, size)
                                        : functions.ti_load_aot_module(context->ti_runtime, files->folder);
    context->loads += archive != NULL && module->ti_module != NULL;
    status = taichi_aot_leave(runtime, archive != NULL ? "ti_create_aot_module" : "ti_load_aot_module");
  }
  return end(runtime, files, folder, status);
}

/* Fetch a kernel, or a graph. */
int taichi_aot_module_fetch(taichi_aot_runtime *runtime, const taichi_aot_files *files, TiAotModule ti_module,
                            const char *name, TiKernel *ti_kernel, TiComputeGraph *ti_compute_graph) {
  const char *routine = ti_kernel != NULL ? "ti_get_aot_module_kernel" : "ti_get_aot_module_compute_graph";
  int folder, status = taichi_aot_enter_process();
  if (status != 0) return status;
  status = begin(runtime, files, &folder);
  if (status == 0) {
    if (ti_kernel != NULL)
      *ti_kernel = functions.ti_get_aot_module_kernel(ti_module, name);
    else
      *ti_compute_graph = functions.ti_get_aot_module_compute_graph(ti_module, name);
    status = taichi_aot_leave(runtime, routine);
    /* Destroying what LLVM leaves ends the process. Only the message tells its failure. */
    if (status != 0 && strstr(taichi_aot_message, "LLVM Fatal Error") != NULL) runtime->context->is_broken = 1;
  }
  return end(runtime, files, folder, status);
}

/* Makes later launches with the module fail, after launches of other threads have returned. */
int taichi_aot_module_close(taichi_aot_runtime *runtime, taichi_aot_module *module) {
  const int status = taichi_aot_enter_with(runtime, TAICHI_AOT_ENTER_CLOSING | TAICHI_AOT_ENTER_MAY_WAIT);
  if (status != 0) return status;
  module->is_open = 0;
  return taichi_aot_leave(runtime, NULL);
}

/* May be called again. */
int taichi_aot_module_destroy(taichi_aot_runtime *runtime, taichi_aot_module *module) {
  int status = taichi_aot_enter_process();
  if (status != 0) return status;
  status = taichi_aot_enter_closing(runtime);
  if (status == 0) {
    const TiAotModule ti_module = module->ti_module;
    module->is_open = 0;
    module->ti_module = NULL;
    if (ti_module != NULL) /* a module of machine code is not the library's */
      functions.ti_destroy_aot_module(ti_module);
    status = taichi_aot_leave(runtime, "ti_destroy_aot_module");
  }
  taichi_aot_leave_process();
  return status;
}
