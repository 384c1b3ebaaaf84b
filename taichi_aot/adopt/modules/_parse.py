"""Parsing Taichi's own files of a module, of either format."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ...bundle._files import GFX_METADATA, LLVM_METADATA, PLAN, is_own_file
from ...bundle._info import ModuleInfo
from ...bundle._source import Files, SourceFiles
from ...values._errors import CorruptedDataError, IncompatibleModuleError
from ..llvm import _module as llvm
from ..llvm._module import LlvmModule
from ..spirv import _module as spirv
from ..spirv._codes import OwnCodes
from ..spirv._module import GfxModule
from ..taichi._native import NativeModule
from ..taichi._ptx import PtxModule
from ..taichi._versions import check_version

SHOWN = 3  # names of files in a message


class ParsedModule(NamedTuple):
    """A module that has been read and checked."""

    where: str  # its name for messages
    files: Files  # Taichi's own files by name
    info: ModuleInfo  # its contents
    stated: LlvmModule | GfxModule  # what its files state in detail
    native: NativeModule | None = None  # the machine code of its kernels, for the CPU; None if it does not have any
    ptx: PtxModule | None = None  # the PTX of its kernels, for CUDA; None if it does not have any
    contents: Mapping[str, bytes] = MappingProxyType({})  # of fields, by the name of the file
    codes: OwnCodes | None = None  # the SPIR-V that its tasks have beside Taichi's own; None if it does not have any


def parse_module(source: SourceFiles) -> ParsedModule:
    """Parse the files of a module, and check them. What this package adds to Taichi's own files is left out."""
    try:
        return _parse_module(source)
    except CorruptedDataError as error:
        if str(error).startswith(source.where):
            raise
        raise CorruptedDataError(f"{source.where}: {error}") from None


def _parse_module(source: SourceFiles) -> ParsedModule:
    where = source.where
    files = source.contents.only([name for name in source.contents if not is_own_file(name)])
    check_version(where, files)
    info: ModuleInfo
    stated: LlvmModule | GfxModule
    if LLVM_METADATA in files:
        info, stated = llvm.read(where, files)
    elif GFX_METADATA in files:
        info, stated = spirv.read(where, files)
    elif PLAN in source.contents:
        raise IncompatibleModuleError(
            f"{where} has none of the files of Taichi that modules are joined by: build it for all its archs at once"
        )
    else:
        raise CorruptedDataError(
            f"{where} is not an AOT module: it has neither {LLVM_METADATA} nor {GFX_METADATA}{_modules_in(where)}"
        )
    source.check_archs(list(map(str, info.archs)))
    return ParsedModule(where, files, info, stated)


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
