/* The recorder of Vulkan: which launches the device is given at a time.
 *
 * Sequences give it chunks, each recorded while the device works on the one before. Launches alone are gathered, because a
 * submission may cost more than a launch of the library: the first is submitted at once, then more and more at a time, until
 * anything else is asked of the runtime. What was gathered is always submitted before the library does something. */

#include "vulkan/recorder.h"

#include "core/clock.h"
#include "core/policy.h"
#include "vulkan/launch.h"

#include <stdio.h>

#define functions taichi_aot_functions

static taichi_aot_gathered *gathered_of(const taichi_aot_context *context) {
  return &taichi_aot_vulkan_of(context)->gathered;
}

/* Begins commands that come after all that was submitted before them. */
static int begin(const taichi_aot_context *context, taichi_aot_submission *target) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  const int code = taichi_aot_vulkan_begin(vulkan, target);
  if (code == 0)
    taichi_aot_vulkan_barrier(vulkan, target->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
                              VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                              VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
  return code;
}

/* Submits commands, after what the library has queued. Where it fails, nothing has been submitted. */
static int end(taichi_aot_context *context, taichi_aot_submission *target) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  int code;
  taichi_aot_vulkan_barrier(vulkan, target->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                            VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                            VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT);
  code = taichi_aot_vulkan_flush(context, TAICHI_AOT_BUSY_RECORDED);
  return code != 0 ? code : taichi_aot_vulkan_submit(vulkan, target);
}

/* Launches alone. */

/* Notes that launches were not made, for the next call that can raise. */
static void note_failure(taichi_aot_gathered *own, uint32_t launches, int code) {
  own->failure = code;
  own->lost = launches;
  own->routine = taichi_aot_error_routine();
  snprintf(own->message, sizeof own->message, "%.200s", taichi_aot_message);
  taichi_aot_clear_error(); /* the call that submits them may be another's */
}

/* The code of launches that were not made, once. The last of them may be that of this call. */
static int tell_failure(taichi_aot_context *context, int is_own) {
  taichi_aot_gathered *own = gathered_of(context);
  const int code = own->failure;
  const unsigned others = is_own ? own->lost - 1 : own->lost;
  const char *text = "%s: %u waiting launches were not made";
  if (code == 0) return 0;
  own->failure = 0;
  if (is_own)
    text = others > 0 ? "%s: this launch and %u before it were not made" : "%s: this launch was not made";
  else if (others == 1)
    text = "%s: %u waiting launch was not made";
  snprintf(taichi_aot_message, sizeof taichi_aot_message, text, own->message, others);
  return taichi_aot_fail(own->routine, code);
}

/* Submits the launches that wait, or notes why they are not made. */
static void flush_gathered(taichi_aot_context *context) {
  taichi_aot_gathered *own = gathered_of(context);
  const uint32_t launches = own->launches;
  uint32_t i;
  int code;
  if (launches == 0) return;
  own->launches = 0;
  code = end(context, &own->slots[own->slot]);
  for (i = 0; i < own->image_count; ++i)
    (code == 0 ? taichi_aot_image_end : taichi_aot_image_forget)(context, own->images[i]);
  own->image_count = 0;
  own->slot = (own->slot + 1) % TAICHI_AOT_GATHERS;
  if (code != 0) note_failure(own, launches, code);
}

static int submit_gathered(taichi_aot_context *context) {
  flush_gathered(context);
  return tell_failure(context, 0);
}

int taichi_aot_vulkan_use_library(taichi_aot_context *context) {
  if (taichi_aot_vulkan_of(context) == NULL) return 0;
  gathered_of(context)->size = 1;
  return submit_gathered(context);
}

/* Whatever is no recorded launch comes after those that wait. A release never fails for them: the next operation does. */
int taichi_aot_vulkan_enter(taichi_aot_context *context, int flags) {
  if (taichi_aot_vulkan_of(context) == NULL || flags & TAICHI_AOT_ENTER_TO_LAUNCH) return 0;
  gathered_of(context)->size = 1;
  flush_gathered(context);
  return flags & TAICHI_AOT_ENTER_CLOSING ? 0 : tell_failure(context, 0);
}

/* Begins a command buffer of launches alone, as soon as the device has done what it was used for before; UNFINISHED if that
 * takes long. */
