/* Launches with arguments that the caller has filled in, as in C: checked and launched under the mutex. */

#include "taichi_aot.h"

#include <stdlib.h>
#include <string.h>

#define functions taichi_aot_functions

#define MOST_DIMENSIONS 12 /* of an array, for the library */
#define LARGEST_ARRAY 0x7fffffffu /* numbers: kernels index with i32 */
#define TENSOR_BYTES 128

/* The table of a context: open addressing, at most half full. Places are never given back: the entry of a freed handle
 * says so until the library uses the handle again. */

static taichi_aot_known *place_of(const taichi_aot_context *context, uint64_t handle) {
  const uint32_t mask = (1u << context->known_bits) - 1;
  uint32_t place = (uint32_t)((handle * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - context->known_bits));
  while (context->known[place].handle != handle && context->known[place].handle != 0) place = (place + 1) & mask;
  return &context->known[place];
}

static const taichi_aot_known *find(const taichi_aot_context *context, uint64_t handle) {
  const taichi_aot_known *known;
  if (context->known == NULL) return NULL;
  known = place_of(context, handle);
  return known->handle != 0 ? known : NULL;
}

static int grow(taichi_aot_context *context) {
  taichi_aot_known *old = context->known;
  const uint32_t places = old != NULL ? 1u << context->known_bits : 0;
  const uint32_t bits = old != NULL ? context->known_bits + 1 : 6;
  uint32_t i;
  taichi_aot_known *known = (taichi_aot_known *)calloc((size_t)1 << bits, sizeof *known);
  if (known == NULL) return 0;
  context->known = known;
  context->known_bits = bits;
  for (i = 0; i < places; ++i)
    if (old[i].handle != 0) *place_of(context, old[i].handle) = old[i];
  free(old);
  return 1;
}

/* Record what a handle of the runtime's context stands for. The memory that `known` points to must stay. */
int taichi_aot_know(taichi_aot_runtime *runtime, const taichi_aot_known *known) {
  taichi_aot_context *context = runtime->context;
  int status = taichi_aot_enter_with(runtime, TAICHI_AOT_ENTER_MAY_WAIT), code;
  if (status != 0) return status;
  if ((context->known != NULL && 2 * (context->known_count + 1) <= 1u << context->known_bits) || grow(context)) {
    taichi_aot_known *place = place_of(context, known->handle);
    context->known_count += place->handle == 0;
    *place = *known;
  } else {
    status = (int)TI_ERROR_OUT_OF_MEMORY;
  }
  code = taichi_aot_leave(runtime, NULL);
  return status != 0 ? status : code;
}

void taichi_aot_forget_known(taichi_aot_context *context) {
  free(context->known);
  context->known = NULL;
  context->known_count = 0;
}

/* 0 for a live one, or what is wrong. */
static int check_handle(const taichi_aot_known *known) {
  const int64_t generation = *(const volatile int64_t *)&known->memory->generation;
  if (generation == known->generation) return 0;
  return generation == -known->generation ? TAICHI_AOT_WRONG_MAPPED : TAICHI_AOT_WRONG_FREED;
}

static uint32_t size_of(TiDataType type) {
  static const uint8_t sizes[] = {2, 4, 8, 1, 2, 4, 8, 1, 1, 2, 4, 8}; /* from F16 to U64 */
  return (uint32_t)type < COUNT_OF(sizes) ? sizes[type] : 0;
}

/* Multiply `numbers` by the sizes of a shape; 0 if that is too many. */
static int count_numbers(const TiNdShape *shape, uint64_t *numbers) {
  uint32_t i;
  if (shape->dim_count > MOST_DIMENSIONS) return 0;
  for (i = 0; i < shape->dim_count; ++i)
    if (shape->dims[i] > LARGEST_ARRAY) return 0;
  for (i = 0; i < shape->dim_count; ++i) {
    *numbers *= shape->dims[i];
    if (*numbers > LARGEST_ARRAY) return 0;
  }
  return 1;
}

static int check_array(const taichi_aot_context *context, const TiNdArray *array) {
  const taichi_aot_known *known;
  uint64_t numbers = 1;
  int wrong;
  if (size_of(array->elem_type) == 0) return TAICHI_AOT_WRONG_DATA;
  if (!count_numbers(&array->shape, &numbers) || !count_numbers(&array->elem_shape, &numbers))
    return TAICHI_AOT_WRONG_SHAPE;
  if (array->memory == NULL) return TAICHI_AOT_WRONG_NULL;
  known = find(context, (uint64_t)(uintptr_t)array->memory);
  if (known == NULL) return 0;
  wrong = check_handle(known);
  if (wrong != 0) return wrong;
  return numbers * size_of(array->elem_type) > known->size ? TAICHI_AOT_WRONG_SIZE : 0;
}

