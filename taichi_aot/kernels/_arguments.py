"""Argument kinds: each tests, converts and writes the arguments of one parameter.

Each class generates lines for its parameter in a function that `_launch` compiles: a fast test and the writes. If the
fast test fails, the lines call `check`, which defines the accepted arguments.

Arrays of other libraries are used without a copy. `Guest`: read in place for one call by `_c/core/guest.c`. A call
refers to its arguments until it returns, so a guest needs no Python object that keeps it alive. `ForeignArray`:
imported, and kept alive.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn, SupportsFloat, SupportsIndex, TypeAlias, Union

import numpy as np

from ..arrays._layout import ArrayLayout, array_layout
from ..arrays._ndarray import NdArray
from ..driver._library import ffi, lib, object_pointer
from ..handles._interchange import import_shared, shared_array
from ..handles._memory import TYPE_CODES, MemoryHandle
from ..handles._runtime import RuntimeHandle
from ..values._errors import (
    InvalidBufferError,
    OutOfMemoryError,
    is_array,
)
from ..values._items import Record
from ..values._numbers import (
    DTYPES,
    INTEGER_RANGES,
    DataType,
    array_type,
    convert,
    numpy_dtype,
    offers_memory,
    store,
    tensor_trouble,
    without_ones,
)
from ..values._signature import (
    Parameter,
    Signature,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from .._capi import TiArgument, taichi_aot_array_p, taichi_aot_guest_p
    from .._cdata import Pointer
    from ..arrays._image import Image, Texture
    from ..handles._interchange import SupportsArrayInterface, SupportsCudaArrayInterface, SupportsDLPack
    from ._messages import Messages


class Guest:
    """The place of a guest in a call's block, with the attributes that compiled functions use."""

    __slots__ = ("_c", "_place")

    def __init__(self, place: taichi_aot_guest_p) -> None:
        self._place = place  # kept alive
        self._c: taichi_aot_array_p = ffi.addressof(place, "array")

    @property
    def _layout(self) -> Guest:
        return self

    @property
    def shape(self) -> tuple[int, ...]:
        shape = self._place.array.ti_ndarray.shape
        return tuple(shape.dims[0 : shape.dim_count])


TakesGuest: TypeAlias = Callable[[object], Guest | None]


def take_no_guest(value: object) -> None:
    """Leave an argument to its check."""
    return None


def take_guests(parameter: Parameter, runtime: RuntimeHandle) -> TakesGuest:
    """Return a function that makes an array the argument of the next launch; it returns None for one to be imported."""
    interchange = runtime.backend.interchange
    is_shared = interchange.shares_host or interchange.shares_cuda
    # Elsewhere `id` is not the address of an object.
    if parameter.kind != "ndarray" or not is_shared or sys.implementation.name != "cpython":
        return take_no_guest
    assert parameter.dtype is not None
    dtype = numpy_dtype(parameter.dtype)
    place = ffi.new("taichi_aot_guest *", {"bits": 8 * dtype.itemsize})
    place.device_type, place.device_id = interchange.dlpack_device(runtime)
    place.code, place.is_written = TYPE_CODES[dtype.kind], parameter.access != "r"
    place.array = array_layout((1,) * parameter.ndim, dtype, parameter.elem_shape).c[0]
    if interchange.shares_host and _can_read_numpy():
        place.numpy_class, place.numpy_dtype = id(np.ndarray), id(dtype)
    guest = Guest(place)
    result: list[TakesGuest] = []  # C has no other way to return a Python object through cffi
    if lib.taichi_aot_guest_function(place, runtime.c, object_pointer(guest), object_pointer(result)) != 0:
        raise OutOfMemoryError("no memory for the arguments of a call")
    return result[0]


@cache
def _can_read_numpy() -> bool:
    """Return whether numpy's arrays have the layout in memory that C reads."""
    array = np.zeros((3, 8), np.float32)[1:, ::2]
    found = ffi.new("taichi_aot_numpy *")
    lib.taichi_aot_read_numpy(object_pointer(array), found)
    seen = found.data, found.ndim, found.size, found.stride, found.dtype, found.flags & 0x501
    wanted = array.ctypes.data, 2, 4, 8, id(array.dtype), 0x500
    if seen != wanted or array.flags.c_contiguous or not (array.flags.aligned and array.flags.writeable):
        return False
    array.flags.writeable = False
    lib.taichi_aot_read_numpy(object_pointer(array), found)
    return bool(found.flags & 0x501 == 0x100)


