/* DLPack capsules, exported and consumed. */

#include <Python.h>

#include "core/dlpack.h"

#include <stdlib.h>

/* Called on any thread when the consumer releases the tensor. */
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

/* An unconsumed capsule still has its first name. */
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

static void copy_tensor(taichi_aot_dlpack_tensor *to, const taichi_aot_dlpack_tensor *from, int64_t *sizes) {
  int64_t stride = 1;
  int32_t i;
  *to = *from;
  to->shape = sizes;
  to->strides = sizes + from->ndim;
  for (i = from->ndim - 1; i >= 0; --i) {
    sizes[i] = from->shape[i];
    to->strides[i] = stride;
    stride *= sizes[i] > 0 ? sizes[i] : 1;
  }
}

/* Appends a capsule of an array in C order, which keeps the Python object `owner` alive, to the Python list `result`: 0 or
 * OUT_OF_MEMORY. */
int taichi_aot_dlpack_export(const taichi_aot_dlpack_tensor *tensor, int32_t versioned, uint64_t flags, void *owner,
                             void *result) {
  const size_t head = versioned ? sizeof(taichi_aot_dlpack_versioned) : sizeof(taichi_aot_dlpack_managed);
  char *memory = (char *)calloc(1, head + 2 * sizeof(int64_t) * (size_t)(tensor->ndim + 1));
  int64_t *sizes = (int64_t *)(void *)(memory + head);
  PyGILState_STATE state;
  PyObject *capsule;
  int is_made = 0;
  if (memory == NULL) return (int)TI_ERROR_OUT_OF_MEMORY;
  if (versioned) {
    taichi_aot_dlpack_versioned *managed = (taichi_aot_dlpack_versioned *)(void *)memory;
    managed->major = 1;
    managed->context = owner;
    managed->deleter = delete_versioned;
    managed->flags = flags;
    copy_tensor(&managed->tensor, tensor, sizes);
  } else {
    taichi_aot_dlpack_managed *managed = (taichi_aot_dlpack_managed *)(void *)memory;
    managed->context = owner;
    managed->deleter = delete_managed;
    copy_tensor(&managed->tensor, tensor, sizes);
  }
  state = PyGILState_Ensure();
  capsule = PyCapsule_New(memory, versioned ? "dltensor_versioned" : "dltensor", delete_capsule);
  if (capsule != NULL) {
    Py_INCREF((PyObject *)owner); /* before anything can drop the capsule */
    is_made = PyList_Append((PyObject *)result, capsule) == 0;
    Py_DECREF(capsule);
  } else {
    free(memory);
  }
  if (!is_made) PyErr_Clear();
  PyGILState_Release(state);
  return is_made ? 0 : (int)TI_ERROR_OUT_OF_MEMORY;
}

/* Moves the contents of a capsule to `consumed`, and renames it. Both stay NULL if it was consumed before, or is not a capsule. */
void taichi_aot_dlpack_consume(void *object, taichi_aot_dlpack_consumed *consumed) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *capsule = (PyObject *)object;
  if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    consumed->versioned = (taichi_aot_dlpack_versioned *)PyCapsule_GetPointer(capsule, "dltensor_versioned");
    PyCapsule_SetName(capsule, "used_dltensor_versioned");
  } else if (PyCapsule_IsValid(capsule, "dltensor")) {
    consumed->managed = (taichi_aot_dlpack_managed *)PyCapsule_GetPointer(capsule, "dltensor");
    PyCapsule_SetName(capsule, "used_dltensor");
  }
  PyGILState_Release(state);
}

/* Calls the deleter of what was consumed. This is a destructor of cffi, because signal handlers cannot interrupt one. */
void taichi_aot_dlpack_release(taichi_aot_dlpack_consumed *consumed) {
  taichi_aot_dlpack_versioned *versioned = consumed->versioned;
  taichi_aot_dlpack_managed *managed = consumed->managed;
  if (versioned != NULL && versioned->deleter != NULL) versioned->deleter(versioned);
  if (managed != NULL && managed->deleter != NULL) managed->deleter(managed);
}
