"""Where modules come from: paths and bytes, and the files as read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..values._enums import Arch
from ..values._errors import IncompatibleModuleError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typing_extensions import Buffer

    from ._description import Description
    from ._origin import Origin

__all__ = ["GFX_ARCHS", "Choose", "Source", "SourceFiles", "exactly"]

Source: TypeAlias = "str | os.PathLike[str] | os.PathLike[bytes] | Buffer"
Choose: TypeAlias = "Callable[[str, Sequence[Arch]], Arch]"  # picks an arch of a bundle, which the text names

GFX_ARCHS = (Arch.VULKAN, Arch.OPENGL, Arch.METAL, Arch.GLES)  # they take the same modules


class SourceFiles(NamedTuple):
    """The files of a module as read, its name for messages, and of one in a bundle its arch, description and origin."""

    where: str
    contents: dict[str, bytes]
    arch: Arch | None = None
    description: Description | None = None
    origin: Origin | None = None

    @property
    def digest(self) -> bytes:
        """SHA-256 of names and contents."""
        import hashlib

        digest = hashlib.sha256()
        for name in sorted(self.contents):
            digest.update(f"{name}\0{len(self.contents[name])}\0".encode(errors="surrogateescape"))
            digest.update(self.contents[name])
        return digest.digest()


def exactly(arch: Arch, available: Callable[[], Sequence[Arch]] = tuple) -> Choose:
    """Pick this arch; `available` returns those of the machine, one of which the message of the error recommends.

    A gfx arch that the bundle does not have takes the module of another: SPIR-V states no arch, and whether a device
    can run it is checked when it is loaded.
    """

    def choose(where: str, archs: Sequence[Arch]) -> Arch:
        if arch in archs:
            return arch
        others = [other for other in archs if {arch, other}.issubset(GFX_ARCHS)]
        if others:
            return others[0]
        names = ", ".join(map(str, archs))
        usable = next((f", or use arch {str(other)!r}" for other in available() if other in archs), "")
        raise IncompatibleModuleError(
            f"{where} has modules for {names} and none for {arch}: add one with taichi-aot build or taichi-aot bundle"
            f"{usable}"
        )

    return choose
