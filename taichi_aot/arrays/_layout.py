"""Layouts of ndarrays in memory, the values of arrays as text, and parts of images."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from enum import IntFlag
from functools import lru_cache
from itertools import product, takewhile
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from ..driver._library import ffi, keeping_failures
from ..handles._memory import MemoryHandle, Request, check_not_mapped
from ..values._errors import (
    ArgumentIndexError,
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    InvalidArgumentError,
    is_array,
    short,
    with_article,
)
from ..values._numbers import (
    ArrayType,
    DataType,
    DTypeLike,
    MemoryUsage,
    array_type,
    as_integer,
    numpy_dtype,
    plain_array,
    to_data_type,
)
from ..values._signature import MAX_NDIM

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from .._capi import taichi_aot_array_p
    from ..handles._image import ImageHandle, Region


ShapeLike: TypeAlias = int | Sequence[int]
Usage = TypeVar("Usage", bound=IntFlag)

MAX_ELEMENTS = 2**31 - 1  # kernels index with 32-bit integers; beyond that, a launch silently does nothing


class ArrayLayout:
    """The properties of an array except its memory. Each combination is checked and converted for the library once.

    Those of a field, which is not an array, may have any size.
    """

    __slots__ = ("_request", "c", "dtype", "elem_shape", "nbytes", "numpy_shape", "shape", "size", "type")

    def __init__(
        self, shape: tuple[int, ...], dtype: DTypeLike, elem_shape: tuple[int, ...], *, is_array: bool = True
    ) -> None:
        self.shape: tuple[int, ...] = shape
        self.elem_shape: tuple[int, ...] = elem_shape
        self.numpy_shape: tuple[int, ...] = shape + elem_shape
        self.type: ArrayType = array_type(to_data_type(dtype), len(shape), elem_shape)
        self.dtype: np.dtype[Any] = numpy_dtype(self.type.dtype)
        if len(shape) > MAX_NDIM or len(elem_shape) > MAX_NDIM:
            ndim = max(len(shape), len(elem_shape))
            raise ArgumentOutOfRangeError(f"ndarrays and their elements have at most {MAX_NDIM} dimensions, not {ndim}")
        if 0 in elem_shape:
            raise ArgumentOutOfRangeError(f"the dimensions of an element shape must not be 0: {short(elem_shape)}")
        self.size: int = math.prod(self.numpy_shape)
        largest = max(self.size, *self.numpy_shape, 0)
        if is_array and largest > MAX_ELEMENTS:
            raise ArgumentOutOfRangeError(
                f"an ndarray of shape {short(self.numpy_shape)} is too large: kernels index with i32, so neither a "
                f"dimension nor the number of elements may exceed {MAX_ELEMENTS}"
            )
        self.nbytes: int = self.size * self.dtype.itemsize
        # An array of size 0 also needs memory, and the library crashes on an allocation of 0 bytes.
        self._request = Request(self.nbytes or self.dtype.itemsize, for_arrays=True)
        self.c: taichi_aot_array_p = ffi.new("taichi_aot_array *")
        ti_ndarray = self.c.ti_ndarray
        ti_ndarray.shape = {"dim_count": len(shape), "dims": shape}
        ti_ndarray.elem_shape = {"dim_count": len(elem_shape), "dims": elem_shape}
        # The library's graphs do not support ndarrays of u1; its kernels do not check.
        ti_ndarray.elem_type = int(DataType.U8 if self.type.dtype is DataType.U1 else self.type.dtype)

    def require_floats(self) -> None:
        """Raise TypeError if the array cannot have a gradient."""
        if self.dtype.kind != "f":
            raise ArgumentTypeError(f"grad=True needs an array of floats (f16, f32 or f64), not of {self.type.dtype}")

    def request_for(self, usage: MemoryUsage, *, export_sharing: bool = False) -> Request:
        """Return the request for the array's memory with these uses besides storage."""
        if usage is MemoryUsage.STORAGE and not export_sharing:
            return self._request
        uses = usage_flags(MemoryUsage, usage) | MemoryUsage.STORAGE
        return Request(self._request.size, for_arrays=True, export_sharing=bool(export_sharing), usage=uses)


class CopiedForNumpy:
    """Base of what numpy reads only as a copy."""

    __slots__ = ()

    def to_numpy(self) -> npt.NDArray[Any]:
        raise NotImplementedError

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Return a copy for numpy, if the host cannot access the memory itself.

        Raises
        ------
        ValueError
            If `copy` is False, or the object is closed.
        """
        if copy is False:
            hint = "; map() yields a view" * hasattr(self, "map")
            raise InvalidArgumentError(f"numpy cannot access {with_article(type(self).__name__)} without a copy{hint}")
        array = self.to_numpy()
        return array if dtype is None else array.astype(dtype, copy=False)


class LaidOut(CopiedForNumpy):
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


def check_output(out: npt.NDArray[Any], shape: tuple[int, ...], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return the array to copy numbers of this shape and dtype into, as a plain numpy array."""
    if not isinstance(out, np.ndarray):
        raise ArgumentTypeError(f"expected a numpy array of {dtype}, got {type(out).__name__}")
    plain = plain_array(out)  # a subclass may misreport itself
    if plain.dtype != dtype:
        raise ArgumentTypeError(f"expected a numpy array of {dtype}, got an array of {plain.dtype}")
    if plain.shape != shape or not (plain.flags.c_contiguous and plain.flags.writeable):
        raise InvalidArgumentError(f"out must be of shape {shape}, C-contiguous and writable")
    return plain


