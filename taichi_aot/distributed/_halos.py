"""The halos of parts: what is copied where, in this process and between processes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays._queued import QueuedCopies, queued_copies
from ..handles._resource import Unique
from ..values._errors import ArgumentTypeError, InvalidStateError, TaichiError
from ._edges import Edge, Edges
from ._strips import Part, Strip, blamed, with_part

__all__ = ["DOWN", "UP", "Copy", "Exchange", "Halos", "Link", "exchange_now", "queue", "swap"]

UP, DOWN = 0, 1  # tags of edges: which way they go


class Copy(NamedTuple):
    """A halo, and the edge of the neighbour that belongs there."""

    halo: Strip
    edge: Strip


class Link(NamedTuple):
    """The neighbour in another process: its rank, the edge that it gets, and the halo for the one that it sends."""

    rank: int
    tag: int  # of the edge that it gets
    edge: Strip
    halo: Strip


class Halos(NamedTuple):
    """All halos of the parts of one array in this process."""

    copies: list[Copy]
    links: list[Link]
    edges: Edges | None
    queued: QueuedCopies | None = None  # all `copies`, where devices make them in one call

    @property
    def are_strided(self) -> bool:
        """Whether the host packs them, for which it maps the arrays."""
        edges = [copy.edge for copy in self.copies] + [link.edge for link in self.links]
        return not all(edge.pieces for edge in edges)

    @property
    def can_begin(self) -> bool:
        """Whether the devices make all copies beside launches, without a thread of the host."""
        return self.queued is not None and not self.links

    @property
    def parts(self) -> list[Part]:
        """The parts that it copies between."""
        return [strip.part for copy in self.copies for strip in copy]

    @property
    def neighbours(self) -> list[tuple[int, int]]:
        """The ranks of the neighbours in other processes, with the tags of what they get."""
        return [(link.rank, link.tag) for link in self.links]


def queue(copies: Sequence[Copy]) -> QueuedCopies | None:
    """Return what the devices copy in one call; None if they do not, or if the host packs edges."""
    if not all(copy.edge.pieces for copy in copies):
        return None
    pieces = [zip(copy.halo.pieces, copy.edge.pieces, strict=True) for copy in copies]
    return queued_copies([pair for each in pieces for pair in each])


def exchange_now(all_halos: Sequence[Halos]) -> None:
    """Fill the halos of several arrays, with one message to each neighbour in another process."""
    for halos in all_halos:
        if halos.are_strided:
            _copy_mapped(halos.copies)
        elif halos.queued is None or not halos.queued.run():
            _copy_pieces(halos.copies)
    _fill_linked(all_halos)


def _copy_pieces(copies: Sequence[Copy]) -> None:
    """Copy what is contiguous, on the device where both parts are on one."""
    for halo, edge in copies:
        try:
            for target, source in zip(halo.pieces, edge.pieces, strict=True):
                target.copy_from(source)
        except TaichiError as error:
            raise with_part(error, edge.part, halo.part) from error


def _copy_mapped(copies: Sequence[Copy]) -> None:
    """Copy what is not contiguous, and map each array once."""
    parts = {strip.part.index: strip.part for copy in copies for strip in copy}
    with ExitStack() as stack:
        views: dict[int, npt.NDArray[Any]] = {}
        for index, part in parts.items():
            with blamed(part):
                views[index] = stack.enter_context(part.array.map())
        for halo, edge in copies:
            views[halo.part.index][halo.where] = views[edge.part.index][edge.where]
        views.clear()


def _fill_linked(all_halos: Sequence[Halos]) -> None:
    """Exchange with the neighbours in other processes. All arrays have the same ones."""
    edges = all_halos[0].edges if all_halos else None
    if edges is None:
        return
    rows: list[tuple[Link, ...]] = list(zip(*(halos.links for halos in all_halos), strict=True))
    takes_cuda = bool(getattr(edges, "takes_cuda", False))
    if takes_cuda:  # the memory of several arrays is not one message
        rows = [(link,) for links in rows for link in links]
    outgoing: list[Edge] = []
    incoming: list[Edge] = []
    packed: list[tuple[list[Strip], npt.NDArray[np.uint8]]] = []
    for links in rows:
        sent = _in_place([link.edge for link in links], takes_cuda)
        if sent is None:
            sent = np.concatenate([_read(link.edge) for link in links])
        halos = [link.halo for link in links]
        received = _in_place(halos, takes_cuda)
        if received is None:
            received = np.empty(sum(map(_bytes_of, halos)), np.uint8)
            packed.append((halos, received))
        outgoing.append(Edge(sent, links[0].rank, links[0].tag))
        incoming.append(Edge(received, links[0].rank, 1 - links[0].tag))
    # What goes up first, on both sides: see `TorchEdges.swap`.
    swap(edges, sorted(outgoing, key=lambda edge: edge.tag), sorted(incoming, key=lambda edge: edge.tag))
    for halos, received in packed:
        _unpack(halos, received)


def _in_place(strips: Sequence[Strip], takes_cuda: bool) -> Any:
    """Return the memory of a message if it consists of one strip whose memory the adapter can use, else None."""
    return strips[0].memory(takes_cuda) if len(strips) == 1 else None


def _unpack(halos: Sequence[Strip], received: npt.NDArray[np.uint8]) -> None:
    begin = 0
    for halo in halos:
        stop = begin + _bytes_of(halo)
        halo.write(received[begin:stop].view(halo.part.array.dtype).reshape(halo.shape))
        begin = stop


def swap(edges: Edges, outgoing: Sequence[Edge], incoming: Sequence[Edge]) -> None:
    """Exchange bytes with other processes; RuntimeError if the library that sends them fails."""
    if not (outgoing or incoming):
        return
    sizes = [edge.data.nbytes for edge in incoming]
    try:
        edges.swap(tuple(outgoing), tuple(incoming))
        if [edge.data.nbytes for edge in incoming] != sizes:
            raise InvalidStateError("swap() has resized the data of an edge")
    except Exception as error:
        ranks = " and ".join(map(str, sorted({edge.rank for edge in (*outgoing, *incoming)})))
        name = type(error).__name__
        raise InvalidStateError(f"rank {edges.rank} failed to exchange with rank {ranks}: {name}: {error}") from error


def _read(strip: Strip) -> npt.NDArray[np.uint8]:
    numbers = np.empty(strip.shape, strip.part.array.dtype)
    strip.read(numbers)
    return numbers.reshape(-1).view(np.uint8)


def _bytes_of(strip: Strip) -> int:
    return int(np.prod(strip.shape)) * strip.part.array.itemsize


class Exchange(Unique):
    """An exchange in progress: `exchange_begin` and `Parts.exchange_begin` create it.

    In a ``with`` statement, the exchange has ended when the statement ends.

    Examples
    --------
    >>> parts = taichi_aot.distributed.decompose(8, [rt, rt])
    >>> running = parts.exchange_begin()
    >>> running.end()
    >>> running
    <Exchange ended>
    """

    __slots__ = ("_queued",)

    _queued: Sequence[Halos]  # that devices fill; empty once it has ended

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise ArgumentTypeError("an Exchange is created by exchange_begin()")

    @classmethod
    def _begin(cls, all_halos: Sequence[Halos]) -> Exchange:
        self = object.__new__(cls)
        self._queued = ()
        if all(halos.can_begin for halos in all_halos) and all(
            halos.queued.begin() for halos in all_halos if halos.queued is not None
        ):
            self._queued = all_halos
        else:  # also after a failure: copies that were made can be made again
            exchange_now(all_halos)
        return self

    def end(self) -> None:
        """Wait until the halos are filled. A second call does nothing.

        Where the devices fill them on their own, later launches wait, and the host does not.

        Raises
        ------
        Exception
            What `exchange` raises.

        Examples
        --------
        >>> parts = taichi_aot.distributed.decompose(8, [rt, rt])
        >>> parts.exchange_begin().end()
        """
        errors: list[TaichiError] = []
        for halos in self._queued:
            assert halos.queued is not None  # as `can_begin` says
            try:
                with blamed(*halos.parts):
                    halos.queued.end()
            except TaichiError as error:
                errors.append(error)
        self._queued = ()  # only now: another thread, or a signal handler, may end it at the same time
        if errors:
            raise errors[0]

    def __enter__(self) -> Exchange:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is None:
            self.end()
            return
        with suppress(TaichiError):  # the error of the block is the first one
            self.end()

    def __repr__(self) -> str:
        return f"<Exchange {'in progress' if self._queued else 'ended'}>"
