"""Layouts of ndarrays in memory."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..driver._library import ffi
from ..handles._memory import Request
from ..values._dtypes import ArrayType, DTypeLike, array_type, numpy_dtype, to_data_type
from ..values._enums import DataType, MemoryUsage
from ..values._errors import ArgumentIndexError, ArgumentOutOfRangeError, ArgumentTypeError, InvalidArgumentError
from ..values._integers import as_integer
from ..values._signature import MAX_NDIM
from ..values._wording import short

if TYPE_CHECKING:
    from .._capi import taichi_aot_array_p

__all__ = [
    "ArrayLayout",
    "LaidOut",
    "ShapeLike",
    "array_layout",
    "as_shape",
    "memory_usage",
    "slice_range",
    "split_shape",
]

ShapeLike: TypeAlias = int | Sequence[int]

MAX_ELEMENTS = 2**31 - 1  # kernels index with 32-bit integers; beyond that, a launch silently does nothing


class ArrayLayout:
    """The properties of an array except its memory. Each combination is checked and converted for the library once."""

    __slots__ = ("_request", "c", "dtype", "elem_shape", "nbytes", "numpy_shape", "shape", "size", "type")

    c: taichi_aot_array_p
    dtype: np.dtype[Any]
    elem_shape: tuple[int, ...]
    nbytes: int
    numpy_shape: tuple[int, ...]
    shape: tuple[int, ...]
    size: int
    type: ArrayType

    def __init__(self, shape: tuple[int, ...], dtype: DTypeLike, elem_shape: tuple[int, ...]) -> None:
        self.shape = shape
        self.elem_shape = elem_shape
        self.numpy_shape = shape + elem_shape
        self.type = array_type(to_data_type(dtype), len(shape), elem_shape)
        self.dtype = numpy_dtype(self.type.dtype)
        if len(shape) > MAX_NDIM or len(elem_shape) > MAX_NDIM:
            ndim = max(len(shape), len(elem_shape))
            raise ArgumentOutOfRangeError(
                f"an ndarray has at most {MAX_NDIM} dimensions, and so has an element, not {ndim}"
            )
        if 0 in elem_shape:
            raise ArgumentOutOfRangeError(f"the dimensions of an element shape must not be 0: {short(elem_shape)}")
        self.size = math.prod(self.numpy_shape)
        largest = max(self.size, *self.numpy_shape, 0)
        if largest > MAX_ELEMENTS:
            raise ArgumentOutOfRangeError(
                f"an ndarray of shape {short(self.numpy_shape)} is too large: kernels index with i32, so neither a "
                f"dimension nor the number of elements may exceed {MAX_ELEMENTS}"
            )
        self.nbytes = self.size * self.dtype.itemsize
        # An array of size 0 also needs memory, and the library crashes on an allocation of 0 bytes.
        self._request = Request(self.nbytes or self.dtype.itemsize, for_arrays=True)
        self.c = ffi.new("taichi_aot_array *")
        ti_ndarray = self.c.ti_ndarray
        ti_ndarray.shape = {"dim_count": len(shape), "dims": shape}
        ti_ndarray.elem_shape = {"dim_count": len(elem_shape), "dims": elem_shape}
        # The library's graphs do not support ndarrays of u1; its kernels do not check.
        ti_ndarray.elem_type = int(DataType.U8 if self.type.dtype is DataType.U1 else self.type.dtype)

    def request_for(self, usage: MemoryUsage, *, export_sharing: bool = False) -> Request:
        """Return the request for the array's memory with these uses besides storage."""
        if usage is MemoryUsage.STORAGE and not export_sharing:
            return self._request
        uses = memory_usage(usage) | MemoryUsage.STORAGE
        return self._request._replace(export_sharing=bool(export_sharing), usage=uses)


