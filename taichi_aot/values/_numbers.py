"""Numbers: enumerations of the C-API, Taichi's primitive types in one table, and conversion for the device.

One rule converts arguments and the values of `asarray`, `fill`, `full` and `write`. Python numbers, also those in
lists, convert as scalar arguments do: an integer type takes integers that fit, a floating-point type takes any real
number. Without a stated dtype floats are f32 and integers i32, as in Taichi. Arrays keep their dtype; one of another
dtype is cast if numpy's ``safe`` rule allows it, or a stated one. Subclasses of `numpy.ndarray` are not trusted: the
base class reads shape, dtype and contents.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Sequence
from enum import EnumMeta, IntEnum, IntFlag
from functools import cache
from itertools import chain
from struct import pack
from typing import TYPE_CHECKING, Any, Literal, SupportsFloat, SupportsIndex, TypeAlias, get_args

import numpy as np

from ._errors import (
    ArgumentOutOfRangeError,
    ArgumentOverflowError,
    ArgumentTypeError,
    InvalidArgumentError,
    describe,
    is_array,
    is_masked,
    short,
    type_of,
)

if TYPE_CHECKING:
    import numpy.typing as npt
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


class DTypeRow:
    """The properties of a primitive type."""

    __slots__ = ("capability", "limits", "llvm", "numpy", "pack", "pointer", "python", "spirv_bytes")

    def __init__(
        self,
        numpy: np.dtype[Any],
        python: type,
        limits: tuple[int, int] | None,
        llvm: str,
        pointer: str,
        spirv_bytes: int,
        pack: str = "",
        capability: str = "",
    ) -> None:
        self.numpy = numpy  # the dtype with its layout in arrays
        self.python = python  # what Python calls its numbers
        self.limits = limits  # the smallest and the largest number of an integer type; None for floating-point types
        self.llvm = llvm  # its name in LLVM IR, which has no signs
        # The C type through which a launch writes a scalar. The library copies as many of the 32 bits of an argument as
        # the parameter has; scalars of 64 bits are passed as words.
        self.pointer = pointer
        self.spirv_bytes = spirv_bytes  # bytes in the argument struct of SPIR-V code, in which booleans are integers
        # The code by which `struct.pack` stores what a launch would, or refuses it; empty if it does something else.
        self.pack = pack
        # The capability without which a Vulkan device has no such numbers, after ``spirv_has_``; empty if all do.
        self.capability = capability


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


class ArrayType:
    """The type of an ndarray in a kernel: everything except its shape. Created only by `array_type`.

    An array that kernels must not write to has another type, so that comparing types detects it.
    """

    __slots__ = ("dtype", "elem_shape", "ndim", "readonly")

    def __init__(self, dtype: DataType, ndim: int, elem_shape: tuple[int, ...], readonly: bool) -> None:
        self.dtype: DataType = dtype
        self.ndim: int = ndim
        self.elem_shape: tuple[int, ...] = elem_shape
        self.readonly: bool = readonly

    def for_access(self, *, readonly: bool) -> ArrayType:
        """Return the type of an array with the same numbers that kernels may write to, or may not."""
        return array_type(self.dtype, self.ndim, self.elem_shape, readonly=readonly)

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


# Arrays of other libraries in messages: what to write, and why some tensors cannot be used at all.


PROTOCOLS = ("__dlpack__", "__cuda_array_interface__", "__array_interface__")  # by which arrays share memory

HOST_COPIES = {"cupy": "{}.get()", "jax": "jax.device_get({})", "jaxlib": "jax.device_get({})", "torch": "{}.cpu()"}
REMEDIES = {
    "bfloat16": "it is of bfloat16, which Taichi and numpy do not have: write {}.float()",
    "fake": "it has no numbers, as in torch.compile: call an operator of taichi_aot.interop.torch there",
    "freed": "it has no memory: its storage was freed",
    "gradient": "it requires a gradient, which kernels do not track: write {}.detach()",
    "meta": "it is on the device 'meta', and has no numbers",
    "negative": "its numbers are stored negated: write {}.resolve_neg()",
    "nested": "it is nested: write {}.to_padded_tensor(0.0)",
    "quantized": "it is quantized: write {}.dequantize()",
    "sparse": "it is not dense: write {}.to_dense()",
    "traced": "it is traced, as in jax.jit, and has no numbers: call a function of taichi_aot.interop.jax there",
    "transformed": "it is an argument in torch.vmap or torch.func: call an operator of taichi_aot.interop.torch there",
    "deleted": "it was deleted, or donated to a function of jax.jit",
}


def array_hint(value: object) -> str:
    """Return the end of a message: how to make an NdArray of what another library has; empty for other values."""
    trouble = tensor_trouble(value)
    if trouble:
        return f"; {trouble}"
    code = copy_code(value)
    shared = " to copy it, or runtime.from_dlpack(x) to share its memory" * offers_memory(value)
    return f"; write {code}{shared}" if code else ""


def copy_code(value: object, name: str = "x", dtype: str = "", elem_shape: tuple[int, ...] = ()) -> str:
    """Return the code that copies another library's array, or a sequence, to the device; empty for other values.

    `name` is the value's name in the code, `dtype` Taichi's name of the type to cast to, empty for the type that it
    has, and `elem_shape` the wanted shape of elements.
    """
    kind, shape = value.__class__, elem_shape[0] if len(elem_shape) == 1 else elem_shape
    if offers_memory(value):
        host = HOST_COPIES.get(kind.__module__.partition(".")[0], "")
        if not host or "cuda" not in str(getattr(value, "device", "")).lower():
            host = "{}"
    elif hasattr(kind, "to_numpy"):  # arrays and fields of the Taichi compiler, series of pandas
        host = "{}.to_numpy()"
    elif kind in (list, tuple):
        host = "{}"
    else:
        return ""
    cast = f", {dtype!r}" if dtype else ""
    return f"runtime.asarray({host.format(name)}{cast}{f', elem_shape={short(shape)}' if elem_shape else ''})"


def cast_code(kind: str, name: str, dtype: str) -> str:
    """Return the code that casts an array to a dtype of numpy, given its class with the module."""
    return f"{name}.to(torch.{dtype})" if kind.startswith("torch.") else f"{name}.astype({dtype!r})"


def offers_memory(value: object) -> bool:
    """Return whether it is an array that can share its memory; numbers of numpy have the methods too."""
    kind = value.__class__
    return any(hasattr(kind, name) for name in PROTOCOLS) and not issubclass(kind, np.generic)


def tensor_trouble(value: Any, name: str = "x") -> str:
    """Return why other libraries cannot use a tensor or an array of JAX, and what to write; empty if they can."""
    kind: Any = value.__class__
    libraries = {each.__module__.partition(".")[0] for each in kind.__mro__}
    trouble = ""
    if isinstance(value, type):
        pass
    elif "torch" in libraries:
        trouble = _of_torch(value)
    elif libraries & {"jax", "jaxlib"}:
        trouble = _of_jax(value)
    return REMEDIES[trouble].format(name) if trouble else ""


def _of_torch(tensor: Any) -> str:
    kind: Any = tensor.__class__
    if kind.__name__ in ("FakeTensor", "FunctionalTensor"):
        return "fake"
    if getattr(tensor, "requires_grad", False) is True:
        return "gradient"
    if str(getattr(tensor, "dtype", "")) == "torch.bfloat16":
        return "bfloat16"
    flags = {"is_nested": "nested", "is_quantized": "quantized", "is_meta": "meta"}
    for flag, trouble in flags.items():
        if getattr(tensor, flag, False) is True:
            return trouble
    if str(getattr(tensor, "layout", "torch.strided")) != "torch.strided":
        return "sparse"
    try:
        if tensor.is_neg():
            return "negative"
        return "freed" if tensor.numel() and not tensor.data_ptr() else ""
    except AttributeError:  # of an older version
        return ""
    except RuntimeError:  # it has no memory of its own
        return "transformed"


def _of_jax(array: Any) -> str:
    kind: Any = array.__class__
    if any(each.__name__ == "Tracer" for each in kind.__mro__):
        return "traced"
    is_deleted = getattr(array, "is_deleted", None)
    return "deleted" if is_deleted is not None and is_deleted() is True else ""


def as_integer(value: Any, what: str) -> int:
    """Return `value` as an int; `what` names it in the TypeError if it is not an integer."""
    try:
        return int.__index__(operator.index(value))
    except TypeError:
        raise ArgumentTypeError(f"{what} must be an integer, not {describe(value)}") from None


NumberLike: TypeAlias = "SupportsFloat | SupportsIndex"
Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]  # as numpy names its rules
CASTINGS = get_args(Casting)

MAX_NDIM = 32  # of arrays in any numpy: sequences that nest deeper are its elements
_FLOATS = {float}
NUMPY = (np.ndarray, np.generic)
NUMPY_REAL = (np.floating, np.integer, np.bool_)


def convert(value: object, dtype: DataType) -> int | float:
    """Return the number to store as a scalar of `dtype`: a plain int for integer types and u1, else a plain float.

    A float may have more digits or a larger exponent than `dtype`; `convert_array` rounds it, without a warning.
    TypeError if `value` is not a number of that kind: integers count as real numbers, floats do not count as integers.
    OverflowError if an integer does not fit `dtype`, or is too large for a float.
    """
    if is_array(value):
        value = _plain(value)
        value = value[()] if value.ndim == 0 else value
    return _to_integer(value, dtype) if dtype in INTEGER_RANGES else _to_real(value, dtype)


def convert_array(values: Any, dtype: DataType, what: str, casting: Casting = "safe") -> npt.NDArray[Any]:
    """Return a plain numpy array of `dtype` with these values; `what` names the parameter in messages.

    Numbers and nested sequences are converted one by one, as `convert` does. numpy arrays, and objects that offer one
    (``__array__``, ``__array_interface__``, a buffer), are cast by numpy's rule `casting`; in an array of objects, and
    in one without dimensions that cannot be cast, each element is converted like a number. An array of `dtype` itself
    is not copied.
    """
    if casting not in CASTINGS:
        raise InvalidArgumentError(f"casting must be one of {', '.join(CASTINGS)}, not {short(casting)}")
    kinds = set(map(type, values)) if values.__class__ is list else {values.__class__}
    if kinds == _FLOATS and dtype not in INTEGER_RANGES:
        return store(values, dtype)
    if type(values) is np.ndarray and values.dtype == numpy_dtype(dtype):
        return values
    if values.__class__ in (int, float):
        return _convert_elements(np.array(values, dtype=object), dtype, what)
    array = plain_array(values, what)
    _require_numbers(array, values, what)
    result = cast_array(array, dtype, what, casting)
    if result is None:
        target = numpy_dtype(dtype)
        wider = "same_kind" if np.can_cast(array.dtype, target, "same_kind") else "unsafe"
        raise ArgumentTypeError(
            f"{what}: casting an array of {array.dtype} to {dtype} may change its numbers; pass its "
            f"astype({str(target)!r}), or write() it with casting={wider!r}"
        )
    return result


def cast_array(
    array: npt.NDArray[Any], dtype: DataType, what: str, casting: Casting = "safe"
) -> npt.NDArray[Any] | None:
    """Return a plain array with `dtype`, or None if `casting` forbids the cast; otherwise as `convert_array`."""
    target = numpy_dtype(dtype)
    if array.dtype == target:
        return array
    if not array.dtype.hasobject and np.can_cast(array.dtype, target, casting):
        with np.errstate(over="ignore", invalid="ignore"):
            return array.astype(target)
    return _convert_elements(array, dtype, what) if array.dtype.hasobject or not array.ndim else None


def as_numbers(data: object, dtype: DTypeLike, what: str) -> npt.NDArray[Any]:
    """Return a plain array with `dtype`, to which arrays are cast by any rule, or if it is None with a default.

    Arrays and numbers of numpy keep their dtype. Python's floats are f32, its integers i32, its booleans u1.
    """
    if dtype is not None:
        return convert_array(data, to_data_type(dtype), what, "unsafe")
    if type(data) is np.ndarray and not data.dtype.hasobject:
        return data
    try:
        array = plain_array(_as_numpy(data, what))
    except ValueError:
        if isinstance(data, list | tuple):
            raise _ragged(what) from None
        raise
    _require_numbers(array, data, what)
    default = None if is_array(data) or _offers_array(data) else _default_type(data, array.ndim)
    if default is not None:
        try:
            return convert_array(data, default, what)
        except OverflowError as error:
            raise ArgumentOverflowError(f"{error}; state a dtype, such as 'i64'") from None
    if array.dtype.hasobject and is_array(data):
        raise ArgumentTypeError(f"{what}: {describe(data)} contains Python objects; convert them: x.astype('float32')")
    if array.dtype.hasobject:
        hint = "" if type(data) in (list, tuple) else array_hint(data)  # the caller is the remedy for sequences
        raise ArgumentTypeError(f"{what}: expected numbers, got {describe(data)}{hint}")
    return array


def _require_numbers(array: npt.NDArray[Any], values: object, what: str) -> None:
    """Raise TypeError for an array of strings, which numpy casts to numbers, or fails with an error of its own."""
    if array.dtype.kind in "SU":
        got = describe(values) + " of strings" * (type(values) in (list, tuple))
        raise ArgumentTypeError(f"{what}: expected numbers, got {got}; convert strings with float() or int()")


def _default_type(data: object, ndim: int) -> DataType | None:
    """Return Taichi's default type for Python numbers that nest `ndim` levels deep; None for all else."""
    leaves: Iterable[Any] = [data]
    for _ in range(ndim):
        leaves = chain.from_iterable(leaves)
    kinds = set(map(type_of, leaves))
    if not all(issubclass(kind, int | float) and not issubclass(kind, np.generic) for kind in kinds):
        return None
    if any(issubclass(kind, float) for kind in kinds) or not kinds:
        return DataType.F32
    return DataType.U1 if kinds == {bool} else DataType.I32


