/* Converts arguments of `capi` to what the library takes. */

#pragma once

#include "core/base.h"

typedef struct taichi_aot_parameter {
  const char *name;      /* of a graph */
  uint32_t types;        /* TiArgumentType that it accepts, as bits */
  uint32_t scalar_types; /* TiDataType that it accepts for a scalar, as bits */
  uint32_t data_types;   /* TiDataType that it accepts for a tensor or array, as bits */
  TiDataType dtype;      /* of its numbers */
  int32_t low;           /* the smallest number accepted as an I32 or a larger element */
  int32_t high;
  uint32_t length;       /* numbers of a tensor */
  uint32_t words;        /* passed as a tensor of this many I32; 0: by its own type */
  uint32_t ndim;         /* of an array or a texture */
  uint32_t elem_ndim;
  uint32_t elem_shape[2];
  TiFormat format;       /* of a texture; TI_FORMAT_UNKNOWN: any */
  TiImageUsageFlags usage;
  int32_t is_written;    /* whether the kernel may write to the array */
} taichi_aot_parameter;

#define TAICHI_AOT_WRONG_COUNT 1    /* the number of arguments */
#define TAICHI_AOT_WRONG_NAME 2     /* the parameter of this number has none, or several */
#define TAICHI_AOT_WRONG_TYPE 3     /* its TiArgumentType */
#define TAICHI_AOT_WRONG_DATA 4     /* its TiDataType */
#define TAICHI_AOT_WRONG_LENGTH 5   /* of a tensor */
#define TAICHI_AOT_WRONG_NDIM 6     /* the number of dimensions */
#define TAICHI_AOT_WRONG_ELEMENT 7  /* the shape of elements */
#define TAICHI_AOT_WRONG_SHAPE 8    /* more dimensions than an array can have, or 2^31 numbers and more */
#define TAICHI_AOT_WRONG_NULL 9     /* the memory or image is the null handle */
#define TAICHI_AOT_WRONG_FREED 10   /* the memory or image was freed */
#define TAICHI_AOT_WRONG_MAPPED 11  /* the memory is mapped as a copy */
#define TAICHI_AOT_WRONG_SIZE 12    /* the memory is smaller than the array */
#define TAICHI_AOT_WRONG_EXTENT 13  /* not those of the image: the extent or the format */
#define TAICHI_AOT_WRONG_USAGE 14   /* of the image */
#define TAICHI_AOT_WRONG_RANGE 15   /* a number does not fit the type of the parameter */
#define TAICHI_AOT_WRONG_HALF 16    /* an f16 in x16 */
#define TAICHI_AOT_WRONG_READ_ONLY 17 /* the memory, and the kernel may write to it */
#define TAICHI_AOT_WRONG_STATED 18  /* a shape, for the module that states it */
#define TAICHI_AOT_WRONG_LAYOUTS 19 /* the two parameters of the pair of this number have one image */

/* For C only. */

uint32_t taichi_aot_size_of(TiDataType type);
double taichi_aot_number_at(TiDataType type, const void *place);
int taichi_aot_is_words(const taichi_aot_parameter *parameter, const TiTensor *tensor);
#define TAICHI_AOT_CONVERTED (-1)
int taichi_aot_convert(const taichi_aot_parameter *parameter, const TiArgument *given, TiArgument *passed);
int64_t taichi_aot_integer_of(const taichi_aot_parameter *parameter, const TiArgument *passed);
