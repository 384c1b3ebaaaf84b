"""NdArray: an array of device memory that kernels take as an argument."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ._library import ffi
from .dtypes import ArrayType, DTypeLike, array_type, numpy_dtype, to_data_type
from .enums import DataType
from .handles import Resource
from .memory import Memory, allocate, map_bytes

if TYPE_CHECKING:
    from .runtime import Runtime

__all__ = ["NdArray", "ShapeLike", "as_shape"]

ShapeLike: TypeAlias = int | Sequence[int]

MAX_NDIM = 12  # more is INVALID_STATE at a launch, and from some count on a crash
MAX_ELEMENTS = 2**31 - 1  # kernels index with 32-bit integers; above, a launch silently does nothing


class NdArray(Resource):
    """An array in memory of the device. Made by `Runtime.empty`, `zeros`, `full` and `asarray`.

    As in Taichi, elements may be vectors or matrices: an array of shape ``(16, 8)`` with ``elem_shape=(3,)`` is a
    2-dimensional array of 3-vectors to a kernel, and ``(16, 8, 3)`` numbers in C order to numpy.

    Attributes
    ----------
    shape : tuple of int
        The shape a kernel sees, without the element shape.
    elem_shape : tuple of int
        ``()`` for scalars, ``(n,)`` for vectors, ``(n, m)`` for matrices.
    """

    __slots__ = ("_handle", "_memory", "_native", "_runtime", "_type", "elem_shape", "shape")

    def __init__(self, runtime: Runtime, shape: ShapeLike, dtype: DTypeLike, elem_shape: ShapeLike = ()) -> None:
        self.shape = as_shape(shape, "shape")
        self.elem_shape = as_shape(elem_shape, "elem_shape")
        self._type: ArrayType = array_type(to_data_type(dtype), len(self.shape), self.elem_shape)
        if len(self.shape) > MAX_NDIM or len(self.elem_shape) > MAX_NDIM:
            raise ValueError(f"an ndarray has at most {MAX_NDIM} dimensions, not {len(self.shape)}")
        if 0 in self.elem_shape:
            raise ValueError(f"no dimension of an element shape may be 0: {self.elem_shape}")
        if max(self.size, *self.shape, *self.elem_shape, 0) > MAX_ELEMENTS:
            raise ValueError(f"an ndarray has at most {MAX_ELEMENTS} numbers, not {self.size}: kernels index with i32")
        self._runtime = runtime
        self._memory: Memory | None = None
        # A 0-sized array still needs a memory to name, and the library crashes on one of size 0.
        self._handle = allocate(runtime._handle, max(self.nbytes, self.itemsize))
        self._native = ffi.new(
            "TiNdArray *",
            {
                "memory": self._handle.pointer,
                "shape": {"dim_count": len(self.shape), "dims": self.shape},
                "elem_shape": {"dim_count": len(self.elem_shape), "dims": self.elem_shape},
                # The library's graphs know no ndarrays of u1; its kernels do not look.
                "elem_type": int(DataType.U8 if self._type.dtype is DataType.U1 else self._type.dtype),
            },
        )[0]

    def __init_subclass__(cls) -> None:
        raise TypeError("NdArray cannot be subclassed: launches tell arrays by their very class")

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy dtype of the numbers in the elements."""
        return numpy_dtype(self._type.dtype)

    @property
    def data_type(self) -> DataType:
        """The Taichi type of the numbers in the elements."""
        return self._type.dtype

    @property
    def ndim(self) -> int:
        """Number of dimensions that a kernel sees."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many numbers it holds, those of the elements counted."""
        return math.prod(self.shape) * math.prod(self.elem_shape)

    @property
    def itemsize(self) -> int:
        """Bytes of one number."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all numbers."""
        return self.size * self.itemsize

    @property
    def runtime(self) -> Runtime:
        """The runtime it belongs to."""
        return self._runtime

    @property
    def memory(self) -> Memory:
        """The memory behind it; closing one closes the other."""
        if self._memory is None:
            self._memory = Memory(self._runtime, self._handle)
        return self._memory

    @property
    def closed(self) -> bool:
        return self._handle.closed

    def close(self) -> None:
        """Free the memory. Closing twice is fine.

        Raises
        ------
        BufferError
            While a view that `map` gave still lives.
        """
        self._handle.close()

    def _view(self) -> npt.NDArray[Any]:
        numbers = map_bytes(self._handle)[: self.nbytes].view(self.dtype)
        return numbers.reshape(self.shape + self.elem_shape)

    @contextmanager
    def map(self) -> Iterator[npt.NDArray[Any]]:
        """Zero-copy view of shape ``shape + elem_shape``, in a ``with`` statement.

        Entering waits for the device. What was written is visible to the device after the statement. The view, its
        slices and reshapes stay valid as long as they live: the mapping and the allocation live on with them.

        Raises
        ------
        ValueError
            If the array is closed.
        """
        yield self._view()

    def to_numpy(self) -> npt.NDArray[Any]:
        """Wait for the device and copy into a new numpy array of shape ``shape + elem_shape``.

        Raises
        ------
        ValueError
            If the array is closed.
        """
        return self._view().copy()

    def write(self, array: npt.ArrayLike) -> None:
        """Wait for the device and copy `array` into this one.

        Raises
        ------
        TypeError
            If its dtype cannot be cast to this one's by numpy's ``same_kind`` rule.
        ValueError
            If its shape is not ``shape + elem_shape``, or this array is closed.
        """
        source = np.asarray(array)
        if source.shape != self.shape + self.elem_shape:
            raise ValueError(f"cannot write an array of shape {source.shape} to {self!r}")
        np.copyto(self._view(), source, casting="same_kind")

    def fill(self, value: Any) -> None:
        """Wait for the device and set every number to `value`, a scalar.

        Raises
        ------
        TypeError, OverflowError
            If numpy cannot convert `value` to the dtype.
        ValueError
            If the array is closed.
        """
        self._view().fill(value)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a 0-dimensional NdArray")
        return self.shape[0]

    def __repr__(self) -> str:
        state = "closed " if self.closed else ""
        return f"<{state}NdArray shape={self.shape} {self._type} on {self._handle.runtime.arch}>"


def as_shape(shape: ShapeLike, what: str) -> tuple[int, ...]:
    """A shape as a tuple of integers that are not negative; `what` names it in errors."""
    try:
        sizes = tuple(map(operator.index, shape if isinstance(shape, Iterable) else (shape,)))
    except TypeError:
        raise TypeError(f"{what} must be an integer or a sequence of integers, not {shape!r}") from None
    if any(size < 0 for size in sizes):
        raise ValueError(f"no dimension of {what} may be negative: {sizes}")
    return sizes
