"""Where modules come from: the names of their files, the files as read, their identity, and how a bundle was built.

At most, wrong statements of a build cause a wrong warning: the contents of a bundle do not depend on them.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeAlias, cast

from ..values._errors import CorruptedDataError, IncompatibleModuleError, StaleBundleWarning, warn_caller
from ..values._numbers import Arch
from ._codec import DERIVED, Record, sha256

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typing_extensions import Buffer

LLVM_METADATA, GFX_METADATA = "metadata.tcb", "metadata.json"  # the file that determines the format
LLVM_GRAPHS, GFX_GRAPHS = "graphs.tcb", "graphs.json"
CODE_SUFFIX = ".ll"  # of a kernel of an LLVM module
DESCRIPTION = "bundle.json"  # beside the modules of a bundle
PLAN = "plan.json"  # beside the files of a module
LIBRARY = "library-"  # begins the names of files that only the library is given
OWN_CODE = "code-"  # begins those of SPIR-V in place of Taichi's
CONTENTS, CONTENTS_SUFFIX = "field-", ".bin"  # begin and end of those of the contents of fields
# The kinds of CPU that machine code is for: the levels of the x86-64 psABI; armv8-a; armv8.2-a with half precision.
NATIVE_TARGETS = ("x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64", "aarch64-v8.2")
NATIVE_CODE = {target: f"native-{target}.so" for target in NATIVE_TARGETS}
PTX_SUFFIX, CUBIN_SUFFIX = ".ptx", ".cubin"  # KERNEL.ptx, KERNEL.sm_90.cubin
ZIP_START = b"PK"  # of an archive
# Bytes of files in JSON, far above real ones: of modules, and beside them.
JSON_BYTES, DESCRIPTION_BYTES = 1 << 28, 1 << 26
OWN = {PLAN, DESCRIPTION, *NATIVE_CODE.values()}


def is_own_file(name: str) -> bool:
    """Whether a file of a module is this package's, and not Taichi's own."""
    return name in OWN or name.startswith((LIBRARY, OWN_CODE, CONTENTS)) or name.endswith((PTX_SUFFIX, CUBIN_SUFFIX))


def size_limit(name: str) -> int | None:
    """The most bytes of a file in JSON; None for other files."""
    if name == DESCRIPTION:
        return DESCRIPTION_BYTES
    return JSON_BYTES if name.endswith(".json") else None


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


MAX_BYTES = 1 << 24  # of a source; larger ones are not read
MAX_FILES = 1000
_warned: set[tuple[str, str]] = set()  # paths of bundles, and digests of their sources


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
    if len(files) > MAX_FILES:
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


Stamp: TypeAlias = "tuple[tuple[str, tuple[int, int, int, tuple[int, int]]], ...]"

# Files that were changed while they were read, or soon after with the same time, are read again.
SETTLED_NS = 2_000_000_000


def stamp_of(source: Source) -> Stamp | None:
    """The path of a module with the identities, sizes and times of its files, which change whenever one of them does.

    None for a module in memory, and for files that are missing or were changed in the last two seconds.
    """
    stamp = identity_of(source) if isinstance(source, str | os.PathLike) else None
    if stamp is None or max(max(times) for _, (*_, times) in stamp) > time.time_ns() - SETTLED_NS:
        return None
    return stamp


def identity_of(path: str | os.PathLike[str] | os.PathLike[bytes]) -> Stamp | None:
    """The path with the identities, sizes and times of its files, however young; None if a file is missing."""
    try:
        real = os.fsdecode(os.path.realpath(path))
        facts = {real: os.stat(real)}
        if stat.S_ISDIR(facts[real].st_mode):
            with os.scandir(real) as entries:
                facts |= {entry.name: entry.stat() for entry in entries}
    except (OSError, ValueError):
        return None
    return tuple(
        (name, (fact.st_dev, fact.st_ino, fact.st_size, (fact.st_mtime_ns, fact.st_ctime_ns)))
        for name, fact in sorted(facts.items())
    )