def plain_array(values: object, what: str = "data") -> npt.NDArray[Any]:
    """Return the values as a plain `numpy.ndarray`, of dtype object for numbers and nested sequences."""
    if is_array(values):
        return _plain(values)
    if _offers_array(values):
        return _plain(_as_numpy(values, what))
    try:
        return np.array(values, dtype=object)
    except ValueError:
        raise _ragged(what) from None


def _as_numpy(values: Any, what: str) -> npt.NDArray[Any]:
    """Return numpy's array of another library's array; raise if the library refuses."""
    trouble = tensor_trouble(values)
    if trouble:
        raise ArgumentTypeError(f"{what}: {trouble}")
    return np.asanyarray(values)


def _ragged(what: str) -> ValueError:
    """Return the exception for sequences of different lengths; `what` names the parameter."""
    return InvalidArgumentError(f"{what}: expected a rectangular sequence of numbers, got a ragged one")


def _convert_elements(array: npt.NDArray[Any], dtype: DataType, what: str) -> npt.NDArray[Any]:
    """Convert each element of a plain array as `convert` does."""
    try:
        return store(_convert_all(array.ravel(), dtype), dtype).reshape(array.shape)
    except TypeError as error:
        if array.ndim < MAX_NDIM and any(type_of(value) in (list, tuple) for value in array.ravel()):
            raise _ragged(what) from None
        hint = "" if array.ndim else array_hint(array[()])
        raise ArgumentTypeError(f"{what}: {error}{hint}") from None
    except OverflowError as error:
        raise ArgumentOverflowError(f"{what}: {error}") from None


