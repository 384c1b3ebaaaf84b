/* The recorder of Vulkan: decides which launches are submitted together.
 *
 * Sequences submit chunks, each recorded while the device runs the one before. Single launches are gathered, because a
 * submission may cost more than a launch of the library: the first is submitted at once, then more and more at a time. Any other
 * operation on the runtime submits what is gathered, before the library does something. */

#include "vulkan/recorder.h"

#include "core/clock.h"
#include "core/policy.h"
#include "core/wait.h"
#include "vulkan/launch.h"

#include <stdio.h>

static taichi_aot_gathered *gathered_of(const taichi_aot_context *context) {
  return &taichi_aot_vulkan_of(context)->gathered;
}

/* Begins commands in a slot that the device has done. */
static int begin(const taichi_aot_context *context, taichi_aot_submission *target) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  const int code = taichi_aot_vulkan_begin(vulkan, target);
  return code != 0 ? code : taichi_aot_arena_begin(vulkan, target);
}

/* Single launches, outside of sequences. */

/* Records that launches were not made, for the next call that can raise. */
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

/* Adds what is expected to follow. */
static void add_ahead(taichi_aot_vulkan *vulkan, taichi_aot_submission *slot) {
  const taichi_aot_ahead *ahead = &vulkan->ahead;
  if (ahead->wants_copy) {
    taichi_aot_vulkan_barrier(vulkan, slot, VK_PIPELINE_STAGE_TRANSFER_BIT);
    vulkan->CmdCopyBuffer(slot->commands, ahead->source->info.buffer, ahead->target->info.buffer, 1, &ahead->region);
    slot->copies = ahead->copy;
  }
  if (ahead->wants_time && taichi_aot_vulkan_make_times(vulkan, &slot->times) == VK_SUCCESS) {
    taichi_aot_vulkan_write_time(vulkan, slot->commands, slot->times);
    slot->is_timed = 1;
  }
}

/* After a submission: what follows is expected again once it is used. */
static void note_ahead(taichi_aot_vulkan *vulkan, const taichi_aot_submission *slot) {
  taichi_aot_ahead *ahead = &vulkan->ahead;
  ahead->copied = slot->copies != 0 ? slot->number : 0;
  ahead->timed = slot->is_timed ? slot->number : 0;
  ahead->wants_copy = ahead->wants_time = 0;
}

/* Submits the launches that wait, or notes why they are not made. */
static void flush_gathered(taichi_aot_context *context) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  taichi_aot_gathered *own = gathered_of(context);
  const uint32_t launches = own->launches;
  uint32_t i;
  int code;
  if (launches == 0) return;
  own->launches = 0;
  add_ahead(vulkan, &own->slots[own->slot]);
  code = taichi_aot_vulkan_submit(context, &own->slots[own->slot], TAICHI_AOT_BUSY_RECORDED);
  if (code == 0) note_ahead(vulkan, &own->slots[own->slot]);
  for (i = 0; i < own->image_count; ++i)
    (void)(code == 0 ? taichi_aot_image_end : taichi_aot_image_forget)(context, own->images[i]);
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

/* Submits gathered launches before any other operation. A failure does not fail a release, but the next operation. */
int taichi_aot_vulkan_enter(taichi_aot_context *context, int flags) {
  if (taichi_aot_vulkan_of(context) == NULL || flags & TAICHI_AOT_ENTER_TO_LAUNCH) return 0;
  gathered_of(context)->size = 1;
  flush_gathered(context);
  return flags & TAICHI_AOT_ENTER_CLOSING ? 0 : tell_failure(context, 0);
}

/* Starts a command buffer of single launches, once the device has finished with it; UNFINISHED if that takes long. */
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

static int add_image(taichi_aot_context *context, taichi_aot_image *image) {
  taichi_aot_gathered *own = gathered_of(context);
  if (!has_image(own, image)) own->images[own->image_count++] = image;
  return 0;
}

static int begin_new_image(taichi_aot_context *context, taichi_aot_image *image) {
  return has_image(gathered_of(context), image) ? 0 : taichi_aot_image_begin(context, image);
}

/* Reserves space for the images of a launch. */
static int make_room(taichi_aot_context *context, const taichi_aot_sequence_item *item) {
  const uint32_t wanted = taichi_aot_vulkan_count_images(item);
  if (wanted > TAICHI_AOT_MOST_IMAGES) return taichi_aot_no_memory("so many images in one launch");
  return gathered_of(context)->image_count + wanted > TAICHI_AOT_MOST_IMAGES ? submit_gathered(context) : 0;
}

