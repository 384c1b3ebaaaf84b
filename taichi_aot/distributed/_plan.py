"""How an array is split over processes and their runtimes: numbers only, equal in all processes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from ..values._enums import DataType
from ..values._errors import InvalidArgumentError
from ..values._wording import count, short
from ._strips import Box, Interior

Direction = tuple[int, ...]  # -1, 0 or 1 along each split axis
Range = tuple[int, int]


class Plan(NamedTuple):
    """An array and the grid of its parts."""

    shape: tuple[int, ...]
    dtype: DataType
    elem_shape: tuple[int, ...]
    halo: int
    axes: tuple[int, ...]
    periodic: tuple[bool, ...]  # and the next two, along each of the axes
    processes: tuple[int, ...]
    runtimes: int  # of a process, which split the first of the axes

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of parts along the axes."""
        return (self.processes[0] * self.runtimes, *self.processes[1:])

    @property
    def directions(self) -> list[Direction]:
        """To the neighbours of a part, also over corners."""
        return [each for each in product((-1, 0, 1), repeat=len(self.axes)) if any(each) and self.halo]

    def place_of(self, index: int) -> tuple[int, ...]:
        """Return the place of a part in the grid."""
        rank, number = divmod(index, self.runtimes)
        first, *others = map(int, np.unravel_index(rank, self.processes))
        return (first * self.runtimes + number, *others)

    def neighbour(self, index: int, direction: Direction) -> int | None:
        """Return the index of the part in a direction, None beyond an end."""
        place = list(map(sum, zip(self.place_of(index), direction, strict=True)))
        for at, size, wraps in zip(place, self.counts, self.periodic, strict=True):
            if not (wraps or 0 <= at < size):
                return None
        first, *others = (at % size for at, size in zip(place, self.counts, strict=True))
        first, number = divmod(first, self.runtimes)
        return int(np.ravel_multi_index((first, *others), self.processes)) * self.runtimes + number

    def interiors(self, index: int) -> tuple[Interior, ...]:
        """Return a part's interval along each split axis; the sizes of the parts differ by at most 1."""
        return tuple(map(self._interior, self.axes, self.counts, self.place_of(index)))

    def _interior(self, axis: int, parts: int, number: int) -> Interior:
        size, longer = divmod(self.shape[axis], parts)
        begin = number * size + min(number, longer)
        stop = begin + size + (number < longer)
        return Interior(begin, stop, self.halo, self.halo + stop - begin)

    def box_of(self, rank: int) -> Box:
        """Return the region of a process's parts, as an index of the whole array."""
        first, last = (self.interiors(rank * self.runtimes + i) for i in (0, self.runtimes - 1))
        return self.box(self.shape, [(low.begin, high.stop) for low, high in zip(first, last, strict=True)])

    def box(self, shape: Sequence[int], ranges: Sequence[Range]) -> Box:
        """Return ranges along the split axes, with all indices along the others, as an index."""
        found = dict(zip(self.axes, ranges, strict=True))
        return tuple(slice(*found.get(axis, (0, size))) for axis, size in enumerate(shape))

    def edge(self, interiors: Sequence[Interior], direction: Direction, outside: int = 0) -> list[Range]:
        """Return the ranges of the edge in a direction, in the array of a part; so far outside they are the halo."""
        ranges: list[Range] = []
        for step, (_, _, begin, stop) in zip(direction, interiors, strict=True):
            ends = {-1: (begin, begin + self.halo), 0: (begin, stop), 1: (stop - self.halo, stop)}[step]
            ranges.append((ends[0] + step * outside, ends[1] + step * outside))
        return ranges

    def tag(self, index: int, direction: Direction) -> int:
        """Return the message number of a part and a direction, unique within its process."""
        number = index % self.runtimes
        for step in direction:
            number = 3 * number + step + 1
        return number

    def require_sound(self) -> None:
        """Raise ValueError if a part would be empty, or needs more than its neighbours have."""
        for axis, parts, wraps in zip(self.axes, self.counts, self.periodic, strict=True):
            what, least = f"axis {axis} of {short(self.shape)}", self.shape[axis] // parts
            if not least:
                raise InvalidArgumentError(f"{what} cannot be split into {count(parts, 'part')}: each needs an index")
            if self.halo > least and (parts > 1 or wraps):
                raise InvalidArgumentError(
                    f"a halo of {short(self.halo)} is wider than a part: {what} in {count(parts, 'part')} leaves "
                    f"{least} to the smallest one"
                )


def grid_of(processes: int, lengths: Sequence[int]) -> tuple[int, ...]:
    """Return how many processes split each axis, so that the halos are as small as possible."""
    divisors = [each for each in range(1, processes + 1) if processes % each == 0]
    grids = (each for each in product(divisors, repeat=len(lengths)) if math.prod(each) == processes)
    return min(grids, key=lambda grid: sum(n / max(1, length) for n, length in zip(grid, lengths, strict=True)))
