/* Launches of `capi`: arguments are checked, converted and launched under the mutex. */

#include "core/capi.h"

#include <string.h>

#define functions taichi_aot_functions

#define MOST_DIMENSIONS 12 /* of an array, for the library */
#define LARGEST_ARRAY 0x7fffffffu /* numbers: kernels index with i32 */
#define TENSOR_BYTES 128

/* Registers the memory or image of a handle. It must stay allocated. */
int taichi_aot_register(taichi_aot_runtime *runtime, const taichi_aot_registered *added) {
  int status = taichi_aot_enter_with(runtime, TAICHI_AOT_ENTER_MAY_WAIT);
  if (status != 0) return status;
  if (taichi_aot_registry_add(&runtime->context->registry, added) != 0)
    status = taichi_aot_no_memory("what is known of a handle");
  return taichi_aot_leave_after(runtime, NULL, status);
}

/* 0 for a live handle, or what is wrong. */
static int check_handle(const taichi_aot_registered *found) {
  const int64_t generation = taichi_aot_load64(&found->memory->generation);
  if (generation == found->generation) return 0;
  return generation == -found->generation ? TAICHI_AOT_WRONG_MAPPED : TAICHI_AOT_WRONG_FREED;
}

/* Multiplies `numbers` by the sizes of a shape: 0, or WRONG_SHAPE if kernels cannot index that many. No product overflows,
 * because each factor is bounded. */
static int count_numbers(const TiNdShape *shape, uint64_t *numbers) {
  uint32_t i;
  if (shape->dim_count > MOST_DIMENSIONS) return TAICHI_AOT_WRONG_SHAPE;
  for (i = 0; i < shape->dim_count; ++i)
    if (shape->dims[i] > LARGEST_ARRAY) return TAICHI_AOT_WRONG_SHAPE;
  for (i = 0; i < shape->dim_count; ++i) {
    *numbers *= shape->dims[i];
    if (*numbers > LARGEST_ARRAY) return TAICHI_AOT_WRONG_SHAPE;
  }
  return 0;
}

static int check_array(const taichi_aot_context *context, const taichi_aot_parameter *parameter,
                       const TiNdArray *array) {
  const taichi_aot_registered *found;
  uint64_t numbers = 1;
  int wrong;
  const uint32_t size = taichi_aot_size_of(array->elem_type);
  if (size == 0) return TAICHI_AOT_WRONG_DATA;
  wrong = count_numbers(&array->shape, &numbers);
  if (wrong == 0) wrong = count_numbers(&array->elem_shape, &numbers);
  if (wrong != 0) return wrong;
  if (array->memory == NULL) return TAICHI_AOT_WRONG_NULL;
  found = taichi_aot_registry_find(&context->registry, (uint64_t)(uintptr_t)array->memory);
  if (found == NULL) return 0;
  wrong = check_handle(found);
  if (wrong != 0) return wrong;
  if (numbers * size > found->size) return TAICHI_AOT_WRONG_SIZE;
  return found->is_read_only && (parameter == NULL || parameter->is_written) ? TAICHI_AOT_WRONG_READ_ONLY : 0;
}

static int check_texture(const taichi_aot_context *context, const taichi_aot_parameter *parameter,
                         const TiTexture *texture) {
  const taichi_aot_registered *found;
  int wrong;
  if (texture->image == NULL) return TAICHI_AOT_WRONG_NULL;
  found = taichi_aot_registry_find(&context->registry, (uint64_t)(uintptr_t)texture->image);
  if (found == NULL) return 0;
  wrong = check_handle(found);
  if (wrong != 0) return wrong;
  if (found->size != 0 || texture->format != found->format) return TAICHI_AOT_WRONG_EXTENT;
  if (memcmp(&texture->extent, &found->extent, sizeof found->extent) != 0) return TAICHI_AOT_WRONG_EXTENT;
  if (parameter == NULL) return 0;
  if (parameter->format != TI_FORMAT_UNKNOWN && parameter->format != found->format) return TAICHI_AOT_WRONG_DATA;
  return (parameter->usage & ~found->usage) != 0 ? TAICHI_AOT_WRONG_USAGE : 0;
}

static int check_tensor(const TiTensor *tensor) {
  const uint32_t size = taichi_aot_size_of(tensor->type);
  if (size == 0) return TAICHI_AOT_WRONG_DATA;
  return tensor->contents.length > TENSOR_BYTES / size ? TAICHI_AOT_WRONG_LENGTH : 0;
}

/* What is wrong with the value of an argument. `parameter` is NULL if unknown, else of the argument's type. */
static int check_value(const taichi_aot_context *context, const taichi_aot_parameter *parameter,
                       const TiArgument *argument) {
  switch ((int)argument->type) {
    case TI_ARGUMENT_TYPE_I32:
    case TI_ARGUMENT_TYPE_F32:
      return 0;
    case TI_ARGUMENT_TYPE_NDARRAY:
      return check_array(context, parameter, &argument->value.ndarray);
    case TI_ARGUMENT_TYPE_TEXTURE:
      return check_texture(context, parameter, &argument->value.texture);
    case TI_ARGUMENT_TYPE_SCALAR:
      return taichi_aot_size_of(argument->value.scalar.type) == 0 ? TAICHI_AOT_WRONG_DATA : 0;
    case TI_ARGUMENT_TYPE_TENSOR:
      return check_tensor(&argument->value.tensor);
    default:
      return TAICHI_AOT_WRONG_TYPE;
  }
}

