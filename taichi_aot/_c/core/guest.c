/* Arrays of other libraries as arguments of a call, without a Python object for each. A built-in function of Python reads them,
 * because cffi's functions release the GIL. It returns None for an array that it does not accept: Python then imports the array,
 * or finds the error. */

#include <Python.h>

#include "core/guest.h"

#include <string.h>

#define NAME "taichi_aot.guest"
#define FARTHEST (UINT64_C(1) << 60) /* from which on no array lies */
#define EXCHANGE_NAME "dlpack_exchange_api"

/* A class's functions to exchange arrays in C, as specified by DLPack 1.3. */
typedef struct taichi_aot_exchange {
  uint32_t major;
  uint32_t minor;
  const struct taichi_aot_exchange *previous; /* an older version, or NULL */
  int (*allocate)(taichi_aot_dlpack_tensor *prototype, taichi_aot_dlpack_versioned **result, void *context,
                  void (*fail)(void *context, const char *kind, const char *message));
  int (*from_object)(void *object, taichi_aot_dlpack_versioned **result);
  int (*to_object)(taichi_aot_dlpack_versioned *tensor, void **result);
  int (*view)(void *object, taichi_aot_dlpack_tensor *result); /* kept alive by the object; or NULL */
  int (*current_stream)(int32_t device_type, int32_t device_id, void **stream);
} taichi_aot_exchange;

/* The start of a numpy array, which numpy's macros read too. */
typedef struct numpy_array {
  PyObject_HEAD
  char *data;
  int ndim;
  Py_ssize_t *shape;
  Py_ssize_t *strides; /* in bytes */
  PyObject *base;
  PyObject *dtype;
  int flags;
} numpy_array;

/* The names that a guest keeps. */
enum { GRADIENT, NEGATIVE, INTERFACE, DLPACK, DATA, MASK, SHAPE, STREAM, STRIDES, TYPESTR, DEVICE, HANDLE };
static const char *const names[TAICHI_AOT_GUEST_NAMES] = {
    "requires_grad", "is_neg",  "__cuda_array_interface__", "__dlpack__", "data",   "mask",
    "shape",         "stream",  "strides",                  "typestr",    "device", "cuda_stream"};

enum { LONGEST_SHAPE = 32, LOWEST_STREAM = 4096 }; /* numbers; and the lowest stream handle that is an address */
enum { NUMPY_C_ORDER = 0x1, NUMPY_ALIGNED = 0x100, NUMPY_WRITABLE = 0x400 };

/* Reads a numpy array of two dimensions: Python compares the result, to prove the layout. */
void taichi_aot_read_numpy(void *object, taichi_aot_numpy *result) {
  const numpy_array *array = (const numpy_array *)object;
  result->data = (uint64_t)(uintptr_t)array->data;
  result->ndim = array->ndim;
  result->dtype = (uint64_t)(uintptr_t)array->dtype;
  result->flags = array->flags;
  if (array->ndim != 2) return; /* another layout: the array has two */
  result->size = array->shape[1];
  result->stride = array->strides[1];
}

static PyObject *name_of(const taichi_aot_guest *guest, int name) { return (PyObject *)guest->names[name]; }

/* The newest known version of an exchange, or NULL. */
static const taichi_aot_exchange *known_version(const taichi_aot_exchange *exchange) {
  while (exchange != NULL && exchange->major != 1) exchange = exchange->previous;
  return exchange != NULL && exchange->view != NULL && exchange->current_stream != NULL ? exchange : NULL;
}

/* A class's own exchange, or NULL. Inherited ones do not count, because a subclass may differ from its base. */
static const taichi_aot_exchange *exchange_of(PyObject *type) {
  const taichi_aot_exchange *exchange = NULL;
  PyObject *members = PyObject_GetAttrString(type, "__dict__");
  PyObject *capsule = members == NULL ? NULL : PyMapping_GetItemString(members, "__dlpack_c_exchange_api__");
  if (capsule != NULL && PyCapsule_IsValid(capsule, EXCHANGE_NAME))
    exchange = known_version((const taichi_aot_exchange *)PyCapsule_GetPointer(capsule, EXCHANGE_NAME));
  Py_XDECREF(capsule);
  Py_XDECREF(members);
  PyErr_Clear();
  return exchange;
}

