"""Temporary folders. Those in use are locked; a process deletes those that killed processes left."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

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
