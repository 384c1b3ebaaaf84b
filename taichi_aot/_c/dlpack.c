/* DLPack: capsules for other libraries, and theirs for us. */

/* The consumer is done, on whatever thread. */
static void drop_owner(void *owner) {
  PyGILState_STATE state;
  if (!Py_IsInitialized()) return;
  state = PyGILState_Ensure();
  Py_DECREF((PyObject *)owner);
  PyGILState_Release(state);
}

static void delete_managed(taichi_aot_dlpack_managed *self) {
  drop_owner(self->context);
  free(self);
}

static void delete_versioned(taichi_aot_dlpack_versioned *self) {
  drop_owner(self->context);
  free(self);
}

/* A capsule that nobody consumed still has its first name. */
static void delete_capsule(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor")) {
    taichi_aot_dlpack_managed *managed = (taichi_aot_dlpack_managed *)PyCapsule_GetPointer(capsule, "dltensor");
    managed->deleter(managed);
  } else if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    taichi_aot_dlpack_versioned *managed =
        (taichi_aot_dlpack_versioned *)PyCapsule_GetPointer(capsule, "dltensor_versioned");
    managed->deleter(managed);
  }
}

static int64_t *fill_tensor(taichi_aot_dlpack_tensor *tensor, int64_t *sizes, void *data, int32_t device_type, int32_t device_id,
                            int32_t code, int32_t bits, int32_t ndim, const int64_t *shape) {
  int64_t stride = 1;
  int32_t i;
  tensor->data = data;
  tensor->device_type = device_type;
  tensor->device_id = device_id;
  tensor->ndim = ndim;
  tensor->code = (uint8_t)code;
  tensor->bits = (uint8_t)bits;
  tensor->lanes = 1;
  tensor->shape = sizes;
  tensor->strides = sizes + ndim;
  tensor->byte_offset = 0;
  for (i = ndim - 1; i >= 0; --i) {
    sizes[i] = shape[i];
    sizes[ndim + i] = stride;
    stride *= shape[i] > 0 ? shape[i] : 1;
  }
  return sizes;
}

/* Appends a capsule that keeps the Python object `owner` to the Python list `result`. 0 without memory. C order. */
static int taichi_aot_dlpack_capsule(void *result, void *owner, void *data, int32_t device_type, int32_t device_id,
                                     int32_t code, int32_t bits, int32_t ndim, const int64_t *shape, int32_t versioned,
                                     uint64_t flags) {
  const size_t head = versioned ? sizeof(taichi_aot_dlpack_versioned) : sizeof(taichi_aot_dlpack_managed);
  char *memory = (char *)calloc(1, head + 2 * sizeof(int64_t) * (size_t)(ndim + 1));
  int64_t *sizes = (int64_t *)(void *)(memory + head);
  PyGILState_STATE state;
  PyObject *capsule;
  int made = 0;
  if (memory == NULL) return 0;
  if (versioned) {
    taichi_aot_dlpack_versioned *managed = (taichi_aot_dlpack_versioned *)(void *)memory;
    managed->major = 1;
    managed->context = owner;
    managed->deleter = delete_versioned;
    managed->flags = flags;
    fill_tensor(&managed->tensor, sizes, data, device_type, device_id, code, bits, ndim, shape);
  } else {
    taichi_aot_dlpack_managed *managed = (taichi_aot_dlpack_managed *)(void *)memory;
    managed->context = owner;
    managed->deleter = delete_managed;
    fill_tensor(&managed->tensor, sizes, data, device_type, device_id, code, bits, ndim, shape);
  }
  state = PyGILState_Ensure();
  capsule = PyCapsule_New(memory, versioned ? "dltensor_versioned" : "dltensor", delete_capsule);
  if (capsule != NULL) {
    Py_INCREF((PyObject *)owner); /* before anything can drop the capsule */
    made = PyList_Append((PyObject *)result, capsule) == 0;
    Py_DECREF(capsule);
  } else {
    free(memory);
  }
  if (!made) PyErr_Clear();
  PyGILState_Release(state);
  return made;
}

/* Takes over what a capsule holds, which then has its other name; NULL if that is done already, or it is no capsule. */
static void *taichi_aot_dlpack_consume(void *object, int32_t *versioned) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *capsule = (PyObject *)object;
  void *managed = NULL;
  *versioned = PyCapsule_IsValid(capsule, "dltensor_versioned");
  if (*versioned) {
    managed = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    PyCapsule_SetName(capsule, "used_dltensor_versioned");
  } else if (PyCapsule_IsValid(capsule, "dltensor")) {
    managed = PyCapsule_GetPointer(capsule, "dltensor");
    PyCapsule_SetName(capsule, "used_dltensor");
  }
  PyGILState_Release(state);
  return managed;
}