def wrong_write(given: tuple[int, ...], target: LaidOut) -> ValueError:
    """Return the exception for numbers of the shape `given` that are written to an array or field of another one."""
    wanted = target._layout.numpy_shape
    hint = f", whose numbers have the shape {short(wanted)}" * bool(target.elem_shape)
    if not given:
        hint += "; fill() sets all numbers"
    elif math.prod(given) == target.size:
        hint += f"; write its reshape({short(wanted)})"
    return InvalidArgumentError(f"cannot write an array of shape {short(given)} to {target!r}{hint}")


_cached_layout: Callable[..., ArrayLayout] = lru_cache(maxsize=4096, typed=True)(ArrayLayout)


def array_layout(shape: tuple[int, ...], dtype: DTypeLike, elem_shape: tuple[int, ...]) -> ArrayLayout:
    """Return the layout of arrays of this shape, dtype and element shape.

    TypeError if Taichi does not have the dtype, ValueError if there are more than 12 dimensions or 2^31 - 1 numbers, or
    the element shape has a 0.
    """
    given: object = dtype
    if isinstance(given, (tuple, list)):  # lists are unhashable, and hashing a deeply nested tuple ends the process
        dtype = to_data_type(dtype)
    try:
        return _cached_layout(shape, dtype, elem_shape)
    except TypeError:  # a dtype that numpy accepts may be unhashable
        pass
    return _cached_layout(shape, to_data_type(dtype), elem_shape)


def usage_flags(kind: type[Usage], usage: object, least: int = 0) -> Usage:
    """Return a user's usage flags; ValueError if one is unknown, TypeError unless they are an integer."""
    flags = as_integer(usage, "usage")
    if flags < least or flags & ~sum(kind):
        names = ", ".join(kind.__members__)
        raise ArgumentOutOfRangeError(f"unknown usage {short(flags)}; the flags of {kind.__name__} are {names}")
    return kind(flags)


def c_strides(layout: ArrayLayout) -> tuple[int, ...]:
    """Return the bytes from one number to the next along each dimension of ``shape + elem_shape``."""
    sizes = layout.numpy_shape
    return tuple(layout.dtype.itemsize * math.prod(sizes[axis + 1 :]) for axis in range(len(sizes)))


def index_range(
    key: Any, shape: tuple[int, ...], remedy: str, elem_shape: tuple[int, ...] = ()
) -> tuple[int, tuple[int, ...] | None]:
    """Return the first element of ``array[key]``, and its shape, or None for one element.

    The part must be contiguous: `key` has integers for the first axes, then at most one range, then whole axes.
    `remedy` ends the messages about other keys, and `elem_shape` is for the one about too many. IndexError if an index
    is out of range, or there are too many. TypeError if `key` is something else. ValueError if a slice has a step.
    """
    keys: list[Any] = list(key) if key.__class__ is tuple else [key]
    is_part = bool(keys) and keys[-1] is Ellipsis
    if is_part:
        keys.pop()
    if len(keys) > len(shape):
        hint = f"; index its elements, of shape {short(elem_shape)}, as in array[i][j]" * bool(elem_shape)
        raise ArgumentIndexError(f"too many indices: {len(keys)} for an array of shape {short(shape)}{hint}")
    integers = list(takewhile(lambda each: not isinstance(each, slice), keys))
    slices, rest = keys[len(integers) :], shape[len(integers) :]
    begin = 0
    for axis, index in enumerate(integers):
        begin += _item_index(index, shape[axis], axis, remedy) * math.prod(shape[axis + 1 :])
    if not all(map(_is_whole, slices[1:])):
        raise ArgumentTypeError(f"a part of an array must be contiguous: only its first slice may be a range; {remedy}")
    if slices:
        first, end = slice_range(slices[0], rest[0], f"items along axis {len(integers)}", remedy)
        begin, rest = begin + first * math.prod(rest[1:]), (end - first, *rest[1:])
    return begin, rest if rest or is_part else None


def _is_whole(key: Any) -> bool:
    return key.__class__ is slice and key.start is key.stop is key.step is None


