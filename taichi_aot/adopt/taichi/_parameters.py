"""Parameters and return values of kernels, derived from the metadata of both families of modules.

The C-API cannot fetch return values: the private copy of a module passes their memory as one more ndarray. The code of
a kernel writes its return values into a buffer of the library. In the copy that buffer is an ndarray, whose argument
follows all others: in gfx modules the binding refers to it, in LLVM modules the code takes the address from it
(`llvm/_result_code`). A kernel whose types or code are not as expected is not changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ...bundle._info import ResultLayout
from ...values._enums import DataType, numpy_dtype
from ...values._errors import CorruptedDataError
from ...values._signature import Parameter, ParameterKind
from ._types import (
    Member,
    Pointer,
    Struct,
    Tensor,
    Type,
    array_element,
    data_type,
    innermost,
    laid_out,
    matrix_of,
    size_of,
    type_name,
)

AnyDType = np.dtype[Any]


def return_layout(struct: Struct, size: int, dtype: AnyDType | None, family: str) -> ResultLayout | None:
    """The layout of return values, which the code of a kernel writes as this struct into a buffer of `size` bytes.

    `dtype` is that of `KernelInfo.return_dtype`. None if there are none, or if they are not where code expects them.
    """
    if dtype is None or (family == "llvm" and struct != laid_out(struct)):
        return None
    padded = -(-size // 4) * 4
    return ResultLayout(dtype, padded, _stored_struct(struct, padded, dtype, family))


def _stored_struct(struct: Struct, size: int, dtype: AnyDType, family: str) -> AnyDType:
    return placed_dtype(struct, [_stored(member.type, dtype[member.name], family) for member in struct.members], size)


def placed_dtype(struct: Struct, formats: Sequence[AnyDType], size: int) -> AnyDType:
    """A struct as a numpy type of `size` bytes, with its members of these types where they are."""
    names = [member.name for member in struct.members]
    offsets = [member.offset for member in struct.members]
    parts: Any = {"names": names, "formats": list(formats), "offsets": offsets, "itemsize": size}
    placed: AnyDType = np.dtype(parts)
    return placed


def number_dtype(dtype: DataType | None, shape: tuple[int, ...]) -> AnyDType | None:
    """A number, vector or matrix as a numpy type; None if it has none."""
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
    """The types of return values, or of the members of one, as a struct; None if there are none, or numpy lacks one."""
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
    """The parameters of a kernel, by position, from its arguments and the struct of `size` bytes that has them.

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
    """A scalar, matrix or struct, all of which are stated to be scalars."""
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
    """The members of a struct as a numpy type; None if it has no type for one, or drivers reject the code for one."""
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
    """The types of a kernel's return values, by the struct that its code writes into a buffer of `size` bytes.

    CorruptedDataError if the struct does not fit: the code would write past the end of the buffer.
    """
    names = [member.name for member in struct.members]
    if names != [f"ret_{i}" for i in range(len(names))] or bool(names) != (size > 0):
        raise CorruptedDataError(f"{where}: its return values and their buffer of {size} bytes contradict each other")
    if size > MAX_BYTES or size_of(struct, family) > size:
        raise CorruptedDataError(f"{where}: its return values do not fit into {size} bytes")
    return tuple(type_name(member.type) for member in struct.members)