static int check_texture(const taichi_aot_context *context, const taichi_aot_parameter *parameter,
                         const TiTexture *texture) {
  const taichi_aot_known *known;
  int wrong;
  if (texture->image == NULL) return TAICHI_AOT_WRONG_NULL;
  known = find(context, (uint64_t)(uintptr_t)texture->image);
  if (known == NULL) return 0;
  wrong = check_handle(known);
  if (wrong != 0) return wrong;
  if (known->size != 0 || texture->format != known->format) return TAICHI_AOT_WRONG_EXTENT;
  if (memcmp(&texture->extent, &known->extent, sizeof known->extent) != 0) return TAICHI_AOT_WRONG_EXTENT;
  if (parameter == NULL) return 0;
  if (parameter->format != TI_FORMAT_UNKNOWN && parameter->format != known->format) return TAICHI_AOT_WRONG_DATA;
  return (parameter->usage & ~known->usage) != 0 ? TAICHI_AOT_WRONG_USAGE : 0;
}

/* What is wrong with the value of an argument. `parameter` is NULL if it is not known, else of the argument's type. */
static int check_value(const taichi_aot_context *context, const taichi_aot_parameter *parameter,
                       const TiArgument *argument) {
  switch ((int)argument->type) {
    case TI_ARGUMENT_TYPE_I32:
    case TI_ARGUMENT_TYPE_F32:
      return 0;
    case TI_ARGUMENT_TYPE_NDARRAY:
      return check_array(context, &argument->value.ndarray);
    case TI_ARGUMENT_TYPE_TEXTURE:
      return check_texture(context, parameter, &argument->value.texture);
    case TI_ARGUMENT_TYPE_SCALAR:
      return size_of(argument->value.scalar.type) == 0 ? TAICHI_AOT_WRONG_DATA : 0;
    case TI_ARGUMENT_TYPE_TENSOR:
      if (size_of(argument->value.tensor.type) == 0) return TAICHI_AOT_WRONG_DATA;
      return argument->value.tensor.contents.length > TENSOR_BYTES / size_of(argument->value.tensor.type)
                 ? TAICHI_AOT_WRONG_LENGTH
                 : 0;
    default:
      return TAICHI_AOT_WRONG_TYPE;
  }
}

static int is_one_of(uint32_t bits, int number) { return number >= 0 && number < 32 && (bits >> number & 1); }

/* What is wrong with an argument for a parameter. */
static int check_for(const taichi_aot_parameter *parameter, const TiArgument *argument) {
  const TiNdArray *array = &argument->value.ndarray;
  uint32_t i;
  if (!is_one_of(parameter->types, (int)argument->type)) return TAICHI_AOT_WRONG_TYPE;
  switch ((int)argument->type) {
    case TI_ARGUMENT_TYPE_SCALAR:
      return is_one_of(parameter->data_types, (int)argument->value.scalar.type) ? 0 : TAICHI_AOT_WRONG_DATA;
    case TI_ARGUMENT_TYPE_TENSOR:
      if (!is_one_of(parameter->data_types, (int)argument->value.tensor.type)) return TAICHI_AOT_WRONG_DATA;
      return argument->value.tensor.contents.length != parameter->length ? TAICHI_AOT_WRONG_LENGTH : 0;
    case TI_ARGUMENT_TYPE_NDARRAY:
      if (!is_one_of(parameter->data_types, (int)array->elem_type)) return TAICHI_AOT_WRONG_DATA;
      if (array->shape.dim_count != parameter->ndim) return TAICHI_AOT_WRONG_NDIM;
      if (array->elem_shape.dim_count != parameter->elem_ndim) return TAICHI_AOT_WRONG_ELEMENT;
      for (i = 0; i < parameter->elem_ndim; ++i)
        if (array->elem_shape.dims[i] != parameter->elem_shape[i]) return TAICHI_AOT_WRONG_ELEMENT;
      return 0;
    case TI_ARGUMENT_TYPE_TEXTURE:
      return (uint32_t)argument->value.texture.dimension + 1 != parameter->ndim ? TAICHI_AOT_WRONG_NDIM : 0;
    default:
      return 0;
  }
}

