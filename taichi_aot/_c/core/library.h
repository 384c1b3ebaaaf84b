/* The loaded library, the drivers' loaders, and the error of the last failed call of this thread. */

#pragma once

#include "core/base.h"

int taichi_aot_load(const char *path, char *message, size_t capacity);
void taichi_aot_forget_library(void);
const char *taichi_aot_error_message(void);
const char *taichi_aot_error_routine(void);
const char *taichi_aot_library_path(void);
void taichi_aot_skip_inherited_exit_handlers(void);
void *taichi_aot_open(const char *name);
void *taichi_aot_symbol(void *library, const char *name);

/* For C only. */

extern TAICHI_AOT_THREAD_LOCAL char taichi_aot_message[4096];
int taichi_aot_no_memory(const char *what);
int taichi_aot_missing(const char *routine);
int taichi_aot_fail(const char *routine, int code);
void taichi_aot_clear_error(void);
int taichi_aot_read_error(const char *routine);

/* Whether a library call failed since the thread's error was cleared. False before the library is loaded. */
static inline int taichi_aot_has_failed(void) {
  return taichi_aot_functions.ti_get_last_error != NULL &&
         taichi_aot_functions.ti_get_last_error(NULL, NULL) != TI_ERROR_SUCCESS;
}
