"""Types as the compiler states them in a module, and their properties that a launch needs.

Both families of modules store the same four kinds of types: gfx modules as JSON, LLVM modules as bytes. Offsets follow
each family's layout, so this module derives everything that depends on sizes and offsets for both.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from ...bundle._info import ModuleInfo, ResultLayout
from ...values._enums import DataType, item_size
from ...values._signature import Parameter, end_of_write, word_counts

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
    """The DataType of a primitive type; None for all other types."""
    return DataType(type_.number) if isinstance(type_, Primitive) and type_.number <= DataType.U64 else None


def innermost(type_: Type) -> Type:
    """The type of a tensor's numbers; other types unchanged."""
    while isinstance(type_, Tensor):
        type_ = type_.element
    return type_


def size_of(type_: Type, family: str) -> int:
    """The number of bytes from a type's start to the end of its last member, without trailing padding."""
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
    """The alignment of a type in LLVM code, where numbers and pointers are aligned to their own size."""
    if isinstance(type_, Struct):
        return max((_alignment(member.type) for member in type_.members), default=1)
    return max(1, size_of(innermost(type_), "llvm"))


@lru_cache(maxsize=256)  # many kernels have the same types
def laid_out(type_: Type) -> Type:
    """A struct with the offsets that LLVM code expects; other types unchanged."""
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
    """A type with all offsets 0, as LLVM modules state types without a layout."""
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
    """The type that the data pointer of an ndarray or texture points to; None for other types.

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
    """Dtype and shape of a matrix parameter: a tensor, or a struct of its numbers in order."""
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
    """Shape of a matrix parameter from the names of its members: NAME_ROW_COLUMN, row by row; NAME_ROW for a vector.

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
    """A type as Taichi spells it: ``f32``, ``vector(3, f32)``, ``matrix(2, 2, f32)``, ``struct(a: f32, b: i32)``."""
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
    """A struct of 32-bit words."""
    return Struct(tuple(Member(f"w_{i}", 4 * i, I32) for i in range(count)))


class ArrayArgument(NamedTuple):
    """An ndarray that the copy has in addition: a gradient, or the memory for return values."""

    number: int  # its number among the C arguments
    member: Member  # its member of the argument struct
    data_pointer: int  # offset of its data pointer in the argument struct
    end: int  # bytes of the argument struct with it


def array_argument(parameters: Sequence[Parameter], offsets: Sequence[int], size: int, family: str) -> ArrayArgument:
    """The ndarray for the return values of a kernel whose parameters are at these offsets of `size` bytes."""
    ends = [end_of_write(parameter, family, offset) for parameter, offset in zip(parameters, offsets, strict=True)]
    number = _without_gradients(parameters, family) + sum(parameter.grad for parameter in parameters)
    alignment = ALIGNMENT[family]
    offset = -(-max([size, *ends]) // alignment) * alignment
    shape = Struct((Member("dim_0", 0, I32),))
    array = Struct((Member("shape", 0, shape), Member("data_ptr", DATA_POINTER[family], Pointer(I32))))
    pointer = offset + DATA_POINTER[family]
    return ArrayArgument(number, Member(f"arg_{number}", offset, array), pointer, pointer + ADDRESS_BYTES)


def gradient_arguments(parameters: Sequence[Parameter], struct: Struct, family: str) -> list[ArrayArgument]:
    """The ndarrays for the gradients that a kernel with this argument struct uses.

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
    """The number of arguments for the parameters, with their overflow arguments."""
    return sum(len(word_counts(parameter, family)) or 1 for parameter in parameters)


class LoweredModule(NamedTuple):
    """The private copy of a module."""

    info: ModuleInfo
    files: dict[str, bytes]  # the files of the copy by name
    # The layouts of return values by kernel. The values of other kernels cannot be fetched.
    results: Mapping[str, ResultLayout]
    gradients: frozenset[str] = frozenset()  # the kernels whose gradients are passed, each as one more ndarray
