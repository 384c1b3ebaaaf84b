"""The primitive types of Taichi, in one table."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from ._enums import DataType
from ._errors import ArgumentTypeError
from ._wording import short

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Scalar = TypeVar("Scalar", bound="_Number")
    DTypeOf: TypeAlias = np.dtype[Scalar] | type[Scalar]
    Float32: TypeAlias = Literal["f32", "float32", DataType.F32]

# The names of Taichi, and those of numpy. Calls also take what `numpy.dtype` takes: type checkers want it written out.
DTypeName: TypeAlias = Literal[
    "f16", "f32", "f64", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64",
    "float16", "float32", "float64", "int8", "int16", "int32", "int64", "bool", "uint8", "uint16", "uint32", "uint64",
]  # fmt: skip
_Number: TypeAlias = np.floating[Any] | np.integer[Any] | np.bool_
DTypeLike: TypeAlias = DataType | DTypeName | np.dtype[_Number] | type[_Number] | type[float] | type[int] | None


class DTypeRow(NamedTuple):
    """The properties of a primitive type."""

    numpy: np.dtype[Any]  # the dtype with its layout in arrays
    python: type  # what Python calls its numbers
    # The smallest and the largest number of an integer type; None for floating-point types.
    limits: tuple[int, int] | None
    llvm: str  # its name in LLVM IR, which has no signs
    # The C type through which a launch writes a scalar. The library copies as many of the 32 bits of an argument as
    # the parameter has; scalars of 64 bits are passed as words.
    pointer: str
    spirv_bytes: int  # bytes in the argument struct of SPIR-V code, in which booleans are integers
    # The code by which `struct.pack` stores what a launch would, or refuses it; empty if it does something else.
    pack: str = ""
    # The capability without which a Vulkan device has no such numbers, after ``spirv_has_``; empty if all have them.
    capability: str = ""


INTEGER_CODES = {8: "B", 16: "H", 32: "I", 64: "Q"}


def _float(bits: int, llvm: str, pointer: str) -> DTypeRow:
    pack, capability = {16: "", 32: "f", 64: "d"}[bits], "" if bits == 32 else f"float{bits}"
    return DTypeRow(np.dtype(f"f{bits // 8}"), float, None, llvm, pointer, bits // 8, pack, capability)


def _integer(bits: int, pointer: str = "int32_t *", *, signed: bool = True) -> DTypeRow:
    dtype = np.dtype(f"{'i' if signed else 'u'}{bits // 8}")
    limits = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    pack, capability = INTEGER_CODES[bits], "" if bits == 32 else f"int{bits}"
    return DTypeRow(dtype, int, limits, f"i{bits}", pointer, bits // 8, pack.lower() if signed else pack, capability)


# A new type needs a row here, and code only where it means something to a device.
DTYPES = {
    DataType.F16: _float(16, "half", "int32_t *"),
    DataType.F32: _float(32, "float", "float *"),
    DataType.F64: _float(64, "double", "double *"),
    DataType.I8: _integer(8),
    DataType.I16: _integer(16),
    DataType.I32: _integer(32),
    DataType.I64: _integer(64, "int64_t *"),
    DataType.U1: DTypeRow(np.dtype(np.bool_), bool, (0, 1), "i1", "int32_t *", 4),
    DataType.U8: _integer(8, signed=False),
    DataType.U16: _integer(16, signed=False),
    DataType.U32: _integer(32, "uint32_t *", signed=False),
    DataType.U64: _integer(64, "uint64_t *", signed=False),
}
INTEGER_RANGES = {dtype: row.limits for dtype, row in DTYPES.items() if row.limits is not None}
SYMBOL_TYPES = frozenset(dtype for dtype, row in DTYPES.items() if row.python is int)  # of scalars that a symbol names
_NUMPY = {dtype: row.numpy for dtype, row in DTYPES.items()}
_DATA_TYPE = {dtype: data_type for data_type, dtype in _NUMPY.items()}
_TAICHI_NAMES = {str(data_type): data_type for data_type in DataType}


def numpy_dtype(data_type: DataType) -> np.dtype[Any]:
    return _NUMPY[data_type]


def item_size(dtype: DataType, family: str) -> int:
    """Bytes of a number in the argument struct."""
    row = DTYPES[dtype]
    return row.spirv_bytes if family == "gfx" else row.numpy.itemsize


def to_data_type(dtype: DTypeLike) -> DataType:
    """Return the Taichi type for a numpy dtype (or what ``np.dtype`` takes), a DataType or a name like ``"f32"``.

    None means Taichi's default, f32. A name that both define means Taichi's type: ``"i8"`` is 8 bits, although numpy's
    ``"i8"`` is 8 bytes. TypeError if Taichi does not have the dtype: complex, object, strings, or another byte order.
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
        raise ArgumentTypeError(
            f"dtype must be one of {names}, or what numpy.dtype takes, not {short(dtype)}{hint}"
        ) from None
    try:
        return _DATA_TYPE[resolved]
    except KeyError:
        if resolved.newbyteorder("=") in _DATA_TYPE:
            cast = f"astype({str(resolved.newbyteorder('='))!r})"
            raise ArgumentTypeError(
                f"Taichi has no type for dtype {resolved}, of another byte order; {cast} converts an array"
            ) from None
        names = ", ".join(str(known) for known in _DATA_TYPE)
        raise ArgumentTypeError(f"Taichi has no type for dtype {resolved}; it has {names}") from None


class ArrayType(NamedTuple):
    """The type of an ndarray in a kernel: everything except its shape. Created only by `array_type`.

    An array that kernels must not write to has another type, so that comparing types detects it.
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
    """Return the only ArrayType with these values, so that `is` compares types."""
    return ArrayType(dtype, ndim, elem_shape, readonly)


def element_name(dtype: DataType, elem_shape: tuple[int, ...]) -> str:
    """Return the name of an element as Taichi spells it: ``f32``, ``vector(3, f32)``, ``matrix(2, 3, f32)``."""
    if not elem_shape:
        return str(dtype)
    kind = {1: "vector", 2: "matrix"}.get(len(elem_shape), "tensor")
    return f"{kind}({', '.join(map(str, elem_shape))}, {dtype})"


def without_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of an element or matrix without dimensions of size 1, which do not change the bytes."""
    return tuple(size for size in shape if size != 1)
