"""Whether the files of a module are those that were read before, without reading them again."""

from __future__ import annotations

import os
import stat
import time
from typing import TypeAlias

from ._source import Source

Stamp: TypeAlias = "tuple[tuple[str, tuple[int, int, int, tuple[int, int]]], ...]"

# Files that were changed while they were read, or soon after with the same time, are read again.
SETTLED_NS = 2_000_000_000


def stamp_of(source: Source) -> Stamp | None:
    """The path of a module with the identities, sizes and times of its files, which change whenever one of them does.

    None for a module in memory, and for files that are missing or were changed in the last two seconds.
    """
    stamp = identity_of(source) if isinstance(source, str | os.PathLike) else None
    if stamp is None or max(max(times) for _, (*_, times) in stamp) > time.time_ns() - SETTLED_NS:
        return None
    return stamp


def identity_of(path: str | os.PathLike[str] | os.PathLike[bytes]) -> Stamp | None:
    """The path with the identities, sizes and times of its files, however young; None if a file is missing."""
    try:
        real = os.fsdecode(os.path.realpath(path))
        facts = {real: os.stat(real)}
        if stat.S_ISDIR(facts[real].st_mode):
            with os.scandir(real) as entries:
                facts |= {entry.name: entry.stat() for entry in entries}
    except (OSError, ValueError):
        return None
    return tuple(
        (name, (fact.st_dev, fact.st_ino, fact.st_size, (fact.st_mtime_ns, fact.st_ctime_ns)))
        for name, fact in sorted(facts.items())
    )