class ForeignArray:
    """An array of another library as an argument; it keeps the array's memory alive."""

    __slots__ = ("_c", "_handle", "_layout", "readonly")

    def __init__(self, layout: ArrayLayout, handle: MemoryHandle, *, readonly: bool) -> None:
        self._layout = layout
        self._handle = handle
        self.readonly = readonly
        self._c: taichi_aot_array_p = ffi.new("taichi_aot_array *", layout.c[0])
        handle.place(self._c)

    @property
    def closed(self) -> bool:
        return self._handle.closed


class Importer:
    """Imports arrays for one parameter."""

    def __init__(self, subject: Subject, runtime: RuntimeHandle) -> None:
        self._subject = subject
        self._parameter = subject.parameter
        self._runtime = runtime
        # Arrays that cannot change, by identity. An entry ends with its array.
        self._known: dict[int, tuple[weakref.ref[Any], ForeignArray]] = {}

    def __call__(self, value: Any) -> ForeignArray:
        """Return another library's array as an argument; raise if the parameter does not take it."""
        if value.__class__ is ForeignArray:  # of a launch whose kernel was reloaded
            return self._permitted(value)
        known = self.known(value)
        if known is not None:
            return known
        imported = self._permitted(self._import(value))
        kind: Any = value.__class__
        if kind.__module__.partition(".")[0] == "jaxlib":
            self._keep(value, imported)
        return imported

    def known(self, value: Any) -> ForeignArray | None:
        """Return an array that was imported before, and cannot have changed meanwhile; only JAX has such."""
        entry = self._known.get(id(value))
        return None if entry is None or value.is_deleted() else entry[1]

    def _keep(self, value: Any, imported: ForeignArray) -> None:
        known, number = self._known, id(value)
        with suppress(TypeError):  # it has no weak references
            known[number] = weakref.ref(value, lambda _: known.pop(number, None)), imported

    def _permitted(self, array: ForeignArray) -> ForeignArray:
        if array.readonly and self._parameter.access != "r":
            raise self._subject.messages.read_only()
        return array

    def _import(self, value: Any) -> ForeignArray:
        runtime, parameter, subject = self._runtime, self._parameter, self._subject
        interchange = runtime.backend.interchange
        takes = interchange.shares_host or (interchange.shares_cuda and not is_array(value))
        if not takes or not offers_memory(value) or isinstance(value, type) or tensor_trouble(value):
            raise subject.messages.wrong_type(value)
        try:
            shared = shared_array(value, interchange.dlpack_device(runtime), readonly=True)
        except (BufferError, TypeError, ValueError) as error:
            is_shaped = isinstance(error, InvalidBufferError) and isinstance(getattr(value, "shape", None), tuple)
            if is_shaped and self._is_other_shape(value.shape):
                raise subject.messages.wrong_foreign(
                    value, getattr(value, "dtype", ""), value.shape, is_shape=True
                ) from None
            raise subject.messages.not_shared(value, error) from None
        assert parameter.dtype is not None
        is_other_shape = self._is_other_shape(shared.shape)
        if shared.dtype != numpy_dtype(parameter.dtype) or is_other_shape:
            raise subject.messages.wrong_foreign(value, shared.dtype, shared.shape, is_shape=is_other_shape)
        layout = array_layout(shared.shape[: parameter.ndim], parameter.dtype, parameter.elem_shape)
        return ForeignArray(layout, import_shared(runtime, shared), readonly=shared.readonly)

    def _is_other_shape(self, shape: tuple[int, ...]) -> bool:
        """Return whether an array of that shape does not have the parameter's dimensions and elements."""
        ndim, elem_shape = self._parameter.ndim, self._parameter.elem_shape
        is_same = shape[ndim:] == elem_shape or (len(shape) == ndim and not without_ones(elem_shape))
        return len(shape) < ndim or not is_same


# Argument kinds: each tests, converts and writes the arguments of one parameter.


# Programs use it in annotations, which Python may evaluate.
ArrayLike: TypeAlias = Union[NdArray, "SupportsDLPack", "SupportsArrayInterface", "SupportsCudaArrayInterface"]
ArgumentLike: TypeAlias = "ArrayLike | Image | Texture | npt.ArrayLike | SupportsFloat | SupportsIndex"


# By launched kernel: its parameters, with the names of the graph's arguments.
Dispatches: TypeAlias = "Sequence[Sequence[Parameter]]"


class Subject(Record):
    """A parameter of a kernel or graph, and the exceptions about its arguments."""

    signature: Signature
    parameter: Parameter

    @property
    def messages(self) -> Messages:
        from ._messages import Messages  # with the first of them

        return Messages(*self)


