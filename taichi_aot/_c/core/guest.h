/* Guests: arrays of other libraries as arguments, used in place during a call. */

#pragma once

#include "core/dlpack.h"
#include "core/launch.h"

#define TAICHI_AOT_GUEST_NAMES 12

/* The place of a guest among the arguments of a call, and what its parameter takes. */
typedef struct taichi_aot_guest {
  taichi_aot_array array; /* over `memory` */
  taichi_aot_memory memory;
  int32_t device_type;
  int32_t device_id;
  int32_t code; /* DLPack's type code */
  int32_t bits;
  int32_t is_written;     /* the kernel may write to it */
  uint64_t numpy_class;   /* `numpy.ndarray`, whose layout is known; 0: leave it to Python */
  uint64_t numpy_dtype;   /* the dtype object of such arrays */
  /* For C only. */
  void *object;           /* the Python object of this place */
  void *type;             /* the class of the last guest, kept alive */
  const struct taichi_aot_exchange *exchange; /* how that class exchanges arrays, or NULL */
  int32_t is_left;        /* to Python, without a look at the interface of its arrays */
  int32_t tracks_gradients; /* arrays of that class may require a gradient */
  void *names[TAICHI_AOT_GUEST_NAMES]; /* of attributes and members, as str, which are found faster than by char * */
  taichi_aot_context *context;
} taichi_aot_guest;

/* The members of a numpy array. */
typedef struct taichi_aot_numpy {
  uint64_t data;
  int64_t ndim;
  int64_t size; /* of the last dimension */
  int64_t stride;
  uint64_t dtype;
  int64_t flags;
} taichi_aot_numpy;

int taichi_aot_guest_function(taichi_aot_guest *guest, const taichi_aot_runtime *runtime, void *object, void *result);
void taichi_aot_read_numpy(void *array, taichi_aot_numpy *result);
