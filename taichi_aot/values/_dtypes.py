"""The primitive types of Taichi as numpy sees them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from ._enums import DataType
from ._wording import short

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["ArrayType", "DTypeLike", "array_type", "element_name", "item_size", "numpy_dtype", "to_data_type"]

DTypeLike: TypeAlias = "npt.DTypeLike | DataType | None"  # a name may be one of Taichi, such as "f32"

_NUMPY: dict[DataType, np.dtype[Any]] = {
    DataType.F16: np.dtype(np.float16),
    DataType.F32: np.dtype(np.float32),
    DataType.F64: np.dtype(np.float64),
    DataType.I8: np.dtype(np.int8),
    DataType.I16: np.dtype(np.int16),
    DataType.I32: np.dtype(np.int32),
    DataType.I64: np.dtype(np.int64),
    DataType.U1: np.dtype(np.bool_),
    DataType.U8: np.dtype(np.uint8),
    DataType.U16: np.dtype(np.uint16),
    DataType.U32: np.dtype(np.uint32),
    DataType.U64: np.dtype(np.uint64),
}
_DATA_TYPE = {dtype: data_type for data_type, dtype in _NUMPY.items()}
_TAICHI_NAMES = {str(data_type): data_type for data_type in DataType}


def numpy_dtype(data_type: DataType) -> np.dtype[Any]:
    """The numpy dtype with the layout of `data_type`."""
    return _NUMPY[data_type]


def item_size(dtype: DataType, family: str) -> int:
    """Bytes of a number in the argument struct: booleans have 4 in SPIR-V."""
    return 4 if dtype is DataType.U1 and family == "gfx" else numpy_dtype(dtype).itemsize


def to_data_type(dtype: DTypeLike) -> DataType:
    """The Taichi type for a numpy dtype (or what ``np.dtype`` takes), a DataType or a name such as ``"f32"``.

    None is Taichi's default, f32. A name that both define means Taichi's type: ``"i8"`` has 8 bits here, although
    numpy's ``"i8"`` has 8 bytes.

    Raises
    ------
    TypeError
        If Taichi does not have the dtype: complex, object, strings, and dtypes of another byte order.
    """
    if isinstance(dtype, DataType):
        return dtype
    if dtype is None:  # numpy's default would be f64
        return DataType.F32
    if isinstance(dtype, str) and dtype in _TAICHI_NAMES:
        return _TAICHI_NAMES[dtype]
    try:
        resolved = np.dtype(dtype)
    except (TypeError, ValueError, SyntaxError, RecursionError):
        names = ", ".join(_TAICHI_NAMES)
        hint = "; a shape is one argument, as in zeros((8, 8))" if isinstance(dtype, int) else ""
        raise TypeError(f"dtype must be one of {names}, or what numpy.dtype takes, not {short(dtype)}{hint}") from None
    try:
        return _DATA_TYPE[resolved]
    except KeyError:
        names = ", ".join(str(known) for known in _DATA_TYPE)
        raise TypeError(f"Taichi has no type for dtype {resolved}; it has {names}") from None


class ArrayType(NamedTuple):
    """The type of an ndarray in a kernel: everything except its shape. Created only by `array_type`.

    An array that kernels must not write to has another type, so that the comparison of types finds it.
    """

    dtype: DataType
    ndim: int
    elem_shape: tuple[int, ...]
    readonly: bool = False

    def __str__(self) -> str:
        kind = "read-only ndarray" if self.readonly else "ndarray"
        return f"{kind}[{element_name(self.dtype, self.elem_shape)}, {self.ndim}]"


@cache
def array_type(dtype: DataType, ndim: int, elem_shape: tuple[int, ...], *, readonly: bool = False) -> ArrayType:
    """The only ArrayType with these values, so that `is` compares them."""
    return ArrayType(dtype, ndim, elem_shape, readonly)


def element_name(dtype: DataType, elem_shape: tuple[int, ...]) -> str:
    """The name of an element as Taichi's own types spell it: ``f32``, ``vector(3, f32)``, ``matrix(2, 3, f32)``."""
    if not elem_shape:
        return str(dtype)
    kind = {1: "vector", 2: "matrix"}.get(len(elem_shape), "tensor")
    return f"{kind}({', '.join(map(str, elem_shape))}, {dtype})"
