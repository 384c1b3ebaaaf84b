/* What every file needs: the declarations of the library, the table of its functions, and statuses. */

#pragma once

#include <stddef.h>
#include <stdint.h>

/* The compiler checks the table of functions against the library's prototypes. Those that Python calls unchecked are
 * defined in the extension, and not exported. */
#ifdef __GNUC__
#define TI_DLL_EXPORT __attribute__((visibility("hidden")))
#else
#define TI_DLL_EXPORT
#endif
#include "taichi/taichi.h"

#include "functions.h"

/* Status of a call: 0, an error code of the library (all are negative), or one of these in the low 8 bits. The bits above
 * hold an index if the status refers to one of several arrays or devices. */
#define TAICHI_AOT_CLOSED 1        /* the runtime is not open */
#define TAICHI_AOT_WRONG_THREAD 2  /* OpenGL: another thread than the one that created the runtime */
#define TAICHI_AOT_LOST 3          /* CUDA: a kernel faulted, and the context is unusable */
#define TAICHI_AOT_REENTERED 4     /* this thread is already inside a call on the same context */
#define TAICHI_AOT_ARRAY_CLOSED 5  /* the memory of an array is closed */
#define TAICHI_AOT_ARRAY_MAPPED 6  /* the memory of an array is mapped as a copy */
#define TAICHI_AOT_MODULE_CLOSED 7 /* the module is closed */
#define TAICHI_AOT_IN_USE 8        /* views of the memory are alive */
#define TAICHI_AOT_BUSY 9          /* another thread is inside a call, and the caller must not wait */
#define TAICHI_AOT_CHANGED 10      /* the arguments of the launch now have another version */
#define TAICHI_AOT_NO_RESULT 11    /* the launch has not been made yet */
#define TAICHI_AOT_NOT_MINE 12     /* a launch is left to the library */
#define TAICHI_AOT_FOREIGN 13      /* the kernel or graph belongs to another runtime */
#define TAICHI_AOT_ARGUMENT 14     /* an argument of a launch is wrong: its number and a TAICHI_AOT_WRONG_... above */
#define TAICHI_AOT_NEEDS_PLAN 15   /* not launched: give the launches their plans, and call again */
#define TAICHI_AOT_FILE 16         /* a file or folder cannot be written: `errno` above, and its path as the message */
#define TAICHI_AOT_UNFINISHED 17   /* the device needs longer than the call may wait: wait for it, and call again */
#define TAICHI_AOT_NOT_LAUNCHED 18 /* the same, of a launch that has not been made */
#define TAICHI_AOT_CHECK_FAILED 19 /* a check failed in a kernel: see checks.h */
#define TAICHI_AOT_TOO_LONG 20     /* a loop has more iterations than numbers of 32 bits count: the message says which */

/* For C only. */

#include "core/os.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
