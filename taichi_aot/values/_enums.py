"""Enumerations of the C-API, with the values of its headers, and the primitive types of Taichi in one table."""

from __future__ import annotations

import operator
import re
from enum import EnumMeta, IntEnum, IntFlag
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from ._errors import ArgumentOutOfRangeError, ArgumentTypeError, short

if TYPE_CHECKING:
    from typing_extensions import Self, TypeVar

# The names of members, as type checkers know them.
ArchName: TypeAlias = Literal["vulkan", "metal", "cuda", "x64", "arm64", "opengl", "gles"]


class _EnumType(EnumMeta):
    """Looks members up without the ``repr`` of an unknown value, which may run user code or never return."""

    if not TYPE_CHECKING:  # type checkers know the `__new__` below

        def __call__(cls, value):
            if isinstance(value, str):
                member = cls.__members__.get(value.upper())
            else:
                number = _index_of(value)
                member = cls._value2member_map_.get(number)
                value = value if number is None else number  # the message shows members of other enums as numbers
            if member is None:
                noun = re.sub("(?<=[a-z])(?=[A-Z])", " ", cls.__name__).lower()
                names = ", ".join(repr(str(known)) for known in cls)
                hint = cls._hint(value)
                raise ArgumentOutOfRangeError(f"unknown {noun} {short(value)}; known are {names}{hint}")
            return member

        def _hint(cls, value):
            """Return the end of the message about an unknown name: the one that was meant, if one is close."""
            if not isinstance(value, str):
                return ""
            from ._items import did_you_mean

            name = value.lower()
            return did_you_mean(_ARCHS.get(name, name) if cls.__name__ == "Arch" else name, map(str, cls))


# Other names of archs.
_ARCHS = {
    **dict.fromkeys(["amd64", "intel", "x86", "x86_64", "x86-64"], "x64"),
    **dict.fromkeys(["aarch64", "arm", "armv8"], "arm64"),
    **dict.fromkeys(["nvidia", "ptx"], "cuda"),
    **dict.fromkeys(["gl", "glsl"], "opengl"),
    **dict.fromkeys(["vk", "spirv"], "vulkan"),
}


def _index_of(value: Any) -> int | None:
    """Return the value as an integer; None if it is not one."""
    try:
        return int.__index__(operator.index(value))
    except TypeError:
        return None


class NamedEnum(IntEnum, metaclass=_EnumType):
    """An enumeration that also accepts its members' names, and whose ``str`` is the name in lower case."""

    if TYPE_CHECKING:

        def __new__(cls, value: int | str) -> Self: ...

    def __str__(self) -> str:
        return self.name.lower()


class Arch(NamedEnum):
    """Backend of a runtime (``TiArch``), from its number or name.

    Raises
    ------
    ValueError
        If the name or number is not an arch.

    Examples
    --------
    >>> Arch("vulkan")
    <Arch.VULKAN: 1>
    >>> str(Arch.VULKAN)
    'vulkan'
    """

    VULKAN = 1
    METAL = 2
    CUDA = 3
    X64 = 4
    ARM64 = 5
    OPENGL = 6
    GLES = 7

    @property
    def is_llvm(self) -> bool:
        """Whether modules for this arch contain LLVM IR; those for the other archs contain SPIR-V."""
        return self in (Arch.X64, Arch.ARM64, Arch.CUDA)

    @property
    def is_cpu(self) -> bool:
        """Whether kernels run on the CPU of the host."""
        return self in (Arch.X64, Arch.ARM64)


def arch_of(named: Arch | ArchName | str | None) -> Arch | None:
    """Return the arch of a name; None for None. ValueError if it is not an arch."""
    return None if named is None else Arch(named)


class Capability(IntEnum):
    """Capability of a device (``TiCapability``).

    Examples
    --------
    >>> Capability.SPIRV_HAS_INT64 in rt.capabilities  # a CPU runtime has none
    False
    """

    SPIRV_VERSION = 1
    SPIRV_HAS_INT8 = 2
    SPIRV_HAS_INT16 = 3
    SPIRV_HAS_INT64 = 4
    SPIRV_HAS_FLOAT16 = 5
    SPIRV_HAS_FLOAT64 = 6
    SPIRV_HAS_ATOMIC_INT64 = 7
    SPIRV_HAS_ATOMIC_FLOAT16 = 8
    SPIRV_HAS_ATOMIC_FLOAT16_ADD = 9
    SPIRV_HAS_ATOMIC_FLOAT16_MINMAX = 10
    SPIRV_HAS_ATOMIC_FLOAT = 11
    SPIRV_HAS_ATOMIC_FLOAT_ADD = 12
    SPIRV_HAS_ATOMIC_FLOAT_MINMAX = 13
    SPIRV_HAS_ATOMIC_FLOAT64 = 14
    SPIRV_HAS_ATOMIC_FLOAT64_ADD = 15
    SPIRV_HAS_ATOMIC_FLOAT64_MINMAX = 16
    SPIRV_HAS_VARIABLE_PTR = 17
    SPIRV_HAS_PHYSICAL_STORAGE_BUFFER = 18
    SPIRV_HAS_SUBGROUP_BASIC = 19
    SPIRV_HAS_SUBGROUP_VOTE = 20
    SPIRV_HAS_SUBGROUP_ARITHMETIC = 21
    SPIRV_HAS_SUBGROUP_BALLOT = 22
    SPIRV_HAS_NON_SEMANTIC_INFO = 23
    SPIRV_HAS_NO_INTEGER_WRAP_DECORATION = 24


class DataType(NamedEnum):
    """Primitive type of a scalar or of an array's numbers (``TiDataType``), from its number or Taichi's name.

    Raises
    ------
    ValueError
        If the name or number is not a type.

    Examples
    --------
    >>> x.data_type, str(x.data_type), DataType("u8")
    (<DataType.F32: 1>, 'f32', <DataType.U8: 8>)
    """

    F16 = 0
    F32 = 1
    F64 = 2
    I8 = 3
    I16 = 4
    I32 = 5
    I64 = 6
    U1 = 7
    U8 = 8
    U16 = 9
    U32 = 10
    U64 = 11


class MemoryUsage(IntFlag):
    """Permitted uses of an allocation (``TiMemoryUsageFlags``). Kernel arguments need STORAGE.

    Examples
    --------
    >>> memory = rt.allocate(256, usage=MemoryUsage.STORAGE | MemoryUsage.VERTEX)
    """

    STORAGE = 1
    UNIFORM = 2
    VERTEX = 4
    INDEX = 8


if TYPE_CHECKING:
    Scalar = TypeVar("Scalar", bound="_Number")
    DTypeOf: TypeAlias = np.dtype[Scalar] | type[Scalar]
    Float32: TypeAlias = Literal["f32", "float32", DataType.F32]

# The primitive types of Taichi, in one table.


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
