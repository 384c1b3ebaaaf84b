"""Atomic writes: a file or folder is written under a temporary name beside it, then renamed."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

from ..values._errors import ArgumentTypeError, InvalidArgumentError, describe

SEPARATORS = (os.sep, os.altsep or os.sep)

_unfinished: set[Path] = set()  # the parts of all running blocks of `replacing`


def output_path(path: object) -> Path:
    if not isinstance(path, str | bytes | os.PathLike):
        raise ArgumentTypeError(f"a path is a str, bytes or a path object, not {describe(path)}")
    text = os.fsdecode(cast("Any", path))
    try:
        is_possible = b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        is_possible = False
    if not is_possible:
        raise InvalidArgumentError(f"no file can have the path {text!r}")
    if not text:
        raise FileNotFoundError(errno.ENOENT, "the path of the file to write is empty", text)
    if text.endswith(SEPARATORS):
        raise IsADirectoryError(errno.EISDIR, "this names a folder, not a file to write", text)
    return Path(text)


def require_file(path: Path) -> None:
    """Raise OSError if the path names something other than a regular file."""
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):  # what is wrong with the folder is found when the file is written
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "this is a folder, not a file to write", str(path))
    if not stat.S_ISREG(mode):
        raise FileExistsError(errno.EEXIST, "this is a pipe, device or socket, which is not replaced", str(path))


def write_whole(path: Path, data: bytes | memoryview) -> None:
    """Write one file; see `write_all`."""
    write_all({path: data})


def write_all(files: Mapping[Path, bytes | memoryview]) -> None:
    """Write files; if one cannot be written, none is changed; OSError if a file cannot be written, with its path."""
    with replacing(files) as parts:
        for path, data in files.items():
            write_new(parts[path], data, path)


def write_folder(path: Path, files: Mapping[str, bytes], is_own: Callable[[str], bool]) -> None:
    """Write a folder of files; an earlier folder is replaced as a whole, and unchanged if that fails.

    `is_own` tells whether a file of that name may be in the earlier folder. FileExistsError if `path` is a file, or a
    folder with other contents, OSError if a file cannot be written.
    """
    path = _behind_links(path)
    _require_own(path, is_own)
    part, old = _new_part(path), _new_part(path)
    _unfinished.add(part)
    try:
        with _errors_of(path):
            part.mkdir()
        for name, data in files.items():
            write_new(part / name, data, path / name)
        with _errors_of(path):
            _exchange(part, path, old)
        _remove([old])
    finally:
        _remove([part])


def _require_own(path: Path, is_own: Callable[[str], bool]) -> None:
    if path.is_dir():
        others = [each.name for each in path.iterdir() if not (each.is_file() and is_own(each.name))]
        if others:
            raise FileExistsError(errno.EEXIST, f"the folder has other contents, such as {min(others)}", str(path))
    elif os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, "this is not a folder", str(path))


def _exchange(part: Path, path: Path, old: Path) -> None:
    """Rename a part to a folder, and the folder that was there to `old`."""
    try:
        path.rename(old)
    except FileNotFoundError:
        part.rename(path)
        return
    try:
        part.rename(path)
    except BaseException:
        with suppress(OSError):  # an interrupt can come after the call
            old.rename(path)
        raise


def _new_part(path: Path) -> Path:
    return path.with_name(f".taichi-aot-{os.urandom(8).hex()}.part")


@contextmanager
def replacing(paths: Iterable[Path]) -> Generator[dict[Path, Path]]:
    """Name a part for each file, which the block writes with `write_new`, here or in a child process.

    At the end of the block the parts replace the files, and get their permissions. Of a link the file that it names is
    replaced. If the block raises, the parts are removed. A part is in the folder of its file; its name cannot be
    guessed.
    """
    targets = {path: _target(path) for path in paths}
    parts = {path: _new_part(target) for path, target in targets.items()}
    _unfinished.update(parts.values())
    try:
        yield parts
        for path, part in parts.items():
            with _errors_of(path):
                with suppress(FileNotFoundError):
                    part.chmod(os.stat(targets[path]).st_mode & 0o777)
                part.replace(targets[path])
    finally:
        _remove(parts.values())


def _target(path: Path) -> Path:
    with _errors_of(path):
        require_file(path)
    return _behind_links(path)


def _behind_links(path: Path) -> Path:
    """Return the target of a link, existing or not; other paths unchanged."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


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
            if part.is_dir() and not part.is_symlink():
                from shutil import rmtree

                rmtree(part)
            else:
                part.unlink()
        _unfinished.discard(part)


@contextmanager
def _errors_of(path: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error
