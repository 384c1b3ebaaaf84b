/* Contexts: a `TiRuntime` and the mutex that each call on it takes. States of runtimes. */

#pragma once

#include "core/backend.h"
#include "core/library.h"
#include "core/lock.h"
#include "core/table.h"

typedef struct taichi_aot_context {
  TiRuntime ti_runtime; /* NULL: not created yet, destroyed, or inherited by a fork */
  int32_t is_borrowed;  /* another owner destroys the TiRuntime */
  int32_t is_shared;    /* others may launch on it, unseen by this package */
  int32_t loads;        /* of SPIR-V modules by the library so far */
  int32_t is_labelled;  /* launches and objects on the device get names, for tools */
  int32_t is_lazy;      /* the TiRuntime is created when something needs the library */
  int32_t device_index; /* among the devices of the arch */
  /* For C only. */
  int32_t is_adopted;   /* another binding created it, and may have loaded modules */
  int32_t is_broken;    /* the library cannot destroy the TiRuntime, which leaks */
  taichi_aot_lock lock;
  uint64_t thread;      /* the one thread that may use it, 0 for any */
  const taichi_aot_backend *backend;
  uint64_t own[13];     /* the state of the backend, private to its files; initially zero */
  int32_t busy;         /* TAICHI_AOT_BUSY_...: work since the last mark */
  int64_t pause;        /* ns that waits poll before they sleep. 0 for software, which needs the CPU itself */
  uint32_t unreleased;  /* launches and submissions of the library since its own last wait */
  int64_t marked;       /* the ticket of the last mark */
  int64_t reached;      /* the ticket of the last mark that the device is known to have reached */
  struct {                         /* the marks: see wait.h */
    struct taichi_aot_point *free[2];        /* unused: untimed and timed */
    struct taichi_aot_point *first, *last;   /* held by no event, ordered by ticket */
    struct taichi_aot_point *held;           /* of events */
    uint32_t count;                          /* from `first` on */
  } points;
  int32_t lost;         /* a fault made the device unusable: later calls that need it return LOST */
  char lost_message[sizeof taichi_aot_message]; /* the error of that fault */
  struct taichi_aot_failure *failure; /* of checks in kernels; NULL: no kernel has checks */
  uint64_t changes;     /* library calls that may have changed an image's layout */
  taichi_aot_chunks chunks; /* of recorded launches */
  taichi_aot_table imports; /* the library's handles of imported memory, by address */
} taichi_aot_context;

/* States of a runtime; handles/_runtime.py documents the transitions. */
#define TAICHI_AOT_STATE_CLOSED 0
#define TAICHI_AOT_STATE_OPEN 1
#define TAICHI_AOT_STATE_CLOSING 2
#define TAICHI_AOT_STATE_INHERITED 3

/* The part of a context that belongs to one Runtime object; CUDA runtimes share one context. */
typedef struct taichi_aot_runtime {
  taichi_aot_context *context;
  int32_t state;
  int32_t holds; /* mappings and exports that must end before the context is destroyed */
  int64_t awaited; /* the last ticket that a thread waits for, or has waited for */
  struct taichi_aot_kept *kept; /* state of launches and sequences on the device */
} taichi_aot_runtime;

void taichi_aot_context_init(taichi_aot_context *context, const taichi_aot_backend *backend);
int taichi_aot_context_attach(taichi_aot_context *context);
int taichi_aot_context_create(taichi_aot_context *context, TiArch arch, uint32_t device_index);
int taichi_aot_context_adopt(taichi_aot_context *context, TiRuntime ti_runtime, int32_t is_borrowed);
void taichi_aot_context_forget(taichi_aot_context *context);
int taichi_aot_context_is_free(taichi_aot_context *context);
int taichi_aot_flush(taichi_aot_runtime *runtime);

/* For C only. */

#define TAICHI_AOT_BUSY_LIBRARY 1 /* what the library has queued or submitted */
#define TAICHI_AOT_BUSY_COPIES 2  /* copies of images, unknown to the library */
#define TAICHI_AOT_BUSY_RECORDED 4 /* recorded launches, unknown to the library */

/* `enter` takes the lock and clears the thread's error. `leave` returns what the call reported and releases the lock. If `enter`
 * does not return 0, the lock is not held. NULL: without a runtime. */
int taichi_aot_enter(taichi_aot_runtime *runtime);
int taichi_aot_enter_closing(taichi_aot_runtime *runtime); /* also while the runtime is being closed */
#define TAICHI_AOT_ENTER_CLOSING 1   /* also while the runtime is being closed */
#define TAICHI_AOT_ENTER_MAY_WAIT 2  /* else BUSY */
#define TAICHI_AOT_ENTER_ON_DEVICE 4 /* else only our own records change, which needs no device */
#define TAICHI_AOT_ENTER_TO_LAUNCH 8 /* without the library, unless the backend's `use_library` is called */
int taichi_aot_enter_with(taichi_aot_runtime *runtime, int flags);
int taichi_aot_enter_for(taichi_aot_runtime *runtime, int64_t ns); /* BUSY if other threads are inside for that long */
int taichi_aot_leave(taichi_aot_runtime *runtime, const char *routine);
int taichi_aot_leave_with(taichi_aot_runtime *runtime, int code); /* without a call of the library */
/* Leaves with a result: a status of ours, the code of a failure below the library, or 0, after which the library's error counts. */
int taichi_aot_leave_after(taichi_aot_runtime *runtime, const char *routine, int result);
int taichi_aot_lose(taichi_aot_context *context);
int taichi_aot_wait_by_library(taichi_aot_context *context);
void taichi_aot_library_queued(taichi_aot_context *context); /* the library was given a launch */
void taichi_aot_flush_library(taichi_aot_context *context);