/* Adds a launch to the gathered ones. */
static int add_launch(taichi_aot_context *context, const taichi_aot_sequence_item *item) {
  taichi_aot_gathered *own = gathered_of(context);
  int code = taichi_aot_vulkan_make(item->launch->runtime, item->launch->recorded);
  if (code == 0) code = make_room(context, item);
  if (code == 0) code = taichi_aot_vulkan_each_image(context, item, 1, begin_new_image);
  if (code == 0 && own->launches == 0) code = begin_gathering(context, item->launch);
  if (code == 0)
    code = taichi_aot_vulkan_place(context, own->slots[own->slot].arena, item->launch->recorded, item->launch, 1);
  if (code != 0) return code;
  (void)taichi_aot_vulkan_each_image(context, item, 1, add_image);
  taichi_aot_vulkan_record(taichi_aot_vulkan_of(context), &own->slots[own->slot], item->launch, item->launch->recorded, 0);
  own->launches += 1;
  own->slots[own->slot].only = own->launches == 1 && !item->launch->recorded->plan->has_textures && item->launch->names == NULL
                                   ? item->launch->recorded
                                   : NULL;
  context->busy |= TAICHI_AOT_BUSY_RECORDED;
  return 0;
}

/* The slot whose commands are those of a launch as it is now, and have been done; NULL if there is none. */
static taichi_aot_submission *find_made(taichi_aot_context *context, const taichi_aot_launch *launch) {
  taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  const uint64_t copies = vulkan->ahead.wants_copy ? vulkan->ahead.copy : 0;
  uint32_t i;
  for (i = 0; i < TAICHI_AOT_GATHERS && !vulkan->ahead.wants_time; ++i) {
    taichi_aot_submission *slot = &vulkan->gathered.slots[i];
    if (slot->only != launch->recorded || slot->copies != copies || slot->is_timed ||
        !taichi_aot_vulkan_is_placed(slot->arena, launch->recorded, launch, 1))
      continue;
    if (taichi_aot_vulkan_wait_for(vulkan, slot, 0) == 0) return slot;
    taichi_aot_clear_error(); /* the launch needs another slot */
  }
  return NULL;
}

/* Submits the commands of a launch again. */
static int repeat(taichi_aot_context *context, const taichi_aot_launch *launch, taichi_aot_submission *slot) {
  taichi_aot_gathered *own = gathered_of(context);
  const int code = taichi_aot_vulkan_submit_again(context, slot, TAICHI_AOT_BUSY_RECORDED);
  own->waited = 0;
  own->size = taichi_aot_gather_size(1, 0);
  (void)taichi_aot_gather_most(taichi_aot_vulkan_made(launch->recorded));
  if (code == 0)
    note_ahead(taichi_aot_vulkan_of(context), slot);
  else
    note_failure(own, 1, code);
  return tell_failure(context, 1);
}

/* Adds a launch to those that wait, and submits them if they are as many as there should be, or wait for too long. */
static int gather(taichi_aot_context *context, const taichi_aot_sequence_item *item) {
  taichi_aot_gathered *own = gathered_of(context);
  taichi_aot_submission *made = own->launches == 0 && own->size == 1 ? find_made(context, item->launch) : NULL;
  uint32_t most;
  int code;
  if (made != NULL) return repeat(context, item->launch, made);
  code = add_launch(context, item);
  if (code != 0) return code;
  most = taichi_aot_gather_most(taichi_aot_vulkan_made(item->launch->recorded));
  if (own->launches >= own->size)
    own->size = taichi_aot_gather_size(own->size, own->waited);
  else if (own->launches < most && taichi_aot_milliseconds() - own->begun < TAICHI_AOT_GATHER_TIME)
    return 0;
  flush_gathered(context);
  return tell_failure(context, 1);
}

static int open_recorder(taichi_aot_context *context) { return tell_failure(context, 0); }

static int prepare(taichi_aot_runtime *runtime, const taichi_aot_sequence_item *item, uint32_t copies) {
  (void)copies;
  return taichi_aot_vulkan_make(runtime, taichi_aot_recorded_of(item));
}

static int launch_alone(taichi_aot_launch *launch) {
  const taichi_aot_sequence_item item = {launch, NULL, NULL, 0};
  const int code = open_recorder(launch->runtime->context);
  return code != 0 ? code : gather(launch->runtime->context, &item);
}

