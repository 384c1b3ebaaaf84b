"""What launches of `capi` are checked against: the parameters of a kernel or graph as C takes them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from .._ffi.library import ffi, lib
from .._handles.module import ModuleHandle
from ..enums import DataType, Format, ImageUsage
from ..errors import NotSupportedError
from ..formats import word_argument_name, word_counts
from ..signature import Parameter, Signature
from ..wording import count as count_of
from ..wording import short
from ._enums import TiArgumentType, TiDataType
from ._structures import TiArgument, TiNamedArgument

if TYPE_CHECKING:
    from .._capi import taichi_aot_entry_p
    from ._members import Array

__all__ = ["Entry", "wrong_launch"]

I32, F32 = TiArgumentType.TI_ARGUMENT_TYPE_I32, TiArgumentType.TI_ARGUMENT_TYPE_F32
NDARRAY, TEXTURE = TiArgumentType.TI_ARGUMENT_TYPE_NDARRAY, TiArgumentType.TI_ARGUMENT_TYPE_TEXTURE
SCALAR, TENSOR = TiArgumentType.TI_ARGUMENT_TYPE_SCALAR, TiArgumentType.TI_ARGUMENT_TYPE_TENSOR
TENSOR_BYTES = 128
# Scalars that can be passed with their type; in graphs those of f16 are their bits.
SMALL = {
    DataType.I16: (DataType.I16,),
    DataType.U16: (DataType.U16,),
    DataType.F16: (DataType.F16, DataType.U16),
}
# Numbers of 8 bits in vectors and matrices are passed as larger ones.
LARGER = {
    DataType.I8: (DataType.I16, DataType.I32),
    DataType.U8: (DataType.U16, DataType.U32, DataType.I16, DataType.I32),
    DataType.U1: (DataType.U16, DataType.U32, DataType.I16, DataType.I32),
}
TENSORS = (DataType.I16, DataType.U16, DataType.F16, DataType.I32, DataType.U32, DataType.F32)


class Wrong(IntEnum):
    """What is wrong with an argument."""

    COUNT = lib.TAICHI_AOT_WRONG_COUNT
    NAME = lib.TAICHI_AOT_WRONG_NAME
    TYPE = lib.TAICHI_AOT_WRONG_TYPE
    DATA = lib.TAICHI_AOT_WRONG_DATA
    LENGTH = lib.TAICHI_AOT_WRONG_LENGTH
    NDIM = lib.TAICHI_AOT_WRONG_NDIM
    ELEMENT = lib.TAICHI_AOT_WRONG_ELEMENT
    SHAPE = lib.TAICHI_AOT_WRONG_SHAPE
    NULL = lib.TAICHI_AOT_WRONG_NULL
    FREED = lib.TAICHI_AOT_WRONG_FREED
    MAPPED = lib.TAICHI_AOT_WRONG_MAPPED
    SIZE = lib.TAICHI_AOT_WRONG_SIZE
    EXTENT = lib.TAICHI_AOT_WRONG_EXTENT
    USAGE = lib.TAICHI_AOT_WRONG_USAGE


class Slot:
    """One argument of C: the parameter that it is for, and what C accepts."""

    def __init__(self, parameter: Parameter, name: str, types: tuple[TiArgumentType, ...], *, words: int = 0) -> None:
        self.parameter = parameter
        self.name = name
        self.types = types
        self.data_types: tuple[DataType, ...] = (DataType.I32,) if words else ()
        self.length = words
        self.reason = ""  # why nothing can be passed

    def fill(self, c: Any, name: Any) -> None:
        parameter = self.parameter
        c.name = name
        c.types = sum(1 << type for type in self.types)
        c.data_types = sum(1 << type for type in self.data_types)
        c.length = self.length
        c.ndim = parameter.ndim
        if parameter.kind == "ndarray":
            c.elem_ndim = len(parameter.elem_shape)
            c.elem_shape = [*parameter.elem_shape, 0, 0][:2]
        if parameter.kind in ("texture", "rw_texture"):
            c.format = Format(parameter.format) if parameter.format else 0
            c.usage = ImageUsage.STORAGE if parameter.kind == "rw_texture" else ImageUsage.SAMPLED

    def __str__(self) -> str:
        names = " or ".join(type.name for type in self.types)
        return f"{names} for the parameter {self.parameter}"


class Entry:
    """A kernel or graph as C knows it.

    Parameters
    ----------
    pointer : cdata
        ``TiKernel`` or ``TiComputeGraph``.
    module : ModuleHandle, optional
        Kept alive.
    signature : Signature, optional
        Its parameters; they are not checked if it is not known.
    as_words : bool, default False
        Whether the module takes what C cannot pass as words; see `formats.argument_words`.
    """

    def __init__(
        self,
        pointer: Any,
        module: ModuleHandle | None = None,
        signature: Signature | None = None,
        *,
        as_words: bool = False,
    ) -> None:
        self.module = module
        self.signature = signature
        self.c: taichi_aot_entry_p = ffi.new("taichi_aot_entry *")
        is_graph = ffi.typeof(pointer) is ffi.typeof("TiComputeGraph")
        if is_graph:
            self.c.ti_compute_graph = pointer
        else:
            self.c.ti_kernel = pointer
        self.slots: list[Slot] = []
        if module is not None:
            self.c.context, self.c.module = module.runtime.context.c, module.c
            family = "llvm" if module.runtime.arch.is_llvm else "gfx"
            if signature is not None:
                self._describe(signature, family, is_graph=is_graph, as_words=as_words)

    def _describe(self, signature: Signature, family: str, *, is_graph: bool, as_words: bool) -> None:
        of_parameters = [
            _slots(parameter, family, is_graph=is_graph, as_words=as_words) for parameter in signature.parameters
        ]
        # Words beyond the 32nd follow all arguments.
        self.slots = [slots[0] for slots in of_parameters] + [slot for slots in of_parameters for slot in slots[1:]]
        self._names = [ffi.new("char[]", slot.name.encode()) for slot in self.slots]
        self._parameters = ffi.new("taichi_aot_parameter[]", max(len(self.slots), 1))
        for c, slot, name in zip(self._parameters, self.slots, self._names, strict=False):
            slot.fill(c, name)
        self.c.is_typed = True
        self.c.parameter_count = len(self.slots)
        self.c.parameters = self._parameters


def _slots(parameter: Parameter, family: str, *, is_graph: bool, as_words: bool) -> list[Slot]:
    """What C takes for a parameter."""
    words = word_counts(parameter, family) if as_words else ()
    if words:
        return [
            Slot(parameter, word_argument_name(parameter.name, i), (TENSOR,), words=count)
            for i, count in enumerate(words)
        ]
    slot = Slot(parameter, parameter.name, ())
    slot.reason = _unsupported(parameter, family)
    dtype = parameter.dtype
    if slot.reason:
        pass
    elif parameter.kind in ("texture", "rw_texture"):
        slot.types = (TEXTURE,)
    elif parameter.kind == "ndarray":
        assert dtype is not None
        slot.types, slot.data_types = (NDARRAY,), (dtype,)
    elif parameter.kind == "matrix":
        assert dtype is not None
        slot.types, slot.length = (TENSOR,), math.prod(parameter.elem_shape)
        slot.data_types = tuple(DataType) if is_graph else LARGER.get(dtype, (dtype,))
    elif dtype is not None and dtype in SMALL:
        slot.types = (SCALAR,) if dtype is DataType.F16 else (I32, SCALAR)
        slot.data_types = (DataType.U16,) if dtype is DataType.F16 and is_graph else SMALL[dtype]
    else:
        slot.types = (F32,) if dtype in (DataType.F32, DataType.F64) else (I32,)
    return [slot]


def _unsupported(parameter: Parameter, family: str) -> str:
    """Why C cannot pass an argument for a parameter; empty if it can."""
    if parameter.kind in ("texture", "rw_texture"):
        return "" if family == "gfx" else "this arch has no textures"
    if parameter.kind not in ("scalar", "matrix", "ndarray") or parameter.dtype is None:
        return f"the C-API cannot pass a {parameter.kind}"
    if parameter.grad:
        return "the kernel uses the gradient of this array, which the C-API cannot pass"
    if parameter.kind == "ndarray" and parameter.dtype is DataType.U1 and family == "gfx":
        return "Taichi's SPIR-V code stores four elements of an ndarray of u1 in one place"
    if parameter.kind != "matrix":
        return ""
    if parameter.dtype is DataType.U1 and family == "gfx":
        return "drivers reject Taichi's SPIR-V code for vectors and matrices of u1"
    return ""


def wrong_launch(entry: Entry, noun: str, status: int, arguments: Sequence[Any] | Array[Any]) -> Exception:
    """The exception for a launch whose arguments C rejected."""
    index, wrong = status >> 8 & 0xFFFF, Wrong(status >> 24)
    of = f"{noun} {entry.signature.name}" if entry.signature else f"the {noun}"
    if wrong is Wrong.COUNT:
        wanted = f"takes {count_of(entry.slots, 'argument')}, not {len(arguments)}"
        return TypeError(f"{of}: {entry.signature} {wanted}")
    if wrong is Wrong.NAME:
        return TypeError(f"{of}: exactly one argument must have the name {entry.slots[index].name!r}")
    argument = arguments[index]
    slot = _slot_of(entry, index, argument)
    name = f"{of}: argument {index}" + (f" ({slot.name})" if slot else "")
    value = argument.argument if isinstance(argument, TiNamedArgument) else argument
    if wrong is Wrong.NULL and isinstance(argument, TiNamedArgument) and not argument.name:
        return ValueError(f"{name} has no name")
    if slot and slot.reason:
        return NotSupportedError(f"{name}: {slot.reason}")
    return _message(wrong, name, slot, value)


def _slot_of(entry: Entry, index: int, argument: Any) -> Slot | None:
    if isinstance(argument, TiNamedArgument):
        return next((slot for slot in entry.slots if slot.name == argument.name), None)
    return entry.slots[index] if index < len(entry.slots) else None


def _message(wrong: Wrong, name: str, slot: Slot | None, argument: TiArgument) -> Exception:
    kind = argument.type.name if isinstance(argument.type, TiArgumentType) else short(int(argument.type))
    if wrong is Wrong.TYPE:
        wanted = f": expected {slot}" if slot else " has an unknown type"
        return TypeError(f"{name}{wanted}, got {kind}")
    value: Any = argument.value
    part = {NDARRAY: "ndarray", TEXTURE: "texture", SCALAR: "scalar", TENSOR: "tensor"}.get(argument.type, "")
    item = getattr(value, part)
    if wrong is Wrong.DATA:
        given = item.elem_type if part == "ndarray" else item.format if part == "texture" else item.type
        return TypeError(f"{name}: expected {_data_types(slot)}, got {getattr(given, 'name', given)}")
    if wrong is Wrong.LENGTH:
        most = f"{slot.length} numbers" if slot else f"at most {TENSOR_BYTES} bytes"
        return ValueError(f"{name}: expected {most}, got a length of {item.contents.length}")
    if wrong is Wrong.NDIM:
        ndim = slot.parameter.ndim if slot else 0
        got = item.shape.dim_count if part == "ndarray" else item.dimension
        return ValueError(f"{name}: expected {ndim} dimensions, got {getattr(got, 'name', got)}")
    if wrong is Wrong.ELEMENT:
        shape = slot.parameter.elem_shape if slot else ()
        return ValueError(f"{name}: expected elements of shape {shape}, got {_shape(item.elem_shape)}")
    if wrong is Wrong.SHAPE:
        shapes = f"{_shape(item.shape)} with elements of {_shape(item.elem_shape)}"
        return ValueError(f"{name}: an array has up to 12 dimensions and fewer than 2^31 numbers, not {shapes}")
    handle = item.memory if part == "ndarray" else item.image
    if wrong is Wrong.NULL:
        return ValueError(f"{name}: the {'memory' if part == 'ndarray' else 'image'} is the null handle")
    if wrong is Wrong.FREED:
        return ValueError(f"{name}: the {handle!r} was freed")
    if wrong is Wrong.MAPPED:
        return BufferError(f"{name}: the {handle!r} is mapped, and this arch maps a copy; unmap it first")
    if wrong is Wrong.SIZE:
        return ValueError(f"{name}: the {handle!r} is smaller than an array of shape {_shape(item.shape)}")
    if wrong is Wrong.USAGE:
        return ValueError(f"{name}: the {handle!r} was not allocated with the usage that the kernel needs")
    return ValueError(f"{name}: the {handle!r} has another extent or format than the texture states")


def _data_types(slot: Slot | None) -> str:
    if slot is None:
        return "a type of numbers"
    if slot.parameter.format:
        return f"the format {slot.parameter.format}"
    return " or ".join(TiDataType(int(data_type)).name for data_type in slot.data_types)


def _shape(shape: Any) -> tuple[int, ...]:
    """The sizes of a shape; those that a wrong count would add are left out."""
    return tuple(shape.dims[: min(shape.dim_count, 16)])
