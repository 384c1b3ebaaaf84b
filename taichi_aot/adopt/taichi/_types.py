"""What modules of both families state of a kernel: types, parameters and return values, and how they lie in memory.

Both families store the same four kinds of types: gfx modules as JSON, LLVM modules as bytes. Offsets follow each
family's layout, so all that depends on sizes and offsets is derived here for both.

The C-API cannot fetch return values: the private copy of a module passes their memory as one more ndarray. The code of
a kernel writes its return values into a buffer of the library. In the copy that buffer is an ndarray, whose argument
follows all others: in gfx modules the binding refers to it, in LLVM modules the code takes the address from it
(`llvm/_copy`). A kernel whose types or code are not as expected is not changed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from ...bundle._info import ModuleInfo, ResultLayout
from ...values._errors import CorruptedDataError
from ...values._numbers import DataType, item_size, numpy_dtype
from ...values._signature import Parameter, ParameterKind, end_of_write, word_counts

# Tuples, because other classes take longer to make and compare; the kind of one keeps it from being equal to another.


class Nothing(NamedTuple):
    """The absence of a type."""

    kind: Literal["nothing"] = "nothing"


class Primitive(NamedTuple):
    """A number; `number` is one of `DataType` or beyond them (12 generic, 13 unknown)."""

    number: int
    kind: Literal["primitive"] = "primitive"


class Pointer(NamedTuple):
    """A pointer."""

    target: Type
    kind: Literal["pointer"] = "pointer"


class Tensor(NamedTuple):
    """A vector or matrix, its numbers row by row."""

    shape: tuple[int, ...]
    element: Type
    kind: Literal["tensor"] = "tensor"


class Member(NamedTuple):
    """A member of a struct, `offset` bytes from its start."""

    name: str
    offset: int
    type: Type


class Struct(NamedTuple):
    """A struct."""

    members: tuple[Member, ...]
    kind: Literal["struct"] = "struct"


Type: TypeAlias = Nothing | Primitive | Pointer | Tensor | Struct

I32 = Primitive(int(DataType.I32))
POINTER_BYTES = {"gfx": 4, "llvm": 8}  # SPIR-V code with physical pointers takes 8
ARRAY_MEMBERS = (("shape", "data_ptr"), ("shape", "data_ptr", "grad_ptr"))


def data_type(type_: Type) -> DataType | None:
    """Return the DataType of a primitive type; None for all other types."""
    return DataType(type_.number) if isinstance(type_, Primitive) and type_.number <= DataType.U64 else None


def innermost(type_: Type) -> Type:
    """Return the type of a tensor's numbers; other types unchanged."""
    while isinstance(type_, Tensor):
        type_ = type_.element
    return type_


def size_of(type_: Type, family: str) -> int:
    """Return the number of bytes from a type's start to the end of its last member, without trailing padding."""
    if isinstance(type_, Primitive):
        dtype = data_type(type_)
        return 0 if dtype is None else item_size(dtype, family)
    if isinstance(type_, Pointer):
        return POINTER_BYTES[family]
    if isinstance(type_, Tensor):
        return math.prod(type_.shape) * size_of(type_.element, family)
    if isinstance(type_, Struct):
        return max((member.offset + size_of(member.type, family) for member in type_.members), default=0)
    return 0


@lru_cache(maxsize=256)
def _alignment(type_: Type) -> int:
    """Return the alignment of a type in LLVM code, where numbers and pointers are aligned to their own size."""
    if isinstance(type_, Struct):
        return max((_alignment(member.type) for member in type_.members), default=1)
    return max(1, size_of(innermost(type_), "llvm"))


