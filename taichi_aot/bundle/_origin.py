"""How a bundle was built: its source, and the command that builds it again.

The bundles of `taichi_aot.build` state it in ``bundle.json`` under ``"build"``. At most, wrong statements cause a wrong
warning: the contents of the bundle do not depend on them.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from ..values._errors import CorruptedDataError, StaleBundleWarning, warn_caller
from ._formats import sha256

BUILD = "build"  # the key in bundle.json
FORM = {"folder": str, "files": list, "options": list, "outputs": dict}
MAX_BYTES = 1 << 24  # of a source; larger ones are not read
MAX_FILES = 1000
_warned: set[tuple[str, str]] = set()  # paths of bundles, and digests of their sources


class Origin(NamedTuple):
    """How a bundle was built."""

    sha256: str  # the digest of the source, in hexadecimal digits
    archs: tuple[str, ...]  # the archs in the bundle
    folder: str  # the folder of the source relative to that of the bundle, with slashes
    files: tuple[str, ...]  # the source and the files that it imports, relative to `folder`, in the order of the digest
    options: tuple[str, ...] = ()  # options of ``taichi-aot build``, without the archs and files
    # Other files that the build wrote by the option that names them, relative to the folder of the bundle.
    outputs: Mapping[str, str] = {}

    def to_dict(self) -> dict[str, Any]:
        """The statement in ``bundle.json``, which has the digest and the archs elsewhere."""
        return {key: kind(getattr(self, key)) for key, kind in FORM.items()}

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any], sha256: str, archs: Sequence[str], where: str) -> Origin:
        """Read the statement in ``bundle.json``, which `where` names; CorruptedDataError if it is damaged."""
        if {key: type(value) for key, value in raw.items()} != FORM or not raw["files"]:
            raise CorruptedDataError(f"{where}.{BUILD} has other parts than a build states")
        folder, files, options, outputs = (raw[key] for key in FORM)
        paths = [folder, *files, *outputs.values()]
        texts = [*paths, *options, *outputs]
        if not {str}.issuperset(map(type, texts)) or not all(map(str.isprintable, texts)):
            raise CorruptedDataError(f"{where}.{BUILD} has a value that is not a printable text")
        if any(map(os.path.isabs, paths)):
            raise CorruptedDataError(f"{where}.{BUILD} has a path that is not relative")
        return cls(sha256, tuple(archs), folder, tuple(files), tuple(options), outputs)

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
