"""The contents of a module or bundle, pickled with the functions of its kernels."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable
from typing import Any

from ..formats._bundle import read_bundle
from ..formats._container import is_bundle, open_source, pack_reproducible
from ..formats._source import Source, SourceFiles
from ..formats._stale import warn_if_stale
from ..values._errors import InvalidStateError

__all__ = ["Code", "another_version", "intern_code", "known_code", "read_code", "this_version"]


class Code:
    """A module or bundle; in one process, equal contents are one object.

    Attributes
    ----------
    digest : str
        SHA-256 of the names and contents of its files, in hexadecimal.
    data : bytes
        An archive of the files.
    functions : dict
        The functions of its kernels, by kernel and options: unpickling a function again returns the same object.
    """

    __slots__ = ("__weakref__", "data", "digest", "functions")
    digest: str
    data: bytes
    functions: dict[Hashable, Any]

    def __init__(self, digest: str, data: bytes) -> None:
        self.digest = digest
        self.data = data
        self.functions = {}

    def __reduce__(self) -> tuple[Callable[[str, bytes], Code], tuple[str, bytes]]:
        return intern_code, (self.digest, self.data)


_known: weakref.WeakValueDictionary[str, Code] = weakref.WeakValueDictionary()  # by digest


def intern_code(digest: str, data: bytes) -> Code:
    """Return this process's object for these contents; create it if necessary."""
    return _known.get(digest) or _known.setdefault(digest, Code(digest, data))


def known_code(digest: str) -> Code | None:
    """Return this process's object for the contents with that digest, or None."""
    return _known.get(digest)


def this_version() -> str:
    """Return the version of this package, which is pickled with functions."""
    import taichi_aot

    return taichi_aot.__version__


def another_version(name: str, version: str) -> RuntimeError:
    """Return the exception for calling a function that another version pickled.

    Unpickling itself never raises: a Dask worker that cannot read a message neither answers nor ends.
    """
    return InvalidStateError(
        f"{name}() was pickled by taichi_aot {version}, and this process has {this_version()}: install one version in "
        "all processes"
    )


def read_code(source: Source) -> Code:
    """Read the contents of a folder, an archive or bytes; warn if the source of a bundle has changed.

    Raises
    ------
    FileNotFoundError, TypeError, CorruptedDataError
        As for `inspect`.
    """
    with open_source(source) as container:
        if is_bundle(container):
            warn_if_stale(source, read_bundle(container).origin)
        files = {name: container.read(name) for name in container.names}
        # The modules in a bundle are compressed already.
        data = pack_reproducible(files, stored=is_bundle(container))
    return intern_code(SourceFiles(container.where, files).digest.hex(), data)
