"""Parts of structure classes: members, and arrays of numbers and structures, all backed by C memory."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast, overload

from ..driver._library import address_of, ffi
from ..handles._c_types import Handle
from ..values._convert import as_integer
from ..values._errors import (
    ArgumentIndexError,
    ArgumentOutOfRangeError,
    ArgumentOverflowError,
    ArgumentTypeError,
    InvalidArgumentError,
    wrong_type,
)
from ..values._wording import describe, short

if TYPE_CHECKING:
    from typing_extensions import Self

    from .._cdata import Array as CArray
    from .._cdata import Pointer

Get = TypeVar("Get")
Set = TypeVar("Set")
E = TypeVar("E", bound=IntEnum)
F = TypeVar("F", bound=IntFlag)
H = TypeVar("H", bound=Handle)
S = TypeVar("S", bound="Structure")


def as_number(value: Any, what: str, bits: int, *, signed: bool = False) -> int:
    """Return `value` as an integer for C; TypeError unless it is an integer, OverflowError unless it fits."""
    number = as_integer(value, what)
    low, high = (-(1 << bits - 1), 1 << bits - 1) if signed else (0, 1 << bits)
    if not low <= number < high:
        raise ArgumentOverflowError(f"{what} must be from {low} to {high - 1}, not {short(number)}")
    return number


def as_member(cls: type[E], value: Any, what: str) -> E:
    """Return `value` as a member of an enumeration of C; ValueError if it is not one."""
    number = as_integer(value, what)
    member = cls._value2member_map_.get(number)
    if member is None:
        raise ArgumentOutOfRangeError(f"{what} must be a {cls.__name__}, not {short(number)}")
    return member  # type: ignore[return-value]


def as_flags(cls: type[F], value: Any, what: str) -> F:
    """Return `value` as flags; ValueError if it has an unknown one."""
    number = as_integer(value, what)
    known = sum(cls)
    if number & ~known:
        raise ArgumentOutOfRangeError(f"{what} must consist of {cls.__name__}, not {short(number)}")
    return cls(number)


def as_text(value: Any, what: str) -> bytes:
    """Return a str for C; TypeError for other types, ValueError for a NUL, which would end the text in C."""
    if not isinstance(value, str):
        raise wrong_type(value, f"{what} must be a str, not {describe(value)}")
    if "\0" in value:
        raise InvalidArgumentError(f"{what} must not contain a null character: {short(value)}")
    return value.encode(errors="surrogateescape")  # as for file names


class Owners:
    """The owners of handles in the memory of structures, by the address of each handle.

    Handles of different runtimes may be equal, so the numbers do not identify the runtime.
    """

    __slots__ = ("_entries", "context")

    def __init__(self) -> None:
        self._entries: dict[int, tuple[int, weakref.ref[Any], object]] = {}
        self.context: object = None  # the context that all share; None without any, and `SEVERAL` if they differ

    def set(self, place: int, handle: int, owner: Any) -> None:
        """Note the owner of the handle at a place; None if it is unknown."""
        self._entries.pop(place, None)
        if owner is not None:
            self._entries[place] = handle, weakref.ref(owner), owner.runtime.context
        self._settle()

    def copy(self, other: Owners | None, source: int, target: int, size: int) -> None:
        """Copy the owners of copied memory."""
        for place in [place for place in self._entries if target <= place < target + size]:
            del self._entries[place]
        for place, entry in [] if other is None else list(other._entries.items()):
            if source <= place < source + size:
                self._entries[place - source + target] = entry
        self._settle()

    def _settle(self) -> None:
        contexts = {id(context): context for _, _, context in self._entries.values()}
        self.context = SEVERAL if len(contexts) > 1 else next(iter(contexts.values()), None)

    def find(self, place: int, handle: int) -> Any:
        """Return the owner of the handle at a place; None if it is unknown, or another handle has replaced it."""
        entry = self._entries.get(place)
        return entry[1]() if entry is not None and entry[0] == handle else None

    def foreign(self, context: object) -> int | None:
        """Return a current handle that belongs to another context; None if all belong to this one."""
        for place, (handle, _, other) in self._entries.items():
            if other is not context and ffi.cast("uint64_t *", place)[0] == handle:
                return handle
        return None


OWNERS = (0, "owners")  # their key in the objects that memory keeps
SEVERAL = object()


class Structure:
    """A structure or union of the C-API, backed by memory with the layout of C.

    Attributes
    ----------
    c : cdata
        The pointer to it, for cffi. A nested structure keeps the outer one alive; a pointer's target does not.
        Functions of ctypes take the structure itself for a pointer to it.
    sizeof : int
        Its size in C in bytes.
    """

    __slots__ = ("_keep", "c")

    sizeof: ClassVar[int]
    _names: ClassVar[tuple[str, ...]]
    # The structure around this one, or the targets of its pointers by place.
    _keep: dict[tuple[int, str], Any] | Structure
    c: Pointer[Any]

    def __init_subclass__(cls) -> None:
        if "_names" in cls.__dict__:  # not a base such as `Union`
            cls.sizeof = ffi.sizeof(cls.__name__)

    @property
    def _as_parameter_(self) -> ctypes.c_void_p:  # the protocol of ctypes
        return ctypes.c_void_p(address_of(self.c))

    def _fill(self, values: dict[str, Any]) -> None:
        """Set the members whose values are not None; the others are zero."""
        self.c = ffi.new(f"{type(self).__name__} *")
        self._keep = {}
        for name, value in values.items():
            if value is not None:
                setattr(self, name, value)

    @classmethod
    def _at(cls, pointer: Pointer[Any], keep: dict[tuple[int, str], Any] | Structure) -> Self:
        """Return the structure at a place in memory, which `keep` keeps alive."""
        self = object.__new__(cls)
        self.c = pointer
        self._keep = keep
        return self

    @classmethod
    def array(cls, items: int | Iterable[Self]) -> Array[Self]:
        """Return an array of these structures: a number of zeroed ones, or copies of given ones.

        A launch with an existing array is faster than one with a list.

        Parameters
        ----------
        items : int or iterable
            The number of structures, or the structures themselves.

        Raises
        ------
        TypeError
            If an item is another structure.
        ValueError
            If the number is negative.
        """
        return Array(cls, items)

    def copy(self) -> Self:
        """Return a structure with the same contents in its own memory."""
        copied = object.__new__(type(self))
        copied._fill({})
        copied._assign(self)
        return copied

    def _assign(self, other: Structure) -> None:
        self.c[0] = other.c[0]
        source, target = address_of(other.c), address_of(self.c)
        ours, theirs = self._memory(), other._memory()
        for (place, name), kept in list(theirs.items()):  # what they are now, because the other may get new ones
            if source <= place < source + self.sizeof:
                ours[place - source + target, name] = kept
        if OWNERS in ours or OWNERS in theirs:
            self._owners().copy(theirs.get(OWNERS), source, target, self.sizeof)

    def _memory(self) -> dict[tuple[int, str], Any]:
        """Return the objects that this structure's memory keeps alive."""
        outer = self._keep
        while isinstance(outer, Structure):
            outer = outer._keep
        return outer

    def _owners(self) -> Owners:
        found: Owners = self._memory().setdefault(OWNERS, Owners())
        return found

    def _shown(self) -> tuple[str, ...]:
        """Return the members that `repr` and `==` use."""
        return self._names

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Structure) or type(self) is not type(other):
            return NotImplemented
        shown = self._shown()
        return shown == other._shown() and all(getattr(self, name) == getattr(other, name) for name in shown)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        members = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._shown())
        return f"{type(self).__name__}({members})"

    def __reduce_ex__(self, protocol: object) -> Any:
        raise ArgumentTypeError(
            f"cannot pickle a {type(self).__name__}: it is memory of this process; copy() copies it"
        )