static void learn_type(taichi_aot_guest *guest, PyObject *type, PyObject *value) {
  PyObject *before = (PyObject *)guest->type;
  const taichi_aot_exchange *exchange = exchange_of(type);
  Py_INCREF(type);
  guest->exchange = exchange;
  guest->tracks_gradients = exchange != NULL && PyObject_HasAttr(type, name_of(guest, GRADIENT));
  /* The package's own class, whose unfitting arrays are errors; asked of the array, as `take` returns one of the object. */
  guest->is_left = PyObject_HasAttrString(value, "_layout");
  guest->type = type;
  Py_XDECREF(before);
}

/* Reads a shape: 0, or 1 if it does not fit the parameter, or the array is empty or too large. */
static int take_shape(taichi_aot_guest *guest, int ndim, const int64_t *shape) {
  TiNdArray *target = &guest->array.ti_ndarray;
  const int own = (int)target->shape.dim_count;
  int64_t count = 1;
  int i;
  if (ndim != own + (int)target->elem_shape.dim_count) return 1;
  for (i = 0; i < ndim; ++i) {
    if (shape[i] <= 0 || shape[i] > INT32_MAX) return 1;
    count *= shape[i];
    if (count > INT32_MAX) return 1;
    if (i >= own && target->elem_shape.dims[i - own] != (uint32_t)shape[i]) return 1;
  }
  for (i = 0; i < own; ++i) target->shape.dims[i] = (uint32_t)shape[i];
  return 0;
}

static int is_in_c_order(int ndim, const int64_t *shape, const int64_t *strides) {
  int64_t stride = 1;
  int i;
  if (strides == NULL) return 1;
  for (i = ndim - 1; i >= 0; --i) {
    if (shape[i] != 1 && strides[i] != stride) return 0;
    stride *= shape[i];
  }
  return 1;
}

/* Whether an array requires no gradient, and does not store its numbers negated. */
static int is_plain(const taichi_aot_guest *guest, PyObject *value) {
  PyObject *said = PyObject_GetAttr(value, name_of(guest, GRADIENT));
  int is_no = said == Py_False;
  Py_XDECREF(said);
  if (!is_no) return 0;
  said = PyObject_CallMethodObjArgs(value, name_of(guest, NEGATIVE), NULL);
  is_no = said == Py_False;
  Py_XDECREF(said);
  return is_no;
}

/* Records the array's stream, unless this thread's launches are already in order with it. */
static void note_stream(taichi_aot_guest *guest, void *stream) {
  if (!guest->context->backend->is_in_order(guest->context, stream)) guest->memory.stream = stream;
}

/* Whether the stream that works on an array is known; true without streams. */
static int has_known_stream(taichi_aot_guest *guest, const taichi_aot_dlpack_tensor *tensor) {
  void *stream = NULL;
  if (guest->context->backend->is_in_order == NULL) return 1;
  if (guest->exchange->current_stream(tensor->device_type, tensor->device_id, &stream) != 0) return 0;
  note_stream(guest, stream);
  return 1;
}

/* The address of an array with a DLPack exchange; 0 to leave it to Python. */
static uint64_t take_tensor(taichi_aot_guest *guest, PyObject *value) {
  const taichi_aot_exchange *exchange = guest->exchange;
  taichi_aot_dlpack_tensor tensor;
  uint64_t address;
  memset(&tensor, 0, sizeof tensor);
  if (exchange->view(value, &tensor) != 0) return 0;
  if (tensor.device_type != guest->device_type || tensor.device_id != guest->device_id) return 0;
  if (tensor.byte_offset >= FARTHEST || (uint64_t)(uintptr_t)tensor.data >= FARTHEST) return 0;
  if (tensor.code != guest->code || tensor.bits != guest->bits || tensor.lanes != 1) return 0;
  if (take_shape(guest, tensor.ndim, tensor.shape) != 0) return 0;
  if (!is_in_c_order(tensor.ndim, tensor.shape, tensor.strides)) return 0;
  if (guest->tracks_gradients && !is_plain(guest, value)) return 0;
  if (!has_known_stream(guest, &tensor)) return 0;
  address = (uint64_t)(uintptr_t)tensor.data + tensor.byte_offset;
  return tensor.data == NULL ? 0 : address;
}


/* A member of CUDA's array interface, a dict that keeps it alive; NULL if it is missing or None. */
static PyObject *member_of(const taichi_aot_guest *guest, PyObject *interface, int name) {
  PyObject *member = PyDict_GetItemWithError(interface, name_of(guest, name));
  return member == Py_None ? NULL : member;
}

