"""Decomposing an array over runtimes and processes, and exchanging the halos of its parts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays._layout import ShapeLike, array_layout, as_shape
from ..handles._resource import Resource
from ..runtime._runtime import Runtime
from ..values._convert import Casting, convert_array
from ..values._dtypes import DTypeLike
from ..values._enums import DataType
from ..values._errors import (
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    InvalidArgumentError,
    ObjectStateError,
    TaichiError,
)
from ..values._integers import as_integer
from ..values._wording import count, describe, short
from ._edges import Edge, Edges
from ._halos import DOWN, UP, Copy, Halos, Link, exchange_now, swap
from ._strips import Interior, Part, Strip, renamed, title_of

__all__ = ["Parts", "all_halos", "decompose", "exchange"]


class _Plan(NamedTuple):
    """How an array is split, equal in all processes; `parts` is the number of all parts."""

    shape: tuple[int, ...]
    dtype: DataType
    elem_shape: tuple[int, ...]
    halo: int
    axis: int
    periodic: bool
    parts: int

    def interior(self, index: int) -> Interior:
        """Return what a part owns; the sizes of the parts differ by at most 1."""
        size, longer = divmod(self.shape[self.axis], self.parts)
        begin = index * size + min(index, longer)
        stop = begin + size + (index < longer)
        return Interior(begin, stop, self.halo, self.halo + stop - begin)

    def require_sound(self) -> None:
        """Raise ValueError if a part would be empty, or needs more than its neighbours have."""
        length = self.shape[self.axis]
        if length < self.parts:
            raise InvalidArgumentError(
                f"axis {self.axis} of {short(self.shape)} cannot be split into {count(self.parts, 'part')}: each "
                "needs an index"
            )
        least = length // self.parts
        if self.halo > least and (self.parts > 1 or self.periodic):
            raise InvalidArgumentError(
                f"a halo of {short(self.halo)} is wider than a part: axis {self.axis} of {short(self.shape)} in "
                f"{count(self.parts, 'part')} leaves {least} to the smallest one"
            )


class Parts(Resource):
    """The parts of an array that the runtimes of this process have: `decompose` creates them.

    They are a sequence of `Part`. Closing them, or leaving a ``with`` statement, closes their arrays.

    Attributes
    ----------
    shape : tuple of int
        The shape of the whole array.
    elem_shape : tuple of int
        The shape of its elements.
    axis : int
        The axis on which it is split.
    halo : int
        The width of the halos.
    periodic : bool
        Whether the ends of the axis are neighbours.
    begin, stop : int
        The range of indices along the axis that this process has: all, unless there are several processes.

    Examples
    --------
    >>> parts = taichi_aot.distributed.decompose((10, 4), [rt, rt, rt])
    >>> parts
    <Parts of shape (10, 4): [0:4] on x64:0, [4:7] on x64:0, [7:10] on x64:0>
    >>> for part in parts:
    ...     part.array.fill(part.index)
    >>> parts.to_numpy()[:, 0]
    array([0., 0., 0., 0., 1., 1., 1., 2., 2., 2.], dtype=float32)
    """

    shape: tuple[int, ...]
    elem_shape: tuple[int, ...]
    axis: int
    halo: int
    periodic: bool
    begin: int
    stop: int
    _halos: Halos
    _parts: tuple[Part, ...]
    _strips: list[Strip]

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise ArgumentTypeError("Parts are created by taichi_aot.distributed.decompose()")

    @classmethod
    def _of(cls, plan: _Plan, parts: Sequence[Part], edges: Edges | None) -> Parts:
        self = object.__new__(cls)
        self.shape, self.elem_shape = plan.shape, plan.elem_shape
        self.axis, self.halo, self.periodic = plan.axis, plan.halo, plan.periodic
        self.begin, self.stop = parts[0].interior.begin, parts[-1].interior.stop
        self._parts = tuple(parts)
        self._strips = [
            Strip(part, plan.axis, part.interior.local_begin, part.interior.local_stop) for part in self._parts
        ]
        self._halos = _halos_of(plan, self._parts, edges)
        return self

    def __len__(self) -> int:
        return len(self._parts)

    def __getitem__(self, index: int) -> Part:
        return self._parts[index]

    def __iter__(self) -> Iterator[Part]:
        return iter(self._parts)

    def exchange(self) -> None:
        """Fill the halos with the neighbours' edges, after earlier launches and before later ones.

        The halos at the ends of an axis that is not periodic stay as they are.

        Raises
        ------
        ValueError
            If an array or a runtime is closed. The message names the part.
        BufferError
            If an array is mapped on an arch that maps a copy.
        DeviceLostError
            If a device is lost. The message names the part and the device.
        RuntimeError
            If another process cannot be reached.

        Examples
        --------
        >>> parts = taichi_aot.distributed.decompose(6, [rt, rt])
        >>> parts.write(np.arange(6, dtype="f4"))
        >>> parts.exchange()
        >>> [part.array.tolist() for part in parts]
        [[0.0, 0.0, 1.0, 2.0, 3.0], [2.0, 3.0, 4.0, 5.0, 0.0]]
        """
        exchange_now([self._halos])

    def write(self, array: npt.ArrayLike, *, casting: Casting = "safe") -> None:
        """Copy numbers into the interiors of the parts. The halos stay as they are: call `exchange`.

        Parameters
        ----------
        array : array_like
            Numbers of the whole array, or with several processes those of its indices `begin` to `stop` along the axis.
        casting : str, default "safe"
            As for `NdArray.write`.

        Raises
        ------
        TypeError
            If the numbers cannot be converted to the dtype, as for `NdArray.write`.
        ValueError
            If the shape differs, or a part is closed.

        Examples
        --------
        >>> parts = taichi_aot.distributed.decompose((4, 2), [rt, rt], axis=1)
        >>> parts.write(np.ones((4, 2), "f4"))
        """
        source = convert_array(array, self._parts[0].array.data_type, "array", casting)
        if source.shape != self._numpy_shape:
            raise InvalidArgumentError(
                f"cannot write an array of shape {short(source.shape)} to parts of shape {self._numpy_shape}"
            )
        for strip, where in self._places():
            strip.write(source[where])

    def to_numpy(self) -> npt.NDArray[Any]:
        """Wait for the devices and copy the interiors of the parts into one numpy array.

        Returns
        -------
        ndarray
            The whole array, or with several processes its indices `begin` to `stop` along the axis.

        Raises
        ------
        ValueError
            If a part is closed.
        DeviceLostError
            If a device is lost. The message names the part and the device.

        Examples
        --------
        >>> taichi_aot.distributed.decompose(3, [rt, rt], "i32").to_numpy()
        array([0, 0, 0], dtype=int32)
        """
        out = np.empty(self._numpy_shape, self._parts[0].array.dtype)
        for strip, where in self._places():
            strip.read(out[where])
        return out

    @property
    def _numpy_shape(self) -> tuple[int, ...]:
        before, after = self.shape[: self.axis], self.shape[self.axis + 1 :]
        return (*before, self.stop - self.begin, *after, *self.elem_shape)

    def _places(self) -> Iterator[tuple[Strip, tuple[slice, ...]]]:
        """Yield the interior of each part, and where it is in the numbers of this process."""
        before = (slice(None),) * self.axis
        for strip in self._strips:
            interior = strip.part.interior
            yield strip, (*before, slice(interior.begin - self.begin, interior.stop - self.begin))

    @property
    def closed(self) -> bool:
        """Whether the array of a part is closed."""
        return any(part.array.closed for part in self)

    def close(self) -> None:
        """Close the arrays of the parts. Closing them again does nothing.

        Raises
        ------
        BufferError
            If a view from `NdArray.map` still uses one of them.

        Examples
        --------
        >>> with taichi_aot.distributed.decompose(8, [rt, rt]) as parts:
        ...     parts.closed
        False
        >>> parts.closed
        True
        """
        for part in self:
            part.array.close()

    def __repr__(self) -> str:
        places = ", ".join(part._title.split(maxsplit=2)[2] for part in self)
        return f"<{'closed ' if self.closed else ''}Parts of shape {self.shape}: {places}>"


def decompose(
    shape: ShapeLike,
    runtimes: Sequence[Runtime],
    dtype: DTypeLike = np.float32,
    halo: int = 1,
    axis: int = 0,
    elem_shape: ShapeLike = (),
    *,
    periodic: bool = False,
    edges: Edges | None = None,
) -> Parts:
    """Split an array over runtimes; each has a part of nearly equal size, and copies of its neighbours' edges.

    Parameters
    ----------
    shape : int or sequence of int
        The shape of the whole array.
    runtimes : sequence of Runtime
        A runtime for each part, in the order of the parts. They may be on several devices, also of different archs, and
        the same one may have several parts.
    dtype, elem_shape
        As for `Runtime.empty`.
    halo : int, default 1
        How many indices of each neighbour a part has copies of.
    axis : int, default 0
        The axis on which the array is split. The edges of the first one are contiguous, so devices copy them directly.
        For other axes the host packs them, which on a GPU copies whole arrays if there are more than 16 pieces.
    periodic : bool, default False
        Whether the ends of the axis are neighbours.
    edges : Edges, optional
        The connection to other processes, such as `MPIEdges`. All processes call this function with equal arguments and
        equally many runtimes, and make their exchanges in the same order, one thread at a time. The parts of the
        process with rank 0 come first.

    Returns
    -------
    Parts
        The parts of this process; all numbers are zero.

    Raises
    ------
    TypeError
        If `runtimes` is not a sequence of runtimes, or another argument has the wrong type.
    ValueError
        If there is no runtime, or one is closed; if `axis` or `halo` is out of range, a part would be empty, or the
        halo is wider than a part; if another process has other arguments. Also as for `Runtime.empty`.
    OutOfMemoryError
        If a device does not have enough memory. The message names the part.
    RuntimeError
        If another process cannot be reached.

    Examples
    --------
    >>> with Runtime("x64") as first, Runtime("x64") as second:
    ...     parts = taichi_aot.distributed.decompose((6, 4), [first, second], periodic=True)
    ...     parts.write(np.arange(24, dtype="f4").reshape(6, 4))
    ...     parts.exchange()
    ...     print(parts[0].array.to_numpy()[:, 0])  # row 5, rows 0 to 2, row 3
    [20.  0.  4.  8. 12.]
    """
    devices = _runtimes(runtimes)
    sizes = as_shape(shape, "shape")
    elements = array_layout((), dtype, as_shape(elem_shape, "elem_shape"))  # the whole array may be larger than any
    rank, processes = (0, 1) if edges is None else _place(edges)
    plan = _Plan(
        shape=sizes,
        dtype=elements.type.dtype,
        elem_shape=elements.elem_shape,
        halo=_halo(halo),
        axis=_axis(axis, sizes),
        periodic=_periodic(periodic),
        parts=processes * len(devices),
    )
    plan.require_sound()
    if edges is not None and processes > 1:
        _compare_plans(plan, edges)
    first = rank * len(devices)
    parts = [_allocate(plan, first + i, runtime) for i, runtime in enumerate(devices)]
    return Parts._of(plan, parts, edges if processes > 1 else None)


def exchange(*parts: Parts) -> None:
    """Fill the halos of several arrays, as `Parts.exchange` does, with one message to each other process.

    Parameters
    ----------
    *parts : Parts
        Arrays with the same `edges`. All processes name them in the same order.

    Raises
    ------
    TypeError
        If an argument is not `Parts`.
    ValueError
        If the arrays have neighbours in different processes. Also as for `Parts.exchange`.
    Exception
        As for `Parts.exchange`.

    Examples
    --------
    >>> u = taichi_aot.distributed.decompose((8, 8), [rt, rt])
    >>> v = taichi_aot.distributed.decompose((8, 8), [rt, rt], "f32", elem_shape=2)
    >>> taichi_aot.distributed.exchange(u, v)
    """
    exchange_now(all_halos(parts))


def all_halos(all_parts: Sequence[Parts]) -> list[Halos]:
    """Return the halos of arrays that are exchanged together."""
    for parts in all_parts:
        if not isinstance(parts, Parts):
            raise ArgumentTypeError(f"expected Parts, which decompose() returns, not {describe(parts)}")
    found = [parts._halos for parts in all_parts if parts.halo]
    for halos in found:
        first = found[0]
        if halos.edges is not first.edges or halos.neighbours != first.neighbours:
            raise InvalidArgumentError("the arrays have neighbours in different processes: exchange them one by one")
    return found


def _runtimes(runtimes: Sequence[Runtime]) -> list[Runtime]:
    """Return open runtimes, at least one."""
    if isinstance(runtimes, Runtime) or not isinstance(runtimes, Sequence):
        raise ArgumentTypeError(f"runtimes must be a sequence of Runtime, not {describe(runtimes)}")
    if not runtimes:
        raise InvalidArgumentError("runtimes must have at least one Runtime")
    for i, runtime in enumerate(runtimes):
        if not isinstance(runtime, Runtime):
            raise ArgumentTypeError(f"runtimes[{i}] must be a Runtime, not {describe(runtime)}")
        if runtime.closed:
            raise ObjectStateError(f"runtimes[{i}]: {runtime._handle.closed_error()}")
    return list(runtimes)


def _halo(halo: int) -> int:
    number = as_integer(halo, "halo")
    if number < 0:
        raise ArgumentOutOfRangeError(f"halo must not be negative: {short(number)}")
    return number


def _periodic(periodic: bool) -> bool:
    if not isinstance(periodic, bool | np.bool_):
        raise ArgumentTypeError(f"periodic must be True or False, not {describe(periodic)}")
    return bool(periodic)


def _axis(axis: int, shape: tuple[int, ...]) -> int:
    number = as_integer(axis, "axis")
    if not -len(shape) <= number < len(shape):
        raise ArgumentOutOfRangeError(
            f"axis {short(number)} is out of range: the shape {short(shape)} has only {len(shape)}"
        )
    return number % len(shape)


def _place(edges: Edges) -> tuple[int, int]:
    """Return the rank of this process, and the number of processes."""
    if not all(hasattr(edges, name) for name in ("rank", "size", "swap")):
        raise ArgumentTypeError(f"edges must have a rank, a size and swap(), as MPIEdges has, not {describe(edges)}")
    rank, size = as_integer(edges.rank, "edges.rank"), as_integer(edges.size, "edges.size")
    if not 0 <= rank < size:
        raise ArgumentOutOfRangeError(f"edges.rank must be at least 0 and less than edges.size, not {rank} of {size}")
    return rank, size


def _compare_plans(plan: _Plan, edges: Edges) -> None:
    """Raise ValueError if a process with a neighbouring rank splits another array, or in another way."""
    mine = np.frombuffer(hashlib.sha256(repr(plan).encode()).digest(), np.uint8)
    ranks = [(UP, edges.rank + 1), (DOWN, edges.rank - 1)]
    outgoing = [Edge(mine.copy(), rank, tag) for tag, rank in ranks if 0 <= rank < edges.size]
    incoming = [Edge(np.zeros_like(mine), edge.rank, 1 - edge.tag) for edge in reversed(outgoing)]
    swap(edges, outgoing, incoming)
    for edge in incoming:
        if not np.array_equal(edge.data, mine):
            raise InvalidArgumentError(
                f"the process with rank {edge.rank} called decompose() with other arguments than that with rank "
                f"{edges.rank}"
            )


def _allocate(plan: _Plan, index: int, runtime: Runtime) -> Part:
    interior = plan.interior(index)
    shape = list(plan.shape)
    shape[plan.axis] = interior.local_stop + plan.halo
    try:
        array = runtime.zeros(tuple(shape), plan.dtype, plan.elem_shape)
    except TaichiError as error:
        raise renamed(error, title_of(index, interior, runtime)) from error
    return Part._make(index, runtime, array, interior)


def _halos_of(plan: _Plan, parts: Sequence[Part], edges: Edges | None) -> Halos:
    """Return what is copied to fill the halos of these parts."""
    halo, axis = plan.halo, plan.axis
    if not halo:
        return Halos([], [], edges)

    def strip(part: Part, begin: int) -> Strip:
        return Strip(part, axis, begin, begin + halo)

    def first_edge(part: Part) -> Strip:
        return strip(part, halo)

    def last_edge(part: Part) -> Strip:
        return strip(part, part.interior.local_stop - halo)

    def last_halo(part: Part) -> Strip:
        return strip(part, part.interior.local_stop)

    pairs = list(pairwise(parts))
    low, high = parts[0], parts[-1]
    links: list[Link] = []
    if edges is None and plan.periodic:
        pairs.append((high, low))
    if edges is not None and (plan.periodic or edges.rank > 0):
        links.append(Link((edges.rank - 1) % edges.size, DOWN, first_edge(low), strip(low, 0)))
    if edges is not None and (plan.periodic or edges.rank < edges.size - 1):
        links.append(Link((edges.rank + 1) % edges.size, UP, last_edge(high), last_halo(high)))
    copies = [
        copy
        for one, next_one in pairs
        for copy in (Copy(strip(next_one, 0), last_edge(one)), Copy(last_halo(one), first_edge(next_one)))
    ]
    return Halos(copies, links, edges)
