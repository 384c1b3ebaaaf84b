"""Checks of launches of `capi`: the parameters of a kernel or graph as C takes them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from ..driver._library import ffi, lib
from ..handles._c_types import TiComputeGraph, TiKernel
from ..handles._module import ModuleHandle
from ..handles._registry import KnownKernel, find_kernel
from ..kernels.calls._requirements import Dispatches, Place, difference, layout_pairs, size_rules
from ..kernels.calls._textures import image_usages
from ..values._dtypes import INTEGER_RANGES, SYMBOL_TYPES, numpy_dtype
from ..values._enums import DataType
from ..values._errors import (
    ArgumentNotFoundError,
    ArgumentNullError,
    ArgumentOutOfRangeError,
    ArgumentOverflowError,
    ArgumentTypeError,
    BufferStateError,
    ErrorCode,
    InvalidArgumentError,
    NotSupportedError,
    ObjectStateError,
    TaichiError,
    with_code,
)
from ..values._image_enums import Format
from ..values._signature import TEXTURES, Parameter, Signature, Words, why_not_passed
from ..values._wording import count as count_of
from ..values._wording import short
from ..values._words import word_argument_name, word_counts
from ._enums import TiArgumentType, TiDataType
from ._structures import TiArgument, TiNamedArgument

if TYPE_CHECKING:
    from .._capi import taichi_aot_entry_p
    from ._members import Array

I32, F32 = TiArgumentType.TI_ARGUMENT_TYPE_I32, TiArgumentType.TI_ARGUMENT_TYPE_F32
NDARRAY, TEXTURE = TiArgumentType.TI_ARGUMENT_TYPE_NDARRAY, TiArgumentType.TI_ARGUMENT_TYPE_TEXTURE
SCALAR, TENSOR = TiArgumentType.TI_ARGUMENT_TYPE_SCALAR, TiArgumentType.TI_ARGUMENT_TYPE_TENSOR
TENSOR_BYTES = 128
# 8-bit numbers in vectors and matrices may be larger in C, which cannot pass their own type to kernels.
LARGER = {
    DataType.I8: (DataType.I16, DataType.I32),
    DataType.U8: (DataType.U16, DataType.U32, DataType.I16, DataType.I32),
    DataType.U1: (DataType.U16, DataType.U32, DataType.I16, DataType.I32),
}


class Wrong(IntEnum):
    """The fault of an argument."""

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
    RANGE = lib.TAICHI_AOT_WRONG_RANGE
    HALF = lib.TAICHI_AOT_WRONG_HALF
    READ_ONLY = lib.TAICHI_AOT_WRONG_READ_ONLY
    STATED = lib.TAICHI_AOT_WRONG_STATED
    LAYOUTS = lib.TAICHI_AOT_WRONG_LAYOUTS


# What is wrong with memory or an image, after its handle.
OF_HANDLES: dict[Wrong, tuple[type[TaichiError], str]] = {
    Wrong.FREED: (ObjectStateError, "was freed"),
    Wrong.MAPPED: (BufferStateError, "is mapped, and this arch maps a copy; unmap it first"),
    Wrong.SIZE: (InvalidArgumentError, "is smaller than an array of shape"),
    Wrong.READ_ONLY: (InvalidArgumentError, "is read-only, and the kernel may write to it"),
    Wrong.USAGE: (InvalidArgumentError, "was not allocated with the usage that the kernel needs"),
    Wrong.EXTENT: (InvalidArgumentError, "has another extent or format than the texture states"),
}


class Slot:
    """One argument of C: its parameter, and the accepted types and values."""

    def __init__(self, parameter: Parameter, name: str) -> None:
        self.parameter = parameter
        self.name = name
        self.types: tuple[TiArgumentType, ...] = ()
        self.scalar_types: tuple[DataType, ...] = ()
        self.data_types: tuple[DataType, ...] = ()  # of a tensor or array
        self.length = 0  # of a tensor
        self.words = 0  # number of words that the library takes instead of numbers
        self.lowest = -(2**31)  # lowest number that is accepted as an I32
        self.reason = ""  # why C cannot pass an argument

    def fill(self, c: Any, name: Any) -> None:
        parameter = self.parameter
        c.name = name
        c.types = _bits(self.types)
        c.scalar_types, c.data_types = _bits(self.scalar_types), _bits(self.data_types)
        c.length, c.words = self.length, self.words
        c.ndim = parameter.ndim
        c.is_written = parameter.access != "r"
        if parameter.dtype is not None:
            c.dtype = int(parameter.dtype)
            c.low, c.high = _i32_range(parameter.dtype, self.lowest)
        if parameter.kind == "ndarray":
            c.elem_ndim = len(parameter.elem_shape)
            c.elem_shape = [*parameter.elem_shape, 0, 0][:2]
        if parameter.kind in TEXTURES:
            c.format = Format(parameter.format) if parameter.format else 0

    def __str__(self) -> str:
        names = " or ".join(type.name for type in self.types)
        return f"{names} for the parameter {self.parameter}"


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def _i32_range(dtype: DataType, lowest: int) -> tuple[int, int]:
    """Return the range of I32 arguments for the type. For a u32, an I32 has its bits."""
    low, high = INTEGER_RANGES.get(DataType.I32 if dtype is DataType.U32 else dtype, (0, 0))
    return max(low, lowest), min(high, 2**31 - 1)


class Entry:
    """The C description of a kernel or graph. Arguments are checked only if its signature is known."""

    def __init__(self, kernel: KnownKernel) -> None:
        self.kernel = kernel
        self.signature = kernel.signature
        pointer, module = kernel.pointer, kernel.module
        self.c: taichi_aot_entry_p = ffi.new("taichi_aot_entry *")
        self.slots: list[Slot] = []
        self._pairs: list[tuple[int, int]] = []
        self._arguments: Any
        is_graph = ffi.typeof(pointer) is ffi.typeof("TiComputeGraph")
        if is_graph:
            self.c.ti_compute_graph = pointer
        else:
            self.c.ti_kernel = pointer
        if module is not None:
            self.c.context, self.c.module = module.runtime.context.c, module.c
            if kernel.signature is not None:
                self._describe(kernel.signature, module, is_graph=is_graph)
                self._relate(kernel.signature, kernel.dispatches)

    def _describe(self, signature: Signature, module: ModuleHandle, *, is_graph: bool) -> None:
        """Describe the parameters to C, with room for one argument each."""
        family = module.runtime.backend.code.family
        of_parameters = [_slots(p, family, module.words, is_graph=is_graph) for p in signature.parameters]
        # Words beyond the 32nd follow all arguments.
        self.slots = [slots[0] for slots in of_parameters] + [slot for slots in of_parameters for slot in slots[1:]]
        self._names = [ffi.new("char[]", slot.name.encode()) for slot in self.slots]
        room = max(len(self.slots), 1)
        self._parameters = ffi.new("taichi_aot_parameter[]", room)
        for c, slot, name in zip(self._parameters, self.slots, self._names, strict=False):
            slot.fill(c, name)
        self._given = ffi.new("TiArgument *[]", room)
        self.c.is_typed = True
        self.c.parameter_count, self.c.parameters = len(self.slots), self._parameters
        self.c.given = ffi.cast("TiArgument const **", self._given)
        if is_graph:
            self.c.named_arguments = self._arguments = ffi.new("TiNamedArgument[]", [(name,) for name in self._names])
        else:
            self.c.arguments = self._arguments = ffi.new("TiArgument[]", room)

    def _relate(self, signature: Signature, dispatches: Dispatches) -> None:
        """Tell C which usages images need, and which sizes and layouts the arguments must share."""
        usages = image_usages(dispatches)
        for c, parameter in zip(self._parameters, signature.parameters, strict=False):
            c.usage = usages.get(parameter.name, 0)
        rules = [(_place(rule.place), _place(rule.expected)) for rule in size_rules(signature.parameters)]
        self._pairs = layout_pairs(signature, dispatches)
        self._rules, self._c_pairs = ffi.new("taichi_aot_rule[]", rules), ffi.new("taichi_aot_pair[]", self._pairs)
        self.c.rule_count, self.c.rules = len(rules), self._rules
        self.c.pair_count, self.c.pairs = len(self._pairs), self._c_pairs


def entry_of(handle: TiKernel | TiComputeGraph) -> Entry:
    """Return the C description of a kernel or graph, made when its handle is first used."""
    entry = handle._owner
    if not isinstance(entry, Entry):
        entry = handle._owner = Entry(find_kernel(handle))
    return entry


def _place(place: Place | int) -> tuple[int, int, int]:
    """Return the members of a ``taichi_aot_place``."""
    if isinstance(place, int):
        return lib.TAICHI_AOT_SIZE_NUMBER, 0, place
    if place.axis is None:
        return lib.TAICHI_AOT_SIZE_SCALAR, place.parameter, 0
    return lib.TAICHI_AOT_SIZE_AXIS, place.parameter, place.axis


def _slots(parameter: Parameter, family: str, words: Words, *, is_graph: bool) -> list[Slot]:
    """Return the arguments that C accepts for a parameter."""
    counts = word_counts(parameter, family, words)
    slots = [Slot(parameter, word_argument_name(parameter.name, i)) for i in range(len(counts) or 1)]
    for slot, count in zip(slots, counts, strict=False):
        slot.types, slot.words = (TENSOR,), count
    slot, dtype = slots[0], parameter.dtype
    slot.reason = _unsupported(parameter, family, words, is_graph=is_graph)
    if slot.reason:
        slot.types = ()
    elif parameter.kind in TEXTURES:
        slot.types = (TEXTURE,)
    elif dtype is None or len(slots) > 1:  # a matrix that only words can pass
        pass
    elif parameter.kind == "ndarray":
        slot.types, slot.data_types = (NDARRAY,), (dtype,)
    elif parameter.kind == "matrix":
        slot.types, slot.length = (TENSOR,), math.prod(parameter.elem_shape)
        slot.data_types = (dtype,) if counts else (dtype, *LARGER.get(dtype, ()))
    else:
        _accept_scalars(slot, dtype, is_graph=is_graph)
    return slots


def _accept_scalars(slot: Slot, dtype: DataType, *, is_graph: bool) -> None:
    """Accept the numbers of a type. 64-bit numbers are passed as words, or by the low half of their bits."""
    is_wide = numpy_dtype(dtype).itemsize == 8
    if dtype is DataType.F16:
        slot.types, slot.scalar_types = (SCALAR,), (DataType.U16,) if is_graph else (DataType.F16, DataType.U16)
        return
    simple = I32 if dtype in INTEGER_RANGES else F32
    if is_wide and not slot.words:
        slot.types, slot.lowest = (simple,), 0
        return
    slot.types, slot.scalar_types = (simple, SCALAR, *slot.types), (dtype,)


def _unsupported(parameter: Parameter, family: str, words: Words, *, is_graph: bool) -> str:
    """Return why C cannot pass an argument for a parameter; empty if it can."""
    kind, dtype = parameter.kind, parameter.dtype
    if words is Words.NONE and (kind == "struct" or (kind == "scalar" and dtype is DataType.F64)):
        return (
            f"the C-API cannot pass {'a struct' if dtype is None else 'an f64'}; load the module with load_aot_module"
        )
    reason = why_not_passed(parameter, family)
    if reason or kind != "matrix" or dtype is None or words is Words.ALL:
        return reason
    size = numpy_dtype(dtype).itemsize
    if size == 8 and not is_graph:
        return f"the C-API cannot pass a vector or matrix of {dtype} to a kernel; Runtime.load_module can"
    if max(size, 2) * math.prod(parameter.elem_shape) > TENSOR_BYTES:
        return f"the C-API passes up to {TENSOR_BYTES} bytes; Runtime.load_module has no limit"
    return ""


def wrong_launch(entry: Entry, noun: str, status: int, arguments: Sequence[Any] | Array[Any]) -> Exception:
    """Return the exception for a launch whose arguments C rejected."""
    index, wrong = status >> 8 & 0xFFFF, Wrong(status >> 24)
    of = f"{noun} {entry.signature.name}" if entry.signature else f"the {noun}"
    for number, unsupported in enumerate(entry.slots):
        if unsupported.reason:  # whatever the arguments are
            return NotSupportedError(f"{of}: argument {number} ({unsupported.name}): {unsupported.reason}")
    if wrong is Wrong.COUNT:
        wanted = f"takes {count_of(entry.slots, 'argument')}, not {len(arguments)}"
        kind = ArgumentNotFoundError if len(arguments) < len(entry.slots) else ArgumentTypeError
        return kind(f"{of}: {entry.signature} {wanted}")
    if wrong is Wrong.NAME:
        name = entry.slots[index].name
        kind = ArgumentTypeError if name in (argument.name for argument in arguments) else ArgumentNotFoundError
        return kind(f"{of}: exactly one argument must have the name {name!r}")
    if wrong is Wrong.STATED:
        return InvalidArgumentError(_difference(entry, arguments))
    if wrong is Wrong.LAYOUTS:
        read, written = (entry.slots[number].name for number in entry._pairs[index])
        return InvalidArgumentError(
            f"{of}: {read!r} and {written!r} are the same image; a kernel cannot take one image both as texture and as "
            "rw_texture"
        )
    argument = arguments[index]
    slot = _slot_of(entry, index, argument)
    name = f"{of}: argument {index}" + (f" ({slot.name})" if slot else "")
    value = argument.argument if isinstance(argument, TiNamedArgument) else argument
    if wrong is Wrong.NULL and isinstance(argument, TiNamedArgument) and not argument.name:
        return ArgumentNullError(f"{name} has no name")
    if slot and wrong in (Wrong.RANGE, Wrong.HALF):
        return _number_message(wrong, name, slot, value)
    return _message(wrong, name, slot, value)


def _difference(entry: Entry, arguments: Sequence[Any] | Array[Any]) -> str:
    """Return how the arguments differ from the shapes that the module states."""
    assert entry.signature is not None
    by_slot: list[Any] = list(arguments)
    if isinstance(by_slot[0], TiNamedArgument):
        named = {argument.name: argument.argument for argument in by_slot}
        by_slot = [named[slot.name] for slot in entry.slots]
    parameters = entry.signature.parameters
    return difference(entry.signature, [_size(p, argument) for p, argument in zip(parameters, by_slot, strict=False)])


def _size(parameter: Parameter, argument: TiArgument) -> tuple[int, ...] | int:
    """Return the shape of an array, the value of an integer scalar, or 0 for other arguments."""
    value = argument.value
    if parameter.kind == "ndarray":
        return _shape(value.ndarray.shape)
    dtype = parameter.dtype
    if dtype is None or dtype not in SYMBOL_TYPES:
        return 0
    if argument.type == I32:
        return value.i32 % 2**32 if dtype is DataType.U32 else value.i32
    bits: Any = value.scalar.value if argument.type == SCALAR else value.tensor.contents.data
    return int(np.frombuffer(bytes(ffi.buffer(bits.c)), numpy_dtype(dtype), 1)[0])


def _slot_of(entry: Entry, index: int, argument: Any) -> Slot | None:
    if isinstance(argument, TiNamedArgument):
        return next((slot for slot in entry.slots if slot.name == argument.name), None)
    return entry.slots[index] if index < len(entry.slots) else None


def _message(wrong: Wrong, name: str, slot: Slot | None, argument: TiArgument) -> Exception:
    kind = argument.type.name if isinstance(argument.type, TiArgumentType) else short(int(argument.type))
    if wrong is Wrong.TYPE:
        wanted = f": expected {slot}" if slot else " has an unknown type"
        error = ArgumentTypeError(f"{name}{wanted}, got {kind}")
        is_known = isinstance(argument.type, TiArgumentType)
        return error if is_known else with_code(error, ErrorCode.ARGUMENT_OUT_OF_RANGE)
    value: Any = argument.value
    part = {NDARRAY: "ndarray", TEXTURE: "texture", SCALAR: "scalar", TENSOR: "tensor"}.get(argument.type, "")
    item = getattr(value, part)
    if wrong is Wrong.DATA:
        given = item.elem_type if part == "ndarray" else item.format if part == "texture" else item.type
        return ArgumentTypeError(f"{name}: expected {_data_types(slot, part)}, got {getattr(given, 'name', given)}")
    if wrong is Wrong.LENGTH:
        most = f"{slot.length} numbers" if slot else f"at most {TENSOR_BYTES} bytes"
        return InvalidArgumentError(f"{name}: expected {most}, got a length of {item.contents.length}")
    if wrong is Wrong.NDIM:
        ndim = slot.parameter.ndim if slot else 0
        got = item.shape.dim_count if part == "ndarray" else item.dimension
        return InvalidArgumentError(f"{name}: expected {ndim} dimensions, got {getattr(got, 'name', got)}")
    if wrong is Wrong.ELEMENT:
        shape = slot.parameter.elem_shape if slot else ()
        return InvalidArgumentError(f"{name}: expected elements of shape {shape}, got {_shape(item.elem_shape)}")
    if wrong is Wrong.SHAPE:
        shapes = f"{_shape(item.shape)} with elements of {_shape(item.elem_shape)}"
        return ArgumentOutOfRangeError(
            f"{name}: an array has up to 12 dimensions and fewer than 2^31 numbers, not {shapes}"
        )
    handle = item.memory if part == "ndarray" else item.image
    if wrong is Wrong.NULL:
        return ArgumentNullError(f"{name}: the {'memory' if part == 'ndarray' else 'image'} is the null handle")
    cls, problem = OF_HANDLES[wrong]
    sizes = f" {_shape(item.shape)}" if wrong is Wrong.SIZE else ""
    return cls(f"{name}: the {handle!r} {problem}{sizes}")


def _number_message(wrong: Wrong, name: str, slot: Slot, argument: TiArgument) -> Exception:
    """Return the exception for a number that does not fit the parameter."""
    if wrong is Wrong.HALF:
        return InvalidArgumentError(
            f"{name}: a scalar of TI_DATA_TYPE_F16 is read from x32, as a float32, and would be 0; pass the bits of an "
            "f16 in x16 with TI_DATA_TYPE_U16"
        )
    dtype, value = slot.parameter.dtype, argument.value
    assert dtype is not None
    low, high = _i32_range(dtype, slot.lowest)
    numbers = [value.i32]
    if argument.type == SCALAR:
        numbers = [value.scalar.value.x8]
    elif argument.type == TENSOR:
        numbers = _numbers(value.tensor)
    number = next((number for number in numbers if not low <= number <= high), numbers[0])
    return ArgumentOverflowError(f"{name}: {number} does not fit {dtype}{_wide_hint(slot)}")


def _numbers(tensor: Any) -> list[int]:
    """Return the integers, of up to 32 bits each, in a tensor."""
    data = bytes(ffi.buffer(tensor.contents.data.c))
    return [int(number) for number in np.frombuffer(data, numpy_dtype(DataType(tensor.type)))[: tensor.contents.length]]


def _wide_hint(slot: Slot) -> str:
    """Return a hint: how to pass numbers that do not fit an I32."""
    if slot.parameter.dtype is None or numpy_dtype(slot.parameter.dtype).itemsize < 8:
        return ""
    return " as TI_ARGUMENT_TYPE_I32" + ("; TI_ARGUMENT_TYPE_SCALAR passes 64 bits" if slot.words else "")


def _data_types(slot: Slot | None, part: str) -> str:
    if slot is None:
        return "a type of numbers"
    if slot.parameter.format:
        return f"the format {slot.parameter.format}"
    accepted = slot.scalar_types if part == "scalar" else slot.data_types
    names = [TiDataType(int(data_type)).name for data_type in accepted]
    if part == "tensor" and slot.words:
        names.append(f"{slot.words} words of TI_DATA_TYPE_I32")
    return " or ".join(names)


def _shape(shape: Any) -> tuple[int, ...]:
    """Return the sizes of a shape, without those that a wrong count would add."""
    return tuple(shape.dims[: min(shape.dim_count, 16)])
