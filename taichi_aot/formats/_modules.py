"""Readers of both formats of AOT modules, and of bundles of them; they need neither `taichi` nor the C library.

The readers are imported when the first module is read, so that a process starts faster.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..values._enums import Arch
from ..values._errors import CorruptedDataError, IncompatibleModuleError
from ._words import WORDS_PER_ARGUMENT, Words, byte_size, word_argument_name, word_counts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typing_extensions import Buffer

    from ._description import Description
    from ._info import ModuleInfo

__all__ = [
    "CODE_SUFFIX",
    "DESCRIPTION",
    "LLVM_GRAPHS",
    "LLVM_METADATA",
    "WORDS_PER_ARGUMENT",
    "Choose",
    "Source",
    "SourceFiles",
    "SourceModule",
    "Words",
    "byte_size",
    "exactly",
    "inspect",
    "parse_module",
    "read_files",
    "read_module",
    "stated_archs",
    "word_argument_name",
    "word_counts",
]

LLVM_METADATA, GFX_METADATA = "metadata.tcb", "metadata.json"  # the file that determines the format
LLVM_GRAPHS = "graphs.tcb"
CODE_SUFFIX = ".ll"  # of a kernel of an LLVM module
DESCRIPTION = "bundle.json"  # beside the files of a module, or beside the modules of a bundle

Source: TypeAlias = "str | os.PathLike[str] | os.PathLike[bytes] | Buffer"
Choose: TypeAlias = "Callable[[str, Sequence[Arch]], Arch]"  # picks an arch of a bundle, which the text names


class SourceFiles(NamedTuple):
    """The files of a module as read, its name for messages, and of a module in a bundle its arch and description."""

    where: str
    contents: dict[str, bytes]
    arch: Arch | None = None
    description: Description | None = None

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
    from ._container import is_bundle, open_source

    with open_source(source) as container:
        if is_bundle(container):
            from ._bundle import read_bundle

            bundle = read_bundle(container)
            return bundle.read(choose(container.where, tuple(bundle.entries)))
        return SourceFiles(container.where, container.read_module())


def exactly(arch: Arch, available: Callable[[], Sequence[Arch]] = tuple) -> Choose:
    """Pick this arch; `available` returns those of the machine, one of which the message of the error recommends.

    A gfx arch that the bundle does not have takes the module of another: SPIR-V states no arch, and whether a device
    can run it is checked when it is loaded.
    """

    def choose(where: str, archs: Sequence[Arch]) -> Arch:
        if arch in archs:
            return arch
        others = [other for other in archs if not other.is_llvm and not arch.is_llvm]
        if others:
            return others[0]
        names = ", ".join(map(str, archs))
        usable = next((f", or use arch {str(other)!r}" for other in available() if other in archs), "")
        raise IncompatibleModuleError(
            f"{where} has modules for {names} and none for {arch}: add one with taichi-aot build or taichi-aot bundle"
            f"{usable}"
        )

    return choose


def parse_module(source: SourceFiles, words: Words = Words.ALL) -> SourceModule:
    """Parse the files of a module, and check them.

    Parameters
    ----------
    source : SourceFiles
        The files.
    words : Words, default Words.ALL
        What the files to pass to the library take as `argument_words` describes. With `Words.ALL` kernels write their
        return values into an array too, as `returns` describes.

    Raises
    ------
    CorruptedDataError, IncompatibleModuleError
        If it is damaged, is not a module, or was compiled by another version of Taichi.
    """
    from ._versions import check_version

    where = source.where
    files = dict(source.contents)
    check_version(where, files)
    described = files.pop(DESCRIPTION, None)
    if LLVM_METADATA in files:
        from . import _llvm as llvm

        info, files = llvm.read(where, files, words)
    elif GFX_METADATA in files:
        from . import _gfx as gfx

        info, files = gfx.read(where, files, words)
    else:
        raise CorruptedDataError(f"{where} is not an AOT module: it has neither {LLVM_METADATA} nor {GFX_METADATA}")
    if source.arch is not None and info.archs and source.arch not in info.archs:
        raise CorruptedDataError(f"{where} is compiled for {' or '.join(map(str, info.archs))}")
    if described is not None:
        from ._description import apply, parse_description

        info = apply(info, source.description or parse_description(where, described), where)
    return SourceModule(where, files, info)


def read_module(source: Source, arch: Arch | None = None) -> SourceModule:
    """Read and parse a module; of a bundle that for `arch`, or else the first."""
    return parse_module(read_files(source, exactly(arch) if arch else lambda _, archs: archs[0]))


def stated_archs(source: SourceFiles) -> tuple[Arch, ...]:
    """The archs that can run a module, by a quick look at its files."""
    if source.arch is not None:
        return (source.arch,)
    if LLVM_METADATA in source.contents:
        from ._llvm import archs

        return archs(source.contents)
    return tuple(arch for arch in Arch if not arch.is_llvm)


def inspect(source: Source, arch: Arch | str | None = None) -> ModuleInfo:
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
    from ._container import is_bundle, open_source

    arch = None if arch is None else Arch(arch)
    with open_source(source) as container:
        if not is_bundle(container):
            info = parse_module(SourceFiles(container.where, container.read_module())).info
            if arch is not None and info.archs and arch not in info.archs:
                compiled = " or ".join(map(str, info.archs))
                raise IncompatibleModuleError(f"{container.where} was compiled for {compiled}, not for {arch}")
            return info
        from ._bundle import inspect_all, read_bundle

        bundle = read_bundle(container)
        if arch is None:
            return inspect_all(bundle)
        return parse_module(bundle.read(exactly(arch)(container.where, tuple(bundle.entries)))).info
