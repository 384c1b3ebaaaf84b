"""Argument kinds: each tests, converts and writes the arguments of one parameter.

Each class generates lines for its parameter in a function that `_launch` compiles: a fast test and the writes. If the
fast test fails, the lines call `check`, which defines the accepted arguments.

Arrays of other libraries are used without a copy. `Guest`: read in place for one call by `_c/core/guest.c`. A call
refers to its arguments until it returns, so a guest needs no Python object that keeps it alive. `ForeignArray`:
imported, and kept alive.
"""

from __future__ import annotations

import math
import struct
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, NoReturn, SupportsFloat, SupportsIndex, TypeAlias, Union, cast

import numpy as np

from ..arrays._layout import ArrayLayout, array_layout
from ..arrays._ndarray import ArraySlice, NdArray
from ..driver._library import ffi, lib, object_pointer
from ..handles._memory import TYPE_CODES, MemoryHandle
from ..handles._runtime import RuntimeHandle
from ..values._errors import (
    InvalidBufferError,
    OutOfMemoryError,
    count,
    describe,
    is_array,
    is_masked,
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
    plain_array,
    store,
    tensor_trouble,
    without_ones,
)
from ..values._signature import (
    WORDS_PER_ARGUMENT,
    Parameter,
    PlacedMember,
    Signature,
    Tree,
    placed_members,
    python_names,
    tree_of,
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
        from ..handles._interchange import import_shared, shared_array

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

ABSENT = object()
SEQUENCES: tuple[type[object], ...] = (tuple, list)
SIMPLE = {int, float}
RECORDS: tuple[type[object], ...] = (np.void, np.ndarray)


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


class Members:
    """Reads the members of a struct or pack."""

    def __init__(self, subject: Subject, names: Sequence[str]) -> None:
        self._subject = subject
        self._names = dict.fromkeys(names)  # the members, in order
        self._count = len(names)
        self._items: Callable[[Any], tuple[Any, ...]] = itemgetter(*names)
        self._attributes: Callable[[Any], tuple[Any, ...]] = attrgetter(*names)
        self._object: type[object] | None = None  # the last class with attributes: tests of a class take long

    def fast(self, value: Any) -> Sequence[Any]:
        """Return all of several members of the usual kinds of values; empty if `by_name` has to find them."""
        kind = value.__class__
        if kind is tuple or kind is list:
            return value if len(value) == self._count else ()
        if self._count < 2:  # the getters would return the member itself
            return ()
        try:
            if kind is dict:
                return self._items(value) if len(value) == self._count else ()
            if kind is not self._object:
                if kind.__module__ in ("builtins", "numpy") or isinstance(value, Mapping):
                    return ()
                self._object = kind
            return self._attributes(value)
        except (AttributeError, KeyError):
            return ()

    def whole(self, value: object) -> Mapping[str, object]:
        """Return all members by name; raise if one is missing."""
        members = self.by_name(value)
        for name in self._names:
            if name not in members:
                raise self._subject.messages.unexpected(f"no {name!r}")
        return members

    def by_name(self, value: object) -> Mapping[str, object]:
        members: Mapping[str, object]
        if isinstance(value, Mapping):
            # A copy: the members are code of the application, which may change it.
            members = dict(cast("Mapping[str, object]", value))
        elif isinstance(value, np.generic | np.ndarray):
            record = cast("Any", value)
            if record.ndim or record.dtype.names is None or is_masked(record):
                raise self._subject.messages.wrong_type(value)
            members = {name: record[name] for name in record.dtype.names}
        elif isinstance(value, SEQUENCES) and not hasattr(value, "_fields"):  # of named tuples
            values = cast("Sequence[object]", value)
            if len(values) != len(self._names):
                raise self._subject.messages.unexpected(f"{count(values, 'value')}, not {len(self._names)}")
            members = dict(zip(self._names, values, strict=True))
        elif type(value).__module__ == "builtins":  # a text has attributes too
            raise self._subject.messages.wrong_type(value)
        else:
            found = {name: getattr(value, name, ABSENT) for name in self._names}
            members = {name: member for name, member in found.items() if member is not ABSENT}
            if not members:
                raise self._subject.messages.wrong_type(value)
        for name in members:
            if name not in self._names:
                raise self._subject.messages.unknown_member(name)
        return members


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


class BytesArgument(Argument):
    """An argument that is written as its `size` bytes; subclasses make these."""

    def __init__(self, subject: Subject, index: int, words: tuple[int, ...], size: int) -> None:
        super().__init__(subject, index, words)
        self._size = size

    def lines(self, name: str, p: str) -> Lines:
        writes: list[str] = []
        for k, length in enumerate(self.words):
            begin = 4 * WORDS_PER_ARGUMENT * k
            end = min(begin + 4 * length, self._size)
            part = name if len(self.words) == 1 else f"{name}[{begin}:{end}]"
            writes.append(f"{p}copy({p}values[{self.index}][{k}], {part}, {end - begin})")
        return Lines([f"{name} = {p}check{self.index}({name})"], writes)

    def check(self, value: object) -> bytes:
        raise NotImplementedError

    def place(self, c_argument: TiArgument, overflow: Iterator[TiArgument]) -> list[Pointer[int]]:
        return self._place_words(c_argument, overflow)


class MatrixArgument(BytesArgument):
    """A vector or matrix. If `takes_flat`, a vector of all its numbers is accepted."""

    def __init__(self, subject: Subject, index: int, words: tuple[int, ...], size: int, *, takes_flat: bool) -> None:
        super().__init__(subject, index, words, size)
        shape = self.parameter.elem_shape
        self._shapes = {without_ones(shape), without_ones((math.prod(shape),) if takes_flat else shape)}

    def check(self, value: object) -> bytes:
        dtype = self.parameter.dtype
        assert dtype is not None
        array = self._array(value)
        if without_ones(array.shape) not in self._shapes:
            raise self.messages.wrong_shape(array.shape)
        if array.dtype != numpy_dtype(dtype):
            array = store([self._convert(element, dtype) for element in array.ravel()], dtype)
        return array.tobytes()

    def _array(self, value: object) -> npt.NDArray[Any]:
        if type(value) in (NdArray, ArraySlice):  # numpy would read its contents
            raise self.messages.wrong_type(value)
        try:
            array = plain_array(value)
        except TypeError:  # a masked array
            raise self.messages.wrong_type(value) from None
        except ValueError:
            raise self.messages.ragged() from None
        if array.ndim == 0:
            raise self.messages.wrong_type(value)
        return array

    def _convert(self, element: object, dtype: DataType) -> int | float:
        try:
            return convert(element, dtype)
        except TypeError:
            raise self.messages.unexpected(f"{describe(element)} in it") from None
        except OverflowError as error:
            raise self.messages.does_not_fit(error) from None


class StructArgument(BytesArgument):
    """A struct: a mapping, an object with attributes, a numpy record, or a value for each member in order."""

    def __init__(self, subject: Subject, index: int, words: tuple[int, ...], size: int) -> None:
        super().__init__(subject, index, words, size)
        assert self.parameter.layout is not None
        self._layout = self.parameter.layout
        self._members = {
            member.parameter.name: (member.offset, _member_argument(subject, member))
            for member in placed_members(self._layout)
        }
        self._reader = Members(subject, list(self._members))
        self._packer = _packer(self._layout)

    def check(self, value: object) -> bytes:
        if self._packer is not None:
            numbers = self._reader.fast(value)
            if numbers and SIMPLE.issuperset(map(type, numbers)):
                with suppress(struct.error, OverflowError):  # a number does not fit
                    return self._packer.pack(*numbers)
        if isinstance(value, RECORDS):
            record = cast("npt.NDArray[Any]", value)
            if record.dtype == self._layout and not record.ndim and not is_masked(record):
                return record.tobytes()
        return Change(self._parts(self._reader.whole(value), whole=True)).of(bytes(self._size))

    def change(self, value: object) -> bytes | Change:
        if not isinstance(value, Mapping):
            return self.check(value)
        return Change(self._parts(self._reader.by_name(cast("object", value)), whole=False))

    def _parts(self, members: Mapping[str, object], *, whole: bool) -> Iterator[tuple[int, bytes]]:
        """Check members, which must be `whole` in a call, and yield the bytes of each with their place."""
        for name, value in members.items():
            offset, argument = self._members[name]
            checked = argument.check(value) if whole else argument.change(value)
            if checked.__class__ is Change:
                yield from ((offset + begin, contents) for begin, contents in checked.parts)
            elif checked.__class__ is bytes:
                yield offset, checked
            else:
                assert argument.parameter.dtype is not None
                yield offset, store([checked], argument.parameter.dtype).tobytes()


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


def _member_argument(subject: Subject, member: PlacedMember) -> Argument:
    """Return the argument for a member, which checks values and does not place them."""
    parameter = member.parameter._replace(name=f"{subject.parameter.name}.{member.parameter.name}")
    subject = subject._replace(parameter=parameter)
    if parameter.kind == "struct":
        return StructArgument(subject, 0, (), member.size)
    if parameter.kind == "matrix":
        return MatrixArgument(subject, 0, (), member.size, takes_flat=False)
    return ScalarArgument(subject, 0, ())


def _packer(layout: np.dtype[Any]) -> struct.Struct | None:
    """Return what packs the numbers of a struct of several scalars; None if it cannot pack them all."""
    members, end, codes = placed_members(layout), 0, "="
    for (_, kind, dtype, *_), offset, size in members:
        code = DTYPES[dtype].pack if kind == "scalar" and dtype is not None else ""
        if not code or offset < end or len(members) < 2:
            return None
        codes += f"{offset - end}x{code}"
        end = offset + size
    return struct.Struct(f"{codes}{layout.itemsize - end}x")


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


class Pack:
    """An argument pack with arrays: the kernel has a parameter for each member.

    `subject`: its parameter has the whole path as its name. `tree`: the indices of the parameters
    by the names of members.
    """

    def __init__(self, subject: Subject, tree: Tree) -> None:
        self._members = Members(subject, list(tree))
        self._inner: dict[str, int | Pack] = {}
        self.indices: list[int] = []  # the parameters whose arguments `arguments` returns
        for member in subject.parameter.members:
            found = tree[member.name]
            if isinstance(found, int):
                self._inner[member.name] = found
                self.indices.append(found)
            else:
                parameter: Parameter = member._replace(name=f"{subject.parameter.name}.{member.name}")
                inner = self._inner[member.name] = Pack(subject._replace(parameter=parameter), found)
                self.indices += inner.indices
        self._is_flat = len(self.indices) == len(self._inner) and all(isinstance(i, int) for i in self._inner.values())

    def arguments(self, value: object) -> Sequence[Any]:
        """Return the arguments of the parameters for a pack that a call passes."""
        members = self._members.fast(value)
        if not members:
            by_name = self._members.whole(value)
            members = [by_name[name] for name in self._inner]
        if self._is_flat:
            return members
        found: list[Any] = []
        for inner, member in zip(self._inner.values(), members, strict=True):
            found += (member,) if isinstance(inner, int) else inner.arguments(member)
        return found

    def changes(self, value: object) -> Iterator[tuple[int, Any]]:
        """Yield the arguments that an update replaces: of a mapping those of its members, else all."""
        if not isinstance(value, Mapping):
            yield from zip(self.indices, self.arguments(value), strict=True)
            return
        for name, member in self._members.by_name(cast("object", value)).items():
            inner = self._inner[name]
            if isinstance(inner, int):
                yield inner, member
            else:
                yield from inner.changes(member)


def packs_of(signature: Signature) -> dict[str, Pack]:
    """Return the packs of a call, by the names of its parameters."""
    tree = tree_of(tuple([parameter.name for parameter in signature.parameters]))
    taken = signature.taken
    return {
        name: Pack(Subject(signature, parameter), found)
        for name, parameter, found in zip(python_names(taken), taken, tree.values(), strict=True)
        if not isinstance(found, int)
    }
