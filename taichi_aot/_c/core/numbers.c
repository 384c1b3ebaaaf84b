/* Converts arguments of `capi`. The library copies an argument's bits whatever type it states, so numbers of every type become
 * the bits of the parameter. */

#include "core/numbers.h"

#include <string.h>

#define SAME 0 /* the argument is passed as it was given */
#define WORD_BYTES 4

uint32_t taichi_aot_size_of(TiDataType type) {
  static const uint8_t sizes[] = {2, 4, 8, 1, 2, 4, 8, 1, 1, 2, 4, 8}; /* from F16 to U64 */
  return (uint32_t)type < COUNT_OF(sizes) ? sizes[type] : 0;
}

typedef union number {
  double f64;
  float f32;
  int64_t i64;
  uint64_t u64;
  int32_t i32;
  uint32_t u32;
  int16_t i16;
  uint16_t u16;
  int8_t i8;
  uint8_t u8;
} number;

/* The number of a type at a place, as a double. Those of f16 are not read. */
double taichi_aot_number_at(TiDataType type, const void *place) {
  number from = {0};
  memcpy(&from, place, taichi_aot_size_of(type));
  switch ((int)type) {
    case TI_DATA_TYPE_F64: return from.f64;
    case TI_DATA_TYPE_I64: return (double)from.i64;
    case TI_DATA_TYPE_U64: return (double)from.u64;
    case TI_DATA_TYPE_F32: return (double)from.f32;
    case TI_DATA_TYPE_I32: return (double)from.i32;
    case TI_DATA_TYPE_U32: return (double)from.u32;
    case TI_DATA_TYPE_I16: return (double)from.i16;
    case TI_DATA_TYPE_U16: return (double)from.u16;
    case TI_DATA_TYPE_I8: return (double)from.i8;
    default: return (double)from.u8;
  }
}

/* Whether a tensor has the parameter's words instead of its numbers. */
int taichi_aot_is_words(const taichi_aot_parameter *parameter, const TiTensor *tensor) {
  return parameter->words != 0 && tensor->type == TI_DATA_TYPE_I32 && tensor->contents.length == parameter->words;
}

static int pass_words(TiArgument *passed, const void *bytes, uint32_t size, uint32_t words) {
  passed->type = TI_ARGUMENT_TYPE_TENSOR;
  passed->value.tensor.type = TI_DATA_TYPE_I32;
  passed->value.tensor.contents.length = words;
  memset(&passed->value.tensor.contents.data, 0, WORD_BYTES * (size_t)words);
  memcpy(&passed->value.tensor.contents.data, bytes, size);
  return TAICHI_AOT_CONVERTED;
}

static int pass_integer(const taichi_aot_parameter *parameter, int32_t number, TiArgument *passed) {
  const int64_t wide = number;
  if (number < parameter->low || number > parameter->high) return TAICHI_AOT_WRONG_RANGE;
  return parameter->words == 0 ? SAME : pass_words(passed, &wide, sizeof wide, parameter->words);
}

static int pass_real(const taichi_aot_parameter *parameter, float number, TiArgument *passed) {
  const double wide = number;
  return parameter->words == 0 ? SAME : pass_words(passed, &wide, sizeof wide, parameter->words);
}

static int pass_bits(TiArgumentType type, uint32_t bits, TiArgument *passed) {
  passed->type = type;
  memcpy(&passed->value.i32, &bits, sizeof bits);
  return TAICHI_AOT_CONVERTED;
}

static int pass_scalar(const taichi_aot_parameter *parameter, const TiScalar *scalar, TiArgument *passed) {
  const TiScalarValue *value = &scalar->value;
  const TiArgumentType type = scalar->type == TI_DATA_TYPE_F32 ? TI_ARGUMENT_TYPE_F32 : TI_ARGUMENT_TYPE_I32;
  if (scalar->type == TI_DATA_TYPE_F16) /* the library reads a float32; a tiny one is probably the bits of an f16 */
    return value->x32 != 0 && value->x32 >> 16 == 0 ? TAICHI_AOT_WRONG_HALF : SAME;
  if (scalar->type == TI_DATA_TYPE_U1 && value->x8 > 1) return TAICHI_AOT_WRONG_RANGE;
  switch (taichi_aot_size_of(scalar->type)) {
    case 1: return pass_bits(type, value->x8, passed);
    case 2: return pass_bits(type, value->x16, passed);
    case 4: return pass_bits(type, value->x32, passed);
    default: return pass_words(passed, &value->x64, sizeof value->x64, parameter->words);
  }
}

