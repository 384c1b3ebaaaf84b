/* Recorded launches: launches without the library, by the recorder of their backend. */

#pragma once

#include "core/backend.h"
#include "core/launch.h"
#include "core/plan.h"

/* State on the device, in the list of its runtime until it is freed. */
typedef struct taichi_aot_kept {
  /* For C only. */
  void (*free)(taichi_aot_context *context, struct taichi_aot_kept *kept);
  struct taichi_aot_kept *next;
  struct taichi_aot_kept **previous; /* NULL: it is not in the list */
} taichi_aot_kept;

/* The state of a recorded launch on the device. */
typedef struct taichi_aot_recorded {
  taichi_aot_kept kept;
  taichi_aot_plan *plan;
  int64_t version; /* of the arguments that were written */
  /* For C only. */
  uint64_t own[8]; /* private to the recorder's file */
} taichi_aot_recorded;

/* The state of a recorded sequence. */
typedef struct taichi_aot_recording {
  taichi_aot_kept kept;
  uint32_t size; /* iterations per submission, learned */
  /* For C only. */
  int32_t is_quick; /* chunks are known to be short */
  uint64_t own[12]; /* as above */
} taichi_aot_recording;

int taichi_aot_kept_free(taichi_aot_runtime *runtime, void *kept, int32_t may_wait);

/* For C only. */

taichi_aot_recorded *taichi_aot_recorded_of(const taichi_aot_sequence_item *item);
const taichi_aot_array *taichi_aot_launch_array(const taichi_aot_launch *launch, uint32_t source);
const TiNdArray *taichi_aot_array_of(const taichi_aot_launch *launch, uint32_t source, uint64_t *address);
int taichi_aot_write_arguments(char *target, const taichi_aot_plan *plan, const taichi_aot_launch *launch);
int64_t taichi_aot_all_groups_of(const taichi_aot_plan_task *task, const char *arguments);
uint32_t taichi_aot_groups_of(const taichi_aot_plan_task *task, const char *arguments, uint32_t most);
uint32_t taichi_aot_tasks_of(const taichi_aot_sequence *sequence);
void taichi_aot_keep(taichi_aot_runtime *runtime, taichi_aot_kept *kept,
                     void (*free)(taichi_aot_context *context, taichi_aot_kept *kept));
void taichi_aot_chunk_begun(taichi_aot_context *context, const taichi_aot_recording *recording, uint32_t size);
int taichi_aot_run_recorded(const taichi_aot_sequence *sequence, int64_t repeat, taichi_aot_position *position);
void taichi_aot_recorder_close(taichi_aot_runtime *runtime);
