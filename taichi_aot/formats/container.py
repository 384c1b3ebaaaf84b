"""The containers of a module: a folder, a ``.tcm`` archive (a ZIP), or such an archive in memory."""

from __future__ import annotations

import errno
import io
import os
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from ..errors import CorruptedDataError
from . import Source

__all__ = ["pack", "read_files"]

# Far above real modules (thousands of kernels), and small enough to reject before memory runs out.
MAX_FILES = 100_000
MAX_TOTAL_BYTES = 1 << 30
SUFFIXES = (".tcb", ".json", ".ll", ".spv")
MARKERS = ("__version__", "__content__")
ZIP_START = b"PK"
MAX_PATH_BYTES = 4096


def read_files(source: Source) -> tuple[str, dict[str, bytes]]:
    """The name of a module for messages, and the contents of its files.

    Raises
    ------
    FileNotFoundError
        If the path does not exist.
    CorruptedDataError
        If it is neither a folder nor a sound ZIP archive.
    TypeError
        If `source` is neither a path nor bytes.
    """
    if isinstance(source, str | os.PathLike):
        return _read_path(os.fsdecode(source))
    data = _to_bytes(source)
    if isinstance(source, bytes) and _is_path(data):
        return _read_path(os.fsdecode(data))
    return "the module", _read_archive("the module", io.BytesIO(data))


def pack(files: Mapping[str, bytes]) -> bytes:
    """The files as one archive in the form that the library reads: stored, without folders."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


def _to_bytes(source: object) -> bytes:
    try:
        view = memoryview(source)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"a module is a path or the bytes of a .tcm archive, not {type(source).__name__}") from None
    if "O" in view.format:
        raise TypeError("a module is a path or the bytes of a .tcm archive, not a buffer of Python objects")
    _check_size("the module", view.nbytes, MAX_TOTAL_BYTES)
    return view.tobytes()


def _is_path(data: bytes) -> bool:
    """Whether bytes are an encoded path, as ``os.fsencode`` returns it, and not an archive."""
    return 0 < len(data) <= MAX_PATH_BYTES and b"\0" not in data and not data.startswith(ZIP_START)


def _read_path(name: str) -> tuple[str, dict[str, bytes]]:
    if not name:  # to pathlib the current folder
        raise FileNotFoundError(errno.ENOENT, "the path of a module is empty", name)
    path = Path(name)
    where = name.encode(errors="backslashreplace").decode()
    if path.is_dir():
        return where, _read_folder(where, path)
    return where, _read_archive(where, io.BytesIO(_read_file(where, path, MAX_TOTAL_BYTES)))


def _read_file(where: str, path: Path, limit: int) -> bytes:
    """The contents of a regular file; reading other files could block or be endless.

    Raises
    ------
    CorruptedDataError
        If it is not a regular file, or has more than `limit` bytes.
    """
    # Opening a FIFO would wait for a writer.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise CorruptedDataError(f"{where} is not an AOT module: {path.name!r} is not a regular file")
        data = file.read(limit + 1)
    _check_size(where, len(data), limit)
    return data


def _is_module_file(name: str) -> bool:
    # A name that is not UTF-8 cannot occur in a module's metadata.
    return (name in MARKERS or name.endswith(SUFFIXES)) and not any("\ud800" <= c <= "\udfff" for c in name)


def _read_folder(where: str, path: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    left = MAX_TOTAL_BYTES
    for entry in sorted(path.iterdir()):
        if _is_module_file(entry.name) and entry.is_file():
            files[entry.name] = _read_file(where, entry, left)
            left -= len(files[entry.name])
            _check_count(where, files)
    return files


def _read_archive(where: str, file: IO[bytes]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    total = 0
    try:
        with zipfile.ZipFile(file) as archive:
            for entry in archive.infolist():
                if entry.is_dir():
                    continue
                folder, _, name = entry.filename.rpartition("/")
                if not _is_module_file(name):
                    continue
                if folder:
                    raise CorruptedDataError(
                        f"{where}: the archive has its files in the folder {folder!r}; put them at its top level"
                    )
                if name in files:
                    raise CorruptedDataError(f"{where}: the archive contains {name!r} twice")
                total += entry.file_size
                _check_size(where, total, MAX_TOTAL_BYTES)
                _check_count(where, files)
                with archive.open(entry) as member:
                    files[name] = member.read(entry.file_size)
    except (CorruptedDataError, MemoryError):
        raise
    except Exception as reason:  # zipfile passes on its decoders' exceptions: BadZipFile, EOFError, zlib.error, ...
        raise CorruptedDataError(f"{where} is not a sound .tcm archive: {reason or type(reason).__name__}") from reason
    return files


def _check_size(where: str, size: int, limit: int) -> None:
    if size > limit:
        raise CorruptedDataError(f"{where} is too large: over {MAX_TOTAL_BYTES} bytes")


def _check_count(where: str, files: Mapping[str, bytes]) -> None:
    if len(files) > MAX_FILES:
        raise CorruptedDataError(f"{where} is too large: over {MAX_FILES} files")