/* Sequences. */

/* Writes what the launches of `n` iterations use into the arena of their command buffer. */
static int place_items(const taichi_aot_sequence *sequence, int64_t first, uint32_t n, taichi_aot_arena *arena) {
  uint32_t i;
  int code = 0;
  for (i = 0; i < sequence->count && code == 0; ++i) {
    const taichi_aot_sequence_item *item = &sequence->items[i];
    code = taichi_aot_vulkan_place(sequence->runtime->context, arena, taichi_aot_recorded_of(item),
                                   taichi_aot_launch_of(item, first), item->scratch != NULL ? n : 1);
  }
  return code;
}

/* Records and submits iterations `first` to `first + n - 1`. */
static int record(const taichi_aot_sequence *sequence, int64_t first, uint32_t n, taichi_aot_submission *target) {
  taichi_aot_context *context = sequence->runtime->context;
  const taichi_aot_vulkan *vulkan = taichi_aot_vulkan_of(context);
  const char *label = sequence->pace->label;
  uint32_t i, k;
  int code = taichi_aot_vulkan_each_image(context, sequence->items, sequence->count, taichi_aot_image_begin);
  if (code == 0) code = begin(context, target);
  if (code == 0) code = place_items(sequence, first, n, target->arena);
  if (code != 0) return code;
  taichi_aot_vulkan_begin_label(vulkan, target->commands, label);
  for (k = 0; k < n && code == 0; ++k) {
    for (i = 0; i < sequence->count && code == 0; ++i) {
      const taichi_aot_sequence_item *item = &sequence->items[i];
      const taichi_aot_recorded *recorded = taichi_aot_recorded_of(item);
      if (item->scratch != NULL) code = taichi_aot_vulkan_write_copy(recorded, k, taichi_aot_launch_of(item, first + k));
      taichi_aot_vulkan_record(vulkan, target, item->launch, recorded, item->scratch != NULL ? k : 0);
    }
  }
  taichi_aot_vulkan_end_label(vulkan, target->commands, label);
  if (code == 0) code = taichi_aot_vulkan_submit(context, target, TAICHI_AOT_BUSY_RECORDED);
  (void)taichi_aot_vulkan_each_image(context, sequence->items, sequence->count,
                                     code == 0 ? taichi_aot_image_end : taichi_aot_image_forget);
  return code;
}

/* How many of `n` iterations to submit. A device with nothing to do gets few at first and then twice as many each time, so that it
 * runs while the host records. */
static uint32_t part_of(const taichi_aot_sequence *sequence, int64_t first, uint32_t n) {
  const taichi_aot_context *context = sequence->runtime->context;
  const taichi_aot_chunks *chunks = &context->chunks;
  const uint32_t last = (chunks->next + TAICHI_AOT_CHUNKS - 1) % TAICHI_AOT_CHUNKS;
  const uint32_t few = 1 + TAICHI_AOT_FIRST_CHUNK / taichi_aot_tasks_of(sequence);
  uint32_t most = n;
  if (first > 0 && chunks->recordings[last] == sequence->recording) most = 2 * chunks->sizes[last];
  if (first == 0 && taichi_aot_is_idle(context)) most = few;
  return n <= 2 * most ? n : most;
}

/* Submits `*n` iterations from `first` on, or fewer, in a finished slot. */
static int submit(const taichi_aot_sequence *sequence, int64_t first, int64_t left, uint32_t *n) {
  taichi_aot_context *context = sequence->runtime->context;
  int code = submit_gathered(context);
  (void)left;
  *n = part_of(sequence, first, *n);
  if (code == 0) code = record(sequence, first, *n, &taichi_aot_vulkan_of(context)->chunks[context->chunks.next]);
  if (code == 0) taichi_aot_chunk_begun(context, sequence->recording, *n);
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

/* Reports launches that were not made. */
int taichi_aot_vulkan_close_runtime(taichi_aot_runtime *runtime) {
  return taichi_aot_vulkan_of(runtime->context) == NULL ? 0 : tell_failure(runtime->context, 0);
}

const taichi_aot_recorder taichi_aot_vulkan_recorder = {
  .routine = "vkQueueSubmit",
  .open = open_recorder,
  .launch = launch_alone,
  .prepare = prepare,
  .is_done = is_done,
  .submit = submit,
};
