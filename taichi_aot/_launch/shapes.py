"""Stated shapes: the lines of a generated function that compare them, and the error if they differ.

A symbol stands for one number in all parameters: each of its places is compared with the first one. A scalar parameter
with the name of the symbol is its first place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..signature import Parameter, Signature

__all__ = ["ShapeTest"]

ORDINALS = ("first", "second", "third", *(f"{number}th" for number in range(4, 13)))


class Place(NamedTuple):
    """Where a size is found: a dimension of an array, or an integer scalar.

    Attributes
    ----------
    parameter : int
        Number of the parameter.
    axis : int or None
        Number of the dimension; None for a scalar.
    """

    parameter: int
    axis: int | None

    def size(self, values: Sequence[Any]) -> int:
        """The size among checked arguments."""
        value = values[self.parameter]
        size: int = value if self.axis is None else value._layout.shape[self.axis]
        return size

    def code(self, names: Sequence[str], p: str) -> str:
        """The expression for it in a function that has read the shapes."""
        return names[self.parameter] if self.axis is None else f"{p}shape{self.parameter}[{self.axis}]"


class Rule(NamedTuple):
    """A size that must equal that of another place, or a number."""

    place: Place
    expected: Place | int
    symbol: str  # empty for a number

    def holds(self, values: Sequence[Any]) -> bool:
        return self.place.size(values) == _value(self.expected, values)


class ShapeTest:
    """Compares the shapes of checked arguments with those that a signature states.

    Attributes
    ----------
    scalars : frozenset of int
        The numbers of the scalar parameters that are sizes.
    """

    def __init__(self, signature: Signature) -> None:
        self._signature = signature
        self._rules = list(_rules(signature.parameters))
        places = {place for rule in self._rules for place in (rule.place, rule.expected) if isinstance(place, Place)}
        self._arrays = sorted({place.parameter for place in places if place.axis is not None})
        self.scalars = frozenset(place.parameter for place in places if place.axis is None)

    def lines(self, names: Sequence[str], p: str) -> tuple[list[str], str]:
        """Lines that read the shapes, and the condition that one does not fit; empty if there is nothing to compare.

        `names` are the variables of the arguments; the names of the function's other variables begin with `p`.
        """
        reads = [f"{p}shape{i} = {names[i]}._layout.shape" for i in self._arrays]
        different: list[str] = []
        for place, expected, _ in self._rules:
            wanted = expected.code(names, p) if isinstance(expected, Place) else expected
            different.append(f"{place.code(names, p)} != {wanted}")
        return reads, " or ".join(different)

    def check(self, values: Sequence[Any]) -> None:
        """Raise ValueError if a shape does not fit; `values` are all arguments, as they are written."""
        for rule in self._rules:
            if not rule.holds(values):
                raise ValueError(f"{self._signature.name}(): {self._difference(rule, values)}")

    def _difference(self, rule: Rule, values: Sequence[Any]) -> str:
        place, expected, symbol = rule
        name = self._signature.parameters[place.parameter].name
        shape = f"{name} has shape {values[place.parameter]._layout.shape}"
        if not isinstance(expected, Place):
            return f"{shape}, its {_ordinal(place)} dimension must be {expected:,}"
        if place.parameter == expected.parameter:
            return f"{shape}, its {_ordinal(expected)} and {_ordinal(place)} dimensions must be equal ({symbol})"
        first = self._signature.parameters[expected.parameter].name
        stated = f"{symbol} is " if expected.axis is None else f"{first} has {symbol}="
        return f"{stated}{_value(expected, values):,}, {name} has {symbol}={place.size(values):,}"


def _rules(parameters: Sequence[Parameter]) -> Iterator[Rule]:
    known = {parameter.name: Place(i, None) for i, parameter in enumerate(parameters) if parameter.kind == "scalar"}
    for i, parameter in enumerate(parameters):
        for axis, size in enumerate(parameter.shape):
            place = Place(i, axis)
            if not isinstance(size, str):
                yield Rule(place, size, "")
            elif known.setdefault(size, place) is not place:
                yield Rule(place, known[size], size)


def _value(expected: Place | int, values: Sequence[Any]) -> int:
    return expected.size(values) if isinstance(expected, Place) else expected


def _ordinal(place: Place) -> str:
    assert place.axis is not None
    return ORDINALS[place.axis]