static int is_one_of(uint32_t bits, int number) { return number >= 0 && number < 32 && (bits >> number & 1); }

/* Whether elements of two shapes have the same bytes: sizes of 1 make no difference. */
static int is_same_element(const taichi_aot_parameter *parameter, const TiNdShape *shape) {
  uint32_t i = 0, j = 0;
  if (shape->dim_count > MOST_DIMENSIONS) return 0;
  for (;; ++i, ++j) {
    while (i < parameter->elem_ndim && parameter->elem_shape[i] == 1) ++i;
    while (j < shape->dim_count && shape->dims[j] == 1) ++j;
    if (i == parameter->elem_ndim || j == shape->dim_count) return i == parameter->elem_ndim && j == shape->dim_count;
    if (parameter->elem_shape[i] != shape->dims[j]) return 0;
  }
}

/* What is wrong with an argument for a parameter. */
static int check_for(const taichi_aot_parameter *parameter, const TiArgument *argument) {
  const TiNdArray *array = &argument->value.ndarray;
  const TiTensor *tensor = &argument->value.tensor;
  if (!is_one_of(parameter->types, (int)argument->type)) return TAICHI_AOT_WRONG_TYPE;
  switch ((int)argument->type) {
    case TI_ARGUMENT_TYPE_SCALAR:
      return is_one_of(parameter->scalar_types, (int)argument->value.scalar.type) ? 0 : TAICHI_AOT_WRONG_DATA;
    case TI_ARGUMENT_TYPE_TENSOR:
      if (taichi_aot_is_words(parameter, tensor)) return 0;
      if (!is_one_of(parameter->data_types, (int)tensor->type)) return TAICHI_AOT_WRONG_DATA;
      return tensor->contents.length != parameter->length ? TAICHI_AOT_WRONG_LENGTH : 0;
    case TI_ARGUMENT_TYPE_NDARRAY:
      if (!is_one_of(parameter->data_types, (int)array->elem_type)) return TAICHI_AOT_WRONG_DATA;
      if (array->shape.dim_count != parameter->ndim) return TAICHI_AOT_WRONG_NDIM;
      return is_same_element(parameter, &array->elem_shape) ? 0 : TAICHI_AOT_WRONG_ELEMENT;
    case TI_ARGUMENT_TYPE_TEXTURE:
      return (uint32_t)argument->value.texture.dimension + 1 != parameter->ndim ? TAICHI_AOT_WRONG_NDIM : 0;
    default:
      return 0;
  }
}

static int wrong_argument(int what, uint32_t number) {
  return TAICHI_AOT_ARGUMENT | (int)((number < 0xffff ? number : 0xffff) << 8) | what << 24;
}

/* The place of an entry's own arguments for a parameter. */
static TiArgument *own_argument(const taichi_aot_entry *entry, uint32_t i) {
  return entry->arguments != NULL ? &entry->arguments[i] : &entry->named_arguments[i].argument;
}

/* The size at a place among the given arguments. */
static int64_t size_at(const taichi_aot_entry *entry, const taichi_aot_place *place) {
  const TiArgument *argument = entry->given[place->parameter];
  switch (place->kind) {
    case TAICHI_AOT_SIZE_NUMBER:
      return place->number;
    case TAICHI_AOT_SIZE_SCALAR:
      return taichi_aot_integer_of(&entry->parameters[place->parameter], argument);
    default:
      return argument->value.ndarray.shape.dims[place->number];
  }
}

/* What is wrong with the arguments together: shapes that the module states, an image in two layouts. */
static int check_together(const taichi_aot_entry *entry) {
  uint32_t i;
  for (i = 0; i < entry->rule_count; ++i)
    if (size_at(entry, &entry->rules[i].place) != size_at(entry, &entry->rules[i].expected))
      return wrong_argument(TAICHI_AOT_WRONG_STATED, 0);
  for (i = 0; i < entry->pair_count; ++i) {
    const taichi_aot_pair *pair = &entry->pairs[i];
    if (entry->given[pair->read]->value.texture.image == entry->given[pair->written]->value.texture.image)
      return wrong_argument(TAICHI_AOT_WRONG_LAYOUTS, i);
  }
  return 0;
}

/* Check the given arguments of a typed entry, and convert them. `first` is the argument in the first item of an array, and
 * `size` the size of an item. Sets `is_own` if the entry's own arguments are passed. */