static int begin_gathering(taichi_aot_context *context, const taichi_aot_launch *launch) {
  taichi_aot_gathered *own = gathered_of(context);
  taichi_aot_submission *slot = &own->slots[own->slot];
  const int64_t begun = slot->pending ? taichi_aot_now() : 0;
  int code = taichi_aot_vulkan_wait_for(taichi_aot_vulkan_of(context), slot, TAICHI_AOT_SLICE);
  if (code == 0) code = begin(context, slot);
  if (code != 0) return code;
  own->waited = begun != 0 ? taichi_aot_now() - begun : 0;
  own->begun = taichi_aot_milliseconds();
  if (taichi_aot_is_long(own->waited)) *taichi_aot_vulkan_made(launch->recorded) = 0; /* it may be the slow one */
  return 0;
}

static int has_image(const taichi_aot_gathered *own, const taichi_aot_image *image) {
  uint32_t i;
  for (i = 0; i < own->image_count; ++i)
    if (own->images[i] == image) return 1;
  return 0;
}

static void add_image(taichi_aot_context *context, taichi_aot_image *image) {
  taichi_aot_gathered *own = gathered_of(context);
  if (!has_image(own, image)) own->images[own->image_count++] = image;
}

static void forget_new_image(taichi_aot_context *context, taichi_aot_image *image) {
  if (!has_image(gathered_of(context), image)) taichi_aot_image_forget(context, image);
}

/* Makes room for the images of a launch; NOT_MINE if there are too many. */
static int make_room(taichi_aot_context *context, const taichi_aot_sequence_item *item) {
  const uint32_t wanted = taichi_aot_vulkan_each_image(context, item, 1, NULL);
  if (wanted > TAICHI_AOT_MOST_IMAGES) return TAICHI_AOT_NOT_MINE;
  return gathered_of(context)->image_count + wanted > TAICHI_AOT_MOST_IMAGES ? submit_gathered(context) : 0;
}

/* Brings the images of launches into layouts that are known; where it fails, nothing must be launched. */
static int begin_images(taichi_aot_context *context, const taichi_aot_sequence_item *items, uint32_t count) {
  taichi_aot_vulkan_each_image(context, items, count, taichi_aot_image_begin);
  return taichi_aot_read_error("ti_transition_image");
}

/* Adds a launch to those that wait. */
static int add_launch(taichi_aot_context *context, const taichi_aot_sequence_item *item) {
  taichi_aot_gathered *own = gathered_of(context);
  int code = make_room(context, item);
  if (code != 0) return code;
  code = begin_images(context, item, 1);
  if (code == 0 && own->launches == 0) code = begin_gathering(context, item->launch);
  if (code != 0) {
    taichi_aot_vulkan_each_image(context, item, 1, forget_new_image);
    return code;
  }
  taichi_aot_vulkan_each_image(context, item, 1, add_image);
  taichi_aot_vulkan_record(taichi_aot_vulkan_of(context), own->slots[own->slot].commands, item->launch,
                           item->launch->recorded, 0);
  own->launches += 1;
  context->busy |= TAICHI_AOT_BUSY_RECORDED;
  return 0;
}

/* Adds a launch to those that wait, and submits them if they are as many as there should be, or wait for too long. */
static int gather(taichi_aot_context *context, const taichi_aot_sequence_item *item) {
  taichi_aot_gathered *own = gathered_of(context);
  uint32_t most;
  const int code = add_launch(context, item);
  if (code != 0) return code;
  most = taichi_aot_gather_most(taichi_aot_vulkan_made(item->launch->recorded));
  if (own->launches >= own->size)
    own->size = taichi_aot_gather_size(own->size, own->waited);
  else if (own->launches < most && taichi_aot_milliseconds() - own->begun < TAICHI_AOT_GATHER_TIME)
    return 0;
  flush_gathered(context);
  return tell_failure(context, 1);
}

static int open_recorder(taichi_aot_context *context) {
  const int code = taichi_aot_vulkan_open(context);
  return code != 0 ? code : tell_failure(context, 0);
}

static int check_plan(taichi_aot_context *context, const taichi_aot_plan *plan) {
  const int code = taichi_aot_vulkan_open(context);
  if (code != 0) return code;
  if (plan->state == TAICHI_AOT_PLAN_UNUSABLE) return TAICHI_AOT_NOT_MINE;
  return taichi_aot_vulkan_can_dispatch(taichi_aot_vulkan_of(context), plan) ? 0 : TAICHI_AOT_NOT_MINE;
}

