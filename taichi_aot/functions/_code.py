"""The contents of a module or bundle, pickled with the functions of its kernels."""

from __future__ import annotations

import hashlib
import os
import sys
import threading
import weakref
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

from ..bundle._bundle import read_bundle, read_modules
from ..bundle._container import is_bundle, open_source, pack_reproducible
from ..bundle._origin import warn_if_stale
from ..bundle._plan import Plan
from ..bundle._source import Files, Source
from ..kernels.modules._loading import plan_of
from ..values._enums import Arch
from ..values._errors import InvalidStateError

# Picklers that write for processes of this machine only, in which this process is their parent.
LOCAL_PICKLERS = (
    "multiprocessing.reduction",  # and so concurrent.futures
    "loky.backend.reduction",
    "joblib.externals.loky.backend.reduction",
)


class Code:
    """A module or bundle, with an archive of its files; in one process, equal contents are one object."""

    __slots__ = ("__weakref__", "_data", "digest", "functions")

    def __init__(self, digest: str, data: bytes | None) -> None:
        self.digest = digest  # SHA-256 of the names and contents of its files, in hexadecimal
        self._data = data
        # The functions of its kernels, by kernel and options: unpickling a function again returns the same object.
        self.functions: dict[Hashable, Any] = {}
        _register_reference()

    @property
    def data(self) -> bytes:
        if self._data is None:
            raise InvalidStateError(
                f"the file with the module {self.digest[:12]} is missing: multiprocessing and joblib send modules to "
                "processes of the same machine, while the sender runs; for others send pickle.dumps(function)"
            )
        return self._data

    def __reduce__(self) -> tuple[Callable[..., Code], tuple[object, ...]]:
        _register_reference()  # such a pickler may have been imported since
        return intern_code, (self.digest, self.data)


_known: weakref.WeakValueDictionary[str, Code] = weakref.WeakValueDictionary()  # by digest


def intern_code(digest: str, data: bytes) -> Code:
    """Return this process's object for these contents; create it if necessary."""
    return _known.get(digest) or _known.setdefault(digest, Code(digest, data))


def _register_reference() -> None:
    """Make local picklers refer to a file, so that the bytes are not sent with every task."""
    for name in LOCAL_PICKLERS:
        register = getattr(sys.modules.get(name), "register", None)
        if register is not None:
            register(Code, _reduce_to_file)


def _reduce_to_file(code: Code) -> tuple[Callable[..., Code], tuple[object, ...]]:
    """Reduce to the name of a file in the temporary folder of multiprocessing.

    Only the user can access that folder. It exists until this process exits.
    """
    from multiprocessing.util import get_temp_dir

    data = code.data
    try:
        path = Path(get_temp_dir(), f"taichi_aot-{code.digest}")
        if not path.exists():
            part = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
            part.write_bytes(data)
            part.replace(path)
    except OSError:  # the disk is full, or the folder is gone
        return code.__reduce__()
    return _code_in_file, (code.digest, hashlib.sha256(data).digest(), str(path))


def _code_in_file(digest: str, checksum: bytes, path: str) -> Code:
    """Return this process's object for the contents in a file. A missing file raises only in calls, because a pool's
    worker that cannot read a task ends.
    """
    known = _known.get(digest)
    if known is not None:
        return known
    try:
        data = Path(path).read_bytes()
    except OSError:
        return Code(digest, None)
    return intern_code(digest, data) if hashlib.sha256(data).digest() == checksum else Code(digest, None)


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
    """Read the contents of a folder, an archive or bytes; warn if the source of a bundle has changed."""
    with open_source(source) as container:
        if is_bundle(container):
            warn_if_stale(source, read_bundle(container).origin)
        files = {name: container.read(name) for name in container.names}
        # The modules in a bundle are compressed already.
        data = pack_reproducible(files, stored=is_bundle(container))
    return intern_code(Files.of(files).digest.hex(), data)


def read_plans(code: Code, arch: Arch | None) -> list[Plan]:
    """Return what the contents of a function state: for all archs of a bundle, or for one."""
    files = read_modules(code.data, arch)
    plans = list(map(plan_of, files))
    files[0].require(plans[0].archs, arch)
    return plans