@lru_cache(maxsize=256)  # many kernels have the same types
def laid_out(type_: Type) -> Type:
    """Return a struct with the offsets that LLVM code expects; other types unchanged."""
    if not isinstance(type_, Struct):
        return type_
    members: list[Member] = []
    end = 0
    for member in type_.members:
        inner, alignment = laid_out(member.type), _alignment(member.type)
        offset = -(-end // alignment) * alignment
        end = offset + -(-size_of(inner, "llvm") // alignment) * alignment
        members.append(Member(member.name, offset, inner))
    return Struct(tuple(members))


@lru_cache(maxsize=256)
def without_offsets(type_: Type) -> Type:
    """Return a type with all offsets 0, as LLVM modules state types without a layout."""
    if isinstance(type_, Pointer):
        return Pointer(without_offsets(type_.target))
    if isinstance(type_, Tensor):
        return Tensor(type_.shape, without_offsets(type_.element))
    if isinstance(type_, Struct):
        return Struct(tuple(Member(member.name, 0, without_offsets(member.type)) for member in type_.members))
    return type_


def _members(type_: Type) -> tuple[Member, ...]:
    return type_.members if isinstance(type_, Struct) else ()


def array_element(type_: Type, ndim: int) -> Type | None:
    """Return the type that the data pointer of an ndarray or texture points to; None for other types.

    A launch writes `ndim` 32-bit integers and the pointers at the struct's offsets. An ndarray of 0 dimensions also has
    one integer.
    """
    members = _members(type_)
    if tuple(member.name for member in members) not in ARRAY_MEMBERS:
        return None
    shape, data = members[0], members[1]
    dims = Struct(tuple(Member(f"dim_{i}", 4 * i, I32) for i in range(max(1, ndim))))
    if shape.type != dims or not all(isinstance(member.type, Pointer) for member in members[1:]):
        return None
    return data.type.target if isinstance(data.type, Pointer) else None


def has_gradient(type_: Type) -> bool:
    return tuple(member.name for member in _members(type_)) == ARRAY_MEMBERS[1]


def matrix_of(type_: Type, family: str, name: str) -> tuple[DataType, tuple[int, ...]] | None:
    """Return dtype and shape of a matrix parameter: a tensor, or a struct of its numbers in order."""
    if isinstance(type_, Tensor):
        dtype = data_type(innermost(type_))
        return None if dtype is None else (dtype, type_.shape)
    if not isinstance(type_, Struct):
        return None
    types = {member.type for member in type_.members}
    dtype = data_type(types.pop()) if len(types) == 1 else None
    shape = matrix_shape(tuple(member.name for member in type_.members), name)
    if dtype is None or shape is None:
        return None
    packed = [i * item_size(dtype, family) for i in range(len(type_.members))]
    return (dtype, shape) if [member.offset for member in type_.members] == packed else None


def matrix_shape(names: tuple[str, ...], name: str) -> tuple[int, ...] | None:
    """Find the shape of a matrix parameter from its members' names: NAME_ROW_COLUMN, row by row; NAME_ROW for a vector.

    `name` is the parameter's, if its module states it; otherwise a vector NAME_0 is taken for a matrix of one row. None
    for other names: those of a struct's members.
    """
    if names and names == tuple(f"{name}_{i}" for i in range(len(names))):
        return (len(names),)
    last = re.fullmatch(r"(.*)_(\d{1,3})_(\d{1,3})", names[-1]) if names else None
    if last:
        stem, rows, columns = last[1], int(last[2]) + 1, int(last[3]) + 1
        if names == tuple(f"{stem}_{row}_{column}" for row in range(rows) for column in range(columns)):
            return (rows, columns)
    stem = names[-1].rpartition("_")[0] if names else ""
    return (len(names),) if names and names == tuple(f"{stem}_{i}" for i in range(len(names))) else None


def type_name(type_: Type) -> str:
    """Spell a type as Taichi does: ``f32``, ``vector(3, f32)``, ``matrix(2, 2, f32)``, ``struct(a: f32, b: i32)``."""
    if isinstance(type_, Struct):
        return f"struct({', '.join(f'{member.name}: {type_name(member.type)}' for member in type_.members)})"
    dtype = data_type(innermost(type_))
    if dtype is None:
        return "unknown"
    if not isinstance(type_, Tensor):
        return str(dtype)
    shape = type_.shape[:1] if len(type_.shape) == 2 and type_.shape[1] == 1 else type_.shape
    return f"{'matrix' if len(shape) > 1 else 'vector'}({', '.join(map(str, shape))}, {dtype})"


DATA_POINTER = {"gfx": 16, "llvm": 8}  # its offset in the argument of an ndarray
ALIGNMENT = {"gfx": 16, "llvm": 8}  # of that argument
ADDRESS_BYTES = 8


def word_struct(count: int) -> Struct:
    """Return a struct of 32-bit words."""
    return Struct(tuple(Member(f"w_{i}", 4 * i, I32) for i in range(count)))


class ArrayArgument(NamedTuple):
    """An ndarray that the copy has in addition: a gradient, or the memory for return values."""

    number: int  # its number among the C arguments
    member: Member  # its member of the argument struct
    data_pointer: int  # offset of its data pointer in the argument struct
    end: int  # bytes of the argument struct with it


def array_argument(parameters: Sequence[Parameter], offsets: Sequence[int], size: int, family: str) -> ArrayArgument:
    """Return the ndarray for the return values of a kernel whose parameters are at these offsets of `size` bytes."""
    ends = [end_of_write(parameter, family, offset) for parameter, offset in zip(parameters, offsets, strict=True)]
    number = _without_gradients(parameters, family) + sum(parameter.grad for parameter in parameters)
    alignment = ALIGNMENT[family]
    offset = -(-max([size, *ends]) // alignment) * alignment
    shape = Struct((Member("dim_0", 0, I32),))
    array = Struct((Member("shape", 0, shape), Member("data_ptr", DATA_POINTER[family], Pointer(I32))))
    pointer = offset + DATA_POINTER[family]
    return ArrayArgument(number, Member(f"arg_{number}", offset, array), pointer, pointer + ADDRESS_BYTES)


def gradient_arguments(parameters: Sequence[Parameter], struct: Struct, family: str) -> list[ArrayArgument]:
    """Return the ndarrays for the gradients that a kernel with this argument struct uses.

    Each lies over the argument of its array: a launch writes the same sizes again, and then the address of the gradient
    to where the library, which passes the arguments in order, has written NULL.
    """
    number = _without_gradients(parameters, family)
    found: list[ArrayArgument] = []
    for parameter, member in zip(parameters, struct.members, strict=False):
        if parameter.grad:
            assert isinstance(member.type, Struct)
            shape, _, gradient = member.type.members
            array = Struct((shape, Member("data_ptr", gradient.offset, Pointer(I32))))
            pointer = member.offset + gradient.offset
            found.append(
                ArrayArgument(number, Member(f"arg_{number}", member.offset, array), pointer, pointer + ADDRESS_BYTES)
            )
            number += 1
    return found


def _without_gradients(parameters: Sequence[Parameter], family: str) -> int:
    """Return the number of arguments for the parameters, with their overflow arguments."""
    return sum(len(word_counts(parameter, family)) or 1 for parameter in parameters)


class LibraryCopy(NamedTuple):
    """The private copy of a module, which the library gets in place of the compiler's files."""

    info: ModuleInfo
    files: dict[str, bytes]  # the files of the copy by name
    # The layouts of return values by kernel. The values of other kernels cannot be fetched.
    results: Mapping[str, ResultLayout]
    gradients: frozenset[str] = frozenset()  # the kernels whose gradients are passed, each as one more ndarray


# Parameters and return values.


AnyDType = np.dtype[Any]


def return_layout(struct: Struct, size: int, dtype: AnyDType | None, family: str) -> ResultLayout | None:
    """Return the layout of return values, which a kernel's code writes as this struct into a buffer of `size` bytes.

    `dtype` is that of `KernelInfo.return_dtype`. None if there are none, or if they are not where code expects them.
    """
    if dtype is None or (family == "llvm" and struct != laid_out(struct)):
        return None
    padded = -(-size // 4) * 4
    return ResultLayout(dtype, padded, _stored_struct(struct, padded, dtype, family))


def _stored_struct(struct: Struct, size: int, dtype: AnyDType, family: str) -> AnyDType:
    return placed_dtype(struct, [_stored(member.type, dtype[member.name], family) for member in struct.members], size)


def placed_dtype(struct: Struct, formats: Sequence[AnyDType], size: int) -> AnyDType:
    """Return a struct as a numpy type of `size` bytes, with its members of these types where they are."""
    names = [member.name for member in struct.members]
    offsets = [member.offset for member in struct.members]
    parts: Any = {"names": names, "formats": list(formats), "offsets": offsets, "itemsize": size}
    placed: AnyDType = np.dtype(parts)
    return placed


def number_dtype(dtype: DataType | None, shape: tuple[int, ...]) -> AnyDType | None:
    """Return a number, vector or matrix as a numpy type; None if it has none."""
    if dtype is None or len(shape) > 2 or min(shape, default=1) < 1:
        return None
    if len(shape) == 2 and shape[1] == 1:  # how the compiler states a vector
        shape = shape[:1]
    return np.dtype((numpy_dtype(dtype), shape))


def _stored(type_: Type, dtype: AnyDType, family: str) -> AnyDType:
    """Return the numpy type that a kernel writes for a type in Python."""
    if isinstance(type_, Struct):
        return _stored_struct(type_, size_of(type_, family), dtype, family)
    if dtype.base.kind == "b":
        return np.dtype((np.int32 if family == "gfx" else np.uint8, dtype.shape))
    return dtype


def return_dtype(struct: Struct) -> AnyDType | None:
    """Return the types of return values, or of one's members, as a struct; None without any, or if numpy lacks one."""
    names = [member.name for member in struct.members]
    types = [dtype for member in struct.members if (dtype := _dtype(member.type)) is not None]
    if not names or len(types) < len(names) or len({"", *names}) <= len(names):
        return None
    return np.dtype((np.record, list(zip(names, types, strict=True))))


def _dtype(type_: Type) -> AnyDType | None:
    if isinstance(type_, Struct):
        return return_dtype(type_)
    element, shape = (type_.element, type_.shape) if isinstance(type_, Tensor) else (type_, ())
    return number_dtype(data_type(element), shape)


PARAMETER_KINDS: dict[int, ParameterKind] = {0: "scalar", 1: "ndarray", 2: "texture", 3: "rw_texture", 5: "argpack"}
TEXTURE_DIMS = 3  # a texture's struct always has room for three
MAX_NDIM = 64
MAX_BYTES = 1 << 20  # of an argument or return struct; real ones have hundreds


class Argument(NamedTuple):
    """An argument of a kernel as its module states it.

    `position` has one number, or several for a member of an argument pack. `dtype` is None if only the type states it.
    """

    position: tuple[int, ...]
    name: str
    ptype: int
    is_array: bool
    is_argpack: bool
    ndim: int
    elem_shape: tuple[int, ...]
    dtype: DataType | None = None
    access: str = ""
    format: str = ""


class GraphArgument(NamedTuple):
    """An argument of a dispatch, as the files state it."""

    name: str
    tag: int
    dtype: int
    ndim: int
    elem_shape: tuple[int, ...]
    channels: int = 0  # of a texture, which LLVM modules do not have


Graphs: TypeAlias = list[tuple[str, list[tuple[str, list[GraphArgument]]]]]  # name, then kernel and arguments


def make_parameters(
    where: str, arguments: Sequence[Argument], struct: Struct, size: int, family: str
) -> tuple[Parameter, ...]:
    """Return the parameters of a kernel, by position, from its arguments and the struct of `size` bytes that has them.

    CorruptedDataError if the two contradict each other: a launch would write out of bounds.
    """
    outer = sorted((a for a in arguments if len(a.position) == 1), key=lambda a: a.position)
    packs = {argument.position for argument in outer if argument.is_argpack}
    numbered = [argument.position for argument in outer] == [(i,) for i in range(len(struct.members))]
    if not numbered or any(argument.position[:1] not in packs for argument in arguments if len(argument.position) != 1):
        raise CorruptedDataError(f"{where}: its arguments are not numbered one by one")
    if [member.name for member in struct.members] != [f"arg_{i}" for i in range(len(outer))]:
        raise CorruptedDataError(f"{where}: its argument struct does not fit its arguments")
    if size > MAX_BYTES or any(member.offset >= size for member in struct.members) or size_of(struct, family) > size:
        raise CorruptedDataError(f"{where}: its argument struct does not fit into {size} bytes")
    return tuple(_parameter(where, a, member.type, family) for a, member in zip(outer, struct.members, strict=True))


def _parameter(where: str, argument: Argument, type_: Type, family: str) -> Parameter:
    kind = PARAMETER_KINDS.get(argument.ptype)
    is_array = kind in ("ndarray", "texture", "rw_texture")
    name = argument.name.removeprefix("_") if is_array else argument.name
    if kind is None or argument.is_argpack != (kind == "argpack"):
        raise CorruptedDataError(f"{where}: its argument {name!r} is of unknown kind {argument.ptype}")
    if is_array != argument.is_array:
        raise CorruptedDataError(f"{where}: its argument {name!r} is stated to be both a {kind} and not one")
    if kind == "argpack":
        parameter = Parameter(name, kind) if _is_pack(type_) else None
    elif kind == "ndarray":
        parameter = _ndarray(name, argument, type_)
    elif is_array:
        is_texture = 1 <= argument.ndim <= TEXTURE_DIMS and array_element(type_, TEXTURE_DIMS) is not None
        parameter = Parameter(name, kind, ndim=argument.ndim, format=argument.format) if is_texture else None
    else:
        parameter = _value(name, argument, type_, family)
    if parameter is None:
        raise CorruptedDataError(f"{where}: its argument {name!r} is stated to be a {kind} but has another type")
    return parameter


def _is_pack(type_: Type) -> bool:
    if not isinstance(type_, Struct) or [member.name for member in type_.members] != ["data_ptr"]:
        return False
    pointer = type_.members[0].type
    return isinstance(pointer, Pointer) and isinstance(pointer.target, Struct)


def _ndarray(name: str, argument: Argument, type_: Type) -> Parameter | None:
    if not 0 <= argument.ndim <= MAX_NDIM or min(argument.elem_shape, default=1) < 1:
        return None
    element = array_element(type_, argument.ndim)
    dtype = argument.dtype if argument.dtype is not None or element is None else data_type(innermost(element))
    if element is None or dtype is None:
        return None
    return Parameter(name, "ndarray", dtype, argument.ndim, argument.elem_shape, argument.access)


def _value(name: str, argument: Argument, type_: Type, family: str) -> Parameter | None:
    """Return a scalar, matrix or struct, all of which are stated to be scalars."""
    dtype = data_type(type_)
    if dtype is not None:
        return Parameter(name, "scalar", dtype) if argument.dtype in (None, dtype) else None
    if argument.dtype is not None or argument.elem_shape:
        return None
    matrix = matrix_of(type_, family, name)
    if matrix is not None:
        return Parameter(name, "matrix", matrix[0], elem_shape=matrix[1])
    if not isinstance(type_, Struct) or not type_.members:
        return None
    is_known = family == "gfx" or type_ == laid_out(type_)
    return Parameter(name, "struct", layout=_layout(type_, family) if is_known else None)


def _layout(struct: Struct, family: str) -> np.dtype[Any] | None:
    """Return a struct's members as a numpy type; None if it has no type for one, or drivers reject the code for one."""
    formats = [each for member in struct.members if (each := _format(member, family)) is not None]
    names = [member.name for member in struct.members]
    if not names or len(formats) < len(names) or len({"", *names}) <= len(names):
        return None
    return placed_dtype(struct, formats, size_of(struct, family))


def _format(member: Member, family: str) -> np.dtype[Any] | None:
    type_, matrix = member.type, matrix_of(member.type, family, member.name)
    # The members of a vector or matrix have its name; those of a struct may have such names too.
    if isinstance(type_, Struct) and (matrix is None or not type_.members[0].name.startswith(f"{member.name}_0")):
        return _layout(type_, family)
    dtype, shape = (data_type(type_), ()) if matrix is None else matrix
    return None if dtype is DataType.U1 and family == "gfx" else number_dtype(dtype, shape)


def make_returns(where: str, struct: Struct, size: int, family: str) -> tuple[str, ...]:
    """Return the types of a kernel's return values, by the struct that its code writes into a buffer of `size` bytes.

    CorruptedDataError if the struct does not fit: the code would write past the end of the buffer.
    """
    names = [member.name for member in struct.members]
    if names != [f"ret_{i}" for i in range(len(names))] or bool(names) != (size > 0):
        raise CorruptedDataError(f"{where}: its return values and their buffer of {size} bytes contradict each other")
    if size > MAX_BYTES or size_of(struct, family) > size:
        raise CorruptedDataError(f"{where}: its return values do not fit into {size} bytes")
    return tuple(type_name(member.type) for member in struct.members)
