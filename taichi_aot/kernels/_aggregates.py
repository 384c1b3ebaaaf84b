"""Arguments of more than one number: vectors, matrices, structs, packs and textures; imported with the first of them.

A call passes a struct or pack as a mapping, an object, a record, or a value for each member.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..arrays._ndarray import ArraySlice, NdArray
from ..driver._library import lib
from ..handles._runtime import RuntimeHandle
from ..values._errors import (
    count,
    describe,
    is_masked,
)
from ..values._numbers import (
    DTYPES,
    DataType,
    convert,
    numpy_dtype,
    plain_array,
    store,
    without_ones,
)
from ..values._signature import (
    TEXTURES,
    WORDS_PER_ARGUMENT,
    Parameter,
    PlacedMember,
    Signature,
    Tree,
    placed_members,
    python_names,
    tree_of,
)
from ._arguments import Argument, Change, Dispatches, Lines, ObjectArgument, ScalarArgument, Subject

if TYPE_CHECKING:
    import numpy.typing as npt

    from .._capi import TiArgument
    from .._cdata import Pointer
    from ..arrays._image import Image
    from ..values._texels import ImageUsage

ABSENT = object()
SIMPLE = {int, float}
SEQUENCES: tuple[type[object], ...] = (tuple, list)
RECORDS: tuple[type[object], ...] = (np.void, np.ndarray)


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


def image_usages(dispatches: Dispatches) -> dict[str, ImageUsage]:
    """The usages that the image for each parameter needs: both if a graph passes it to kernels as both textures."""
    from ..values._texels import ImageUsage

    needed = {"texture": ImageUsage.SAMPLED, "rw_texture": ImageUsage.STORAGE}
    usages: dict[str, ImageUsage] = {}
    for parameters in dispatches:
        for parameter in parameters:
            if parameter.kind in needed:
                usages[parameter.name] = usages.get(parameter.name, ImageUsage(0)) | needed[parameter.kind]
    return usages


class TextureArgument(ObjectArgument):
    """An Image, or the Texture of an Image, with the usages that the kernels need."""

    def __init__(
        self, subject: Subject, index: int, runtime: RuntimeHandle, array_index: int, dispatches: Dispatches
    ) -> None:
        from ..arrays._image import Image, Texture  # with all that images need
        from ..values._texels import ImageUsage

        super().__init__(subject, index, runtime, array_index)
        self._image, self._texture = Image, Texture
        self._usage = image_usages(dispatches).get(self.parameter.name, ImageUsage(0))

    def lines(self, name: str, p: str) -> Lines:
        return Lines([f"{name} = {p}check{self.index}({name})"], [f"{p}arrays[{self._array_index}] = {name}._c"])

    def check(self, value: Any) -> Image:
        image = value.image if value.__class__ is self._texture else value
        if image.__class__ is not self._image:
            raise self.messages.wrong_type(value)
        parameter = self.parameter
        if image.ndim != parameter.ndim or parameter.format not in ("", str(image.format)):
            raise self.messages.wrong_type(image)
        if self._usage not in image.usage:
            from ..values._texels import ImageUsage

            missing = self._usage & ~image.usage
            names = "|".join(usage.name or "" for usage in ImageUsage if usage in missing)
            raise self.messages.wrong_usage(image, names)
        if image._handle.runtime is not self._runtime:
            raise self.messages.foreign(image, self._runtime)
        return image

    def place(self, c_argument: TiArgument, overflow: Iterator[TiArgument]) -> None:
        c_argument.type = lib.TI_ARGUMENT_TYPE_TEXTURE


def layout_pairs(signature: Signature, dispatches: Dispatches) -> list[tuple[int, int]]:
    """The parameters, by number, that one kernel takes as a texture and as an rw_texture.

    They need different layouts: the library would change that of an image for the second while the first needs it.
    """
    numbers = {parameter.name: i for i, parameter in enumerate(signature.parameters)}
    pairs: set[tuple[int, int]] = set()
    for parameters in dispatches:
        reads, writes = ([numbers[p.name] for p in parameters if p.kind == kind] for kind in TEXTURES)
        pairs.update(product(reads, writes))
    return sorted(pairs)
