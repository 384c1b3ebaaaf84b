"""Reads the files of modules, single ones and those in bundles."""

from __future__ import annotations

from ..values._enums import Arch
from ._bundle import read_bundle
from ._container import is_bundle, open_source
from ._origin import Origin
from ._source import Choose, Source, SourceFiles, exactly


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
