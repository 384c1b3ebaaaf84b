"""Whether the files of a module are those that were read before, without reading them again."""

from __future__ import annotations

import os
import time
from typing import TypeAlias

from ._source import Source

__all__ = ["Stamp", "stamp_of"]

Stamp: TypeAlias = "tuple[tuple[str, tuple[int, ...]], ...]"

# Files that were changed while they were read, or soon after with the same time, are read again.
SETTLED_NS = 2_000_000_000


def stamp_of(source: Source) -> Stamp | None:
    """The path of a module with the identities, sizes and times of its files, which change whenever one of them does.

    None for a module in memory, and for files that are missing or were changed in the last two seconds.
    """
    if not isinstance(source, str | os.PathLike):
        return None
    try:
        path = os.fsdecode(os.path.realpath(source))
        facts = {path: os.stat(path)}
        if os.path.isdir(path):
            with os.scandir(path) as entries:
                facts |= {entry.name: entry.stat() for entry in entries}
    except (OSError, ValueError):
        return None
    if max(max(fact.st_mtime_ns, fact.st_ctime_ns) for fact in facts.values()) > time.time_ns() - SETTLED_NS:
        return None
    return tuple(
        (name, (fact.st_dev, fact.st_ino, fact.st_size, fact.st_mtime_ns, fact.st_ctime_ns))
        for name, fact in sorted(facts.items())
    )