class Lines(Record):
    """The lines of a generated function for one parameter."""

    tests: list[str]  # they leave the value to write in the parameter's variable
    writes: list[str]
    imports: Sequence[str] = ()  # of an array that was to be read in place, after all tests


class Argument:
    """One parameter of a kernel or graph."""

    def __init__(self, subject: Subject, index: int, words: tuple[int, ...]) -> None:
        self.subject = subject
        self.parameter = subject.parameter
        self.index = index  # among the parameters
        # The number of 32-bit words in each of its C arguments; empty if it is passed with its own type.
        self.words = words

    @property
    def messages(self) -> Messages:
        return self.subject.messages

    def lines(self, name: str, p: str) -> Lines:
        """Return the lines for the variable `name`; `p` is the prefix of the function's other variables."""
        raise NotImplementedError

    def check(self, value: object) -> Any:
        """Return the value to write; raise if the parameter does not accept the argument."""
        raise NotImplementedError

    def change(self, value: object) -> Any:
        """Return the value with which an update replaces the one before, or the `Change` that it makes to that."""
        return self.check(value)

    def place(self, c_argument: TiArgument, overflow: Iterator[TiArgument]) -> Any:
        """Prepare the C arguments of a new block; return pointers to their values."""
        raise NotImplementedError

    def _place_words(self, c_argument: TiArgument, overflow: Iterator[TiArgument]) -> list[Pointer[int]]:
        """Make each C argument a tensor of 32-bit words; return pointers to the words."""
        pointers: list[Pointer[int]] = []
        for length in self.words:
            target = next(overflow) if pointers else c_argument
            target.type = lib.TI_ARGUMENT_TYPE_TENSOR
            tensor = target.value.tensor
            tensor.type = lib.TI_DATA_TYPE_I32
            tensor.contents.length = length
            pointers.append(tensor.contents.data.x8)
        return pointers


class ScalarArgument(Argument):
    """A scalar."""

    def __init__(self, subject: Subject, index: int, words: tuple[int, ...]) -> None:
        super().__init__(subject, index, words)
        assert self.parameter.dtype is not None
        self.dtype = self.parameter.dtype
        self._pointer = ffi.typeof(DTYPES[self.dtype].pointer)

    def lines(self, name: str, p: str) -> Lines:
        is_odd = f"{name}.__class__ is not float"
        if self.dtype in INTEGER_RANGES:
            low, high = INTEGER_RANGES[self.dtype]
            is_odd = f"{name}.__class__ is not int or not {low} <= {name} <= {high}"
        test = f"if {is_odd}: {name} = {p}check{self.index}({name})"
        return Lines([test], [f"{p}values[{self.index}][0] = {name}"])

    def check(self, value: object) -> int | float:
        try:
            return convert(value, self.dtype)
        except TypeError:
            raise self.messages.wrong_type(value) from None
        except OverflowError as error:
            raise self.messages.does_not_fit(error) from None

    def place(self, c_argument: TiArgument, overflow: Iterator[TiArgument]) -> Any:
        if self.words:
            return ffi.cast(self._pointer, self._place_words(c_argument, overflow)[0])
        is_f32 = self.dtype is DataType.F32
        c_argument.type = lib.TI_ARGUMENT_TYPE_F32 if is_f32 else lib.TI_ARGUMENT_TYPE_I32
        return ffi.cast(self._pointer, ffi.addressof(c_argument.value))


class HalfArgument(ScalarArgument):
    """A scalar of f16, written as its bits."""

    def lines(self, name: str, p: str) -> Lines:
        return Lines([f"{name} = {p}check{self.index}({name})"], [f"{p}values[{self.index}][0] = {name}"])

    def check(self, value: object) -> int:
        return int(store([super().check(value)], DataType.F16).view(np.uint16)[0])


class Change:
    """The members of a struct that an update replaces: the place and the bytes of each."""

    __slots__ = ("parts",)

    def __init__(self, parts: Iterable[tuple[int, bytes]]) -> None:
        self.parts = list(parts)

    def of(self, contents: bytes) -> bytes:
        """Return the bytes of the struct with these members replaced."""
        block = bytearray(contents)
        for offset, part in self.parts:
            block[offset : offset + len(part)] = part
        return bytes(block)


class ObjectArgument(Argument):
    """An object with a ``taichi_aot_array``, which C checks at each launch."""

    def __init__(self, subject: Subject, index: int, runtime: RuntimeHandle, array_index: int) -> None:
        super().__init__(subject, index, ())
        self._runtime = runtime
        self._array_index = array_index  # its index among the parameters of arrays and textures


