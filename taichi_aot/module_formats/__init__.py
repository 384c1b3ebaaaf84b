"""Readers of both formats of AOT modules; they need neither `taichi` nor the C library."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import CorruptedDataError
from . import gfx, llvm
from .container import Source, pack, read_files
from .info import Dispatch, GraphInfo, KernelInfo, ModuleInfo

__all__ = ["Dispatch", "GraphInfo", "KernelInfo", "ModuleInfo", "Source", "SourceModule", "pack", "read_module"]


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
        return SourceModule(where, files, llvm.read(where, files))
    if gfx.METADATA in files:
        info = gfx.read(where, files)
        return SourceModule(where, gfx.normalize(files), info)
    raise CorruptedDataError(f"{where} is not an AOT module: it has neither {llvm.METADATA} nor {gfx.METADATA}")
