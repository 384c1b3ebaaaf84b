"""StructField: the members of a field of structs, together as a structured array of numpy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ...values._convert import Casting
from ...values._errors import ArgumentTypeError, InvalidArgumentError
from ...values._paths import Tree, tree_of
from ...values._wording import describe, short
from ._field import Field


class StructField:
    """The members of a struct field, as attributes. They are also fields by their names in `AotModule.fields`.

    Examples
    --------
    >>> particles = module.fields.particles                             # doctest: +SKIP
    >>> particles.mass.fill(1)                                          # doctest: +SKIP
    >>> array = particles.to_numpy()                                    # doctest: +SKIP
    >>> array["position"] += 1                                          # doctest: +SKIP
    >>> particles.write(array)                                          # doctest: +SKIP
    """

    def __init__(self, fields: Mapping[str, Field], prefix: str) -> None:
        self._fields = fields
        self._prefix = prefix

    def __getattr__(self, name: str) -> Any:  # a Field, or the members of a struct field
        return getattr(object.__getattribute__(self, "_fields"), f"{self._prefix}.{name}")

    def __dir__(self) -> list[str]:
        return sorted({*sorted(self._tree()), "to_numpy", "write"})

    def __repr__(self) -> str:
        return f"<members of field {self._prefix}: {', '.join(sorted(self._tree()))}>"

    def _paths(self) -> list[str]:
        begin = f"{self._prefix}."
        return [name.removeprefix(begin) for name in self._fields if name.startswith(begin)]

    def _tree(self) -> Tree:
        return tree_of(tuple(self._paths()))

    def _members(self) -> dict[str, Field]:
        """Return the fields of all members by path; raise if they have different shapes."""
        members = {path: self._fields[f"{self._prefix}.{path}"] for path in self._paths()}
        shapes = {member.shape for member in members.values()}
        if len(shapes) > 1:
            raise InvalidArgumentError(f"{self!r} have different shapes, {short(sorted(shapes))}: copy each by itself")
        return members

    def to_numpy(self) -> npt.NDArray[Any]:
        """Copy all members into a structured array of the field's shape, after all earlier launches.

        Raises
        ------
        ValueError, OutOfMemoryError, DeviceLostError
            As for `Field.to_numpy`; ValueError also if the members have different shapes.
        """
        members = self._members()
        first = next(iter(members.values()))
        array = np.empty(first.shape, _dtype(self._tree(), list(members.values())))
        for path, member in members.items():
            _part(array, path)[...] = member.to_numpy()
        return array

    def write(self, array: npt.ArrayLike | Mapping[str, Any], *, casting: Casting = "safe") -> None:
        """Copy a structured array, or a mapping of members to arrays, into the field, before all later launches.

        Raises
        ------
        TypeError, OverflowError, ValueError, OutOfMemoryError
            As for `Field.write` of each member; TypeError also if a member is missing. Members before a wrong one are
            written.
        """
        values: Any = array if isinstance(array, Mapping) else np.asarray(array)
        for path, member in self._members().items():
            try:
                part = _part(values, path)
            except (IndexError, KeyError, ValueError):
                raise ArgumentTypeError(f"{self._prefix}.{path}: {describe(values)} has no such member") from None
            member.write(part, casting=casting)


def _dtype(tree: Tree, members: list[Field]) -> np.dtype[Any]:
    """Return the structured type of members, which the tree numbers."""
    parts = {name: members[each] if isinstance(each, int) else _dtype(each, members) for name, each in tree.items()}
    return np.dtype(
        [
            (name, part) if isinstance(part, np.dtype) else (name, part.dtype, part.elem_shape)
            for name, part in parts.items()
        ]
    )


def _part(values: Any, path: str) -> Any:
    for name in path.split("."):
        values = values[name]
    return values
