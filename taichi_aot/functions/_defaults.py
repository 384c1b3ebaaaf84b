"""What the functions of a process share: the contents of modules, and the default runtimes."""

from __future__ import annotations

import atexit
import hashlib
import os
import sys
import threading
import weakref
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..backends._devices import ArchLike, choose_device
from ..bundle._files import Files, Source, is_bundle, open_source, pack_reproducible
from ..bundle._plan import Plan, SourceFiles, read_bundle, read_modules, warn_if_stale
from ..handles._runtime import seed_of
from ..kernels._loading import load_files, plan_of
from ..kernels._module import AotModule
from ..runtime._runtime import Runtime
from ..values._errors import InvalidStateError
from ..values._numbers import Arch, as_integer
from ._arrays import Arrays

if TYPE_CHECKING:
    from ..handles._runtime import SeedKey

# The contents of a module or bundle, pickled with the functions of its kernels.


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
    files[0].require(plans[0].info.archs, arch)
    return plans


# The default runtimes of a process: `default_runtime`.


class Default:
    """A default runtime, with the modules and the arrays of functions."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.arrays = Arrays(runtime)
        # By digest. Keeping the Code keeps its functions alive as long as the module is loaded.
        self._modules: dict[str, tuple[AotModule, Code]] = {}

    def module(self, code: Code, files: SourceFiles, plan: Plan | None = None) -> AotModule:
        """Return the module with these contents; load it if necessary."""
        with _process.lock:
            known = self._modules.get(code.digest)
            if known is None or known[0].closed:
                handle = self.runtime._handle
                module = AotModule(self.runtime, load_files(handle, self.runtime.capabilities, files, plan))
                known = self._modules[code.digest] = module, code
            return known[0]


class _Process:
    """The default runtimes of this process."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.defaults: dict[tuple[Arch, int, SeedKey | None], Default] = {}
        self.exiting = False

    def at_exit(self) -> None:
        self.exiting = True
        for known in list(self.defaults.values()):
            known.runtime.close()
        self.defaults.clear()

    def after_fork_in_child(self) -> None:
        self.lock = threading.RLock()  # another thread of the parent may have held it
        self.defaults = {}


_process = _Process()
atexit.register(_process.at_exit)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_process.after_fork_in_child)


def default(arch: ArchLike | None, device: int | None, seed: SeedKey | None = None) -> Default:
    """Return the default runtime on a device with its modules and arrays, or that of a seed; create it if necessary."""
    place = choose_device(arch, 0 if device is None else as_integer(device, "device"))
    key = *place, seed
    with _process.lock:
        known = _process.defaults.get(key)
        if known is None or known.runtime.closed:
            if _process.exiting:
                raise InvalidStateError("the interpreter is exiting, and the default runtimes are closed")
            known = _process.defaults[key] = Default(Runtime(*place, seed=None if seed is None else seed_of(seed)))
        return known


def default_runtime(arch: ArchLike | None = None, device: int | None = None) -> Runtime:
    """Return this process's shared runtime on a device, in which `function` launches.

    The first call creates it, and later calls return the same one. Any thread may use it. It is closed when the
    interpreter exits; if it was closed before, the next call creates another. A forked child has its own.

    Parameters
    ----------
    arch : Arch, str or DeviceInfo, optional
        Backend or device, as for `Runtime`; by default the best device.
    device : int, optional
        Index of the device in the backend's `devices`, like `Runtime`'s `device_index`; by default the first.

    Raises
    ------
    NotSupportedError, ValueError, LibraryNotFoundError, CorruptedDataError, OSError
        As for `Runtime`.
    RuntimeError
        If the interpreter is exiting.

    Examples
    --------
    >>> a = default_runtime("x64").asarray([1.0, 2.0], "f32")
    >>> a.runtime is default_runtime("x64")
    True
    """
    return default(arch, device).runtime