/* Reads a tuple of integers: their number, or -1 if it is something else or too long. */
static int take_integers(PyObject *tuple, int64_t *result) {
  Py_ssize_t i, count = tuple != NULL && PyTuple_Check(tuple) ? PyTuple_Size(tuple) : -1;
  if (count > LONGEST_SHAPE) return -1;
  for (i = 0; i < count; ++i) result[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
  return PyErr_Occurred() ? -1 : (int)count;
}

static int has_dtype(const taichi_aot_guest *guest, PyObject *name) {
  const char kind = guest->code == 0 ? 'i' : guest->code == 1 ? 'u' : guest->code == 2 ? 'f' : 'b';
  const char wanted[] = {guest->bits == 8 ? '|' : '<', kind, (char)('0' + guest->bits / 8), '\0'};
  return name != NULL && PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, wanted) == 0;
}

/* Whether the interface has the shape and the strides of an array in C order that the parameter takes. */
static int has_layout(taichi_aot_guest *guest, PyObject *interface) {
  int64_t shape[LONGEST_SHAPE], strides[LONGEST_SHAPE];
  PyObject *stated = member_of(guest, interface, STRIDES);
  const int ndim = take_integers(member_of(guest, interface, SHAPE), shape);
  int i;
  if (ndim < 0 || (stated != NULL && take_integers(stated, strides) != ndim)) return 0;
  for (i = 0; stated != NULL && i < ndim; ++i) {
    if (strides[i] % (guest->bits / 8) != 0) return 0;
    strides[i] /= guest->bits / 8;
  }
  return take_shape(guest, ndim, shape) == 0 && is_in_c_order(ndim, shape, stated != NULL ? strides : NULL);
}

/* The handle of the current stream of an array's device, which Warp names there and not in the interface; NULL for others. */
static PyObject *stream_of_device(const taichi_aot_guest *guest, PyObject *value) {
  static const int path[] = {DEVICE, STREAM, HANDLE};
  PyObject *found = value;
  size_t i;
  Py_INCREF(found);
  for (i = 0; i < COUNT_OF(path) && found != NULL; ++i) {
    PyObject *owner = found;
    found = PyObject_GetAttr(owner, name_of(guest, path[i]));
    Py_DECREF(owner);
  }
  return found;
}

/* Notes the stream of this handle; 0 if it is none. */
static int take_stream(taichi_aot_guest *guest, PyObject *handle) {
  const uint64_t stream = PyLong_AsUnsignedLongLong(handle);
  if (PyErr_Occurred() || stream == 0 || (stream > 2 && stream < LOWEST_STREAM) || stream >= FARTHEST) return 0;
  note_stream(guest, (void *)(uintptr_t)stream);
  return 1;
}

/* Whether the array's stream is known, or the interface says by None that there is nothing to wait for. With DLPack too, the
 * array's exchange is preferred, and the interface is not read again, which costs JAX more than a launch. */
static int has_stream(taichi_aot_guest *guest, PyObject *value, PyObject *interface) {
  PyObject *stated = member_of(guest, interface, STREAM), *handle;
  int is_taken;
  if (stated != NULL) return take_stream(guest, stated);
  handle = stream_of_device(guest, value);
  is_taken = handle != NULL && take_stream(guest, handle);
  Py_XDECREF(handle);
  PyErr_Clear();
  guest->is_left = !is_taken && PyObject_HasAttr(value, name_of(guest, DLPACK));
  return !guest->is_left;
}

/* The address if it is on the guest's device, else 0: the interface does not state the device. */
static uint64_t on_device(const taichi_aot_guest *guest, uint64_t address) {
  return address < FARTHEST && guest->context->backend->has_address(guest->context, address) ? address : 0;
}

static uint64_t read_interface(taichi_aot_guest *guest, PyObject *value, PyObject *interface) {
  PyObject *data = member_of(guest, interface, DATA);
  uint64_t address;
  if (data == NULL || !PyTuple_Check(data) || PyTuple_Size(data) != 2) return 0;
  if (guest->is_written && PyTuple_GetItem(data, 1) != Py_False) return 0;
  if (member_of(guest, interface, MASK) != NULL || !has_dtype(guest, member_of(guest, interface, TYPESTR))) return 0;
  if (!has_layout(guest, interface) || !has_stream(guest, value, interface)) return 0;
  address = PyLong_AsUnsignedLongLong(PyTuple_GetItem(data, 0));
  return PyErr_Occurred() ? 0 : on_device(guest, address);
}

