"""Readers of both formats of AOT modules; they need neither `taichi` nor the C library."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import CorruptedDataError
from . import gfx, llvm
from .container import Source, pack, read_files
from .info import Dispatch, FieldInfo, GraphInfo, KernelInfo, ModuleInfo, word_argument_name
from .words import WORDS_PER_ARGUMENT, byte_size, word_counts

__all__ = [
    "WORDS_PER_ARGUMENT",
    "Dispatch",
    "FieldInfo",
    "GraphInfo",
    "KernelInfo",
    "ModuleInfo",
    "Source",
    "SourceModule",
    "byte_size",
    "inspect",
    "pack",
    "read_module",
    "word_argument_name",
    "word_counts",
]


class SourceModule(NamedTuple):
    """A module as it was read: its name for messages, its files as the library may have them, what it holds."""

    where: str
    files: dict[str, bytes]
    info: ModuleInfo


def read_module(source: Source) -> SourceModule:
    """Read a module from a folder, a ``.tcm`` path or the bytes of one, and check it.

    Raises
    ------
    FileNotFoundError
        If the path does not exist.
    CorruptedDataError, IncompatibleModuleError
        If it is damaged, is no module, or was compiled by another version of Taichi.
    """
    where, files = read_files(source)
    if llvm.METADATA in files:
        info, files = llvm.read(where, files)
    elif gfx.METADATA in files:
        info, files = gfx.read(where, files)
    else:
        raise CorruptedDataError(f"{where} is not an AOT module: it has neither {llvm.METADATA} nor {gfx.METADATA}")
    return SourceModule(where, files, info)


def inspect(source: Source) -> ModuleInfo:
    """What a module holds, without a runtime and without the C library; ``print`` it for an overview.

    Parameters
    ----------
    source : path or bytes-like
        A folder, a ``.tcm`` archive, or the bytes of such an archive.

    Raises
    ------
    FileNotFoundError
        If the path does not exist.
    CorruptedDataError, IncompatibleModuleError
        If it is damaged, is no module, or was compiled by another version of Taichi.
    """
    return read_module(source).info