def _item_index(index: Any, size: int, axis: int, remedy: str) -> int:
    """Return an index of an axis as Python counts from 0."""
    if is_array(index) or index.__class__ in (bool, np.bool_) or not hasattr(index.__class__, "__index__"):
        raise ArgumentTypeError(
            "an array is indexed by integers and then a slice, as in array[i], array[a:b] and array[i, a:b], not by "
            f"{short(index)}; {remedy}"
        )
    number = as_integer(index, "an index")
    if not -size <= number < size:
        raise ArgumentIndexError(f"index {short(number)} is out of range of {size} items along axis {axis}")
    return number % size


def slice_range(key: slice, size: int, what: str, remedy: str = "") -> tuple[int, int]:
    """Return the begin and end of a slice of `size` items, by Python's rule; `what` names the items in errors.

    `remedy` ends the message about a step. IndexError if an index is out of range; Python would clip it. TypeError if
    an index is not an integer. ValueError if the slice has a step.
    """
    if key.step is not None and as_integer(key.step, "the step of a slice") != 1:
        raise InvalidArgumentError(f"{what} cannot be sliced with a step{remedy and '; '}{remedy}")
    begin, end = (
        default if bound is None else as_integer(bound, "the bound of a slice")
        for bound, default in ((key.start, 0), (key.stop, size))
    )
    for bound in (begin, end):
        if not -size <= bound <= size:
            raise ArgumentIndexError(f"index {short(bound)} is out of range of {size} {what}")
    begin, end = (bound + size if bound < 0 else bound for bound in (begin, end))
    return begin, max(begin, end)


def split_shape(shape: tuple[int, ...], elem_shape: ShapeLike) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Split the shape of all of an array's numbers into its shape and its element shape."""
    if elem_shape.__class__ is tuple and not elem_shape:
        return shape, ()
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


# All texels of an image or a box of them, which arrays are copied from and to.


class ImagePart:
    """All texels of an image, or a box of them."""

    __slots__ = ()
    _is_whole = False  # whether it is the image itself
    _handle: ImageHandle
    _region: Region

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy dtype of the channels."""
        return numpy_dtype(self._handle.request.texel.data_type)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape in numpy: ``([[depth, ]height, ]width[, channels])``, without `channels` if there is only one."""
        channels = self._handle.request.texel.channels
        return (*reversed(self._region.extent), *(channels,) * (channels > 1))


def is_image(value: object) -> bool:
    """Return whether a value is an `Image`, not a part of one."""
    return isinstance(value, ImagePart) and value._is_whole


def copy_texels(part: ImagePart, memory: MemoryHandle, offset: int, direction: int) -> None:
    """Copy between texels and a memory that has room for them from `offset` on, on the device and in launch order."""
    image = part._handle
    if image.runtime is not memory.runtime:
        raise InvalidArgumentError("cannot copy between an image and an array of different runtimes")
    image.require_open()
    memory.require_open()
    check_not_mapped(memory)
    image.copy_memory(part._region, memory, offset, direction)


# Values of arrays as text, of which only those that are shown are read from the device.


MOST = 10_000  # numbers in a text, whatever numpy's options
WHOLE = 1 << 16  # bytes of rows that are read whole


def summary(memory: MemoryHandle, layout: ArrayLayout, offset: int) -> str:
    """Return the text that numpy prints for the numbers at this offset of the memory, after waiting for the device."""
    return keeping_failures(lambda: _text(memory, layout, offset))


def _text(memory: MemoryHandle, layout: ArrayLayout, offset: int) -> str:
    options = np.get_printoptions()
    if layout.size <= min(options["threshold"], MOST):
        numbers = np.empty(layout.numpy_shape, layout.dtype)
        memory.read(numbers, offset)
        return str(numbers)
    edge = options["edgeitems"]
    while edge > 1 and math.prod(min(size, 2 * edge) for size in layout.numpy_shape) > MOST:
        edge -= 1
    return np.array2string(_edges(memory, layout, offset, edge), threshold=0, edgeitems=edge)


def _edges(memory: MemoryHandle, layout: ArrayLayout, offset: int, edge: int) -> npt.NDArray[Any]:
    """Return the numbers at both ends of each dimension; numpy leaves out the one between them."""
    sizes, strides = layout.numpy_shape, c_strides(layout)
    kept: list[Sequence[int]] = [range(n) if n <= 2 * edge else [*range(edge + 1), *range(n - edge, n)] for n in sizes]
    outer = next(i for i in range(len(sizes) + 1) if layout.dtype.itemsize * math.prod(sizes[i:]) <= WHOLE)
    rows = np.empty(sizes[outer:], layout.dtype)
    result = np.empty([len(each) for each in kept], layout.dtype)
    for place in product(*map(range, result.shape[:outer])):
        begin = sum(kept[axis][i] * stride for axis, (i, stride) in enumerate(zip(place, strides, strict=False)))
        memory.read(rows, offset + begin)
        result[place] = rows[np.ix_(*kept[outer:])]
    return result
