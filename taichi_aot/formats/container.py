"""The containers of a module: a folder, a ``.tcm`` archive (a ZIP), or such an archive in memory."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from ..errors import CorruptedDataError
from . import Source

__all__ = ["pack", "read_files"]

# Far beyond real modules (thousands of kernels), and small enough to refuse before memory runs out.
MAX_FILES = 100_000
MAX_TOTAL_BYTES = 1 << 30
SUFFIXES = (".tcb", ".json", ".ll", ".spv")
MARKERS = ("__version__", "__content__")


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
    if isinstance(source, bytes | bytearray | memoryview):
        return "the module", _read_archive("the module", io.BytesIO(source))
    if not isinstance(source, str | os.PathLike):
        raise TypeError(f"a module is a path or the bytes of a .tcm archive, not {type(source).__name__}")
    path = Path(source)
    if path.is_dir():
        return str(path), _read_folder(path)
    with path.open("rb") as file:
        return str(path), _read_archive(str(path), file)


def pack(files: Mapping[str, bytes]) -> bytes:
    """The files as one archive in the form that the library reads: stored, no folders."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


def _is_module_file(name: str) -> bool:
    return name in MARKERS or name.endswith(SUFFIXES)


def _read_folder(path: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    total = 0
    for entry in sorted(path.iterdir()):
        if not _is_module_file(entry.name) or not entry.is_file():
            continue
        total += entry.stat().st_size
        _check_size(str(path), len(files), total)
        files[entry.name] = entry.read_bytes()
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
                        f"{where}: the archive has its files in the folder {folder!r}; put them at its top"
                    )
                if name in files:
                    raise CorruptedDataError(f"{where}: the archive holds {name!r} twice")
                total += entry.file_size
                _check_size(where, len(files), total)
                with archive.open(entry) as member:
                    files[name] = member.read(entry.file_size)
    except (CorruptedDataError, MemoryError):
        raise
    except Exception as reason:  # zipfile raises whatever its decoders do: BadZipFile, EOFError, zlib.error, ...
        raise CorruptedDataError(f"{where} is not a sound .tcm archive: {reason or type(reason).__name__}") from reason
    return files


def _check_size(where: str, count: int, total: int) -> None:
    if count >= MAX_FILES or total > MAX_TOTAL_BYTES:
        raise CorruptedDataError(f"{where} is too large: over {MAX_FILES} files or {MAX_TOTAL_BYTES} bytes")
