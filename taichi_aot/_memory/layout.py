"""How the numbers of an ndarray lie in memory."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from .._ffi.library import ffi
from .._handles.memory import Request
from ..dtypes import ArrayType, DTypeLike, array_type, numpy_dtype, to_data_type
from ..enums import DataType

__all__ = ["ArrayLayout", "ShapeLike", "array_layout", "as_shape"]

ShapeLike: TypeAlias = int | Sequence[int]

MAX_NDIM = 12  # more is INVALID_STATE at a launch, and from some count on a crash
MAX_ELEMENTS = 2**31 - 1  # kernels index with 32-bit integers; above, a launch silently does nothing


class ArrayLayout:
    """What an array is, beside its memory: checked and laid out for the library once for all arrays of a kind."""

    __slots__ = ("dtype", "elem_shape", "native", "nbytes", "numpy_shape", "request", "shape", "size", "type")

    def __init__(self, shape: tuple[int, ...], dtype: DTypeLike, elem_shape: tuple[int, ...]) -> None:
        self.shape = shape
        self.elem_shape = elem_shape
        self.numpy_shape = shape + elem_shape
        self.type: ArrayType = array_type(to_data_type(dtype), len(shape), elem_shape)
        self.dtype = numpy_dtype(self.type.dtype)
        if len(shape) > MAX_NDIM or len(elem_shape) > MAX_NDIM:
            raise ValueError(f"an ndarray has at most {MAX_NDIM} dimensions, not {len(shape)}")
        if 0 in elem_shape:
            raise ValueError(f"no dimension of an element shape may be 0: {elem_shape}")
        self.size = math.prod(self.numpy_shape)
        if max(self.size, *self.numpy_shape, 0) > MAX_ELEMENTS:
            raise ValueError(f"an ndarray has at most {MAX_ELEMENTS} numbers, not {self.size}: kernels index with i32")
        self.nbytes = self.size * self.dtype.itemsize
        # A 0-sized array still needs a memory to name, and the library crashes on one of size 0.
        self.request = Request(self.nbytes or self.dtype.itemsize, for_arrays=True)
        self.native = ffi.new("taichi_aot_array *")
        array = self.native.native
        array.shape = {"dim_count": len(shape), "dims": shape}
        array.elem_shape = {"dim_count": len(elem_shape), "dims": elem_shape}
        # The library's graphs know no ndarrays of u1; its kernels do not look.
        array.elem_type = int(DataType.U8 if self.type.dtype is DataType.U1 else self.type.dtype)


array_layout = lru_cache(maxsize=4096, typed=True)(ArrayLayout)


def as_shape(shape: ShapeLike, what: str) -> tuple[int, ...]:
    """A shape as a tuple of integers that are not negative; `what` names it in errors."""
    try:
        if isinstance(shape, int):
            sizes: tuple[int, ...] = (int(shape),)
        else:
            sizes = tuple(map(operator.index, shape if isinstance(shape, Iterable) else (shape,)))
    except TypeError:
        raise TypeError(f"{what} must be an integer or a sequence of integers, not {shape!r}") from None
    if sizes and min(sizes) < 0:
        raise ValueError(f"no dimension of {what} may be negative: {sizes}")
    return sizes
