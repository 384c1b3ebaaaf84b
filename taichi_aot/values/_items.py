"""Items of modules by name, which are attributes too, and how they are shown.

Messages name what is missing, and operators that nothing has say so. Texts of tables for notebooks are escaped, because
names come from files and drivers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from ._errors import ArgumentTypeError, NameNotFoundError, count, short, with_article

__all__ = ["Record"]

if TYPE_CHECKING:
    from typing import NamedTuple as Record
else:
    from collections import _tuplegetter

    class _RecordType(type):
        def __new__(cls, name, bases, members):
            annotations = members.get("__annotations__")
            annotate = members.get("__annotate_func__", members.get("__annotate__"))  # since Python 3.14
            fields = tuple(annotations or (annotate(1) if annotate is not None else ()))
            members["_field_defaults"] = {each: members[each] for each in fields if each in members}
            members |= {each: _tuplegetter(i, None) for i, each in enumerate(fields)}
            return super().__new__(
                cls, name, bases, members | {"__slots__": (), "_fields": fields, "__match_args__": fields}
            )

        @property
        def __signature__(cls):
            from inspect import Parameter, Signature

            own = cls._field_defaults
            kind, empty = Parameter.POSITIONAL_OR_KEYWORD, Parameter.empty
            return Signature([Parameter(each, kind, default=own.get(each, empty)) for each in cls._fields])

    class Record(tuple, metaclass=_RecordType):
        """A `typing.NamedTuple`, whose class is made in a fifth of the time: a first load makes many."""

        def __new__(cls, *args, **named):
            if named or len(args) != len(cls._fields):
                values = {**cls._field_defaults, **dict(zip(cls._fields, args, strict=False)), **named}
                odd = values.keys() ^ cls._fields
                if odd or len(args) > len(cls._fields) or named.keys() & cls._fields[: len(args)]:
                    raise ArgumentTypeError(
                        f"{cls.__name__} takes {', '.join(cls._fields)}; {odd or 'one of them twice'}"
                    )
                args = map(values.__getitem__, cls._fields)
            return tuple.__new__(cls, args)

        @classmethod
        def _make(cls, values):
            return tuple.__new__(cls, values)

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def _replace(self, **changes):
            values = dict(zip(self._fields, self, strict=True)) | changes
            if len(values) > len(self):
                raise ArgumentTypeError(f"{type(self).__name__} has {', '.join(self._fields)}, not all of {changes}")
            return tuple.__new__(type(self), values.values())

        __replace__ = _replace  # of `copy.replace`

        def __getnewargs__(self):
            return tuple(self)

        def __repr__(self):
            return f"{type(self).__name__}({', '.join(f'{name}={each!r}' for name, each in self._asdict().items())})"


Item = TypeVar("Item")
SHOWN = 8  # names in a repr


class MadeItems(Mapping[str, Item], Generic[Item]):
    """Items by name, created on each access."""

    __slots__ = ("_make", "_names")

    def __init__(self, names: Mapping[str, object], make: Callable[[str], Item]) -> None:
        self._names = names
        self._make = make

    def __getitem__(self, name: str) -> Item:
        _ = self._names[name]  # a KeyError for other names
        return self._make(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class NamedItems(Mapping[str, Item], Generic[Item]):
    """Items of a module by name, each created on first access: ``items["saxpy"]`` or ``items.saxpy``.

    Attribute access needs an identifier that is not a method of mappings, such as ``keys``.
    """

    __slots__ = ("__weakref__", "_elsewhere", "_made", "_make", "_noun", "_signatures")
    _elsewhere: Mapping[str, str]  # for messages: a hint for each name that the module has elsewhere
    _made: dict[str, Item]
    _make: Callable[[str], Item]  # creates the item with a name
    _noun: str  # for an item in messages
    _signatures: Mapping[str, object]  # what ``str`` shows for each item

    def __init__(
        self, noun: str, signatures: Mapping[str, object], make: Callable[[str], Item], elsewhere: Mapping[str, str]
    ) -> None:
        values: dict[str, Any] = {"_noun": noun, "_signatures": signatures, "_make": make, "_elsewhere": elsewhere}
        values["_made"] = {}
        for name, value in values.items():
            object.__setattr__(self, name, value)  # its own is for users, and loads are short

    def _create(self, name: str) -> Item:
        """Create an item that only the caller has."""
        if name not in self._signatures:
            raise NameNotFoundError(self._unknown(name))
        return self._make(name)

    def _created_by(self, make: Callable[[str], Item], made: NamedItems[Item]) -> NamedItems[Item]:
        """Return the same names with items that `make` creates, apart from those that `made` has already."""
        other = NamedItems(self._noun, self._signatures, make, self._elsewhere)
        other._made.update({name: item for name, item in made._made.items() if name in self._signatures})
        return other

    def __getitem__(self, name: str) -> Item:
        item = self._made.get(name)
        if item is None:
            item = self._made.setdefault(name, self._create(name))
        return item

    def __getattr__(self, name: str) -> Item:
        if name.isidentifier() and name in object.__getattribute__(self, "_signatures"):
            return self[name]
        raise attribute_error(self._unknown(name), name)

    def _unknown(self, name: object) -> str:
        if type(name) is str and name in self._elsewhere:
            return f"the module has no {self._noun} {short(name)}: {self._elsewhere[name]}"
        return unknown_name(self._noun, name, self._signatures)

    if not TYPE_CHECKING:  # type checkers reject assignments

        def __setattr__(self, name, value):
            try:
                object.__setattr__(self, name, value)
            except AttributeError:
                raise attribute_error(self._why_not_assigned(name) or self._unknown(name), name) from None

        def __setitem__(self, name, value):
            raise ArgumentTypeError(self._why_not_assigned(name) or self._unknown(name))

    def _why_not_assigned(self, name: object) -> str:
        """Return why an item cannot be replaced, with what to write; empty if there is no item of that name."""
        if not any(name in (each, each.partition(".")[0]) for each in self._signatures):
            return ""
        remedy = f"; module.fields.{name}.write(...) copies numbers into it" if self._noun == "field" else ""
        return f"the {self._noun} {short(name)} of a module cannot be replaced{remedy}"

    def __iter__(self) -> Iterator[str]:
        return iter(self._signatures)

    def __len__(self) -> int:
        return len(self._signatures)

    def __contains__(self, name: object) -> bool:
        return name in self._signatures

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *filter(str.isidentifier, self._signatures)})

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._signatures)

    def __repr__(self) -> str:
        names = [repr(name) for name in self._signatures]
        if len(names) > SHOWN:
            names[SHOWN:] = ["..."]
        return f"<{count(self, self._noun)}{': ' * bool(names)}{', '.join(names)}>"

    def __str__(self) -> str:
        return "\n".join(map(str, self._signatures.values()))


class _Absent:
    """An attribute that a class lacks and users look for: reading it raises AttributeError with a remedy.

    A ``__getattr__`` would slow down all attributes in Python 3.11, also those that launches read.
    """

    __slots__ = ("_name", "_remedy")

    def __init__(self, name: str, remedy: str) -> None:
        self._name = name
        self._remedy = remedy

    def __get__(self, instance: object, owner: type[object]) -> NoReturn:
        raise attribute_error(f"{owner.__name__} has no attribute {self._name!r}; {self._remedy}", self._name)

    def __set__(self, instance: object, value: object) -> NoReturn:
        self.__get__(instance, type(instance))

    def __delete__(self, instance: object) -> NoReturn:
        self.__get__(instance, type(instance))


def state_absent(cls: type[object], remedies: Mapping[str, str]) -> None:
    """Make reading some missing attributes of a class say what to write instead. `dir` of its objects omits them."""
    for name, remedy in remedies.items():
        setattr(cls, name, _Absent(name, remedy))


def is_absent(cls: type[object], name: str) -> bool:
    """Return whether `state_absent` states that the class lacks an attribute."""
    return any(isinstance(vars(base).get(name), _Absent) for base in cls.__mro__)


def attribute_error(message: str, name: str) -> AttributeError:
    """Return an AttributeError without the object, with which the traceback would repeat the hint in the message."""
    return AttributeError(message, name=name, obj=None)


def unknown_name(noun: str, name: object, known: Iterable[str]) -> str:
    """Return the message about a name that the module lacks; `noun` is ``"kernel"``, for example."""
    names = list(known)
    listed = ", ".join(map(repr, names)) or "none"
    shown = "None" if name is None else short(name)
    return f"the module has no {noun} {shown}, it has {listed}{did_you_mean(name, names)}"


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the closest known name, if one is close."""
    import difflib

    near = difflib.get_close_matches(name[:200] if type(name) is str else "", list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


# The operators in place, which nothing on a device has.


BINARY = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "lshift": "<<",
    "rshift": ">>",
    "and": "&",
    "or": "|",
    "xor": "^",
}
_NUMBERS = "launch a kernel that computes it, or compute on the host: a.write(a.to_numpy() {} b)"


