"""Structs and argument packs as a call passes them: a mapping, an object, a record, or a value for each member."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import Any, cast

import numpy as np

from ...values._errors import count, is_masked
from ...values._signature import Parameter, Signature, Tree, python_names, tree_of
from ._messages import Messages

ABSENT = object()
SEQUENCES: tuple[type[object], ...] = (tuple, list)


class Members:
    """Reads the members of a struct or pack."""

    def __init__(self, messages: Messages, names: Sequence[str]) -> None:
        self._messages = messages  # creates its exceptions
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
                raise self._messages.unexpected(f"no {name!r}")
        return members

    def by_name(self, value: object) -> Mapping[str, object]:
        members: Mapping[str, object]
        if isinstance(value, Mapping):
            # A copy: the members are code of the application, which may change it.
            members = dict(cast("Mapping[str, object]", value))
        elif isinstance(value, np.generic | np.ndarray):
            record = cast("Any", value)
            if record.ndim or record.dtype.names is None or is_masked(record):
                raise self._messages.wrong_type(value)
            members = {name: record[name] for name in record.dtype.names}
        elif isinstance(value, SEQUENCES) and not hasattr(value, "_fields"):  # of named tuples
            values = cast("Sequence[object]", value)
            if len(values) != len(self._names):
                raise self._messages.unexpected(f"{count(values, 'value')}, not {len(self._names)}")
            members = dict(zip(self._names, values, strict=True))
        elif type(value).__module__ == "builtins":  # a text has attributes too
            raise self._messages.wrong_type(value)
        else:
            found = {name: getattr(value, name, ABSENT) for name in self._names}
            members = {name: member for name, member in found.items() if member is not ABSENT}
            if not members:
                raise self._messages.wrong_type(value)
        for name in members:
            if name not in self._names:
                raise self._messages.unknown_member(name)
        return members


class Pack:
    """An argument pack with arrays: the kernel has a parameter for each member.

    `messages`: those of the pack, whose parameter has the whole path as its name. `tree`: the indices of the parameters
    by the names of members.
    """

    def __init__(self, messages: Messages, tree: Tree) -> None:
        self._members = Members(messages, list(tree))
        self._inner: dict[str, int | Pack] = {}
        self.indices: list[int] = []  # the parameters whose arguments `arguments` returns
        for member in messages.parameter.members:
            found = tree[member.name]
            if isinstance(found, int):
                self._inner[member.name] = found
                self.indices.append(found)
            else:
                parameter: Parameter = member._replace(name=f"{messages.parameter.name}.{member.name}")
                inner = self._inner[member.name] = Pack(messages._replace(parameter=parameter), found)
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
        name: Pack(Messages(signature, parameter), found)
        for name, parameter, found in zip(python_names(taken), taken, tree.values(), strict=True)
        if not isinstance(found, int)
    }