class LaidOut:
    """Base of the objects with the layout of an ndarray: arrays, their slices, and fields."""

    __slots__ = ()
    _layout: ArrayLayout

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape that a kernel sees, without the element shape."""
        return self._layout.shape

    @property
    def elem_shape(self) -> tuple[int, ...]:
        """``()`` for scalars, ``(n,)`` for vectors, ``(n, m)`` for matrices."""
        return self._layout.elem_shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy dtype of the numbers in the elements."""
        return self._layout.dtype

    @property
    def data_type(self) -> DataType:
        """The Taichi type of the numbers in the elements."""
        return self._layout.type.dtype

    @property
    def ndim(self) -> int:
        """Number of dimensions that a kernel sees."""
        return len(self._layout.shape)

    @property
    def size(self) -> int:
        """Number of numbers, including those within elements."""
        return self._layout.size


_cached_layout: Callable[..., ArrayLayout] = lru_cache(maxsize=4096, typed=True)(ArrayLayout)


def array_layout(shape: tuple[int, ...], dtype: DTypeLike, elem_shape: tuple[int, ...]) -> ArrayLayout:
    """Return the layout of arrays of this shape, dtype and element shape.

    Raises
    ------
    TypeError
        If Taichi does not have the dtype.
    ValueError
        If there are more than 12 dimensions or 2^31 - 1 numbers, or the element shape has a 0.
    """
    given: object = dtype
    if isinstance(given, tuple | list):  # lists are unhashable, and hashing a deeply nested tuple ends the process
        dtype = to_data_type(dtype)
    try:
        return _cached_layout(shape, dtype, elem_shape)
    except TypeError:  # a dtype that numpy accepts may be unhashable
        pass
    return _cached_layout(shape, to_data_type(dtype), elem_shape)


def memory_usage(usage: object) -> MemoryUsage:
    """Return a user's usage flags; ValueError if one is unknown, TypeError unless they are an integer."""
    flags = as_integer(usage, "usage")
    if flags & ~sum(MemoryUsage):
        raise ArgumentOutOfRangeError(
            f"unknown memory usage {short(flags)}; the flags are {', '.join(MemoryUsage.__members__)}"
        )
    return MemoryUsage(flags)


def slice_range(key: slice, size: int, what: str) -> tuple[int, int]:
    """Return the begin and end of a slice of `size` items, by Python's rule; `what` names the items in errors.

    Raises
    ------
    IndexError
        If an index is out of range; Python would clip it.
    TypeError
        If an index is not an integer.
    ValueError
        If the slice has a step.
    """
    if key.step is not None and as_integer(key.step, "the step of a slice") != 1:
        raise InvalidArgumentError(f"{what} cannot be sliced with a step")
    begin, end = (
        default if bound is None else as_integer(bound, "the bound of a slice")
        for bound, default in ((key.start, 0), (key.stop, size))
    )
    for bound in (begin, end):
        if not -size <= bound <= size:
            raise ArgumentIndexError(f"index {short(bound)} is out of range: there are {size} {what}")
    begin, end = (bound + size if bound < 0 else bound for bound in (begin, end))
    return begin, max(begin, end)


def split_shape(shape: tuple[int, ...], elem_shape: ShapeLike) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Split the shape of all of an array's numbers into its shape and its element shape."""
    elements = as_shape(elem_shape, "elem_shape")
    ndim = len(shape) - len(elements)
    if ndim < 0 or shape[ndim:] != elements:
        raise InvalidArgumentError(f"data of shape {short(shape)} does not end in elem_shape {short(elements)}")
    return shape[:ndim], elements


def as_shape(shape: ShapeLike, what: str) -> tuple[int, ...]:
    """Return a shape as a tuple of non-negative integers; `what` names it in errors."""
    try:
        if isinstance(shape, int):
            sizes: tuple[int, ...] = (int(shape),)
        else:
            sizes = tuple(map(operator.index, shape if isinstance(shape, Iterable) else (shape,)))
    except TypeError:
        raise ArgumentTypeError(f"{what} must be an integer or a sequence of integers, not {short(shape)}") from None
    if sizes and min(sizes) < 0:
        raise ArgumentOutOfRangeError(f"the dimensions of {what} must not be negative: {short(sizes)}")
    return sizes