def refuse_in_place(cls: type[object], instead: str = _NUMBERS) -> None:
    """Make ``a += b`` and the like of a class raise TypeError; `instead` says what to write.

    Without these methods Python computes ``a + b``, which with a numpy array binds the name `a` to a copy on the host.
    """
    for name, symbol in BINARY.items():
        setattr(cls, f"__i{name}__", _refusal(symbol, instead.format(symbol)))


def _refusal(symbol: str, instead: str) -> Callable[[object, object], NoReturn]:
    def operator(self: object, other: object) -> NoReturn:
        noun = with_article(type(self).__name__)
        raise ArgumentTypeError(f"`a {symbol}= b` is not defined for {noun}; {instead}")

    return operator


# HTML for notebooks.


MOST_ROWS = 200  # of a table
MOST_CHARACTERS = 1000  # of a text


def paragraph(text: str) -> str:
    return f"<p>{_text(text)}</p>"


def preformatted(text: str) -> str:
    """Return an HTML block that keeps the lines of a bounded text."""
    return f"<pre>{_escaped(text)}</pre>"


def table(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return an HTML table with column titles and the ``str`` of each cell; of many rows the first ones."""
    listed = list(rows)
    body = "".join(_row("td", row) for row in listed[:MOST_ROWS])
    if len(listed) > MOST_ROWS:
        body += _row("td", [f"... {len(listed)} in all"])
    return f"<table><thead>{_row('th', columns)}</thead><tbody>{body}</tbody></table>"


def _row(tag: str, cells: Iterable[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_text(cell)}</{tag}>' for cell in cells)}</tr>"


def _text(value: object) -> str:
    text = str(value)
    return _escaped(text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}...")


def _escaped(text: str) -> str:
    from html import escape  # which reads a table of 2,000 names

    return escape(text)
