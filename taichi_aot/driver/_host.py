"""The host: variables of its environment, its CPU, its memory, and temporary folders.

A wrong value of a variable raises ValueError, which names the variable. Temporary folders in use are locked; a process
deletes those that killed processes left.
"""

from __future__ import annotations

import math
import mmap
import os
import platform
import re
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING

from ..values._errors import OutOfMemoryError

if TYPE_CHECKING:
    from pathlib import Path


# Blanks as C's isspace defines them, not as Python does, and any number of leading zeros.
INTEGER = r"[ \t\n\v\f\r]*([+-]?)0*([0-9]{1,10})"


def read_integer(name: str) -> int | None:
    """Return the integer that the library reads from a variable; None if it is not set."""
    value = os.environ.get(name)
    if value is None:
        return None
    match = re.fullmatch(INTEGER, value)
    if match is None or int(match[2]) >= 2**31:
        raise ValueError(
            f"the environment variable {name} must be a 32-bit integer, not {value!r}: "
            "the Taichi C-API library would abort the process"
        )
    return int(match[1] + match[2])


def is_set(name: str) -> bool:
    return bool(os.environ.get(name))


def read_count(name: str, most: int) -> int | None:
    """Return the number in a variable of this package; None if it is not set."""
    value = os.environ.get(name)
    if value is None:
        return None
    if not re.fullmatch("[0-9]{1,9}", value) or not 1 <= int(value) <= most:
        raise ValueError(f"the environment variable {name} must be a number from 1 to {most}, not {value!r}")
    return int(value)


def read_switch(name: str) -> bool | None:
    """Return whether a variable of this package is on (1) or off (0); None if it is not set."""
    value = os.environ.get(name)
    if value not in (None, "0", "1"):
        raise ValueError(f"the environment variable {name} must be 0 or 1, not {value!r}")
    return None if value is None else value == "1"


# The CPU: its architecture, its name, and how many threads can work on it; the limits of control groups.


MOST_THREADS = 256  # of the pool (pool.c)


def arm64() -> bool:
    """Return whether this machine is ARM64; otherwise it is x64."""
    return platform.machine().lower() in ("arm64", "aarch64")


def cpu_name() -> str:
    """Return the system's name for the CPU model, or the name of the architecture."""
    name = ""
    try:
        if sys.platform == "linux":
            with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
                name = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), "")
        return name or platform.processor() or platform.machine()
    except OSError:  # both open files, and the limit of open files may be reached
        return platform.machine()


def cpu_threads() -> int:
    """Return how many threads compute at the same time in this process.

    That are as many as it can use CPUs, by its affinity and the limits of its control groups, and at most
    ``TAICHI_AOT_CPU_THREADS``.
    """
    stated = read_count("TAICHI_AOT_CPU_THREADS", MOST_THREADS)
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(stated or MOST_THREADS, usable, *_quotas())


def _quotas() -> list[int]:
    """Return the CPUs that each control group with a limit may use, rounded up."""
    quotas: list[int] = []
    try:
        for version, folder in groups_of("cpu"):
            if version == 1:
                limit = read_words(f"{folder}/cpu.cfs_quota_us") + read_words(f"{folder}/cpu.cfs_period_us")
            else:
                limit = read_words(f"{folder}/cpu.max")
            if len(limit) == 2 and all(map(str.isdecimal, limit)) and int(limit[1]) > 0:  # not "max", and not -1
                quotas.append(max(1, math.ceil(int(limit[0]) / int(limit[1]))))
    except OSError:  # not Linux, or hidden
        pass
    return quotas


PROCESS_GROUPS, GROUPS = "/proc/self/cgroup", "/sys/fs/cgroup"


def groups_of(controller: str) -> Iterator[tuple[int, str]]:
    """Yield the groups of this process that may limit something, from the inside out: their version and folder."""
    with open(PROCESS_GROUPS, encoding="utf-8", errors="replace") as file:
        for line in file:
            _, controllers, path = line.rstrip("\n").split(":", 2)
            if controllers and controller not in controllers.split(","):
                continue
            version, root = (1, f"{GROUPS}/{controller}") if controllers else (2, GROUPS)
            while path.strip("/"):
                yield version, root + path
                path = os.path.dirname(path)
            yield version, root  # in a container it may be the group itself


