"""Rules across the arguments of a launch: equal sizes by stated shapes, and one layout per image.

A symbol in the shapes of a signature stands for one number in all parameters: each of its places is compared with the
first one. A scalar parameter with the name of the symbol is its first place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

from ...values._signature import TEXTURES, Parameter, Signature

ORDINALS = ("first", "second", "third", *(f"{number}th" for number in range(4, 13)))

UNKNOWN = -(2**64)  # a size that a tracer does not know yet; no argument has this value

# By parameter: the shape of an array, the value of a scalar.
Sizes: TypeAlias = "Sequence[Sequence[int] | int]"

# By launched kernel: its parameters, with the names of the graph's arguments.
Dispatches: TypeAlias = "Sequence[Sequence[Parameter]]"


class Place(NamedTuple):
    """Where a size is found: a dimension of an array, or an integer scalar."""

    parameter: int  # number of the parameter
    axis: int | None  # number of the dimension; None for a scalar

    def size(self, sizes: Sizes) -> int:
        found = sizes[self.parameter]
        return found if isinstance(found, int) else found[self.axis or 0]


class Rule(NamedTuple):
    """A size that must equal another size, or a number."""

    place: Place
    expected: Place | int
    symbol: str  # empty for a number


def size_rules(parameters: Sequence[Parameter]) -> Iterator[Rule]:
    """The rules that the shapes of the parameters state."""
    known = {parameter.name: Place(i, None) for i, parameter in enumerate(parameters) if parameter.kind == "scalar"}
    for i, parameter in enumerate(parameters):
        for axis, size in enumerate(parameter.shape):
            place = Place(i, axis)
            if not isinstance(size, str):
                yield Rule(place, size, "")
            elif known.setdefault(size, place) is not place:
                yield Rule(place, known[size], size)


def difference(signature: Signature, sizes: Sizes) -> str:
    """How the arguments differ from the stated shapes, where a size may be `UNKNOWN`; empty if they do not."""
    for rule in size_rules(signature.parameters):
        size, expected = rule.place.size(sizes), _value(rule.expected, sizes)
        if size != expected and UNKNOWN not in (size, expected):
            return f"{signature.name}(): {_difference(signature, rule, sizes)}"
    return ""


def _difference(signature: Signature, rule: Rule, sizes: Sizes) -> str:
    place, expected, symbol = rule
    name = signature.parameters[place.parameter].name
    shape = f"{name} has shape {sizes[place.parameter]}"
    if not isinstance(expected, Place):
        return f"{shape}, its {_ordinal(place)} dimension must be {expected:,}"
    if place.parameter == expected.parameter:
        return f"{shape}, its {_ordinal(expected)} and {_ordinal(place)} dimensions must be equal ({symbol})"
    first = signature.parameters[expected.parameter].name
    stated = f"{symbol} is " if expected.axis is None else f"{first} has {symbol}="
    return f"{stated}{_value(expected, sizes):,}, {name} has {symbol}={place.size(sizes):,}"


def _value(expected: Place | int, sizes: Sizes) -> int:
    return expected.size(sizes) if isinstance(expected, Place) else expected


def _ordinal(place: Place) -> str:
    assert place.axis is not None
    return ORDINALS[place.axis]


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
