"""The shapes of a graph's arguments, from the stated shapes of the kernels that it dispatches."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from ..formats.info import MANGLED, GraphInfo
from ._errors import BuildError

__all__ = ["graph_shapes"]

Dimension: TypeAlias = "tuple[int, str] | int"  # a symbol of one dispatch, by its number, or a size


def graph_shapes(
    name: str, graph: GraphInfo, shapes_of: Mapping[str, Sequence[Sequence[str | int] | None]]
) -> dict[str, list[str | int]]:
    """The shapes of a graph's arguments, as far as they follow.

    A symbol of a kernel stands for one number in one dispatch. Where two dispatches take the same array, their symbols
    for its dimensions stand for the same number.

    Parameters
    ----------
    name : str
        The graph.
    graph : GraphInfo
        Its dispatches.
    shapes_of : mapping of str to sequence
        For each kernel, by Taichi's own name without the number of the instance, the shape of each parameter, or None.

    Raises
    ------
    BuildError
        If two kernels state different sizes of one array.

    Examples
    --------
    >>> twice = inspect("saxpy.tcm").graphs["twice"]
    >>> kernel = twice.dispatches[0].kernel.rpartition("_")[0]
    >>> graph_shapes("twice", twice, {kernel: [None, ["n"], ["n"]]})
    {'x': ['n'], 'y': ['n']}
    """
    found: dict[str, list[Dimension]] = {}
    same = _Groups()
    for number, dispatch in enumerate(graph.dispatches):
        match = MANGLED.fullmatch(dispatch.kernel)
        shapes = shapes_of.get(dispatch.kernel.rpartition("_")[0], ()) if match else ()
        for argument, shape in zip(dispatch.arguments, shapes, strict=False):
            if shape is None:
                continue
            own: list[Dimension] = [size if isinstance(size, int) else (number, size) for size in shape]
            for one, other in zip(found.setdefault(argument, own), own, strict=True):
                if not same.join(one, other):
                    raise BuildError(
                        f"graph {name}: its kernels state different shapes of {argument}: {same.find(one)} and "
                        f"{same.find(other)} in one dimension"
                    )
    words = _Words(same)
    return {argument: [words.word(each) for each in shape] for argument, shape in found.items()}


class _Groups:
    """Dimensions that are the same number; a size stands for its group."""

    def __init__(self) -> None:
        self._next: dict[Dimension, Dimension] = {}

    def find(self, dimension: Dimension) -> Dimension:
        """What stands for the group of a dimension."""
        while dimension in self._next:
            dimension = self._next[dimension]
        return dimension

    def join(self, one: Dimension, other: Dimension) -> bool:
        """Make two the same; False if they are different sizes."""
        one, other = self.find(one), self.find(other)
        if isinstance(one, int) and isinstance(other, int):
            return one == other
        if one != other:
            if isinstance(other, int):
                one, other = other, one
            self._next[other] = one
        return True


class _Words:
    """A symbol for each group: that of the kernel, with a number if another group has it."""

    def __init__(self, groups: _Groups) -> None:
        self._groups = groups
        self._words: dict[Dimension, str] = {}

    def word(self, dimension: Dimension) -> str | int:
        found = self._groups.find(dimension)
        if isinstance(found, int):
            return found
        if found not in self._words:
            symbol, taken = found[1], self._words.values()
            numbered = (f"{symbol}_{number}" for number in itertools.count(2))
            self._words[found] = symbol if symbol not in taken else next(word for word in numbered if word not in taken)
        return self._words[found]
