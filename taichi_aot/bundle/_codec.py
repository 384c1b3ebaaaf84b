"""JSON to typed records and back, by the annotations of their classes.

A record is a named tuple: an object of JSON with its fields by name, or a list with a `row`'s in order. Fields that
have their default are left out. Whatever an annotation refuses is a `DamagedError`, which names the place: a value of
another type, a number out of bounds, a part that is missing. So are keys that no field has.

The modules of Python for JSON and SHA-256 take as long to import as a small module to load, and are used only where the
C code below them is missing.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import numpy as np

from ..values._items import MadeItems, Record
from ..values._numbers import Arch, DataType

if TYPE_CHECKING:
    from hashlib import _Hash

try:
    import _json
except ImportError:  # not CPython
    _json = None  # type: ignore[assignment]

# What a value of another form raises, where code meets it.
DAMAGE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, struct.error)
MOST_NUMBER = (1 << 31) - 1
Item = TypeVar("Item")
Some = TypeVar("Some", bound=tuple[Any, ...])
Read = Callable[[Any], Any]


class Bounds(Record):
    """Annotates a number: the least and the most. Others are from 0 to `MOST_NUMBER`."""

    least: int
    most: int


class Key(Record):
    """Annotates a field whose key in JSON has another name."""

    name: str


class Among(Record):
    """Annotates items by name, stated as the names of those that another field has."""

    field: str


INLINE = object()  # annotates a record whose fields stand beside the others
DERIVED = object()  # annotates a field that JSON does not have


class DamagedError(ValueError):
    """A value that is not what its annotation says, and its place."""

    def __init__(self, reason: object) -> None:
        super().__init__(reason)
        self.reason = f"{type(reason).__name__}: {reason}"[:200] if isinstance(reason, Exception) else str(reason)
        self.place = ""

    def within(self, part: str) -> DamagedError:
        """Return it with its place as a part of something larger."""
        separator = "." if self.place and not self.place.startswith("[") else ""
        self.place = f"{part}{separator}{self.place}"
        return self

    def message(self, where: str) -> str:
        place = f"{where}: {self.place}" if self.place else where
        return f"{place} is damaged ({self.reason}): copy or build the module again"


def damaged(error: Exception) -> DamagedError:
    return error if isinstance(error, DamagedError) else DamagedError(error)


def _unfit(value: object) -> DamagedError:
    return DamagedError(f"it is {value!r:.80}")


class Decoded(Mapping[str, Item]):
    """Items by name, each decoded when it is first looked up. `damaged` makes the exception for one that cannot be."""

    __slots__ = ("_made", "_read", "damaged", "raw")

    def __init__(self, raw: dict[str, Any], read: Read) -> None:
        self.raw = raw
        self._read = read
        self._made: dict[str, Item] = {}
        self.damaged: Callable[[DamagedError], Exception] = lambda error: error

    def __getitem__(self, name: str) -> Item:
        made = self._made.get(name)
        if made is None:
            raw = self.raw[name]
            try:
                made = self._made.setdefault(name, self._read(_with_name(str(name), raw)))
            except DamagedError as error:
                raise self.damaged(error.within(name)) from None
        return made

    def __contains__(self, name: object) -> bool:
        return name in self.raw

    def __iter__(self) -> Iterator[str]:
        return iter(self.raw)

    def __len__(self) -> int:
        return len(self.raw)


_rows: set[type] = set()
_checks: dict[type, Callable[[Any], object]] = {}
_derived: dict[type, tuple[str, ...]] = {}


def row(cls: type[Some]) -> type[Some]:
    """Mark a record as a list in JSON."""
    _rows.add(cls)
    return cls


def register(cls: type[Any], check: Callable[[Any], object], *derived: str) -> None:
    """State what decoding checks of a record of another room, and which of its fields JSON does not have.

    A record of this room has a method `_check`. What raises ValueError, KeyError, ... is damaged.
    """
    _checks[cls], _derived[cls] = check, derived


class _Field(Record):
    """A field of a record. `_read_record` reads one of a `kind` itself, and `_reader` others."""

    place: int
    key: str
    default: Any  # `_REQUIRED` if it has none
    hint: Any  # its annotation, without marks
    kind: Any  # the type of its value, if that is simple; list, of simple `item`s; else None
    item: Any
    choices: Any  # what each text means, if it is one of some
    least: int
    most: int
    is_inline: bool


class _Form(Record):
    """What JSON states of a record."""

    stated: list[_Field]  # in order
    fields: dict[str, _Field]  # by key, without those that stand beside the others
    defaults: list[Any]  # the values of all fields that are not stated
    others: set[str]  # keys of records that stand beside the others
    inline: list[_Field]  # those records
    among: list[tuple[int, int]]  # the places of items by name, and of what has them
    required: list[_Field]
    check: Callable[[Any], object] | None


_REQUIRED = object()
_SIMPLE = (str, bool, int)
_new = cast("Callable[[Any, Sequence[Any]], Any]", tuple[Any, ...].__new__)  # makes a record
_ENUMS: dict[Any, dict[str, Any]] = {kind: {str(each): each for each in kind} for kind in (Arch, DataType)}


@cache
def _form(cls: Any) -> _Form:
    """Find the form of a record. One function for all fields, because calls would take most of its time."""
    hints, defaults, derived = cls.__annotations__, cls._field_defaults, _derived.get(cls, ())
    if str in map(type, hints.values()):  # `get_type_hints` takes three times as long
        scope = vars(sys.modules[cls.__module__])
        hints = {name: eval(hint, scope, {"np": np}) if type(hint) is str else hint for name, hint in hints.items()}
    check = getattr(cls, "_check", None) or _checks.get(cls)
    parts: Any = [], {}, [], set(), [], [], [], check
    form: _Form = _new(_Form, parts)
    for place, name in enumerate(cls._fields):
        default = defaults.get(name, _REQUIRED)
        form.defaults.append(default)
        hint, key, among, kind, item, choices = hints[name], name, "", None, None, None
        least, most = 0, MOST_NUMBER
        marks: Any = getattr(hint, "__metadata__", ())
        for mark in marks:
            if isinstance(mark, Key):
                key = mark.name
            elif isinstance(mark, Among):
                among = mark.field
            elif isinstance(mark, Bounds):
                least, most = mark
        if DERIVED in marks or name in derived:
            continue
        hint = tuple[str, ...] if among else hint.__origin__ if marks else hint
        args: Any = getattr(hint, "__args__", ())
        if args[1:] == (NoneType,):
            hint, args = args[0], getattr(args[0], "__args__", ())
        if hint in _SIMPLE:
            kind = hint
        elif hint in _ENUMS:
            kind, choices = str, _ENUMS[hint]
        elif getattr(hint, "__origin__", None) is Literal:
            kind, choices = str, dict(zip(args, args, strict=True))
        elif args[1:] == (...,) and args[0] in _SIMPLE:
            kind, item = list, args[0]
        facts = place, key, default, hint, kind, item, choices, least, most, INLINE in marks
        field = _new(_Field, facts)
        form.stated.append(field)
        if INLINE in marks:
            form.inline.append(field)
            form.others.update(_keys(hint))
        else:
            form.fields[key] = field
        if among:
            form.among.append((place, cls._fields.index(among)))
        if default is _REQUIRED:
            form.required.append(field)
    return form


def _keys(cls: Any) -> set[str]:
    """Return the keys of a record in JSON."""
    form = _form(cls)
    return form.fields.keys() | form.others


def decode(cls: type[Some], raw: object) -> Some:
    """Return the record that JSON states; DamagedError if it has another form."""
    made: Some = _read_record(cls, raw)
    return made


def part(raw: Any, key: str, kind: Any) -> Any:
    """Return one part of what JSON states, whatever form the others have."""
    items = _items_of(raw)
    if key not in items:
        raise DamagedError(KeyError(key))
    return _within(key, _reader(kind), items[key])


def _items_of(raw: Any) -> dict[str, Any]:
    items: dict[str, Any] = raw
    if type(items) is not dict:
        raise _unfit(raw)
    return items


def _list_of(raw: Any) -> list[Any]:
    items: list[Any] = raw
    if type(items) is not list:
        raise _unfit(raw)
    return items


def encode(value: Any) -> Any:
    """Return what JSON states of a record, or of a value of one."""
    cls, values = value.__class__, value  # whose types checkers do not narrow
    if isinstance(value, DataType | Arch):
        return str(value)
    if isinstance(value, np.dtype):
        return describe_dtype(values)
    if isinstance(value, Mapping):
        return {str(name): _without_name(name, encode(each)) for name, each in values.items()}
    if isinstance(value, frozenset):
        return sorted(values)
    if not isinstance(value, tuple):
        return value
    if not hasattr(cls, "_fields"):
        return list(map(encode, values))
    form = _form(cls)
    names = {place for place, _ in form.among}
    stated = [(field, values[field.place]) for field in form.stated]
    if cls in _rows:
        while stated and stated[-1][1] == stated[-1][0].default:
            stated.pop()
        return [encode(each) for _, each in stated]
    found: dict[str, Any] = {}
    for field, each in stated:
        if field.is_inline:
            found |= encode(each)
        elif field.default is _REQUIRED or each != field.default:
            found[field.key] = list(each) if field.place in names else encode(each)
    return found


def _without_name(name: str, raw: Any) -> Any:
    """Return what is stated of an item under its name."""
    if not isinstance(raw, dict):
        return raw
    items = cast("dict[str, Any]", raw)
    return {key: value for key, value in items.items() if key != "name"} if items.get("name") == name else items


def _read_record(cls: Any, raw: Any, *, is_inline: bool = False) -> Any:
    """Read a record, without a call for each value: they would take most of the time of a first load.

    `is_inline`: other keys belong to another record.
    """
    _, fields, defaults, others, inline, among, required, check = _form(cls)
    given = raw.__class__
    if given is list and cls in _rows and len(raw) <= len(fields):
        raw = dict(zip(fields, raw, strict=False))
    elif given is not dict or cls in _rows:
        raise _unfit(raw)
    values, key = defaults.copy(), ""
    try:
        for key, value in raw.items():
            field = fields.get(key)
            if field is None:
                if is_inline or key in others:
                    continue
                raise DamagedError("nothing has this name")
            place, _, _, hint, kind, item, choices, least, most, _ = field
            if kind is None:
                values[place] = _reader(hint)(value)
            elif type(value) is not kind or (kind is int and not least <= value <= most):
                raise _unfit(value)
            elif kind is list:
                if not _are_simple(item, value, least, most):
                    raise _unfit(value)
                values[place] = tuple(value)
            elif choices is None:
                values[place] = value
            elif value in choices:
                values[place] = choices[value]
            else:
                raise DamagedError(KeyError(value))
    except DamagedError as error:
        raise error.within(key) from None
    for field in inline:
        values[field.place] = _read_record(field.hint, raw, is_inline=True)
    for field in required:
        if values[field.place] is _REQUIRED:
            raise DamagedError(KeyError(field.key))
    try:
        for place, other in among:
            values[place] = _named(values[other], values[place])
        record = _new(cls, values)
        if check is not None:
            check(record)
    except DAMAGE as error:
        raise error if isinstance(error, DamagedError) else DamagedError(error) from None
    return record


def _are_simple(kind: Any, values: Collection[Any], least: int, most: int) -> bool:
    return set(map(type, values)) <= {kind} and (
        kind is not int or not values or least <= min(values) <= max(values) <= most
    )


def _named(items: Mapping[str, Any], names: Sequence[str]) -> Mapping[str, Any]:
    """Return the items of these names, each looked up on access."""
    lost = set(names) - (items.raw.keys() if isinstance(items, Decoded) else items.keys())
    if lost:
        raise KeyError(min(lost))
    return MadeItems(dict.fromkeys(names), items.__getitem__)


@cache
def _reader(hint: Any) -> Read:
    """Return the function that decodes what an annotation says."""
    origin: Any = getattr(hint, "__origin__", None)  # `get_origin` takes longer
    args: tuple[Any, ...] = getattr(hint, "__args__", ())
    if hasattr(hint, "__metadata__"):
        bounds = next((each for each in hint.__metadata__ if isinstance(each, Bounds)), None)
        return partial(_read_number, *bounds) if bounds else _reader(origin)
    if hasattr(hint, "_fields"):
        return partial(_read_record, hint)
    if origin is tuple and args[1:] != (...,):
        return partial(_read_list, [*map(_reader, args)])
    if origin in (tuple, frozenset):
        return partial(_read_items, _reader(args[0]), origin)
    if origin is Mapping:
        return partial(_read_lazily, _reader(args[1]))
    if origin is dict:
        return partial(_read_mapping, _reader(args[0]), args[1])
    if origin is np.dtype:
        return _read_dtype
    if hint in _ENUMS:
        return partial(_read_choice, _ENUMS[hint])
    if hint is int:
        return partial(_read_number, 0, MOST_NUMBER)
    return (lambda raw: raw) if hint is Any else partial(_read_simple, args or (hint,))


def _read_number(least: int, most: int, raw: Any) -> Any:
    if type(raw) is not int or not least <= raw <= most:
        raise _unfit(raw)
    return raw


def _read_simple(kinds: tuple[type, ...], raw: Any) -> Any:
    if type(raw) not in kinds:
        raise _unfit(raw)
    return raw


def _read_choice(choices: Mapping[str, Any], raw: Any) -> Any:
    if type(raw) is not str:
        raise _unfit(raw)
    if raw not in choices:
        raise DamagedError(KeyError(raw))
    return choices[raw]


def _read_list(readers: Sequence[Read], raw: Any) -> Any:
    given = _list_of(raw)
    if len(given) != len(readers):
        raise _unfit(raw)
    items = enumerate(zip(readers, given, strict=True))
    return tuple([_within(f"[{i}]", read, each) for i, (read, each) in items])


def _read_items(read: Read, make: Callable[[Any], Any], raw: Any) -> Any:
    items = _list_of(raw)
    try:
        return make(map(read, items))
    except DamagedError:
        return [_within(f"[{i}]", read, each) for i, each in enumerate(items)]  # raises for the same


def _read_mapping(read_key: Read, item: Any, raw: Any) -> Any:
    items = _items_of(raw)
    if item in _SIMPLE and _are_simple(item, items.values(), 0, MOST_NUMBER):
        return items
    if hasattr(item, "_fields") and "name" in _keys(item):
        items = {name: _with_name(name, each) for name, each in items.items()}
    return {read_key(name): _within(name, _reader(item), each) for name, each in items.items()}


def _with_name(name: str, raw: Any) -> Any:
    """Return what an item states, with the name under which it stands."""
    return {**cast("dict[str, Any]", raw), "name": name} if isinstance(raw, dict) else raw


def _read_lazily(read: Read, raw: Any) -> Any:
    made: Decoded[Any] = Decoded(_items_of(raw), read)
    return made


def _within(part: str, read: Read, raw: Any) -> Any:
    try:
        return read(raw)
    except DamagedError as error:
        raise error.within(part) from None


def _read_dtype(raw: Any) -> Any:
    try:
        return read_dtype(raw)
    except DAMAGE as error:
        raise DamagedError(error) from None


def read_dtype(stated: Any) -> np.dtype[Any]:
    """Return the numpy type that `describe_dtype` describes."""
    if isinstance(stated, str):
        dtype = np.dtype(stated)
        if dtype.kind not in "biuf":
            raise TypeError(f"{stated} is no type of numbers")
        return dtype
    if isinstance(stated, list):
        element, shape = cast("tuple[Any, list[int]]", stated)
        return np.dtype((read_dtype(element), tuple(shape)))
    names, formats, offsets = zip(*stated["fields"], strict=True)
    parts: Any = {
        "names": names,
        "formats": list(map(read_dtype, formats)),
        "offsets": offsets,
        "itemsize": stated["size"],
    }
    return np.dtype((np.record, np.dtype(parts))) if stated["record"] else np.dtype(parts)


def describe_dtype(dtype: np.dtype[Any]) -> Any:
    """Return a numpy type as JSON: a text, a list of the type of elements and their shape, or an object with fields."""
    parts: Any = dtype.fields
    if parts is not None:
        fields = [(name, *parts[name][:2]) for name in dtype.names or ()]
        described = [[name, describe_dtype(part), offset] for name, part, offset in fields]
        return {"fields": described, "size": dtype.itemsize, "record": dtype.type is np.record}
    if dtype.shape:
        return [describe_dtype(dtype.base), list(dtype.shape)]
    return dtype.str


def sha256(data: bytes = b"") -> _Hash:
    """Return what that of hashlib does, which imports OpenSSL."""
    return _digests()(data)


@cache
def _digests() -> Callable[[bytes], _Hash]:
    try:
        from _sha2 import sha256 as make  # type: ignore[import-not-found]  # since Python 3.12
    except ImportError:
        try:
            from _sha256 import sha256 as make  # type: ignore[import-not-found]
        except ImportError:
            from hashlib import sha256 as make
    return cast("Callable[[bytes], _Hash]", make)


class _Rules:
    """What the scanner of Python's JSON asks a decoder for."""

    strict = True
    object_hook = object_pairs_hook = array_hook = None
    parse_float, parse_int, parse_constant = float, int, float


def read_json(data: bytes) -> Any:
    """Return what ``json.loads`` does, or raise the same."""
    if _json is not None:
        rules: Any = _Rules()
        try:
            text = data.decode()
            value, end = _json.make_scanner(rules)(text, 0)
            if not text[end:].strip(" \t\n\r"):
                return value
        except (ValueError, StopIteration, RecursionError):  # StopIteration: it begins with a space, or is no JSON
            pass
    import json  # which reads other encodings too, and explains what is wrong

    return json.loads(data)
