"""Arrays of other libraries as arguments, used without a copy.

`Guest`: read in place for one call by `_c/core/guest.c`. A call refers to its arguments until it returns, so a guest
needs no Python object that keeps it alive. `ForeignArray`: imported, and kept alive.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ...arrays._layout import ArrayLayout, array_layout
from ...driver._library import ffi, lib, object_pointer
from ...handles._interchange import TYPE_CODES, import_shared, shared_array
from ...handles._memory import MemoryHandle
from ...handles._runtime import RuntimeHandle
from ...values._convert import offers_memory, tensor_trouble
from ...values._enums import numpy_dtype, without_ones
from ...values._errors import InvalidBufferError, OutOfMemoryError, is_array
from ...values._signature import Parameter

if TYPE_CHECKING:
    from ..._capi import taichi_aot_array_p, taichi_aot_guest_p
    from ._messages import Messages


class Guest:
    """The place of a guest in a call's block, with the attributes that compiled functions use."""

    __slots__ = ("_c", "_place")

    def __init__(self, place: taichi_aot_guest_p) -> None:
        self._place = place  # kept alive
        self._c: taichi_aot_array_p = ffi.addressof(place, "array")

    @property
    def _layout(self) -> Guest:
        return self

    @property
    def shape(self) -> tuple[int, ...]:
        shape = self._place.array.ti_ndarray.shape
        return tuple(shape.dims[0 : shape.dim_count])


TakesGuest: TypeAlias = Callable[[object], Guest | None]


def take_no_guest(value: object) -> None:
    """Leave an argument to its check."""
    return None


def take_guests(parameter: Parameter, runtime: RuntimeHandle) -> TakesGuest:
    """Return a function that makes an array the argument of the next launch; it returns None for one to be imported."""
    interchange = runtime.backend.interchange
    is_shared = interchange.shares_host or interchange.shares_cuda
    # Elsewhere `id` is not the address of an object.
    if parameter.kind != "ndarray" or not is_shared or sys.implementation.name != "cpython":
        return take_no_guest
    assert parameter.dtype is not None
    dtype = numpy_dtype(parameter.dtype)
    place = ffi.new("taichi_aot_guest *", {"bits": 8 * dtype.itemsize})
    place.device_type, place.device_id = interchange.dlpack_device(runtime)
    place.code, place.is_written = TYPE_CODES[dtype.kind], parameter.access != "r"
    place.array = array_layout((1,) * parameter.ndim, dtype, parameter.elem_shape).c[0]
    if interchange.shares_host and _can_read_numpy():
        place.numpy_class, place.numpy_dtype = id(np.ndarray), id(dtype)
    guest = Guest(place)
    result: list[TakesGuest] = []  # C has no other way to return a Python object through cffi
    if lib.taichi_aot_guest_function(place, runtime.c, object_pointer(guest), object_pointer(result)) != 0:
        raise OutOfMemoryError("no memory for the arguments of a call")
    return result[0]


@cache
def _can_read_numpy() -> bool:
    """Return whether numpy's arrays have the layout in memory that C reads."""
    array = np.zeros((3, 8), np.float32)[1:, ::2]
    found = ffi.new("taichi_aot_numpy *")
    lib.taichi_aot_read_numpy(object_pointer(array), found)
    seen = found.data, found.ndim, found.size, found.stride, found.dtype, found.flags & 0x501
    wanted = array.ctypes.data, 2, 4, 8, id(array.dtype), 0x500
    if seen != wanted or array.flags.c_contiguous or not (array.flags.aligned and array.flags.writeable):
        return False
    array.flags.writeable = False
    lib.taichi_aot_read_numpy(object_pointer(array), found)
    return bool(found.flags & 0x501 == 0x100)


class ForeignArray:
    """An array of another library as an argument; it keeps the array's memory alive."""

    __slots__ = ("_c", "_handle", "_layout", "readonly")

    def __init__(self, layout: ArrayLayout, handle: MemoryHandle, *, readonly: bool) -> None:
        self._layout = layout
        self._handle = handle
        self.readonly = readonly
        self._c: taichi_aot_array_p = ffi.new("taichi_aot_array *", layout.c[0])
        handle.place(self._c)

    @property
    def closed(self) -> bool:
        return self._handle.closed


class Importer:
    """Imports arrays for one parameter."""

    def __init__(self, messages: Messages, runtime: RuntimeHandle) -> None:
        self._messages = messages  # creates its exceptions
        self._parameter = messages.parameter
        self._runtime = runtime
        # Arrays that cannot change, by identity. An entry ends with its array.
        self._known: dict[int, tuple[weakref.ref[Any], ForeignArray]] = {}

    def __call__(self, value: Any) -> ForeignArray:
        """Return another library's array as an argument; raise if the parameter does not take it."""
        if value.__class__ is ForeignArray:  # of a launch whose kernel was reloaded
            return self._permitted(value)
        known = self.known(value)
        if known is not None:
            return known
        imported = self._permitted(self._import(value))
        kind: Any = value.__class__
        if kind.__module__.partition(".")[0] == "jaxlib":
            self._keep(value, imported)
        return imported

    def known(self, value: Any) -> ForeignArray | None:
        """Return an array that was imported before, and cannot have changed meanwhile; only JAX has such."""
        entry = self._known.get(id(value))
        return None if entry is None or value.is_deleted() else entry[1]

    def _keep(self, value: Any, imported: ForeignArray) -> None:
        known, number = self._known, id(value)
        with suppress(TypeError):  # it has no weak references
            known[number] = weakref.ref(value, lambda _: known.pop(number, None)), imported

    def _permitted(self, array: ForeignArray) -> ForeignArray:
        if array.readonly and self._parameter.access != "r":
            raise self._messages.read_only()
        return array

    def _import(self, value: Any) -> ForeignArray:
        runtime, parameter, messages = self._runtime, self._parameter, self._messages
        interchange = runtime.backend.interchange
        takes = interchange.shares_host or (interchange.shares_cuda and not is_array(value))
        if not takes or not offers_memory(value) or isinstance(value, type) or tensor_trouble(value):
            raise messages.wrong_type(value)
        try:
            shared = shared_array(value, interchange.dlpack_device(runtime), readonly=True)
        except (BufferError, TypeError, ValueError) as error:
            is_shaped = isinstance(error, InvalidBufferError) and isinstance(getattr(value, "shape", None), tuple)
            if is_shaped and self._is_other_shape(value.shape):
                raise messages.wrong_foreign(value, getattr(value, "dtype", ""), value.shape, is_shape=True) from None
            raise messages.not_shared(value, error) from None
        assert parameter.dtype is not None
        is_other_shape = self._is_other_shape(shared.shape)
        if shared.dtype != numpy_dtype(parameter.dtype) or is_other_shape:
            raise messages.wrong_foreign(value, shared.dtype, shared.shape, is_shape=is_other_shape)
        layout = array_layout(shared.shape[: parameter.ndim], parameter.dtype, parameter.elem_shape)
        return ForeignArray(layout, import_shared(runtime, shared), readonly=shared.readonly)

    def _is_other_shape(self, shape: tuple[int, ...]) -> bool:
        """Return whether an array of that shape does not have the parameter's dimensions and elements."""
        ndim, elem_shape = self._parameter.ndim, self._parameter.elem_shape
        is_same = shape[ndim:] == elem_shape or (len(shape) == ndim and not without_ones(elem_shape))
        return len(shape) < ndim or not is_same
