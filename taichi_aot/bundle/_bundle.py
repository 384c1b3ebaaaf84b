"""Bundles (``.tib``): one archive with a source's modules for several archs.

``bundle.json`` states under ``"archs"`` the archive of each arch with its digest, under ``"source"`` what the modules
were compiled from, and under ``"build"`` how `taichi_aot.build` built them.
"""

from __future__ import annotations

from ..values._errors import CorruptedDataError, IncompatibleModuleError, TaichiError
from ..values._numbers import Arch
from ._codec import DAMAGE, Record, damaged, decode, part, read_json
from ._container import Container, is_bundle, open_source
from ._info import SourceFile
from ._source import DESCRIPTION, Choose, Origin, Source, SourceFiles, exactly

FORMAT = 3


class Entry(Record):
    """The archive of an arch: its name in the bundle, and its SHA-256 in hexadecimal digits."""

    file: str
    sha256: str


class Manifest(Record):
    """What ``bundle.json`` states."""

    format: int
    source: SourceFile
    archs: dict[Arch, Entry]
    build: Origin | None = None

    def _check(self) -> None:
        if not self.archs:
            raise ValueError("it names no modules")


class Bundle(Record):
    """An open bundle: its container, the archive of each arch, and its origin, if it states one."""

    container: Container
    entries: dict[Arch, Entry]
    origin: Origin | None

    def read(self, arch: Arch) -> SourceFiles:
        """The files of the module for an arch, and of no other."""
        entry, container = self.entries[arch], self.container
        if entry.file not in container.names:
            raise CorruptedDataError(f"{container.where}: the archive {entry.file!r} is missing")
        with open_source(memoryview(container.read(entry.file)), f"{container.where} ({arch})") as inner:
            return SourceFiles(inner.where, inner.read_module(), arch, self.origin)


def read_bundle(container: Container) -> Bundle:
    """Read the manifest of a bundle, without its modules."""
    name = f"{container.where}: {DESCRIPTION}"
    try:
        raw = read_json(container.read(DESCRIPTION))
        number = part(raw, "format", int)
        if number != FORMAT:
            remedy = "update taichi-aot" if number > FORMAT else "build it again"
            raise IncompatibleModuleError(
                f"{name} has the format {number}, and this version of the package reads {FORMAT}: {remedy}"
            )
        stated = decode(Manifest, raw)
    except DAMAGE as error:
        if isinstance(error, TaichiError):
            raise
        raise CorruptedDataError(damaged(error).message(name)) from None
    origin = stated.build
    if origin is not None:
        origin = origin._replace(sha256=stated.source.sha256, archs=tuple(map(str, stated.archs)))
    return Bundle(container, stated.archs, origin)


def read_files(source: Source, choose: Choose) -> SourceFiles:
    """Read the files of a module, or of one of the modules of a bundle; see `inspect`.

    `choose` picks one of the archs of a bundle, and raises if it finds none; see `exactly`. Only that module is read.
    """
    with open_source(source) as container:
        if is_bundle(container):
            bundle = read_bundle(container)
            return bundle.read(choose(container.where, tuple(bundle.entries)))
        return SourceFiles(container.where, container.read_module())


def read_modules(source: Source, arch: Arch | None = None) -> tuple[SourceFiles, ...]:
    """Read the files of a module, or those of a bundle: of all its archs, or of one.

    `SourceFiles.require` raises for a single module that is not for `arch`.
    """
    with open_source(source) as container:
        if not is_bundle(container):
            return (SourceFiles(container.where, container.read_module()),)
        bundle = read_bundle(container)
        archs = tuple(bundle.entries)
        return tuple(map(bundle.read, archs if arch is None else [exactly(arch)(container.where, archs)]))


def read_origin(source: Source) -> Origin | None:
    """Read how a bundle was built; None for modules, and for bundles that do not state it."""
    with open_source(source) as container:
        return read_bundle(container).origin if is_bundle(container) else None
