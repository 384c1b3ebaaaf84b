"""Reading modules and bundles. It needs neither `taichi` nor the C library.

What bundles need is imported when the first one is read, so that a module loads faster.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..values._enums import Arch, ArchName
from ..values._errors import CorruptedDataError, IncompatibleModuleError
from ._container import Container, is_bundle, open_source
from ._files import LLVM_METADATA, SEQUENCE
from ._parse import ParsedModule, parse_module
from ._source import GFX_ARCHS, Choose, Source, SourceFiles, exactly

if TYPE_CHECKING:
    from ._bundle import Bundle
    from ._info import ModuleInfo
    from ._origin import Origin
    from ._sequence_info import SequenceInfo

__all__ = ["inspect", "read_files", "read_module", "read_origin", "read_sequence", "stated_archs"]


def read_files(source: Source, choose: Choose) -> SourceFiles:
    """Read the files of a module, or of one of the modules of a bundle; see `inspect`.

    Parameters
    ----------
    source : path or bytes-like
        The module or bundle.
    choose : callable
        Picks one of the archs of a bundle, and raises if it finds none; see `exactly`. Only that module is read.

    Raises
    ------
    FileNotFoundError
        If the path does not exist.
    TypeError
        If `source` is neither a path nor bytes.
    CorruptedDataError
        If it is neither a folder nor a sound ZIP archive.
    """
    with open_source(source) as container:
        if is_bundle(container):
            from ._bundle import read_bundle

            bundle = read_bundle(container)
            return bundle.read(choose(container.where, tuple(bundle.entries)))
        return SourceFiles(container.where, container.read_module())


def read_origin(source: Source) -> Origin | None:
    """Read how a bundle was built; None for modules, and for bundles that do not state it."""
    with open_source(source) as container:
        if not is_bundle(container):
            return None
        from ._bundle import read_bundle

        return read_bundle(container).origin


def read_module(source: Source, arch: Arch | None = None) -> ParsedModule:
    """Read and parse a module; of a bundle that for `arch`, or else the first."""
    return parse_module(read_files(source, exactly(arch) if arch else lambda _, archs: archs[0]))


def stated_archs(source: SourceFiles) -> tuple[Arch, ...]:
    """The archs that can run a module, by a quick look at its files."""
    if source.arch:
        return (source.arch,)
    if LLVM_METADATA in source.contents:
        from ._llvm_ir import archs_of

        return archs_of(source.contents)
    return GFX_ARCHS


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
    wanted = None if arch is None else Arch(arch)
    with open_source(source) as container:
        if not is_bundle(container):
            info = parse_module(SourceFiles(container.where, container.read_module())).info
            if wanted and info.archs and wanted not in info.archs:
                compiled = " or ".join(map(str, info.archs))
                raise IncompatibleModuleError(f"{container.where} was compiled for {compiled}, not for {arch}")
            return info
        from ._bundle import read_bundle

        bundle = read_bundle(container)
        if wanted is None:
            info = _inspect_all(bundle)
        else:
            info = parse_module(bundle.read(exactly(wanted)(container.where, tuple(bundle.entries)))).info
        return replace(info, sequence=_sequence_of(container)) if SEQUENCE in container.names else info


def read_sequence(source: Source) -> SequenceInfo | None:
    """Read the saved sequence of a bundle; None if it has none, and for modules."""
    with open_source(source) as container:
        return _sequence_of(container) if is_bundle(container) and SEQUENCE in container.names else None


def _sequence_of(container: Container) -> SequenceInfo:
    from ._sequence import read_sequence

    return read_sequence(container)


def _inspect_all(bundle: Bundle) -> ModuleInfo:
    """What the modules of a bundle have in common, which must have the same kernels and fields."""
    from ._common import common_info, difference_of_fields, difference_of_kernels

    modules = {each: parse_module(bundle.read(each)).info for each in bundle.entries}
    difference = difference_of_kernels(modules) or difference_of_fields(modules)
    if difference:
        raise CorruptedDataError(f"{bundle.container.where}: the modules differ: {difference}")
    return common_info(modules)
