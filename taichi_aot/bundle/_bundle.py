"""Bundles (``.tib``): one archive with a source's modules for several archs, and how it was built.

``bundle.json`` states under ``"archs"`` the archive of each arch with its digest, under ``"source"`` what the modules
were compiled from, and under ``"build"`` how `taichi_aot.build` built them. At most, wrong statements of a build cause
a wrong warning: the contents of a bundle do not depend on them.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from typing import Annotated, NamedTuple, TypeAlias, cast

from ..values._errors import (
    CorruptedDataError,
    IncompatibleModuleError,
    StaleBundleWarning,
    TaichiError,
    warn_caller,
)
from ..values._numbers import Arch
from ._codec import DAMAGE, DERIVED, Record, damaged, decode, part, read_json, sha256
from ._files import DESCRIPTION, Container, Files, Source, is_bundle, open_source
from ._info import SourceFile

Choose: TypeAlias = "Callable[[str, Sequence[Arch]], Arch]"  # picks an arch of a bundle, which the text names

GFX_ARCHS = (Arch.VULKAN, Arch.OPENGL, Arch.METAL, Arch.GLES)  # they take the same modules
MACHINE_CODE = {Arch.ARM64: Arch.X64}  # archs, and those whose modules may have machine code for them
MAX_BYTES = 1 << 24  # of a source; larger ones are not read
MAX_SOURCES = 1000
_warned: set[tuple[str, str]] = set()  # paths of bundles, and digests of their sources


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


class Origin(Record):
    """How a bundle was built. The manifest states the digest and the archs elsewhere."""

    folder: str  # the folder of the source relative to that of the bundle, with slashes
    files: tuple[str, ...]  # the source and the files that it imports, relative to `folder`, in the order of the digest
    options: tuple[str, ...]  # options of ``taichi-aot build``, without the archs and files
    # Other files that the build wrote by the option that names them, relative to the folder of the bundle.
    outputs: dict[str, str]
    sha256: Annotated[str, DERIVED] = ""  # the digest of the source, in hexadecimal digits
    archs: Annotated[tuple[str, ...], DERIVED] = ()  # the archs in the bundle

    def _check(self) -> None:
        paths = [self.folder, *self.files, *self.outputs.values()]
        if not self.files or not all(map(str.isprintable, [*paths, *self.options, *self.outputs])):
            raise ValueError("it has no files, or a value that is not a printable text")
        if any(map(os.path.isabs, paths)):
            raise ValueError("it has a path that is not relative")

    def is_stale(self, bundle: str) -> bool:
        """Whether the source exists, and differs from the one from which the bundle at this path was built."""
        folder = self._source_folder(bundle)
        if not os.path.lexists(os.path.join(folder, self.files[0])):  # as in an application without its sources
            return False
        return digest_of(folder, self.files) not in (None, self.sha256)

    def command(self, bundle: str) -> str:
        """Return the command that builds the bundle at this path again, for a shell in the current folder."""
        import shlex

        folder, main = self._source_folder(bundle), self.files[0]
        words = ["taichi-aot", "build"]
        if "/" in main:  # a module in a package, which is built by its name
            words.append(main.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        else:
            words.append(shown(os.path.join(folder, main)))
        words += ["--arch", ",".join(self.archs), *self.options]
        for option, path in self.outputs.items():
            words += [option, shown(os.path.join(os.path.dirname(bundle), path))]
        command = shlex.join([*words, "-o", shown(bundle)])
        if "/" not in main or os.path.realpath(folder) == os.getcwd():
            return command
        return f"PYTHONPATH={shlex.quote(shown(folder))} {command}"

    def _source_folder(self, bundle: str) -> str:
        return os.path.normpath(os.path.join(os.path.dirname(bundle), self.folder))


def digest_of(folder: str | os.PathLike[str], files: Sequence[str]) -> str | None:
    """Return the digest of a source, with any line ends, without waiting; None if it is too large or unreadable."""
    digest, left = sha256(), MAX_BYTES
    if len(files) > MAX_SOURCES:
        return None
    try:
        for name in files:
            with open(os.path.join(folder, name), "rb", opener=_open_now) as file:
                facts = os.fstat(file.fileno())
                if not stat.S_ISREG(facts.st_mode) or facts.st_size > left:
                    return None
                left -= facts.st_size
                digest.update(file.read(MAX_BYTES).replace(b"\r\n", b"\n"))
    except (OSError, ValueError):
        return None
    return digest.hexdigest()


def _open_now(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def shown(path: str) -> str:
    """Return a path relative to the current folder if it is inside, else absolute."""
    relative = os.path.relpath(os.path.abspath(path))
    if relative.startswith(os.pardir):
        return os.path.abspath(path)
    return os.path.join(os.curdir, relative) if relative.startswith("-") else relative  # not an option


def warn_if_stale(source: object, origin: Origin | None) -> None:
    """Warn if the source of a bundle has changed since it was built, once for each state of the bundle."""
    message = stale_message(source, origin)
    if message:
        warn_caller(message, StaleBundleWarning)


def stale_message(source: object, origin: Origin | None) -> str:
    """Return the text of the warning; empty without a reason, or after the first time."""
    if origin is None or not isinstance(source, str | os.PathLike):
        return ""
    try:
        path = os.path.abspath(os.fsdecode(cast("str | os.PathLike[str]", source)))
        key = path, origin.sha256
        if key in _warned or not origin.is_stale(path):
            return ""
        message = f"{shown(path)} is older than its source {origin.files[0]}; build it again: {origin.command(path)}"
    except (OSError, ValueError):  # such as a current folder that was deleted, or no relative path to another drive
        return ""
    _warned.add(key)
    return message


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
