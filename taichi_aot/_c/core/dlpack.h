/* Arrays for and from other libraries, laid out as specified by DLPack 0.8 and 1.0. */

#pragma once

#include "core/base.h"

typedef struct taichi_aot_dlpack_tensor {
  void *data;
  int32_t device_type;
  int32_t device_id;
  int32_t ndim;
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
  int64_t *shape;
  int64_t *strides; /* in elements; NULL: C order */
  uint64_t byte_offset;
} taichi_aot_dlpack_tensor;

typedef struct taichi_aot_dlpack_managed {
  taichi_aot_dlpack_tensor tensor;
  void *context;
  void (*deleter)(struct taichi_aot_dlpack_managed *self);
} taichi_aot_dlpack_managed;

typedef struct taichi_aot_dlpack_versioned {
  uint32_t major;
  uint32_t minor;
  void *context;
  void (*deleter)(struct taichi_aot_dlpack_versioned *self);
  uint64_t flags;
  taichi_aot_dlpack_tensor tensor;
} taichi_aot_dlpack_versioned;

/* What a capsule held: one of the two, or neither. */
typedef struct taichi_aot_dlpack_consumed {
  taichi_aot_dlpack_managed *managed;
  taichi_aot_dlpack_versioned *versioned;
} taichi_aot_dlpack_consumed;

int taichi_aot_dlpack_export(const taichi_aot_dlpack_tensor *tensor, int32_t versioned, uint64_t flags, void *owner,
                             void *result);
void taichi_aot_dlpack_consume(void *capsule, taichi_aot_dlpack_consumed *consumed);
void taichi_aot_dlpack_release(taichi_aot_dlpack_consumed *consumed);