static int64_t element_of(const TiTensor *tensor, uint32_t i) {
  const uint8_t *data = tensor->contents.data.x8;
  return (int64_t)taichi_aot_number_at(tensor->type, data + (size_t)i * taichi_aot_size_of(tensor->type));
}

/* Whether all elements fit a vector or matrix of 8-bit numbers; they may have a larger type. */
static int is_in_range(const taichi_aot_parameter *parameter, const TiTensor *tensor) {
  uint32_t i;
  for (i = 0; i < tensor->contents.length; ++i) {
    const int64_t element = element_of(tensor, i);
    if (element < parameter->low || element > parameter->high) return 0;
  }
  return 1;
}

/* Widens elements of 8 bits, which the library does not accept in kernels. */
static int pass_larger(const TiTensor *tensor, TiArgument *passed) {
  const uint32_t length = tensor->contents.length;
  uint32_t i;
  passed->type = TI_ARGUMENT_TYPE_TENSOR;
  passed->value.tensor.type = TI_DATA_TYPE_I16;
  passed->value.tensor.contents.length = length;
  for (i = 0; i < length; ++i) passed->value.tensor.contents.data.x16[i] = (uint16_t)element_of(tensor, i);
  return TAICHI_AOT_CONVERTED;
}

static int pass_tensor(const taichi_aot_parameter *parameter, const TiTensor *tensor, TiArgument *passed) {
  const uint32_t size = taichi_aot_size_of(tensor->type), is_small = taichi_aot_size_of(parameter->dtype) == 1;
  if (taichi_aot_is_words(parameter, tensor)) return SAME;
  if (is_small && !is_in_range(parameter, tensor)) return TAICHI_AOT_WRONG_RANGE;
  if (parameter->words != 0)
    return pass_words(passed, &tensor->contents.data, size * tensor->contents.length, parameter->words);
  return is_small && size == 1 ? pass_larger(tensor, passed) : SAME;
}

static int pass_array(const taichi_aot_parameter *parameter, const TiArgument *given, TiArgument *passed) {
  const TiNdShape *shape = &given->value.ndarray.elem_shape;
  const int is_boolean = parameter->dtype == TI_DATA_TYPE_U1; /* graphs have no arrays of them */
  uint32_t i;
  int is_same = shape->dim_count == parameter->elem_ndim;
  for (i = 0; is_same && i < parameter->elem_ndim; ++i) is_same = shape->dims[i] == parameter->elem_shape[i];
  if (is_same && !is_boolean) return SAME;
  *passed = *given;
  passed->value.ndarray.elem_shape.dim_count = parameter->elem_ndim;
  for (i = 0; i < parameter->elem_ndim; ++i) passed->value.ndarray.elem_shape.dims[i] = parameter->elem_shape[i];
  if (is_boolean) passed->value.ndarray.elem_type = TI_DATA_TYPE_U8;
  return TAICHI_AOT_CONVERTED;
}

/* Converts an argument of an accepted type: 0 if the library takes it as given, CONVERTED if it takes `passed`, or what is
 * wrong. */
int taichi_aot_convert(const taichi_aot_parameter *parameter, const TiArgument *given, TiArgument *passed) {
  switch ((int)given->type) {
    case TI_ARGUMENT_TYPE_I32:
      return pass_integer(parameter, given->value.i32, passed);
    case TI_ARGUMENT_TYPE_F32:
      return pass_real(parameter, given->value.f32, passed);
    case TI_ARGUMENT_TYPE_SCALAR:
      return pass_scalar(parameter, &given->value.scalar, passed);
    case TI_ARGUMENT_TYPE_TENSOR:
      return pass_tensor(parameter, &given->value.tensor, passed);
    case TI_ARGUMENT_TYPE_NDARRAY:
      return pass_array(parameter, given, passed);
    default:
      return SAME;
  }
}

/* The integer that an argument passes, as the library takes it: of 64 bits without words, the low half. */
int64_t taichi_aot_integer_of(const taichi_aot_parameter *parameter, const TiArgument *passed) {
  int64_t wide;
  if (passed->type != TI_ARGUMENT_TYPE_TENSOR) {
    const int is_wide = taichi_aot_size_of(parameter->dtype) == sizeof wide;
    return (int64_t)taichi_aot_number_at(is_wide ? TI_DATA_TYPE_I32 : parameter->dtype, &passed->value.i32);
  }
  memcpy(&wide, &passed->value.tensor.contents.data, sizeof wide);
  return wide;
}
