/* Waits, and marks: points in the order of what a context gives its device. */

#ifndef TAICHI_AOT_WAIT_H
#define TAICHI_AOT_WAIT_H

#include "core/context.h"

/* The mark of an event, which Python holds: zeros until it is set. */
typedef struct taichi_aot_mark {
  int64_t ticket; /* increases from one mark of a context to the next; 0: not set */
  /* For Python alone: nothing below concerns it. */
  struct taichi_aot_point *point;
} taichi_aot_mark;

int taichi_aot_wait(taichi_aot_runtime *runtime, int64_t ticket, int64_t ns);
int taichi_aot_wait_to_release(taichi_aot_runtime *runtime);
int taichi_aot_mark_set(taichi_aot_runtime *runtime, taichi_aot_mark *mark, int32_t is_timed);
int taichi_aot_mark_wait(taichi_aot_runtime *runtime, const taichi_aot_mark *mark, int64_t ns);
int taichi_aot_mark_elapsed(taichi_aot_runtime *runtime, const taichi_aot_mark *from, const taichi_aot_mark *to,
                            double *seconds);
int taichi_aot_mark_free(taichi_aot_runtime *runtime, taichi_aot_mark *mark, int32_t may_wait);

/* For C alone. */

#define TAICHI_AOT_MOMENT INT64_C(1000000) /* ns that a call waits with the lock, before Python waits without it */
#define TAICHI_AOT_PAUSE INT64_C(20000)   /* ns that a wait polls a GPU before it sleeps */

/* A mark that is set, was, or is free. It belongs to its context until that is destroyed. */
typedef struct taichi_aot_point {
  int64_t ticket;
  int32_t is_timed;                 /* the device notes when it reaches it */
  int32_t waiters;                  /* threads that wait for it without the lock */
  const taichi_aot_runtime *holder; /* that of the event that it belongs to, or NULL */
  struct taichi_aot_point *next;      /* of the list that it is in */
  struct taichi_aot_point **previous; /* if an event holds it */
  uint64_t own[4]; /* what the backend has for it, private to its file */
} taichi_aot_point;

/* How a backend makes them. Functions return 0 or an error code, whose message is in place. */
struct taichi_aot_marker {
  uint32_t most_unreleased; /* launches and submissions of the library that need not be followed by a wait of its own */
  /* Gives the device all that was begun, and the mark behind it. The first time, it creates what it needs. */
  int (*set)(taichi_aot_context *context, taichi_aot_point *point);
  /* Whether the device has reached it: 0, UNFINISHED after at most so many ns, or an error code. Needs no lock. */
  int (*ask)(taichi_aot_context *context, const taichi_aot_point *point, int64_t ns);
  /* Between two timed marks that the device has reached. */
  int (*elapsed)(taichi_aot_context *context, const taichi_aot_point *from, const taichi_aot_point *to, double *seconds);
  /* The device does not use it. */
  void (*destroy)(taichi_aot_context *context, taichi_aot_point *point);
};

extern const taichi_aot_marker taichi_aot_host_marker; /* the library waits, and the host has the clock */

/* The lock is held. */
int taichi_aot_is_idle(const taichi_aot_context *context);
void taichi_aot_wait_entered(taichi_aot_context *context); /* the library has the error */
void taichi_aot_wait_to_free(taichi_aot_context *context, int32_t is_used);
int taichi_aot_settle(taichi_aot_context *context, int32_t may_block);
void taichi_aot_release_points(const taichi_aot_runtime *runtime);
void taichi_aot_destroy_points(taichi_aot_context *context);
void taichi_aot_nap(int64_t waited);

#endif
