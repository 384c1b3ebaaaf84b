/* Sequences: launches that are repeated in C. */

#ifndef TAICHI_AOT_SEQUENCE_H
#define TAICHI_AOT_SEQUENCE_H

#include "launch.h"
#include "policy.h"
#include "recorder.h"

int taichi_aot_run_sequence(const taichi_aot_sequence_item *items, uint32_t count, int64_t repeat, taichi_aot_pace *pace,
                            taichi_aot_recording *recording, taichi_aot_position *position);

#endif