def _convert_all(values: Iterable[Any], dtype: DataType) -> list[int | float]:
    if dtype in INTEGER_RANGES:
        low, high = INTEGER_RANGES[dtype]
        return [v if v.__class__ is int and low <= v <= high else convert(v, dtype) for v in values]
    return [v if v.__class__ is float else convert(v, dtype) for v in values]


def store(numbers: float | Sequence[float], dtype: DataType) -> npt.NDArray[Any]:
    """Return one or a sequence of the results of `convert` as an array of `dtype`.

    Floats are rounded, to infinity if too large.
    """
    if dtype in INTEGER_RANGES:
        return np.array(numbers, numpy_dtype(dtype))
    if dtype is DataType.F32 and isinstance(numbers, list):  # C rounds so too, and warns of nothing
        return np.frombuffer(bytearray(pack(f"{len(numbers)}f", *numbers)), np.float32)
    with np.errstate(over="ignore"):
        return np.array(numbers, np.float64).astype(numpy_dtype(dtype), copy=False)


def _plain(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the array as its base class sees it, whatever its subclass overrides."""
    if is_masked(array):
        raise ArgumentTypeError("a masked array lacks values where it is masked; array.filled() fills them in")
    return np.ndarray.view(array, np.ndarray)


def _offers_array(values: Any) -> bool:
    if values.__class__ in (int, float, list, tuple) or isinstance(values, np.generic):  # the most frequent first
        return False
    kind = type_of(values)
    if hasattr(kind, "__array__") or hasattr(kind, "__array_interface__"):
        return True
    try:
        memoryview(values).release()
    except TypeError:
        return False
    return True


def _to_integer(value: Any, dtype: DataType) -> int:
    kind = type_of(value)
    if kind is np.bool_:
        value = bool(value)
    elif not hasattr(kind, "__index__"):
        raise ArgumentTypeError(f"{describe(value)} is not an integer")
    # `int.__index__` returns the int itself, whatever a subclass of int overrides.
    number = int.__index__(operator.index(value))
    low, high = INTEGER_RANGES[dtype]
    if not low <= number <= high:
        raise ArgumentOverflowError(f"{short(number)} does not fit {dtype}")
    return number


def _to_real(value: Any, dtype: DataType) -> float:
    kind = type_of(value)
    if issubclass(kind, NUMPY):
        is_real = issubclass(kind, NUMPY_REAL) and not issubclass(kind, np.timedelta64)
    else:
        is_real = hasattr(kind, "__float__") or hasattr(kind, "__index__")
    if not is_real:
        raise ArgumentTypeError(f"{describe(value)} is not a real number")
    try:
        return float(value)
    except OverflowError:
        raise ArgumentOverflowError(f"{short(value)} does not fit {dtype}") from None
