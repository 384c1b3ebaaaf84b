"""Guests: arrays of other libraries as arguments of one call, read in place by `_c/core/guest.c`.

A call refers to its arguments until it returns. So a guest needs no Python object that keeps it alive.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ...arrays._layout import array_layout
from ...driver._library import ffi, lib
from ...driver._pointers import object_pointer
from ...handles._interchange import TYPE_CODES
from ...values._dtypes import numpy_dtype
from ...values._errors import OutOfMemoryError
from ...values._signature import Parameter

if TYPE_CHECKING:
    from ..._capi import taichi_aot_array_p, taichi_aot_guest_p
    from ...handles._runtime import RuntimeHandle


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
