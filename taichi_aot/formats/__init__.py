"""Readers of both formats of AOT modules; they need neither `taichi` nor the C library.

The readers are imported when the first module is read, so that a process starts faster.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..errors import CorruptedDataError
from .argument_words import WORDS_PER_ARGUMENT, byte_size, word_argument_name, word_counts

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from .info import ModuleInfo

__all__ = [
    "WORDS_PER_ARGUMENT",
    "Source",
    "SourceFiles",
    "SourceModule",
    "byte_size",
    "inspect",
    "parse_module",
    "read_files",
    "read_module",
    "word_argument_name",
    "word_counts",
]

LLVM_METADATA, GFX_METADATA = "metadata.tcb", "metadata.json"  # the file that determines the format

Source: TypeAlias = "str | os.PathLike[str] | os.PathLike[bytes] | Buffer"


class SourceFiles(NamedTuple):
    """The files of a module, as read, and its name for messages."""

    where: str
    contents: dict[str, bytes]

    @property
    def digest(self) -> bytes:
        """SHA-256 of names and contents."""
        import hashlib

        digest = hashlib.sha256()
        for name in sorted(self.contents):
            digest.update(f"{name}\0{len(self.contents[name])}\0".encode(errors="surrogateescape"))
            digest.update(self.contents[name])
        return digest.digest()


class SourceModule(NamedTuple):
    """A parsed module: its name for messages, the files to pass to the library, and its contents."""

    where: str
    files: dict[str, bytes]
    info: ModuleInfo


def read_files(source: Source) -> SourceFiles:
    """Read the files of a module from a folder, a ``.tcm`` path or the bytes of one; see `inspect`.

    Raises
    ------
    FileNotFoundError
        If the path does not exist.
    TypeError
        If `source` is neither a path nor bytes.
    CorruptedDataError
        If it is neither a folder nor a sound ZIP archive.
    """
    from . import container

    return SourceFiles(*container.read_files(source))


def parse_module(source: SourceFiles) -> SourceModule:
    """Parse the files of a module, and check them.

    Raises
    ------
    CorruptedDataError, IncompatibleModuleError
        If it is damaged, is not a module, or was compiled by another version of Taichi.
    """
    from .versions import check_version

    where, files = source
    check_version(where, files)
    if LLVM_METADATA in files:
        from . import llvm

        info, files = llvm.read(where, files)
    elif GFX_METADATA in files:
        from . import gfx

        info, files = gfx.read(where, files)
    else:
        raise CorruptedDataError(f"{where} is not an AOT module: it has neither {LLVM_METADATA} nor {GFX_METADATA}")
    return SourceModule(where, files, info)


def read_module(source: Source) -> SourceModule:
    """Read and parse a module."""
    return parse_module(read_files(source))


def inspect(source: Source) -> ModuleInfo:
    """Read the contents of a module, without a runtime and without the C library; ``print`` them for an overview.

    All information comes from the module's files. `ModuleInfo.to_dict` converts it for JSON.

    Parameters
    ----------
    source : path or bytes-like
        A folder, a ``.tcm`` archive, or the bytes of such an archive: ``bytes``, ``bytearray``, ``memoryview``,
        ``mmap``, ``array.array`` or another buffer. ``bytes`` that do not begin like a ZIP archive and do not contain a
        null byte are a path, as returned by ``os.fsencode``.

    Returns
    -------
    ModuleInfo

    Raises
    ------
    FileNotFoundError
        If the path does not exist.
    TypeError
        If `source` is neither a path nor bytes.
    CorruptedDataError, IncompatibleModuleError
        If it is damaged, is not a module, or was compiled by another version of Taichi.

    Examples
    --------
    >>> inspect("saxpy.tcm").version
    (1, 7, 4)
    """
    return read_module(source).info