static int check_given(const taichi_aot_context *context, const taichi_aot_entry *entry, const char *first, size_t size,
                       int *is_own) {
  uint32_t i;
  int wrong;
  for (i = 0; i < entry->parameter_count; ++i) {
    const taichi_aot_parameter *parameter = &entry->parameters[i];
    const TiArgument *given = entry->given[i];
    wrong = check_for(parameter, given);
    if (wrong == 0) wrong = check_value(context, parameter, given);
    if (wrong == 0) wrong = taichi_aot_convert(parameter, given, own_argument(entry, i));
    if (wrong > 0) return wrong_argument(wrong, (uint32_t)(((const char *)given - first) / (ptrdiff_t)size));
    if (wrong != TAICHI_AOT_CONVERTED) continue;
    entry->given[i] = own_argument(entry, i);
    *is_own = 1;
  }
  wrong = check_together(entry);
  for (i = 0; wrong == 0 && *is_own && i < entry->parameter_count; ++i)
    if (entry->given[i] != own_argument(entry, i)) *own_argument(entry, i) = *entry->given[i];
  return wrong;
}

static int check_arguments(const taichi_aot_context *context, const taichi_aot_entry *entry, uint32_t count,
                           const TiArgument *arguments, int *is_own) {
  uint32_t i;
  int wrong;
  if (!entry->is_typed) {
    for (i = 0; i < count; ++i)
      if ((wrong = check_value(context, NULL, &arguments[i])) != 0) return wrong_argument(wrong, i);
    return 0;
  }
  if (count != entry->parameter_count) return wrong_argument(TAICHI_AOT_WRONG_COUNT, 0);
  for (i = 0; i < count; ++i) entry->given[i] = &arguments[i];
  return check_given(context, entry, (const char *)arguments, sizeof *arguments, is_own);
}

/* The number of the argument of this name; `count` if there is none, or several. */
static uint32_t number_of(const char *name, uint32_t count, const TiNamedArgument *arguments) {
  uint32_t i, found = count;
  for (i = 0; i < count; ++i) {
    if (strcmp(arguments[i].name, name) != 0) continue;
    if (found != count) return count;
    found = i;
  }
  return found;
}

/* As `check_arguments`, by name. Ignores arguments that the graph does not have, as the library does. */
static int check_named(const taichi_aot_context *context, const taichi_aot_entry *entry, uint32_t count,
                       const TiNamedArgument *arguments, int *is_own) {
  uint32_t i;
  int wrong;
  for (i = 0; i < count; ++i) {
    wrong = arguments[i].name == NULL ? TAICHI_AOT_WRONG_NULL : 0;
    if (wrong == 0 && !entry->is_typed) wrong = check_value(context, NULL, &arguments[i].argument);
    if (wrong != 0) return wrong_argument(wrong, i);
  }
  if (!entry->is_typed) return 0;
  for (i = 0; i < entry->parameter_count; ++i) {
    const uint32_t number = number_of(entry->parameters[i].name, count, arguments);
    if (number == count) return wrong_argument(TAICHI_AOT_WRONG_NAME, i);
    entry->given[i] = &arguments[number].argument;
  }
  *is_own = count != entry->parameter_count;
  return check_given(context, entry, (const char *)&arguments[0].argument, sizeof *arguments, is_own);
}

static int check_entry(const taichi_aot_context *context, const taichi_aot_entry *entry) {
  if (entry->context != NULL && entry->context != context) return TAICHI_AOT_FOREIGN;
  if (entry->module != NULL && !taichi_aot_is_module_open(entry->module)) return TAICHI_AOT_MODULE_CLOSED;
  return 0;
}

int taichi_aot_launch_kernel(taichi_aot_runtime *runtime, const taichi_aot_entry *entry, uint32_t count,
                             const TiArgument *arguments) {
  taichi_aot_context *context = runtime->context;
  int status, is_own = 0;
  status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  status = check_entry(context, entry);
  if (status == 0) status = check_arguments(context, entry, count, arguments, &is_own);
  if (status == 0) {
    taichi_aot_library_queued(context);
    context->changes += 1;
    functions.ti_launch_kernel(context->ti_runtime, entry->ti_kernel, count, is_own ? entry->arguments : arguments);
  }
  return taichi_aot_leave_after(runtime, "ti_launch_kernel", status);
}

int taichi_aot_launch_graph(taichi_aot_runtime *runtime, const taichi_aot_entry *entry, uint32_t count,
                            const TiNamedArgument *arguments) {
  taichi_aot_context *context = runtime->context;
  int status, is_own = 0;
  status = taichi_aot_enter(runtime);
  if (status != 0) return status;
  status = check_entry(context, entry);
  if (status == 0) status = check_named(context, entry, count, arguments, &is_own);
  if (status == 0) {
    taichi_aot_library_queued(context);
    context->changes += 1;
    functions.ti_launch_compute_graph(context->ti_runtime, entry->ti_compute_graph,
                                      is_own ? entry->parameter_count : count,
                                      is_own ? entry->named_arguments : arguments);
  }
  return taichi_aot_leave_after(runtime, "ti_launch_compute_graph", status);
}