def read_words(path: str) -> list[str]:
    """Return the words of a file; none if the group does not have it."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().split()
    except FileNotFoundError:
        return []


# The memory of this machine, as Linux states it.


SYSTEM_MEMORY = "/proc/meminfo"


# Of a control group with the controller of memory, by the version of the groups: the files with its limit and its
# usage, and the line of memory.stat with what the system would drop first.
GROUP_FILES = {
    1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    2: ("memory.max", "memory.current", "inactive_file"),
}


def host_memory() -> tuple[int | None, int | None]:
    """Return the bytes that this process, by its control groups, can still get, and all; None where not stated."""
    try:
        system = _table(SYSTEM_MEMORY)
        free, total = system["MemAvailable"] << 10, system["MemTotal"] << 10
        for version, folder in groups_of("memory"):
            limit_file, usage_file, cache_line = GROUP_FILES[version]
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


# Temporary folders.


PREFIX = "taichi-aot-module-"  # module.c creates and locks such folders too
PROBE, PROBE_SIZE = "space", 1 << 16  # written to test for space
MAX_ENTRIES, MAX_LEFTOVERS = 10_000, 100  # examined and deleted in the folder for temporary files

_cleaned: set[str] = set()  # folders whose leftovers were deleted


def new_path() -> str:
    """Return the path of a folder that does not exist yet. The first call deletes leftovers."""
    parent = _parent()
    if parent not in _cleaned:
        _cleaned.add(parent)
        remove_leftovers(parent)
    return os.path.join(parent, f"{PREFIX}{os.urandom(8).hex()}")


@contextmanager
def temporary_folder() -> Generator[Path]:
    """Create a locked folder for files, and delete it at the end of the block."""
    from pathlib import Path
    from shutil import rmtree

    path = new_path()
    lock = _create(path)
    try:
        yield Path(path)
    finally:
        rmtree(path, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def require_space(folder: Path) -> None:
    """Raise OSError if the disk of a folder is full."""
    probe = folder / PROBE
    try:
        with open(probe, "wb", buffering=0) as file:
            left = PROBE_SIZE
            while left:
                left -= file.write(bytes(left)) or 0
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(folder)) from None
    finally:
        with suppress(FileNotFoundError):
            probe.unlink()


def _create(path: str) -> int | None:
    """Create a folder and lock it; return the descriptor with the lock, or None on Windows."""
    try:
        from fcntl import LOCK_EX, flock
    except ImportError:  # Windows
        os.mkdir(path)
        return None

    while True:
        os.mkdir(path, 0o700)
        with suppress(FileNotFoundError):
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            with suppress(OSError):  # some file systems do not support locks
                flock(lock, LOCK_EX)
            if os.fstat(lock).st_nlink:
                return lock
            os.close(lock)
        # Another process deleted it before it was locked.


def remove_leftovers(parent: str | None = None) -> None:
    """Delete the folders that this user's killed processes left."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:  # Windows
        return

    with suppress(OSError), os.scandir(parent or _parent()) as entries:
        found = [entry.path for entry in islice(entries, MAX_ENTRIES) if entry.name.startswith(PREFIX)]
        for path in found[:MAX_LEFTOVERS]:
            with suppress(OSError):
                folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
                try:
                    flock(folder, LOCK_EX | LOCK_NB)
                    if os.fstat(folder).st_uid == os.geteuid():
                        for name in os.listdir(folder):
                            os.unlink(name, dir_fd=folder)
                        os.rmdir(path)
                finally:
                    os.close(folder)


def _parent() -> str:
    """Return `tempfile.gettempdir()` without the import, which takes as long as loading a small module."""
    if "tempfile" not in sys.modules:
        for folder in (*map(os.environ.get, ("TMPDIR", "TEMP", "TMP")), "/tmp"):
            if folder and os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK):
                return os.path.abspath(folder)
    from tempfile import gettempdir

    return gettempdir()
