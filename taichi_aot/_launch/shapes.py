"""Stated shapes: the lines of a generated function that compare them, and the error if they differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..formats.requirements import Place, difference, size_rules
from ..signature import Signature

__all__ = ["ShapeTest"]


class ShapeTest:
    """Compares the shapes of checked arguments with those that a signature states.

    Attributes
    ----------
    scalars : frozenset of int
        The numbers of the scalar parameters that are sizes.
    """

    def __init__(self, signature: Signature) -> None:
        self._signature = signature
        self._rules = list(size_rules(signature.parameters))
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
            wanted = _code(expected, names, p) if isinstance(expected, Place) else expected
            different.append(f"{_code(place, names, p)} != {wanted}")
        return reads, " or ".join(different)

    def check(self, values: Sequence[Any]) -> None:
        """Raise ValueError if a shape does not fit; `values` are all arguments, as they are written."""
        sizes = [value._layout.shape if i in self._arrays else value for i, value in enumerate(values)]
        message = difference(self._signature, sizes)
        if message:
            raise ValueError(message)


def _code(place: Place, names: Sequence[str], p: str) -> str:
    """The expression for a size in a function that has read the shapes."""
    return names[place.parameter] if place.axis is None else f"{p}shape{place.parameter}[{place.axis}]"
