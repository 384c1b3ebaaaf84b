"""Copies between arrays that devices make together, prepared once."""

from __future__ import annotations

from collections.abc import Sequence

from ..handles._copies import QueuedCopies, RangeCopy, queue_copies
from ._ndarray import ArraySlice

__all__ = ["QueuedCopies", "queued_copies"]


def queued_copies(pairs: Sequence[tuple[ArraySlice, ArraySlice]]) -> QueuedCopies | None:
    """Return copies from the second to the first slice of each pair; None if devices do not make them in one call.

    Slices of a pair have the same size, and no slice overlaps a first one.
    """
    return queue_copies(
        [
            RangeCopy(target._open_handle(), target._offset, source._open_handle(), source._offset, target.nbytes)
            for target, source in pairs
            if target.nbytes
        ]
    )
