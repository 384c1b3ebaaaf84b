/* Recorded launches: launches without the library, by one recorder per arch. */

#ifndef TAICHI_AOT_RECORDER_H
#define TAICHI_AOT_RECORDER_H

#include "launch.h"
#include "plan.h"

/* What a launch keeps on the device to be recorded. */
typedef struct taichi_aot_recorded {
  taichi_aot_plan *plan;
  int64_t version;     /* of the arguments that it was written for */
  int32_t is_changing; /* arguments may change from launch to launch, and the version does not */
  /* For C alone. */
  struct taichi_aot_recorded *next;      /* of its runtime */
  struct taichi_aot_recorded **previous; /* NULL: it has nothing on the device */
  uint64_t own[8]; /* what the recorder has for it, private to its file */
} taichi_aot_recorded;

/* What a sequence keeps. */
typedef struct taichi_aot_recording {
  uint32_t size; /* iterations at a time, which is learned */
  /* For C alone. */
  int32_t is_quick;                       /* they took the device no longer than a chunk should */
  struct taichi_aot_recording *next;      /* of its runtime */
  struct taichi_aot_recording **previous; /* NULL: it has nothing on the device */
  uint64_t own[12]; /* as above */
} taichi_aot_recording;

int taichi_aot_run_recorded(const taichi_aot_sequence_item *items, uint32_t count, int64_t repeat,
                            taichi_aot_recording *recording, taichi_aot_position *position);
int taichi_aot_recorded_free(taichi_aot_runtime *runtime, taichi_aot_recorded *recorded, int32_t may_wait);
int taichi_aot_recording_free(taichi_aot_runtime *runtime, taichi_aot_recording *recording, int32_t may_wait);

/* For C alone. */

#define TAICHI_AOT_LARGEST_CHUNK 1024 /* tasks that are recorded at a time */

/* What a backend has for recorded launches; the lock is held. */
typedef struct taichi_aot_recorder {
  const char *routine;
  int32_t records_calls; /* also launches whose arguments change from one to the next */
  int32_t refresh_waits; /* for the device, to bring what it has of a launch up to date */
  int (*open)(taichi_aot_context *context);
  /* Launches, with arrays that are open: 0, NOT_MINE if the library has to, or an error code. */
  int (*launch)(taichi_aot_launch *launch);
  /* Whether the launch of an item is up to date on the device, for chunks of so many iterations. */
  int (*prepare)(taichi_aot_runtime *runtime, const taichi_aot_sequence_item *item, uint32_t copies);
  /* Whether the device has done the chunk of a slot; waits a little for it. */
  int (*is_done)(taichi_aot_context *context, uint32_t slot, int *code);
  /* Gives the device `*n` or fewer of the `left` iterations from `first` on, in the slot that is next; 0,
   * NOT_MINE if it cannot, or an error code. */
  int (*submit)(taichi_aot_runtime *runtime, const taichi_aot_sequence_item *items, uint32_t count, int64_t first,
                int64_t left, uint32_t *n, taichi_aot_recording *recording);
  void (*free_recorded)(taichi_aot_context *context, taichi_aot_recorded *recorded);
  void (*free_recording)(taichi_aot_context *context, taichi_aot_recording *recording);
} taichi_aot_recorder;

extern const taichi_aot_recorder taichi_aot_no_recorder; /* of backends that leave all launches to the library */
taichi_aot_recorded *taichi_aot_recorded_of(const taichi_aot_sequence_item *item);
const TiNdArray *taichi_aot_array_of(const taichi_aot_launch *launch, uint32_t source, const taichi_aot_memory **memory);
uint32_t taichi_aot_argument_room(const taichi_aot_plan_dispatch *dispatch);
void taichi_aot_write_arguments(char *target, const taichi_aot_plan *plan, const taichi_aot_launch *launch);
uint32_t taichi_aot_groups_of(const taichi_aot_plan_task *task, const char *arguments);
uint32_t taichi_aot_tasks_of(const taichi_aot_sequence_item *items, uint32_t count);
void taichi_aot_keep_recorded(taichi_aot_runtime *runtime, taichi_aot_recorded *recorded);
void taichi_aot_keep_recording(taichi_aot_runtime *runtime, taichi_aot_recording *recording);
void taichi_aot_chunk_begun(taichi_aot_context *context, const taichi_aot_recording *recording, uint32_t size);
void taichi_aot_recorder_close(taichi_aot_runtime *runtime);

#endif
