"""Bundles (``.tib``): one archive with a source's modules for several archs, and their common description.

``bundle.json`` is the description as `_description` has it, under ``"archs"`` the archive of each arch with its digest,
and under ``"build"`` how `taichi_aot.build` built it.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple, cast

from ..values._enums import Arch
from ..values._errors import CorruptedDataError
from ._container import Container, open_source
from ._description import Description, parse_description, parse_with
from ._files import DESCRIPTION
from ._origin import BUILD, SCHEMA, Origin
from ._schema import Schema, conform, mismatch, text
from ._source import SourceFiles, check_digest

__all__ = ["Bundle", "read_bundle"]

NAMES = {str(each): each for each in Arch}


class Entry(NamedTuple):
    """The archive of an arch: its name in the bundle, and its SHA-256 in hexadecimal digits."""

    file: str
    sha256: str


class Bundle(NamedTuple):
    """An open bundle: its container, its description, the archive of each arch, and its origin, if it states one."""

    container: Container
    description: Description
    entries: dict[Arch, Entry]
    origin: Origin | None

    def read(self, arch: Arch) -> SourceFiles:
        """The files of the module for an arch, and of no other.

        Raises
        ------
        CorruptedDataError
            If its archive is missing or damaged, or if its description is not that of the bundle.
        """
        entry, where = self.entries[arch], self.container.where
        if entry.file not in self.container.names:
            raise CorruptedDataError(f"{where}: the archive {entry.file!r} is missing")
        data = self.container.read(entry.file)
        check_digest(f"{where}: {entry.file!r}", data, entry.sha256, DESCRIPTION)
        with open_source(bytearray(data)) as inner:
            files = SourceFiles(f"{where} ({arch})", inner.read_module(), arch, self.description, self.origin)
        if parse_description(files.where, files.contents.get(DESCRIPTION, b"")) != self.description:
            raise CorruptedDataError(f"{files.where} has another {DESCRIPTION} than the bundle")
        return files


def read_bundle(container: Container) -> Bundle:
    """Read what a bundle states of its modules, without a look at them.

    Raises
    ------
    CorruptedDataError, IncompatibleModuleError
        If its description is damaged or was written by a newer version of this package.
    """
    where = container.where
    description, raw = parse_with(where, container.read(DESCRIPTION), {"archs": _archs}, {BUILD: SCHEMA})
    entries = {NAMES[name]: Entry(**entry) for name, entry in raw["archs"].items()}
    origin = Origin.from_dict(raw[BUILD], description.source_sha256, list(raw["archs"])) if BUILD in raw else None
    return Bundle(container, description, entries, origin)


def _archs(value: Any, where: str) -> None:
    if not isinstance(value, dict) or not value or not value.keys() <= NAMES.keys():
        raise mismatch(where, f"an object with some of the keys {', '.join(NAMES)}", value)
    entry: Schema = {"file": _file, "sha256": _digest}
    for name, part in cast("dict[str, Any]", value).items():
        conform(part, entry, f"{where}.{name}")


def _file(value: Any, where: str) -> None:
    text(value, where)
    if not re.fullmatch(r"\w{1,40}\.tcm", value):
        raise mismatch(where, "the name of a .tcm archive", value)


def _digest(value: Any, where: str) -> None:
    text(value, where)
    if not re.fullmatch("[0-9a-f]{64}", value):
        raise mismatch(where, "a SHA-256 digest", value)
