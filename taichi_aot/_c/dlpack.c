/* DLPack: arrays for other libraries. The layout is that of its specification, versions 0.8 and 1.0. */

typedef struct {
  void *data;
  int32_t device_type;
  int32_t device_id;
  int32_t ndim;
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
} dlpack_tensor;

typedef struct dlpack_managed {
  dlpack_tensor tensor;
  void *context;
  void (*deleter)(struct dlpack_managed *self);
} dlpack_managed;

typedef struct dlpack_managed_versioned {
  uint32_t major;
  uint32_t minor;
  void *context;
  void (*deleter)(struct dlpack_managed_versioned *self);
  uint64_t flags;
  dlpack_tensor tensor;
} dlpack_managed_versioned;

/* The consumer is done, on whatever thread. */
static void drop_owner(void *owner) {
  PyGILState_STATE state;
  if (!Py_IsInitialized()) return;
  state = PyGILState_Ensure();
  Py_DECREF((PyObject *)owner);
  PyGILState_Release(state);
}

static void delete_managed(dlpack_managed *self) {
  drop_owner(self->context);
  free(self);
}

static void delete_managed_versioned(dlpack_managed_versioned *self) {
  drop_owner(self->context);
  free(self);
}

/* A capsule that nobody consumed still has its first name. */
static void delete_capsule(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor")) {
    dlpack_managed *managed = (dlpack_managed *)PyCapsule_GetPointer(capsule, "dltensor");
    managed->deleter(managed);
  } else if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    dlpack_managed_versioned *managed =
        (dlpack_managed_versioned *)PyCapsule_GetPointer(capsule, "dltensor_versioned");
    managed->deleter(managed);
  }
}

static int64_t *fill_tensor(dlpack_tensor *tensor, int64_t *sizes, void *data, int32_t device_type, int32_t device_id,
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

/* A new reference to a capsule that keeps the Python object `owner`, or NULL without memory. C order. */
static void *taichi_aot_dlpack_capsule(void *owner, void *data, int32_t device_type, int32_t device_id, int32_t code,
                                       int32_t bits, int32_t ndim, const int64_t *shape, int32_t versioned,
                                       uint64_t flags) {
  const size_t head = versioned ? sizeof(dlpack_managed_versioned) : sizeof(dlpack_managed);
  char *memory = (char *)calloc(1, head + 2 * sizeof(int64_t) * (size_t)(ndim + 1));
  int64_t *sizes = (int64_t *)(void *)(memory + head);
  PyGILState_STATE state;
  PyObject *capsule;
  if (memory == NULL) return NULL;
  if (versioned) {
    dlpack_managed_versioned *managed = (dlpack_managed_versioned *)(void *)memory;
    managed->major = 1;
    managed->context = owner;
    managed->deleter = delete_managed_versioned;
    managed->flags = flags;
    fill_tensor(&managed->tensor, sizes, data, device_type, device_id, code, bits, ndim, shape);
  } else {
    dlpack_managed *managed = (dlpack_managed *)(void *)memory;
    managed->context = owner;
    managed->deleter = delete_managed;
    fill_tensor(&managed->tensor, sizes, data, device_type, device_id, code, bits, ndim, shape);
  }
  state = PyGILState_Ensure();
  capsule = PyCapsule_New(memory, versioned ? "dltensor_versioned" : "dltensor", delete_capsule);
  if (capsule != NULL)
    Py_INCREF((PyObject *)owner);
  else
    free(memory);
  PyGILState_Release(state);
  return capsule;
}
