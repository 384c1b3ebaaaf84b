"""The default runtimes of a process: `default_runtime`."""

from __future__ import annotations

import atexit
import os
import threading
from typing import TYPE_CHECKING

from ..backends._devices import ArchLike, choose_device
from ..bundle._plan import Plan
from ..bundle._source import SourceFiles
from ..handles._random import seed_of
from ..kernels.modules._loading import load_files
from ..kernels.modules._module import AotModule
from ..runtime._runtime import Runtime
from ..values._convert import as_integer
from ..values._enums import Arch
from ..values._errors import InvalidStateError
from ._arrays import Arrays
from ._code import Code

if TYPE_CHECKING:
    from ..handles._random import SeedKey


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
