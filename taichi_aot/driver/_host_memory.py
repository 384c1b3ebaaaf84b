"""The memory of this machine, as Linux states it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["host_memory"]

SYSTEM, PROCESS = "/proc/meminfo", "/proc/self/cgroup"


class _Hierarchy(NamedTuple):
    """Control groups with the controller of memory: where they are, and what their files are named."""

    root: str
    limit: str
    usage: str
    cache: str  # the line of memory.stat with what the system would drop first


VERSION_1 = _Hierarchy("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
VERSION_2 = _Hierarchy("/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file")


def host_memory() -> tuple[int | None, int | None]:
    """Return the bytes that this process can still get, and all bytes; None where the system does not state them.

    The limits of its control groups count, which containers have.
    """
    try:
        system = _table(SYSTEM)
        free, total = system["MemAvailable"] << 10, system["MemTotal"] << 10
        for hierarchy, folder in _groups():
            limit = _limit(f"{folder}/{hierarchy.limit}")
            if limit is not None and limit < total:
                used = _limit(f"{folder}/{hierarchy.usage}") or 0
                cache = _table(f"{folder}/memory.stat").get(hierarchy.cache, 0)
                free, total = min(free, max(0, limit - used + cache)), limit
    except (OSError, KeyError):
        return None, None
    return free, total


def _groups() -> Iterator[tuple[_Hierarchy, str]]:
    """Yield the folders of the control groups of this process, and of the groups around them."""
    with open(PROCESS, encoding="ascii", errors="replace") as file:
        for line in file:
            _, controllers, path = line.rstrip("\n").split(":", 2)
            if controllers and "memory" not in controllers.split(","):
                continue
            hierarchy = VERSION_1 if controllers else VERSION_2
            while path.strip("/"):
                yield hierarchy, hierarchy.root + path
                path = os.path.dirname(path)
            yield hierarchy, hierarchy.root  # in a container it may be the group itself


def _table(path: str) -> dict[str, int]:
    """Return the numbers of a file of lines that begin with a name and a number."""
    with open(path, encoding="ascii", errors="replace") as file:
        rows = [line.split() for line in file]
    return {row[0].rstrip(":"): int(row[1]) for row in rows if len(row) > 1 and row[1].isdecimal()}


def _limit(path: str) -> int | None:
    """Return the number in a file; None if there is none, as in a group without a limit."""
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            text = file.read().strip()
    except FileNotFoundError:
        return None
    return int(text) if text.isdecimal() else None
