"""Where modules come from: paths and bytes, and the files as read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..values._enums import Arch
from ..values._errors import CorruptedDataError, IncompatibleModuleError
from ._formats import sha256

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typing_extensions import Buffer

    from ._origin import Origin

Source: TypeAlias = "str | os.PathLike[str] | os.PathLike[bytes] | Buffer"
Choose: TypeAlias = "Callable[[str, Sequence[Arch]], Arch]"  # picks an arch of a bundle, which the text names

GFX_ARCHS = (Arch.VULKAN, Arch.OPENGL, Arch.METAL, Arch.GLES)  # they take the same modules
MACHINE_CODE = {Arch.ARM64: Arch.X64}  # archs, and those whose modules may have machine code for them


class Files(Mapping[str, bytes]):
    """The files of a module by name, equal if their contents are; those of an archive are decompressed on access."""

    __slots__ = ("_archive", "_folder", "_read", "sizes")

    def __init__(
        self,
        sizes: dict[str, int],
        read: Callable[[Sequence[str]], dict[str, bytes]],
        archive: bytes = b"",
        folder: str = "",
    ) -> None:
        self.sizes: dict[str, int] = sizes  # the size of each file in bytes
        self._read = read  # returns the contents of files by name
        self._archive = archive  # the archive that has them
        self._folder = folder  # the folder that they were read from, for messages

    @classmethod
    def of(cls, files: Mapping[str, bytes], folder: str = "") -> Files:
        sizes = {name: len(data) for name, data in files.items()}
        return cls(sizes, lambda names: {name: files[name] for name in names}, folder=folder)

    def only(self, names: Iterable[str]) -> Files:
        """Those of these names."""
        sizes = {name: self.sizes[name] for name in names if name in self.sizes}
        return Files(sizes, self._read, self._archive, self._folder)

    @property
    def is_folder(self) -> bool:
        """Whether they were read from a folder, and so have no checksums."""
        return bool(self._folder)

    @property
    def digest(self) -> bytes:
        """SHA-256 of names and contents."""
        digest = sha256()
        for name in sorted(self):
            digest.update(f"{name}\0{self.sizes[name]}\0".encode(errors="surrogateescape"))
            digest.update(self[name])
        return digest.digest()

    def __getitem__(self, name: str) -> bytes:
        size = self.sizes[name]  # a KeyError for other names of the archive
        return self._read((name,))[name] if size else b""

    def read(self, names: Sequence[str]) -> dict[str, bytes]:
        """The contents of several files, which takes less than one by one."""
        full = [name for name in names if self.sizes[name]]
        return {**dict.fromkeys(names, b""), **self._read(full)}

    def __contains__(self, name: object) -> bool:
        return name in self.sizes

    def __iter__(self) -> Iterator[str]:
        return iter(self.sizes)

    def __len__(self) -> int:
        return len(self.sizes)

    def __eq__(self, other: object) -> bool:
        if type(other) is not Files or self.sizes != other.sizes:
            return False
        is_same_archive = bool(self._archive) and self._archive == other._archive
        return is_same_archive or all(self[name] == other[name] for name in self)

    __hash__ = None  # type: ignore[assignment]


class SourceFiles(NamedTuple):
    """The files of a module as read, its name for messages, and of one in a bundle its arch and origin."""

    where: str
    contents: Files
    arch: Arch | None = None
    origin: Origin | None = None

    def check_archs(self, archs: Sequence[str]) -> None:
        """Raise CorruptedDataError if a bundle states another arch than the module, which is for these if for any."""
        if self.arch and archs and str(self.arch) not in archs:
            raise CorruptedDataError(f"{self.where} is compiled for {' or '.join(archs)}")

    def require(self, archs: Sequence[Arch], wanted: Arch | None) -> None:
        """Raise IncompatibleModuleError if it is no part of a bundle, and is for these archs without the wanted one."""
        if wanted and archs and not self.arch and wanted not in archs:
            compiled = " or ".join(map(str, archs))
            raise IncompatibleModuleError(f"{self.where} was compiled for {compiled}, not for {wanted}")


def code_digest(data: bytes) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    return sha256(data).hexdigest()


def check_digest(name: str, data: bytes, digest: str, where: str) -> None:
    """Raise CorruptedDataError if a file does not have the digest that another one, `where`, states."""
    if code_digest(data) != digest:
        raise CorruptedDataError(f"{name} has another digest than {where} states: copy or build the module again")


def exactly(arch: Arch, available: Callable[[], Sequence[Arch]] = tuple) -> Choose:
    """Pick this arch. `available` returns the machine's archs; the error recommends one of them.

    A gfx arch that the bundle does not have takes the module of another: SPIR-V states no arch, and whether a device
    can run it is checked when it is loaded. An arm64 machine takes the module for x64 in the same way.
    """

    def choose(where: str, archs: Sequence[Arch]) -> Arch:
        if arch in archs:
            return arch
        others = [other for other in archs if {arch, other}.issubset(GFX_ARCHS)]
        others += [other for other in archs if other is MACHINE_CODE.get(arch) and {arch}.issubset(available())]
        if others:
            return others[0]
        names = ", ".join(map(str, archs))
        usable = next((f", or use arch {str(other)!r}" for other in available() if other in archs), "")
        is_elsewhere = arch.is_cpu and arch not in available()
        needed = ",".join(map(str, [arch] if is_elsewhere else [*archs, arch]))
        command = f"taichi-aot build --arch {needed}{f' on an {arch} machine' * is_elsewhere}"
        raise IncompatibleModuleError(
            f"{where} has modules for {names} and none for {arch}: add one with {command}, or with taichi-aot bundle"
            f"{usable}"
        )

    return choose
