"""Strips of distributed arrays: who has which rows, and what they exchange."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays._ndarray import ArraySlice, NdArray
from ..driver._library import keeping_failures
from ..values._errors import InvalidArgumentError, TaichiError, count, short
from ..values._numbers import DataType

if TYPE_CHECKING:
    from ..runtime._runtime import Runtime


# Parts of an array, and strips of them: boxes of indices, contiguous or not.


# A strip of an axis other than the first consists of many contiguous pieces. So many are copied on the device, one by
# one. For more it is cheaper to pass the whole array.
MAX_PIECES = 16

Box = tuple[slice, ...]  # an index of a numpy array, with a slice for each axis


class Interior(NamedTuple):
    """The indices along a split axis that a part owns; those around them in its array are halos.

    Attributes
    ----------
    begin, stop : int
        The range in the whole array.
    local_begin, local_stop : int
        The range in the array of the part.

    Examples
    --------
    >>> parts = taichi_aot.distributed.decompose((10, 4), [rt, rt], halo=2)
    >>> parts[1].interior
    Interior(begin=5, stop=10, local_begin=2, local_stop=7)
    """

    begin: int
    stop: int
    local_begin: int
    local_stop: int


@dataclass(frozen=True, eq=False, repr=False)
class Part:
    """The part of an array on one runtime, from `decompose`.

    Attributes
    ----------
    index : int
        Its place among the parts of all processes.
    runtime : Runtime
        The runtime of its array.
    array : NdArray
        Its interior, with a halo before and after it along each split axis. The halos at the ends of the whole array
        are there too, so that one kernel fits all parts. They are zero until you write them, or the axis is periodic.
    interiors : tuple of Interior
        The indices that it owns, along each split axis.
    interior : Interior
        Those along the first split axis.

    Examples
    --------
    >>> parts = taichi_aot.distributed.decompose((10, 4), [rt, rt], halo=2)
    >>> parts[0]
    <Part 0 [0:5] on x64:0>
    >>> parts[0].array.shape
    (9, 4)
    """

    index: int
    runtime: Runtime
    array: NdArray
    interiors: tuple[Interior, ...]

    @property
    def interior(self) -> Interior:
        return self.interiors[0]

    def __repr__(self) -> str:
        return f"<{self._title.capitalize()}>"

    @property
    def _title(self) -> str:
        """Its name in messages."""
        return title_of(self.index, self.interiors, self.runtime)


def title_of(index: int, interiors: Sequence[Interior], runtime: Runtime) -> str:
    place = ", ".join(f"{each.begin}:{each.stop}" for each in interiors)
    return f"part {index} [{place}] on {runtime.arch}:{runtime.device_index}"


class _CudaBytes:
    """Bytes of a GPU, for libraries that take the memory where it is."""

    def __init__(self, piece: ArraySlice) -> None:
        self._piece = piece  # keeps the memory
        self.__cuda_array_interface__ = {**piece._interface(), "shape": (piece.nbytes,), "typestr": "|u1"}


class Strip:
    """A box of indices of a part's array."""

    __slots__ = ("part", "pieces", "shape", "where")

    def __init__(self, part: Part, where: Box) -> None:
        array = part.array
        sizes = [each.stop - each.start for each in where]
        self.part, self.where = part, where
        self.shape = (*sizes, *array.elem_shape)  # of its numbers for numpy
        last = max((axis for axis, size in enumerate(sizes) if size < array.shape[axis]), default=0)
        begin = [each.start for each in where[:last]]
        few = math.prod(sizes[:last]) <= MAX_PIECES
        rows = np.ndindex(*sizes[:last]) if few else ()
        # Of contiguous memory; empty if these are too many.
        self.pieces = [array[(*(i + j for i, j in zip(begin, row, strict=True)), where[last])] for row in rows]

    def memory(self, takes_cuda: bool = False) -> Any:
        """Wait for the device and return the bytes in place; None if they are in pieces, or out of the host's reach."""
        if len(self.pieces) != 1:
            return None
        (piece,) = self.pieces
        with blamed(self.part):
            interchange = piece._handle.runtime.backend.interchange
            if not (interchange.shares_host or (takes_cuda and interchange.shares_cuda)):
                return None
            self.part.runtime.wait()
            return piece._over_memory().reshape(-1).view(np.uint8) if interchange.shares_host else _CudaBytes(piece)

    def read(self, out: npt.NDArray[Any]) -> None:
        """Wait for the device and copy to an array of `shape`."""
        with blamed(self.part):
            array = self.part.array
            if self.pieces:
                numbers = out if out.flags.c_contiguous else self.empty()
                for piece, row in zip(self.pieces, self._rows(numbers), strict=True):
                    piece.to_numpy(row)
            elif array._is_on_host:
                self.part.runtime.wait()
                numbers = array._over_memory()[self.where]
            else:
                numbers = array.to_numpy()[self.where]
            if numbers is not out:
                out[...] = numbers

    def write(self, numbers: npt.NDArray[Any]) -> None:
        """Wait for the device and copy from an array of `shape`."""
        with blamed(self.part):
            if self.pieces:
                for piece, row in zip(self.pieces, self._rows(numbers), strict=True):
                    piece.write(row)
                return
            with self.part.array.map() as view:
                view[self.where] = numbers

    def copy_from(self, other: Strip) -> None:
        """Copy from a strip of the same shape: piece by piece on the device where both parts are on one."""
        if not (self.pieces and other.pieces):
            other.read(numbers := self.empty())
            self.write(numbers)
            return
        with blamed(other.part, self.part):
            for target, source in zip(self.pieces, other.pieces, strict=True):
                target.copy_from(source)

    def empty(self) -> npt.NDArray[Any]:
        """Return an array of the host for its numbers."""
        return np.empty(self.shape, self.part.array.dtype)

    def _rows(self, numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return numbers.reshape(len(self.pieces), *self.pieces[0].shape, *self.part.array.elem_shape)


@contextmanager
def blamed(*parts: Part) -> Generator[None]:
    """Name the part that fails, and its device, in the errors of a block that uses these parts."""
    try:
        yield
    except TaichiError as error:
        different = list(dict.fromkeys(parts))
        failed = [part for part in different if _has_failed(part)] or different
        raise renamed(error, " and ".join(part._title for part in failed)) from error


def renamed(error: TaichiError, title: str) -> TaichiError:
    """Return the error with the title of a part before its message, and with its attributes."""
    named = type(error)(f"{title}: {error}")
    named.__dict__.update(error.__dict__)
    return named


def _has_failed(part: Part) -> bool:
    """Whether a part is closed or its device is lost; only called when a call on it or on another part has failed."""
    if part.array.closed:
        return True
    try:
        keeping_failures(part.runtime.wait)
    except TaichiError:
        return True
    return False


# How an array is split over processes and their runtimes: numbers only, equal in all processes.


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