/* The address of an array with the interface; 0 to leave it to Python. */
static uint64_t take_interface(taichi_aot_guest *guest, PyObject *value) {
  PyObject *interface;
  uint64_t address = 0;
  if (guest->is_left || guest->context->backend->has_address == NULL) return 0;
  interface = PyObject_GetAttr(value, name_of(guest, INTERFACE));
  if (interface != NULL && PyDict_Check(interface)) address = read_interface(guest, value, interface);
  Py_XDECREF(interface);
  return address;
}

static uint64_t take_numpy(taichi_aot_guest *guest, PyObject *value) {
  const numpy_array *array = (const numpy_array *)(void *)value;
  const int wanted = NUMPY_C_ORDER | NUMPY_ALIGNED | (guest->is_written ? NUMPY_WRITABLE : 0);
  int64_t shape[LONGEST_SHAPE];
  int i;
  if ((uint64_t)(uintptr_t)array->dtype != guest->numpy_dtype || (array->flags & wanted) != wanted) return 0;
  if (array->ndim > (int)COUNT_OF(shape)) return 0;
  for (i = 0; i < array->ndim; ++i) shape[i] = array->shape[i];
  return take_shape(guest, array->ndim, shape) == 0 ? (uint64_t)(uintptr_t)array->data : 0;
}

/* Reads an array into the place, and returns the place's object, or None. */
static PyObject *take(PyObject *capsule, PyObject *value) {
  taichi_aot_guest *guest = (taichi_aot_guest *)PyCapsule_GetPointer(capsule, NAME);
  PyObject *type = (PyObject *)Py_TYPE(value), *result = Py_None;
  uint64_t address;
  if (guest == NULL) return NULL;
  guest->memory.stream = NULL;
  if ((uint64_t)(uintptr_t)type == guest->numpy_class) {
    address = take_numpy(guest, value);
  } else {
    if (guest->type != type) learn_type(guest, type, value);
    address = guest->exchange != NULL ? take_tensor(guest, value) : take_interface(guest, value);
  }
  if (address % (uint64_t)(guest->bits / 8) == 0 && address != 0) {
    guest->memory.address = address;
    result = (PyObject *)guest->object;
  }
  PyErr_Clear();
  Py_INCREF(result);
  return result;
}

static PyMethodDef take_method = {"take", take, METH_O, NULL};

static void leave(PyObject *capsule) {
  taichi_aot_guest *guest = (taichi_aot_guest *)PyCapsule_GetPointer(capsule, NAME);
  PyObject *object = (PyObject *)guest->object;
  int i;
  Py_XDECREF((PyObject *)guest->type);
  for (i = 0; i < TAICHI_AOT_GUEST_NAMES; ++i) Py_XDECREF((PyObject *)guest->names[i]);
  guest->type = NULL;
  memset(guest->names, 0, sizeof guest->names);
  Py_XDECREF(object); /* it owns `guest` */
}

/* Appends to the Python list `result` a function that reads an array into a place. The function keeps `object` alive, and that
 * the place. 0 or OUT_OF_MEMORY. */
int taichi_aot_guest_function(taichi_aot_guest *guest, const taichi_aot_runtime *runtime, void *object, void *result) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *capsule = PyCapsule_New(guest, NAME, leave), *function = NULL;
  int i, has_names = 1, is_made;
  guest->array.memory = &guest->memory;
  guest->array.generation = guest->memory.generation = 1;
  guest->memory.is_named = 1; /* another library owns it */
  guest->context = runtime->context;
  for (i = 0; i < TAICHI_AOT_GUEST_NAMES; ++i) {
    guest->names[i] = PyUnicode_InternFromString(names[i]);
    has_names &= guest->names[i] != NULL;
  }
  if (!has_names) {
    Py_XDECREF(capsule);
    capsule = NULL;
  }
  if (capsule != NULL) {
    Py_INCREF((PyObject *)object);
    guest->object = object;
    function = PyCFunction_NewEx(&take_method, capsule, NULL);
    Py_DECREF(capsule);
  }
  is_made = function != NULL && PyList_Append((PyObject *)result, function) == 0;
  Py_XDECREF(function);
  if (!is_made) PyErr_Clear();
  PyGILState_Release(state);
  return is_made ? 0 : (int)TI_ERROR_OUT_OF_MEMORY;
}
