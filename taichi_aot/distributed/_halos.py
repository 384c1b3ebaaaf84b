"""The halos of parts: what is copied where, in this process and between processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._engines import Engine, Message, calling
from ._strips import Strip


class Link(NamedTuple):
    """The data sent to a part of another process, or received from it."""

    rank: int
    tag: int
    strip: Strip

    def message(self, engine: Engine) -> tuple[Message, npt.NDArray[Any] | None]:
        """Return the message, and the array of the host that it is in if the engine does not take the part's memory."""
        memory = self.strip.memory(engine.takes_cuda)
        if memory is not None:
            return Message(memory, self.rank, self.tag), None
        staged = self.strip.empty()
        return Message(staged.reshape(-1).view(np.uint8), self.rank, self.tag), staged


class Halos(NamedTuple):
    """All halos of the parts of one array in this process."""

    copies: list[tuple[Strip, Strip]]  # a halo, and the edge of the neighbour that belongs there
    outgoing: list[Link]
    incoming: list[Link]
    engine: Engine | None


def start(all_halos: Sequence[Halos]) -> Callable[[], None]:
    """Copy within this process, and begin to send and receive. Return what waits and fills the other halos."""
    for halos in all_halos:
        for halo, edge in halos.copies:
            halo.copy_from(edge)
    outgoing = [link for halos in all_halos for link in halos.outgoing]
    incoming = [link for halos in all_halos for link in halos.incoming]
    engine = all_halos[0].engine if all_halos else None
    if engine is None or not (outgoing or incoming):
        return lambda: None
    sent = [(link, *link.message(engine)) for link in outgoing]
    received = [(link, *link.message(engine)) for link in incoming]
    for link, _, staged in sent:
        if staged is not None:
            link.strip.read(staged)
    what = f"exchange with rank {' and '.join(map(str, sorted({link.rank for link in (*outgoing, *incoming)})))}"
    with calling(engine, what):
        wait = engine.start([each[1] for each in sent], [each[1] for each in received])

    def finish() -> None:
        with calling(engine, what):
            wait()
        for link, _, staged in received:
            if staged is not None:
                link.strip.write(staged)

    return finish