class Union(Structure):
    """A union: its members share memory.

    In a structure that states a type, `repr` and ``==`` use the member for that type. Otherwise ``==`` compares all
    bytes.
    """

    __slots__ = ()

    _of_type: ClassVar[dict[int, str]]  # the member for each value of `type`

    def _stated(self) -> tuple[str, ...]:
        """Return the member for the type that the outer structure states; empty without one."""
        outer = self._keep
        while isinstance(outer, Structure):
            if "type" in outer._names:
                name = self._of_type.get(int(getattr(outer.c, "type")))  # noqa: B009
                return (name,) if name else ()
            outer = outer._keep
        return ()

    def _shown(self) -> tuple[str, ...]:
        return self._stated() or self._names

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Union) or type(self) is not type(other) or self._stated() or other._stated():
            return super().__eq__(other)
        return bytes(ffi.buffer(self.c)) == bytes(ffi.buffer(other.c))

    __hash__: ClassVar[None] = None


def _index(index: int, length: int, what: str) -> int:
    """Return an index as Python counts from 0; IndexError if it is out of range."""
    number = as_integer(index, f"an index of {what}")
    if not -length <= number < length:
        raise ArgumentIndexError(f"index {short(number)} is out of range: {what} has {length} items")
    return number % length


class Array(Generic[S]):
    """An array of structures, as C takes it: ``TiArgument.array(3)``.

    Items are the structures in the array, not copies: ``array[0].value.i32 = 1`` changes the array.

    Attributes
    ----------
    c : cdata
        The pointer to the first structure, for cffi. Functions of ctypes take the array itself.

    Examples
    --------
    >>> args = capi.TiArgument.array(3)
    >>> args[0].value.i32 = 7
    >>> len(args), args[0].value.i32
    (3, 7)
    """

    __slots__ = ("_cls", "_keep", "_length", "_owners", "c")

    c: Pointer[Any]

    def __init__(self, cls: type[S], items: int | Iterable[S]) -> None:
        structures = [] if isinstance(items, int) else list(items)
        length = as_number(items, "the length", 31) if isinstance(items, int) else len(structures)
        self._cls = cls
        self._length = length
        self.c = ffi.new(f"{cls.__name__}[]", max(length, 1))
        # Items do not keep their array alive.
        self._owners = Owners()
        self._keep: dict[tuple[int, str], Any] = {(0, ""): self.c, OWNERS: self._owners}
        for number, structure in enumerate(structures):
            self[number] = structure

    @property
    def _as_parameter_(self) -> ctypes.c_void_p:  # the protocol of ctypes
        return ctypes.c_void_p(address_of(self.c))

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> S:
        return self._cls._at(self.c + _index(index, self._length, "the array"), self._keep)

    def __setitem__(self, index: int, value: S) -> None:
        number = _index(index, self._length, "the array")
        if type(value) is not self._cls:
            raise ArgumentTypeError(f"item {number} must be a {self._cls.__name__}, not {describe(value)}")
        self._cls._at(self.c + number, self._keep)._assign(value)

    def __iter__(self) -> Iterator[S]:
        return (self[number] for number in range(self._length))

    def __eq__(self, other: object) -> bool:
        array = cast("Array[Any]", other)
        return list(self) == list(array) if type(other) is Array else NotImplemented

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{self._cls.__name__}.array({list(self)!r})"


