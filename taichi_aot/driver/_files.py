"""Atomic writes: a file is written under a temporary name in its folder, then renamed."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["remove_unfinished", "replacing", "write_all", "write_new", "write_whole"]

_unfinished: set[Path] = set()  # the parts of all running blocks of `replacing`


def write_whole(path: Path, data: bytes | memoryview) -> None:
    """Write one file; see `write_all`."""
    write_all({path: data})


def write_all(files: Mapping[Path, bytes | memoryview]) -> None:
    """Write files; if one cannot be written, none is changed.

    Raises
    ------
    OSError
        If a file cannot be written, with its path.
    """
    with replacing(files) as parts:
        for path, data in files.items():
            write_new(parts[path], data, path)


@contextmanager
def replacing(paths: Iterable[Path]) -> Generator[dict[Path, Path]]:
    """Name a part for each file, which the block writes with `write_new`, here or in a child process.

    At the end of the block the parts replace the files. A link is replaced, not followed. If the block raises, the
    parts are removed.

    Yields
    ------
    dict of Path to Path
        The parts by file, in the same folder. Their names cannot be guessed.
    """
    parts = {path: path.with_name(f".taichi-aot-{os.urandom(8).hex()}.part") for path in paths}
    _unfinished.update(parts.values())
    try:
        yield parts
        for path, part in parts.items():
            with _errors_of(path):
                part.replace(path)
    finally:
        _remove(parts.values())


def write_new(part: Path, data: bytes | memoryview, path: Path) -> None:
    """Create the part of a file; an OSError names the file itself."""
    with _errors_of(path), open(part, "xb") as file:
        file.write(data)


def remove_unfinished() -> None:
    """Remove all parts before a signal ends this process."""
    _remove(tuple(_unfinished))


def _remove(parts: Iterable[Path]) -> None:
    for part in parts:
        with suppress(OSError):  # most parts have replaced their files
            part.unlink()
        _unfinished.discard(part)


@contextmanager
def _errors_of(path: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error
