"""The contents of a module or bundle, which travel with the functions of its kernels."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable
from typing import Any

from ..formats._container import is_bundle, open_source, pack_reproducible
from ..formats._source import Source, SourceFiles

__all__ = ["Code", "another_version", "intern_code", "known_code", "read_code", "this_version"]


class Code:
    """A module or bundle: one object for equal contents in a process.

    Attributes
    ----------
    digest : str
        SHA-256 of the names and contents of its files, in hexadecimal.
    data : bytes
        An archive of them.
    functions : dict
        The functions of its kernels, by what distinguishes them: what is unpickled again is the same object.
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
    """The object of this process for the contents with that digest."""
    return _known.get(digest) or _known.setdefault(digest, Code(digest, data))


def known_code(digest: str) -> Code | None:
    """The contents with that digest, if this process has them."""
    return _known.get(digest)


def this_version() -> str:
    """The version of this package, which travels with functions."""
    import taichi_aot

    return taichi_aot.__version__


def another_version(name: str, version: str) -> RuntimeError:
    """What a function raises that another version has pickled, when it is called.

    Unpickling itself never raises: a worker of Dask that cannot read a message neither answers nor ends.
    """
    return RuntimeError(
        f"{name}() was pickled by taichi_aot {version}, and this process has {this_version()}: install one version in "
        "all processes"
    )


def read_code(source: Source) -> Code:
    """The contents of a folder, an archive or bytes.

    Raises
    ------
    FileNotFoundError, TypeError, CorruptedDataError
        As for `inspect`.
    """
    with open_source(source) as container:
        files = {name: container.read(name) for name in container.names}
        # In the files of a bundle the modules are compressed already.
        data = pack_reproducible(files, stored=is_bundle(container))
    return intern_code(SourceFiles(container.where, files).digest.hex(), data)