class Numbers:
    """An array of integers in a structure, such as the sizes of a shape."""

    __slots__ = ("_bits", "_c", "_name", "_structure")

    def __init__(self, structure: Structure, name: str, bits: int) -> None:
        self._structure = structure  # kept
        self._name = f"{type(structure).__name__}.{name}"
        self._c: CArray[int] = getattr(structure.c, name)
        self._bits = bits

    def __len__(self) -> int:
        return len(self._c)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        if isinstance(index, slice):
            return [self._c[number] for number in range(len(self))[index]]
        return self._c[_index(index, len(self), self._name)]

    def __setitem__(self, index: int | slice, value: int | Sequence[int]) -> None:
        if not isinstance(index, slice):
            number = _index(index, len(self), self._name)
            self._c[number] = as_number(value, f"{self._name}[{number}]", self._bits)
            return
        places, values = range(len(self))[index], list(cast("Sequence[int]", value))
        if len(places) != len(values):
            raise InvalidArgumentError(f"{self._name}: {len(values)} numbers for {len(places)} places")
        for number, item in zip(places, values, strict=True):
            self[number] = item

    def __iter__(self) -> Iterator[int]:
        return (self._c[number] for number in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Numbers | list | tuple):
            return NotImplemented
        return list(self) == list(cast("Sequence[int]", other))

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Show a list without the zeros at its end, which storing it adds."""
        numbers = list(self)
        while numbers and not numbers[-1]:
            numbers.pop()
        return repr(numbers)


class Member(Generic[Get, Set]):
    """A member of a structure: a descriptor that checks stored values."""

    __slots__ = ("name", "what")

    def __set_name__(self, owner: type[Structure], name: str) -> None:
        self.name: str = name
        self.what: str = f"{owner.__name__}.{name}"

    @overload
    def __get__(self, structure: None, owner: type[Any]) -> Self: ...
    @overload
    def __get__(self, structure: Structure, owner: type[Any]) -> Get: ...
    def __get__(self, structure: Structure | None, owner: type[Any]) -> Get | Self:
        return self if structure is None else self.read(structure)

    def __set__(self, structure: Structure, value: Set) -> None:
        self.write(structure, value)

    def read(self, structure: Structure) -> Get:
        value: Get = getattr(structure.c, self.name)
        return value

    def write(self, structure: Structure, value: Set) -> None:
        setattr(structure.c, self.name, self.convert(value))

    def convert(self, value: Set) -> Any:
        """Return the value for cffi; raise if it does not fit."""
        raise NotImplementedError


class Integer(Member[int, int]):
    """An integer of a number of bits."""

    __slots__ = ("bits", "signed")

    def __init__(self, bits: int, *, signed: bool = False) -> None:
        self.bits: int = bits
        self.signed: bool = signed

    def convert(self, value: int) -> int:
        return as_number(value, self.what, self.bits, signed=self.signed)


class Bits(Integer):
    """An integer in a union of widths; storing it sets the rest of the union to 0."""

    __slots__ = ()

    def write(self, structure: Structure, value: int) -> None:
        number = self.convert(value)
        union: Any = ffi.buffer(structure.c)
        union[:] = bytes(len(union))
        setattr(structure.c, self.name, number)


class Real(Member[float, float]):
    """A ``float``, rounded from the number that is stored."""

    __slots__ = ()

    def convert(self, value: float) -> float:
        try:
            return float(value)
        except (TypeError, ValueError):
            raise ArgumentTypeError(f"{self.what} must be a number, not {describe(value)}") from None


class Boolean(Member[bool, bool]):
    """A ``TiBool``."""

    __slots__ = ()

    def read(self, structure: Structure) -> bool:
        return bool(getattr(structure.c, self.name))

    def convert(self, value: bool) -> int:
        return as_number(value, self.what, 1)


class Typed(Member[Get, Set]):
    """A member of one of several classes, `cls`."""

    __slots__ = ("cls",)

    def __init__(self, cls: type[Get]) -> None:
        self.cls: type[Get] = cls


class Enumeration(Typed[E, "E | int"]):
    """A member of an enumeration; an int if another program has stored an unknown number."""

    __slots__ = ()

    def read(self, structure: Structure) -> E:
        number: Any = getattr(structure.c, self.name)
        member: Any = self.cls._value2member_map_.get(number, number)
        return cast("E", member)

    def convert(self, value: E | int) -> int:
        return int(as_member(self.cls, value, self.what))


class Flags(Typed[F, "F | int"]):
    """A combination of flags."""

    __slots__ = ()

    def read(self, structure: Structure) -> F:
        return self.cls(getattr(structure.c, self.name))

    def convert(self, value: F | int) -> int:
        return int(as_flags(self.cls, value, self.what))


class HandleMember(Typed[H, "H | int | None"]):
    """A handle; 0 and None are the null handle."""

    __slots__ = ()

    def read(self, structure: Structure) -> H:
        handle = self.cls(address_of(getattr(structure.c, self.name)))
        owners: Owners | None = structure._memory().get(OWNERS)
        if owners is not None:
            handle._owner = owners.find(self._place(structure), int(handle))
        return handle

    def write(self, structure: Structure, value: H | int | None) -> None:
        setattr(structure.c, self.name, self.cls._cast(value, self.what))
        owner = value._owner if isinstance(value, Handle) else None
        if owner is not None or OWNERS in structure._memory():
            structure._owners().set(self._place(structure), int(value or 0), owner)

    def _place(self, structure: Structure) -> int:
        addressof: Any = ffi.addressof  # the member's name is known only at run time
        return address_of(addressof(structure.c[0], self.name))


class Address(Member[int, "int | None"]):
    """A pointer or a handle of another API, as an integer; 0 and None are null."""

    __slots__ = ("type",)

    def __init__(self, type: str) -> None:
        self.type: str = type

    def read(self, structure: Structure) -> int:
        return address_of(getattr(structure.c, self.name))

    def convert(self, value: int | None) -> Any:
        return ffi.cast(self.type, 0 if value is None else as_number(value, self.what, 64))


class Nested(Typed[S, S]):
    """A nested structure: reading gives the structure in place, storing copies one."""

    __slots__ = ()

    def read(self, structure: Structure) -> S:
        outer: Any = structure.c[0]
        addressof: Any = ffi.addressof  # the member's name is known only at run time
        return self.cls._at(addressof(outer, self.name), structure)

    def write(self, structure: Structure, value: S) -> None:
        if type(value) is not self.cls:
            raise ArgumentTypeError(f"{self.what} must be a {self.cls.__name__}, not {describe(value)}")
        self.read(structure)._assign(value)


class NumbersMember(Member[Numbers, "Numbers | Sequence[int]"]):
    """An array of integers; storing fewer numbers than it has places sets the rest to 0."""

    __slots__ = ("bits",)

    def __init__(self, bits: int) -> None:
        self.bits: int = bits

    def read(self, structure: Structure) -> Numbers:
        return Numbers(structure, self.name, self.bits)

    def write(self, structure: Structure, value: Numbers | Sequence[int]) -> None:
        numbers = self.read(structure)
        try:
            values = list(value)
        except TypeError:
            raise ArgumentTypeError(f"{self.what} must be a sequence of integers, not {describe(value)}") from None
        if len(values) > len(numbers):
            raise InvalidArgumentError(f"{self.what} has {len(numbers)} places, not {len(values)}")
        numbers[:] = [*values, *[0] * (len(numbers) - len(values))]


class Text(Member[str, "str | None"]):
    """A ``const char *``."""

    __slots__ = ()

    def read(self, structure: Structure) -> str:
        pointer = getattr(structure.c, self.name)
        return ffi.string(pointer).decode(errors="surrogateescape") if pointer else ""

    def write(self, structure: Structure, value: str | None) -> None:
        text = ffi.NULL if value is None else ffi.new("char[]", as_text(value, self.what))
        setattr(structure.c, self.name, text)
        structure._memory()[address_of(structure.c), self.name] = text
