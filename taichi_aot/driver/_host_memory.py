"""The memory of this machine, as Linux states it."""

from __future__ import annotations

import mmap

from ..values._errors import OutOfMemoryError
from ._cpu import groups_of, read_words

SYSTEM = "/proc/meminfo"


# Of a control group with the controller of memory, by the version of the groups: the files with its limit and its
# usage, and the line of memory.stat with what the system would drop first.
FILES = {
    1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    2: ("memory.max", "memory.current", "inactive_file"),
}


def host_memory() -> tuple[int | None, int | None]:
    """Return the bytes that this process, by its control groups, can still get, and all; None where not stated."""
    try:
        system = _table(SYSTEM)
        free, total = system["MemAvailable"] << 10, system["MemTotal"] << 10
        for version, folder in groups_of("memory"):
            limit_file, usage_file, cache_line = FILES[version]
            limit = _limit(f"{folder}/{limit_file}")
            if limit is not None and limit < total:
                used = _limit(f"{folder}/{usage_file}") or 0
                cache = _table(f"{folder}/memory.stat").get(cache_line, 0)
                free, total = min(free, max(0, limit - used + cache)), limit
    except (OSError, KeyError):
        return None, None
    return free, total


def _table(path: str) -> dict[str, int]:
    """Return the numbers of a file of lines that begin with a name and a number."""
    with open(path, encoding="ascii", errors="replace") as file:
        rows = [line.split() for line in file]
    return {row[0].rstrip(":"): int(row[1]) for row in rows if len(row) > 1 and row[1].isdecimal()}


def _limit(path: str) -> int | None:
    """Return the number in a file; None if there is none, as in a group without a limit."""
    words = read_words(path)
    return int(words[0]) if words and words[0].isdecimal() else None


def anonymous_pages(size: int) -> mmap.mmap:
    """Return memory of zeros; OutOfMemoryError if the system does not have enough."""
    try:
        if hasattr(mmap, "MAP_PRIVATE"):  # the kernel merges adjacent private mappings; it limits their number
            return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        return mmap.mmap(-1, size)
    except (OSError, OverflowError, ValueError) as reason:
        raise OutOfMemoryError(f"the host cannot allocate {size} bytes: {reason}") from None
