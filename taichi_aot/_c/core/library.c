/* The loaded library: its functions, the file that it came from, and the error of the last failed call of each thread. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "core/library.h"

#include "core/lock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>

static void *open_library(const char *name) {
  wchar_t wide[32768];
  if (MultiByteToWideChar(CP_UTF8, 0, name, -1, wide, 32768) == 0) return NULL;
  return (void *)LoadLibraryExW(wide, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
}
static void close_library(void *library) { FreeLibrary((HMODULE)library); }
static void *find_symbol(void *library, const char *name) { return (void *)GetProcAddress((HMODULE)library, name); }
static void describe_failure(char *message, size_t capacity) {
  DWORD n = FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, GetLastError(), 0, message,
                           (DWORD)capacity, NULL);
  message[n < capacity ? n : capacity - 1] = '\0';
}
static const char *path_of(void *address) {
  static char path[4096];
  HMODULE module;
  if (!GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                          (LPCSTR)address, &module))
    return NULL;
  return GetModuleFileNameA(module, path, sizeof path) != 0 ? path : NULL;
}
#else
#include <dlfcn.h>
#include <unistd.h>

static void *open_library(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }
static void close_library(void *library) { dlclose(library); }
static void *find_symbol(void *library, const char *name) { return dlsym(library, name); }
static void describe_failure(char *message, size_t capacity) {
  const char *text = dlerror();
  snprintf(message, capacity, "%s", text != NULL ? text : "unknown reason");
}
static const char *path_of(void *address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fname : NULL;
}
#endif

struct taichi_aot_functions taichi_aot_functions;

/* Functions that the loaded library lacks fail as others do. */
static void taichi_aot_lack(void) {
  taichi_aot_functions.ti_set_last_error(TI_ERROR_NOT_SUPPORTED, "the loaded library does not have this function");
}
TAICHI_AOT_STAND_INS

static const struct { const char *name; void **slot, *stand_in; } symbols[] = {TAICHI_AOT_SYMBOLS};

/* The error of each thread's last failed call, read within the call. Until Python reads it, only another failure changes it. */
TAICHI_AOT_THREAD_LOCAL char taichi_aot_message[4096];
static TAICHI_AOT_THREAD_LOCAL const char *failed_routine;

const char *taichi_aot_error_message(void) { return taichi_aot_message; }
const char *taichi_aot_error_routine(void) { return failed_routine; }

/* Returns the failure of a routine, whose message is set. */
int taichi_aot_fail(const char *routine, int code) {
  failed_routine = routine;
  return code;
}

/* Returns OUT_OF_MEMORY, with a message that names what did not fit into the host's memory. */
int taichi_aot_no_memory(const char *what) {
  snprintf(taichi_aot_message, sizeof taichi_aot_message, "the host has no memory for %s", what);
  return taichi_aot_fail("malloc", (int)TI_ERROR_OUT_OF_MEMORY);
}

int taichi_aot_missing(const char *routine) {
  snprintf(taichi_aot_message, sizeof taichi_aot_message, "the loaded library does not have this function");
  return taichi_aot_fail(routine, (int)TI_ERROR_NOT_SUPPORTED);
}

void taichi_aot_clear_error(void) {
  if (taichi_aot_functions.ti_set_last_error != NULL) taichi_aot_functions.ti_set_last_error(TI_ERROR_SUCCESS, NULL);
}

int taichi_aot_read_error(const char *routine) {
  const int code = taichi_aot_has_failed() ? (int)taichi_aot_functions.ti_get_last_error(NULL, NULL) : 0;
  if (code != (int)TI_ERROR_SUCCESS) {
    uint64_t size = sizeof taichi_aot_message;
    taichi_aot_functions.ti_get_last_error(&size, taichi_aot_message);
    taichi_aot_fail(routine, code);
  }
  return code;
}

/* The file of the loaded library, or NULL. */
const char *taichi_aot_library_path(void) {
  return taichi_aot_functions.ti_get_version != NULL ? path_of((void *)taichi_aot_functions.ti_get_version) : NULL;
}

/* For a forked child: ends the process after its own C exit handlers, and before the inherited ones, because drivers' handlers
 * wait for threads of the parent. */
#ifdef __GLIBC__
static void end_process(int status, void *unused) {
  (void)unused;
  fflush(NULL);
  _exit(status);
}
void taichi_aot_skip_inherited_exit_handlers(void) { on_exit(end_process, NULL); }
#else
void taichi_aot_skip_inherited_exit_handlers(void) {}
#endif

/* Driver loaders (Vulkan, CUDA, EGL); they stay loaded. */
void *taichi_aot_open(const char *name) { return open_library(name); }
void *taichi_aot_symbol(void *library, const char *name) { return find_symbol(library, name); }

/* Empties the table: every checked call then returns NOT_SUPPORTED. */
void taichi_aot_forget_library(void) { memset(&taichi_aot_functions, 0, sizeof taichi_aot_functions); }

/* Loads the library and fills the table. 0 on success; otherwise the reason is in `message` and the table is empty.
 * A loaded library is never closed. */
int taichi_aot_load(const char *path, char *message, size_t capacity) {
  size_t i;
  void *library = open_library(path);
  taichi_aot_process_init();
  if (library == NULL) {
    describe_failure(message, capacity);
    return -1;
  }
  for (i = 0; i < COUNT_OF(symbols); ++i) {
    void *found = find_symbol(library, symbols[i].name);
    *symbols[i].slot = found != NULL ? found : symbols[i].stand_in;
  }
  if (taichi_aot_functions.ti_get_version == NULL || taichi_aot_functions.ti_get_last_error == NULL ||
      taichi_aot_functions.ti_set_last_error == NULL) {
    taichi_aot_forget_library();
    close_library(library);
    snprintf(message, capacity, "it is not a Taichi C-API library");
    return -1;
  }
  return 0;
}
