"""Bundles (``.tib``): one archive with a source's modules for several archs.

``bundle.json`` states under ``"archs"`` the archive of each arch with its digest, under ``"source"`` what the modules
were compiled from, and under ``"build"`` how `taichi_aot.build` built them.
"""

from __future__ import annotations

import json
from itertools import chain
from typing import Any, NamedTuple

from ..values._enums import Arch
from ..values._errors import CorruptedDataError, IncompatibleModuleError, TaichiError
from ._container import Container, open_source
from ._files import DESCRIPTION
from ._origin import BUILD, Origin
from ._plan import ARCHS, DAMAGE
from ._source import SourceFiles

FORMAT = 3


class Entry(NamedTuple):
    """The archive of an arch: its name in the bundle, and its SHA-256 in hexadecimal digits."""

    file: str
    sha256: str


class Bundle(NamedTuple):
    """An open bundle: its container, the archive of each arch, and its origin, if it states one."""

    container: Container
    entries: dict[Arch, Entry]
    origin: Origin | None

    def read(self, arch: Arch) -> SourceFiles:
        """The files of the module for an arch, and of no other."""
        entry, container = self.entries[arch], self.container
        if entry.file not in container.names:
            raise CorruptedDataError(f"{container.where}: the archive {entry.file!r} is missing")
        with open_source(bytearray(container.read(entry.file)), f"{container.where} ({arch})") as inner:
            return SourceFiles(inner.where, inner.read_module(), arch, self.origin)


def read_bundle(container: Container) -> Bundle:
    """Read the manifest of a bundle, without its modules."""
    name = f"{container.where}: {DESCRIPTION}"
    try:
        raw: Any = json.loads(container.read(DESCRIPTION))
        number = raw["format"]
        if type(number) is int and number != FORMAT:
            remedy = "update taichi-aot" if number > FORMAT else "build it again"
            raise IncompatibleModuleError(
                f"{name} has the format {number}, and this version of the package reads {FORMAT}: {remedy}"
            )
        entries = {ARCHS[arch]: Entry(entry["file"], entry["sha256"]) for arch, entry in raw["archs"].items()}
        digest = raw["source"]["sha256"]
        origin = Origin.from_dict(raw[BUILD], digest, list(raw["archs"]), name) if BUILD in raw else None
        if not entries or not {str}.issuperset(map(type, [digest, *chain(*entries.values())])):
            raise CorruptedDataError(f"{name} names no modules, or has digests that are no texts")
    except DAMAGE as error:
        if isinstance(error, TaichiError):
            raise
        raise CorruptedDataError(f"{name} is damaged ({type(error).__name__}: {str(error)[:200]})") from None
    return Bundle(container, entries, origin)
