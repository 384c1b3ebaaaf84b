"""Reading modules and bundles of any origin. It needs neither `taichi` nor the C library."""

from __future__ import annotations

from ...bundle._bundle import read_files, read_modules
from ...bundle._contents import info_of
from ...bundle._files import PLAN
from ...bundle._info import ModuleInfo
from ...bundle._plan import Plan, parse_plan
from ...bundle._source import Source, SourceFiles, exactly
from ...values._enums import Arch, ArchName, arch_of
from ._common import common_info
from ._parse import parse_module
from ._plan_of import plan_of


def adopt(files: SourceFiles) -> Plan:
    """Make the plan of a module of Taichi's own, whose files are checked."""
    return plan_of(parse_module(files))


def read_plan(source: Source, arch: Arch | None = None) -> Plan:
    """Read the plan of a module; of a bundle's module for `arch`, or its first."""
    files = read_files(source, exactly(arch) if arch else lambda _, archs: archs[0])
    return parse_plan(files) if PLAN in files.contents else adopt(files)


def inspect(source: Source, arch: Arch | ArchName | None = None) -> ModuleInfo:
    """Read the contents of a module or bundle, without a runtime and without the C library; ``print`` them to see them.

    All information comes from the files. `ModuleInfo.to_dict` converts it for JSON.

    Parameters
    ----------
    source : path or bytes-like
        A folder, a ``.tcm`` archive, a bundle (``.tib``), or the bytes of an archive or bundle: ``bytes``,
        ``bytearray``, ``memoryview``, ``mmap``, ``array.array`` or another buffer. ``bytes`` that do not begin like a
        ZIP archive and do not contain a null byte are a path, as returned by ``os.fsencode``.
    arch : Arch or str, optional
        Whose module of a bundle is read. By default all are: kernels, graphs and fields are those that they have in
        common, and `ModuleInfo.modules` has the rest.

    Returns
    -------
    ModuleInfo

    Raises
    ------
    FileNotFoundError
        If the path does not exist.
    TypeError
        If `source` is neither a path nor bytes.
    ValueError
        If there is no arch of that name.
    CorruptedDataError
        If it is damaged or is not a module.
    IncompatibleModuleError
        If it was compiled by another version of Taichi, or not for `arch`.

    Examples
    --------
    >>> inspect("saxpy.tcm").version
    (1, 7, 4)
    """
    wanted = arch_of(arch)
    files = read_modules(source, wanted)
    infos = [info_of(parse_plan(each)) if PLAN in each.contents else parse_module(each).info for each in files]
    files[0].require(infos[0].archs, wanted)
    if wanted or not files[0].arch:
        return infos[0]
    return common_info({each.arch: info for each, info in zip(files, infos, strict=True) if each.arch})
