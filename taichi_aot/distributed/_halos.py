"""The halos of parts: what is copied where, in this process and between processes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..values._errors import InvalidStateError, TaichiError
from ._edges import Edge, Edges
from ._strips import Strip, blamed, with_part

__all__ = ["DOWN", "UP", "Copy", "Halos", "Link", "exchange_now", "swap"]

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

    @property
    def are_strided(self) -> bool:
        """Whether the host packs them, for which it maps the arrays."""
        edges = [copy.edge for copy in self.copies] + [link.edge for link in self.links]
        return not all(edge.pieces for edge in edges)

    @property
    def neighbours(self) -> list[tuple[int, int]]:
        """The ranks of the neighbours in other processes, with the tags of what they get."""
        return [(link.rank, link.tag) for link in self.links]


def exchange_now(all_halos: Sequence[Halos]) -> None:
    """Fill the halos of several arrays, with one message to each neighbour in another process."""
    for halos in all_halos:
        if halos.are_strided:
            _copy_mapped(halos.copies)
        else:
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
    outgoing: list[Edge] = []
    incoming: list[Edge] = []
    packed: list[tuple[list[Strip], npt.NDArray[np.uint8]]] = []
    for links in rows:
        sent = _in_place([link.edge for link in links])
        if sent is None:
            sent = np.concatenate([_read(link.edge) for link in links])
        halos = [link.halo for link in links]
        received = _in_place(halos)
        if received is None:
            received = np.empty(sum(map(_bytes_of, halos)), np.uint8)
            packed.append((halos, received))
        outgoing.append(Edge(sent, links[0].rank, links[0].tag))
        incoming.append(Edge(received, links[0].rank, 1 - links[0].tag))
    # What goes up first, on both sides: see `TorchEdges.swap`.
    swap(edges, sorted(outgoing, key=lambda edge: edge.tag), sorted(incoming, key=lambda edge: edge.tag))
    for halos, received in packed:
        _unpack(halos, received)


def _in_place(strips: Sequence[Strip]) -> npt.NDArray[np.uint8] | None:
    """Return the memory of a message if it consists of one strip whose memory the host can use, else None."""
    return strips[0].memory() if len(strips) == 1 else None


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