static int prepare(taichi_aot_runtime *runtime, const taichi_aot_sequence_item *item, uint32_t copies) {
  taichi_aot_recorded *recorded = taichi_aot_recorded_of(item);
  const taichi_aot_launch *launch = taichi_aot_launch_of(item, 0);
  int code;
  if (!launch->is_call && taichi_aot_vulkan_is_current(recorded, launch, copies)) return 0;
  code = submit_gathered(runtime->context); /* launches that may use what changes */
  return code != 0 ? code : taichi_aot_vulkan_refresh(runtime, recorded, launch, copies);
}

static int launch_alone(taichi_aot_launch *launch) {
  const taichi_aot_sequence_item item = {launch, NULL, NULL, 0};
  int code = open_recorder(launch->runtime->context);
  if (code == 0) code = prepare(launch->runtime, &item, 1);
  return code != 0 ? code : gather(launch->runtime->context, &item);
}

/* Sequences. */

/* Records and submits iterations `first` to `first + n - 1`. `slot` is that of the arguments of stepped launches. */
static int record(taichi_aot_context *context, const taichi_aot_sequence_item *items, uint32_t count, int64_t first,
                  uint32_t n, uint32_t slot, const char *label, taichi_aot_submission *target) {
  const taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  uint32_t i, k;
  int code = begin(context, target);
  if (code == 0) code = begin_images(context, items, count);
  if (code != 0) {
    taichi_aot_vulkan_each_image(context, items, count, taichi_aot_image_forget);
    return code;
  }
  taichi_aot_vulkan_begin_label(vulkan, target->commands, label);
  for (k = 0; k < n; ++k) {
    for (i = 0; i < count; ++i) {
      const taichi_aot_recorded *recorded = taichi_aot_recorded_of(&items[i]);
      const uint32_t copy = items[i].scratch == NULL ? 0 : taichi_aot_vulkan_write_copy(
                                recorded, slot, k, taichi_aot_launch_of(&items[i], first + k));
      taichi_aot_vulkan_record(vulkan, target->commands, items[i].launch, recorded, copy);
    }
  }
  taichi_aot_vulkan_end_label(vulkan, target->commands, label);
  code = end(context, target);
  taichi_aot_vulkan_each_image(context, items, count, code == 0 ? taichi_aot_image_end : taichi_aot_image_forget);
  return code;
}

/* Gives the device `*n` iterations from `first` on, in a slot that it has done. */
static int submit(taichi_aot_runtime *runtime, const taichi_aot_sequence_item *items, uint32_t count, int64_t first,
                  int64_t left, uint32_t *n, taichi_aot_recording *recording) {
  taichi_aot_context *context = runtime->context;
  const uint32_t slot = context->chunks.next;
  int code = submit_gathered(context);
  (void)left;
  if (code == 0)
    code = record(context, items, count, first, *n, slot, recording->label,
                  &taichi_aot_vulkan_of(context)->chunks[slot]);
  if (code == 0) taichi_aot_chunk_begun(context, recording, *n);
  return code;
}

/* Waits a slice of time for the chunk of a slot. */
static int is_done(taichi_aot_context *context, uint32_t slot, int *code) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  const int result = taichi_aot_vulkan_wait_for(vulkan, &vulkan->chunks[slot], TAICHI_AOT_SLICE);
  if (result == TAICHI_AOT_UNFINISHED) return 0;
  *code = result;
  return 1;
}

/* A sequence keeps nothing on the device. */
static void free_recording(taichi_aot_context *context, taichi_aot_recording *recording) {
  (void)context;
  (void)recording;
}

int taichi_aot_vulkan_close_runtime(taichi_aot_runtime *runtime) {
  taichi_aot_recorder_close(runtime);
  return taichi_aot_vulkan_of(runtime->context) == NULL ? 0 : tell_failure(runtime->context, 0);
}

const taichi_aot_recorder taichi_aot_vulkan_recorder = {
  .routine = "vkQueueSubmit",
  .records_calls = 0,
  .refresh_waits = 1,
  .open = open_recorder,
  .check_plan = check_plan,
  .launch = launch_alone,
  .prepare = prepare,
  .is_done = is_done,
  .submit = submit,
  .free_recorded = taichi_aot_vulkan_free_recorded,
  .free_recording = free_recording,
};
