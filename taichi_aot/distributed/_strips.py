"""Parts of an array, and strips of them: ranges of indices along the axis on which the array is split."""

from __future__ import annotations

import math
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays._ndarray import ArraySlice, NdArray
from ..driver._status import keeping_failures
from ..handles._resource import Unique
from ..values._errors import ArgumentTypeError, TaichiError

if TYPE_CHECKING:
    from ..runtime._runtime import Runtime

__all__ = ["Interior", "Part", "Strip", "blamed", "renamed", "title_of", "with_part"]

# A strip of an axis other than the first consists of many contiguous pieces. So many are copied on the device, one by
# one. For more it is cheaper to map the whole array.
MAX_PIECES = 16


class Interior(NamedTuple):
    """The indices along the split axis that a part owns; those around them in its array are halos.

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


class Part(Unique):
    """What one runtime has of an array: `decompose` creates it.

    Attributes
    ----------
    index : int
        Its place among the parts of all processes.
    runtime : Runtime
        The runtime of its array.
    array : NdArray
        Its interior, with a halo before and after it along the split axis. The halos at the ends of the whole array are
        there too, so that one kernel fits all parts. They are zero until you write them, unless the axis is periodic.
    interior : Interior
        The indices that it owns.

    Examples
    --------
    >>> parts = taichi_aot.distributed.decompose((10, 4), [rt, rt], halo=2)
    >>> parts[0]
    <Part 0 [0:5] on x64:0>
    >>> parts[0].array.shape
    (9, 4)
    """

    __slots__ = ("array", "index", "interior", "runtime")

    array: NdArray
    index: int
    interior: Interior
    runtime: Runtime

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise ArgumentTypeError("a Part is created by taichi_aot.distributed.decompose()")

    @classmethod
    def _make(cls, index: int, runtime: Runtime, array: NdArray, interior: Interior) -> Part:
        self = object.__new__(cls)
        self.index = index
        self.runtime = runtime
        self.array = array
        self.interior = interior
        return self

    def __repr__(self) -> str:
        return f"<{self._title.capitalize()}>"

    @property
    def _title(self) -> str:
        """Its name in messages."""
        return title_of(self.index, self.interior, self.runtime)


def title_of(index: int, interior: Interior, runtime: Runtime) -> str:
    return f"part {index} [{interior.begin}:{interior.stop}] on {runtime.arch}:{runtime.device_index}"


class Strip:
    """A range of indices along one axis of a part's array.

    Attributes
    ----------
    part : Part
        The part.
    shape : tuple of int
        The shape of its numbers for numpy.
    where : tuple of slice
        The strip as an index of a numpy array.
    pieces : list of ArraySlice
        The contiguous pieces of memory that it consists of; empty if these are too many.
    """

    __slots__ = ("part", "pieces", "shape", "where")

    part: Part
    pieces: list[ArraySlice]
    shape: tuple[int, ...]
    where: tuple[slice, ...]

    def __init__(self, part: Part, axis: int, begin: int, stop: int) -> None:
        array = part.array
        self.part = part
        self.where = (*(slice(None),) * axis, slice(begin, stop))
        self.shape = (*array.shape[:axis], stop - begin, *array.shape[axis + 1 :], *array.elem_shape)
        before = array.shape[:axis]
        few = math.prod(before) <= MAX_PIECES
        self.pieces = [array[(*index, slice(begin, stop))] for index in np.ndindex(before)] if few else []

    def memory(self) -> npt.NDArray[np.uint8] | None:
        """Wait for the device and return the bytes in place; None if they are in pieces, or not on the host."""
        if len(self.pieces) != 1:
            return None
        (piece,) = self.pieces
        with blamed(self.part):
            if not piece._handle.runtime.backend.interchange.shares_host:
                return None
            self.part.runtime.wait()
            return piece._over_memory().reshape(-1).view(np.uint8)

    def read(self, out: npt.NDArray[Any]) -> None:
        """Wait for the device and copy to an array of `shape`."""
        with blamed(self.part):
            if not self.pieces:
                with self.part.array.map() as view:
                    out[...] = view[self.where]
            elif out.flags.c_contiguous:
                for piece, row in zip(self.pieces, self._rows(out), strict=True):
                    piece.to_numpy(row)
            else:
                for piece, row in zip(self.pieces, self._rows(packed := np.empty_like(out, order="C")), strict=True):
                    piece.to_numpy(row)
                out[...] = packed

    def write(self, numbers: npt.NDArray[Any]) -> None:
        """Wait for the device and copy from an array of `shape`."""
        with blamed(self.part):
            if self.pieces:
                for piece, row in zip(self.pieces, self._rows(numbers), strict=True):
                    piece.write(row)
                return
            with self.part.array.map() as view:
                view[self.where] = numbers

    def _rows(self, numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the numbers of each piece."""
        return numbers.reshape(len(self.pieces), *self.pieces[0].shape, *self.part.array.elem_shape)


@contextmanager
def blamed(*parts: Part) -> Generator[None]:
    """Name the part that fails, and its device, in the errors of a block that uses these parts."""
    try:
        yield
    except TaichiError as error:
        raise with_part(error, *parts) from error


def with_part(error: TaichiError, *parts: Part) -> TaichiError:
    """Return the error of a call on these parts, with the part that has failed and its device in its message."""
    different = list(dict.fromkeys(parts))
    failed = [part for part in different if _has_failed(part)] or different
    return renamed(error, " and ".join(part._title for part in failed))


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