static int wrong_argument(int what, uint32_t number) {
  return TAICHI_AOT_ARGUMENT | (int)((number < 0xffff ? number : 0xffff) << 8) | what << 24;
}

static int check_arguments(const taichi_aot_context *context, const taichi_aot_entry *entry, uint32_t count,
                           const TiArgument *arguments) {
  uint32_t i;
  if (entry->is_typed && count != entry->parameter_count) return wrong_argument(TAICHI_AOT_WRONG_COUNT, 0);
  for (i = 0; i < count; ++i) {
    const taichi_aot_parameter *parameter = entry->is_typed ? &entry->parameters[i] : NULL;
    int wrong = parameter != NULL ? check_for(parameter, &arguments[i]) : 0;
    if (wrong == 0) wrong = check_value(context, parameter, &arguments[i]);
    if (wrong != 0) return wrong_argument(wrong, i);
  }
  return 0;
}

/* The number of the only argument of that name, or `count`. */
static uint32_t number_of(const char *name, uint32_t count, const TiNamedArgument *arguments) {
  uint32_t i, found = count;
  for (i = 0; i < count; ++i) {
    if (arguments[i].name == NULL || strcmp(arguments[i].name, name) != 0) continue;
    if (found != count) return count;
    found = i;
  }
  return found;
}

static int check_named(const taichi_aot_context *context, const taichi_aot_entry *entry, uint32_t count,
                       const TiNamedArgument *arguments) {
  uint32_t i, number;
  int wrong;
  if (entry->is_typed && count != entry->parameter_count) return wrong_argument(TAICHI_AOT_WRONG_COUNT, 0);
  for (i = 0; i < count; ++i) {
    wrong = arguments[i].name == NULL ? TAICHI_AOT_WRONG_NULL : 0;
    if (wrong == 0 && !entry->is_typed) wrong = check_value(context, NULL, &arguments[i].argument);
    if (wrong != 0) return wrong_argument(wrong, i);
  }
  for (i = 0; entry->is_typed && i < count; ++i) {
    const taichi_aot_parameter *parameter = &entry->parameters[i];
    number = number_of(parameter->name, count, arguments);
    if (number == count) return wrong_argument(TAICHI_AOT_WRONG_NAME, i);
    wrong = check_for(parameter, &arguments[number].argument);
    if (wrong == 0) wrong = check_value(context, parameter, &arguments[number].argument);
    if (wrong != 0) return wrong_argument(wrong, number);
  }
  return 0;
}

static int check_entry(const taichi_aot_context *context, const taichi_aot_entry *entry) {
  if (entry->context != NULL && entry->context != context) return TAICHI_AOT_FOREIGN;
  if (entry->module != NULL && !*(const volatile int64_t *)&entry->module->is_open) return TAICHI_AOT_MODULE_CLOSED;
  return 0;
}

int taichi_aot_launch_kernel(taichi_aot_runtime *runtime, const taichi_aot_entry *entry, uint32_t count,
                             const TiArgument *arguments) {
  taichi_aot_context *context = runtime->context;
  int status, code;
  if (functions.ti_launch_kernel == NULL) return taichi_aot_missing("ti_launch_kernel");
  status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  status = check_entry(context, entry);
  if (status == 0) status = check_arguments(context, entry, count, arguments);
  if (status == 0) {
    context->busy |= context->asynchronous;
    context->changes += 1;
    functions.ti_launch_kernel(context->ti_runtime, entry->ti_kernel, count, arguments);
  }
  code = taichi_aot_leave(runtime, "ti_launch_kernel");
  return status != 0 ? status : code;
}

int taichi_aot_launch_graph(taichi_aot_runtime *runtime, const taichi_aot_entry *entry, uint32_t count,
                            const TiNamedArgument *arguments) {
  taichi_aot_context *context = runtime->context;
  int status, code;
  if (functions.ti_launch_compute_graph == NULL) return taichi_aot_missing("ti_launch_compute_graph");
  status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  status = check_entry(context, entry);
  if (status == 0) status = check_named(context, entry, count, arguments);
  if (status == 0) {
    context->busy |= context->asynchronous;
    context->changes += 1;
    functions.ti_launch_compute_graph(context->ti_runtime, entry->ti_compute_graph, count, arguments);
  }
  code = taichi_aot_leave(runtime, "ti_launch_compute_graph");
  return status != 0 ? status : code;
}
