/* Numbers of the types of arrays. */

#pragma once

#include "core/base.h"

/* For C only. */

uint32_t taichi_aot_size_of(TiDataType type);
double taichi_aot_number_at(TiDataType type, const void *place);
