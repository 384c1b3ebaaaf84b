/* The loaded library. build_ffi.py puts the headers, helpers.h, the table `functions` and the list `symbols` before this
 * file, the other files of this folder and the generated functions behind it. */

#ifdef _WIN32
#include <windows.h>
#define THREAD_LOCAL __declspec(thread)

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
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define THREAD_LOCAL __thread

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

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* The message of the last failed checked call of each thread, taken in the call itself: what runs on the thread
 * before Python asks for it cannot change it unless it fails too. */
static THREAD_LOCAL char error_message[4096];

static int missing_symbol(const char *name) {
  static const char text[] = "the loaded library has no function ";
  memcpy(error_message, text, sizeof text);
  strncat(error_message, name, sizeof error_message - sizeof text);
  return (int)TI_ERROR_NOT_SUPPORTED;
}

static void clear_error(void) { functions.ti_set_last_error(TI_ERROR_SUCCESS, NULL); }

static TiError read_error(void) {
  TiError code = functions.ti_get_last_error(NULL, NULL);
  if (code != TI_ERROR_SUCCESS) {
    uint64_t size = sizeof error_message;
    functions.ti_get_last_error(&size, error_message);
  }
  return code;
}

static const char *taichi_aot_error_message(void) { return error_message; }

/* The file that the loaded library came from, or NULL. */
static const char *taichi_aot_library_path(void) {
  return functions.ti_get_version != NULL ? path_of((void *)functions.ti_get_version) : NULL;
}

/* For a forked child: end the process before the C exit handlers that it inherited run, after those it registers
 * itself. Drivers' handlers wait for threads that exist in the parent only. */
#ifdef __GLIBC__
static void end_process(int status, void *unused) {
  (void)unused;
  fflush(NULL);
  _exit(status);
}
static void taichi_aot_skip_inherited_exit_handlers(void) { on_exit(end_process, NULL); }
#else
static void taichi_aot_skip_inherited_exit_handlers(void) {}
#endif

/* Driver loaders (Vulkan, CUDA, EGL) that device enumeration asks; they stay loaded. */
static void *taichi_aot_open(const char *name) { return open_library(name); }
static void *taichi_aot_symbol(void *library, const char *name) { return find_symbol(library, name); }

/* Empties the table: every checked call is NOT_SUPPORTED then. */
static void taichi_aot_forget_library(void) { memset(&functions, 0, sizeof functions); }

/* Loads the library and fills the table. 0 on success; otherwise the reason is in `message` and the table is empty.
 * A loaded library is never closed. */
static int taichi_aot_load(const char *path, char *message, size_t capacity) {
  size_t i;
  void *library = open_library(path);
  if (library == NULL) {
    describe_failure(message, capacity);
    return -1;
  }
  for (i = 0; i < COUNT_OF(symbols); ++i) *symbols[i].slot = find_symbol(library, symbols[i].name);
  if (functions.ti_get_version == NULL || functions.ti_get_last_error == NULL || functions.ti_set_last_error == NULL) {
    taichi_aot_forget_library();
    close_library(library);
    strncpy(message, "it is not a Taichi C-API library", capacity - 1);
    message[capacity - 1] = '\0';
    return -1;
  }
  return 0;
}
