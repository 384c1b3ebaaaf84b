/* Waits, and marks: points in the order of a context's work. */

#pragma once

#include "core/context.h"

/* The mark of an event; zeros until it is set. */
typedef struct taichi_aot_mark {
  int64_t ticket; /* increases from one mark of a context to the next; 0: not set */
  /* Python does not read the members below. */
  struct taichi_aot_point *point;
} taichi_aot_mark;

int taichi_aot_wait(taichi_aot_runtime *runtime, int64_t ticket, int64_t ns);
int taichi_aot_wait_to_release(taichi_aot_runtime *runtime);
int taichi_aot_mark_set(taichi_aot_runtime *runtime, taichi_aot_mark *mark, int32_t is_timed);
int taichi_aot_mark_wait(taichi_aot_runtime *runtime, const taichi_aot_mark *mark, int64_t ns);
int taichi_aot_mark_elapsed(taichi_aot_runtime *runtime, const taichi_aot_mark *from, const taichi_aot_mark *to,
                            double *seconds);
int taichi_aot_mark_free(taichi_aot_runtime *runtime, taichi_aot_mark *mark, int32_t may_wait);

/* For C only. */

#define TAICHI_AOT_MOMENT INT64_C(1000000) /* ns that a call waits with the lock, before Python waits without it */
#define TAICHI_AOT_PAUSE INT64_C(20000)   /* ns that a wait polls a GPU before it sleeps */

/* A mark that is or was set, or is free. It lives as long as its context. */
typedef struct taichi_aot_point {
  int64_t ticket;
  int32_t is_timed;                 /* the device notes when it reaches it */
  int32_t waiters;                  /* threads that wait for it without the lock */
  const taichi_aot_runtime *holder; /* the runtime of its event, or NULL */
  struct taichi_aot_point *next;      /* in its list */
  struct taichi_aot_point **previous; /* if an event holds it */
  uint64_t own[4]; /* private to the backend's file */
} taichi_aot_point;

/* A backend's marks. Functions return 0 or an error code, and set its message. */
struct taichi_aot_marker {
  uint32_t most_unreleased; /* launches and submissions after which the library must wait itself */
  /* Submits all work so far, and a mark after it. Creates what it needs on first use. */
  int (*set)(taichi_aot_context *context, taichi_aot_point *point);
  /* Polls for at most `ns`: 0 if reached, UNFINISHED, or an error code. Needs no lock. NULL: marks are reached when they are set. */
  int (*ask)(taichi_aot_context *context, const taichi_aot_point *point, int64_t ns);
  /* Measures between two reached timed marks. */
  int (*elapsed)(taichi_aot_context *context, const taichi_aot_point *from, const taichi_aot_point *to, double *seconds);
  /* Called when the device does not use it. NULL: nothing to do. */
  void (*destroy)(taichi_aot_context *context, taichi_aot_point *point);
};

extern const taichi_aot_marker taichi_aot_host_marker; /* the library waits, and the host has the clock */

/* The lock is held. */
int taichi_aot_is_idle(const taichi_aot_context *context);
void taichi_aot_wait_entered(taichi_aot_context *context); /* the library has the error */
void taichi_aot_wait_to_free(taichi_aot_context *context, int32_t is_used);
int taichi_aot_settle(taichi_aot_context *context, int32_t may_block);
void taichi_aot_expect_words(void *memory, uint64_t size);
int taichi_aot_has_words(const void *memory, uint64_t size);
int taichi_aot_poll_words(taichi_aot_context *context, const void *memory, uint64_t size);
void taichi_aot_release_points(const taichi_aot_runtime *runtime);
void taichi_aot_destroy_points(taichi_aot_context *context);
void taichi_aot_nap(int64_t waited);
