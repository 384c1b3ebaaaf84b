/* Numbers of the types of arrays. */

#include "core/numbers.h"

#include <string.h>

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