class ArrayArgument(ObjectArgument):
    """An NdArray."""

    def __init__(self, subject: Subject, index: int, runtime: RuntimeHandle, array_index: int) -> None:
        super().__init__(subject, index, runtime, array_index)
        parameter = self.parameter
        assert parameter.dtype is not None
        self.type = array_type(parameter.dtype, parameter.ndim, parameter.elem_shape)
        self.readonly_type = array_type(parameter.dtype, parameter.ndim, parameter.elem_shape, readonly=True)
        self._importer = Importer(subject, runtime)
        self.known = self._importer.known

    def lines(self, name: str, p: str) -> Lines:
        other_type = f"{name}._type is not {p}type{self.index}"
        if self.parameter.access == "r":
            other_type = f"({other_type} and {name}._type is not {p}readonly_type{self.index})"
        is_odd = f"{name}.__class__ is not {p}NdArray or {other_type} or {name}._handle.runtime is not {p}runtime"
        given, i = f"{p}given{self.index}", self.index
        tests = [
            f"if {is_odd}:",
            f"    {given} = {name}",
            f"    {name} = {p}guests[{self._array_index}]({given})",
            f"    if {name} is None: {name} = {p}known{i}({given})",
            f"    if {name} is None: {name} = {p}imported = {p}check{i}({given})",
        ]
        # Importing runs code of another library, which may change the guests that were taken before.
        is_foreign = f"{name}.__class__ is {p}Guest or {name}.__class__ is {p}ForeignArray"
        retaken = f"{p}guests[{self._array_index}]({given}) or {p}confirm{i}({given}, {name})"
        again = f"if {is_foreign}: {name} = {retaken}"
        return Lines(tests, [f"{p}arrays[{self._array_index}] = {name}._c"], [again])

    def confirm(self, given: object, taken: object) -> object:
        """Return the argument for an array that was taken before code of another library ran."""
        if taken.__class__ is not ForeignArray:
            return self.check(given)
        if tensor_trouble(given):
            raise self.messages.wrong_type(given)
        return taken

    def check(self, value: Any) -> NdArray | ArrayOfSameBytes | ForeignArray:
        if value.__class__ is not NdArray:
            return self._importer(value)
        got, wanted = value._type, self.type
        same_numbers = got.dtype is wanted.dtype and got.ndim == wanted.ndim
        if not same_numbers or without_ones(got.elem_shape) != without_ones(wanted.elem_shape):
            raise self.messages.wrong_type(value)
        if got.readonly and self.parameter.access != "r":
            raise self.messages.read_only()
        if value._handle.runtime is not self._runtime:
            raise self.messages.foreign(value, self._runtime)
        return value if got.elem_shape == wanted.elem_shape else ArrayOfSameBytes(value, wanted.elem_shape)

    def place(self, c_argument: TiArgument, overflow: Iterator[TiArgument]) -> None:
        c_argument.type = lib.TI_ARGUMENT_TYPE_NDARRAY


class GradientArgument(ArrayArgument):
    """The gradient of an array, of the same type and shape, called ``x.grad`` in messages; it follows parameters."""

    def __init__(self, subject: Subject, index: int, runtime: RuntimeHandle, array_index: int, array: Argument) -> None:
        super().__init__(subject, index, runtime, array_index)
        self.array = array

    def find(self, array: object, grads: Mapping[str, object] | None) -> object:
        """Return the gradient of `array`: from `grads`, its own, or None."""
        name = self.array.parameter.name
        return grads[name] if grads is not None and name in grads else getattr(array, "grad", None)

    def check(self, value: Any) -> NdArray | ArrayOfSameBytes | ForeignArray:
        if value is None:
            raise self.messages.without_gradient(self.array.parameter.name)
        return super().check(value)


class ArrayOfSameBytes:
    """An NdArray for a parameter whose element shape differs but has the same bytes: () for (1,), for example."""

    __slots__ = ("_c", "_layout", "array")

    def __init__(self, array: NdArray, elem_shape: tuple[int, ...]) -> None:
        self.array = array
        self._layout = array._layout  # both have the same shape
        self._c = array._with_elem_shape(elem_shape)

    @property
    def closed(self) -> bool:
        return self.array.closed


class UnsupportedArgument(Argument):
    """A parameter whose arguments cannot be passed, so that its kernel cannot be launched."""

    def __init__(self, subject: Subject, index: int, reason: str) -> None:
        super().__init__(subject, index, ())
        self._reason = reason

    def refuse(self, *arguments: object, **named: object) -> NoReturn:
        """Raise for a launch, whatever its arguments are."""
        raise self.messages.unsupported(self._reason)
