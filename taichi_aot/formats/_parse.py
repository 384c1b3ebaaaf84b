"""Parsing the files of a module, of either format.

The readers of both formats are imported when the first module of theirs is read, so that a process starts faster.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ..values._errors import CorruptedDataError
from ._files import DESCRIPTION, GFX_METADATA, LLVM_METADATA, NATIVE_FILES, is_ptx_file
from ._source import Files, SourceFiles

if TYPE_CHECKING:
    from ._gfx import GfxModule
    from ._info import ModuleInfo
    from ._llvm import LlvmModule
    from ._native import NativeModule
    from ._ptx import PtxModule

__all__ = ["ParsedModule", "parse_module"]

SHOWN = 3  # names of files in a message


class ParsedModule(NamedTuple):
    """A module that has been read and checked.

    Attributes
    ----------
    where : str
        Its name for messages.
    files : Files
        Its files by name, without its description, its machine code and its PTX.
    info : ModuleInfo
        Its contents, with what its description adds.
    stated : LlvmModule or GfxModule
        What its files state in detail.
    native : NativeModule or None
        The machine code of its kernels, for the CPU; None if it does not have any.
    ptx : PtxModule or None
        The PTX of its kernels, for CUDA; None if it does not have any.
    """

    where: str
    files: Files
    info: ModuleInfo
    stated: LlvmModule | GfxModule
    native: NativeModule | None = None
    ptx: PtxModule | None = None


def parse_module(source: SourceFiles) -> ParsedModule:
    """Parse the files of a module, and check them.

    Raises
    ------
    CorruptedDataError, IncompatibleModuleError
        If it is damaged, is not a module, or was compiled by another version of Taichi.
    """
    try:
        return _parse_module(source)
    except CorruptedDataError as error:
        if str(error).startswith(source.where):
            raise
        raise CorruptedDataError(f"{source.where}: {error}") from None


def _parse_module(source: SourceFiles) -> ParsedModule:
    from ._versions import check_version

    where = source.where
    machine_code = source.contents.only(NATIVE_FILES)
    ptx_files = source.contents.only(filter(is_ptx_file, source.contents))
    files = source.contents.without((DESCRIPTION, *machine_code, *ptx_files))
    check_version(where, files)
    described = source.contents.get(DESCRIPTION)
    stated: LlvmModule | GfxModule
    native = ptx = None
    if LLVM_METADATA in files:
        from . import _llvm as llvm

        if machine_code and ptx_files:
            raise CorruptedDataError(f"{where} has both machine code for a CPU and PTX: a module is for one arch")
        if machine_code:
            from ._native import parse_native, read_native

            described_code = parse_native(machine_code, files)
            files = described_code.files
            info, stated = llvm.read(where, files, described_code.facts)
            native = read_native(described_code, machine_code, info)
            info = replace(info, native_targets=tuple(native.code), not_native=native.refused)
        elif ptx_files:
            from ._ptx import parse_ptx, read_ptx

            described_code = parse_ptx(ptx_files, files)
            files = described_code.files
            info, stated = llvm.read(where, files, described_code.facts)
            ptx = read_ptx(described_code, ptx_files, info, stated.argument_bytes())
            info = replace(info, ptx_targets=("ptx", *ptx.capabilities), not_ptx=ptx.refused)
        else:
            info, stated = llvm.read(where, files)
    elif GFX_METADATA in files:
        from . import _gfx as gfx

        info, stated = gfx.read(where, files)
    else:
        raise CorruptedDataError(
            f"{where} is not an AOT module: it has neither {LLVM_METADATA} nor {GFX_METADATA}{_modules_in(where)}"
        )
    if source.arch and info.archs and source.arch not in info.archs:
        raise CorruptedDataError(f"{where} is compiled for {' or '.join(map(str, info.archs))}")
    if described is not None:
        from ._description import apply, parse_description

        info = apply(info, source.description or parse_description(where, described), where)
    return ParsedModule(where, files, info, stated, native, ptx)


def _modules_in(where: str) -> str:
    """Return the end of the message about a folder that is not a module: the modules in it, which may be meant."""
    try:
        names = sorted(name for name in os.listdir(where) if name.endswith((".tib", ".tcm")))
    except OSError:
        return ""
    if names:
        one_of = "" if len(names) == 1 else "one of them, as "
        return f"; it contains {', '.join(map(repr, names[:SHOWN]))}: load {one_of}{os.path.join(where, names[0])!r}"
    return "; load the folder that save() wrote, or what `taichi-aot build` wrote"
