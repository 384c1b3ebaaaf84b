"""Functions on a Dask cluster: each worker loads their modules before the first task, and uses its own GPU.

This module needs ``pip install 'dask[array]' distributed``. A `Function` also works on a cluster without this module.
"""

from __future__ import annotations

import errno
import itertools
import os
import socket
import sys
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from dask.tokenize import tokenize
from distributed import Client
from distributed.diagnostics.plugin import WorkerPlugin

from ..backends._devices import visible_devices
from ..driver._child import call
from ..driver._gpus import VISIBLE_DEVICE, count_cuda_devices, has_cuda_driver
from ..functions._defaults import another_version, known_code, this_version
from ..functions._function import Function, Options
from ..values._errors import ArgumentTypeError, InvalidStateError, describe
from ..values._numbers import Arch

if TYPE_CHECKING:
    from distributed import Worker

__all__ = ["PreloadPlugin", "PreloadedFunction", "preload"]

CUDA_VARIABLE = "CUDA_VISIBLE_DEVICES"
TIMEOUT = 60.0  # seconds to count the GPUs


def preload(client: Client, function: Function | PreloadedFunction) -> PreloadedFunction:
    """Load the module of a function in all workers of a cluster, including those that join later.

    Registers a `PreloadPlugin` with the client.

    Parameters
    ----------
    client : distributed.Client
        A synchronous client. With an asynchronous one, ``await client.register_plugin(plugin)`` registers a
        `PreloadPlugin`.
    function : Function or PreloadedFunction
        A function that `taichi_aot.function` created, or a preloaded one whose module this process has.

    Returns
    -------
    PreloadedFunction
        The same function for tasks of this cluster. Its pickle has the module's digest instead of the module.

    Raises
    ------
    TypeError
        If `client` is not a client or is asynchronous, or `function` is not a function.
    RuntimeError
        If a worker has another version of this package, or this process does not have the module of a preloaded
        function.
    Exception
        Any error that the first call of the function would raise in a worker.

    Examples
    --------
    >>> import distributed
    >>> f = taichi_aot.function("saxpy.tcm", "saxpy", out="y", arch="x64")
    >>> with distributed.Client(processes=False, dashboard_address=":0") as client:
    ...     saxpy = preload(client, f)
    ...     print(client.submit(saxpy, 2.0, np.float32([1, 2]), np.float32([1, 1])).result())
    [3. 5.]
    """
    if not isinstance(client, Client):
        raise ArgumentTypeError(f"client must be a distributed.Client, not {describe(client)}")
    if client.asynchronous:
        raise ArgumentTypeError(
            "client must not be asynchronous: make plugin = PreloadPlugin(function), "
            "`await client.register_plugin(plugin)`, and use plugin.function"
        )
    plugin = PreloadPlugin(function)
    client.register_plugin(plugin)
    return plugin.function


class PreloadPlugin(WorkerPlugin):
    """A plugin for Dask workers that loads the module of a function before the first task.

    If the worker process sees several GPUs, it also chooses one of them: it sets ``CUDA_VISIBLE_DEVICES`` and, for
    Vulkan, ``TI_VISIBLE_DEVICE``. While GPUs remain, this user's workers on a host choose different ones. The choice
    does not affect drivers that the process has used before. Workers choose GPUs only on Linux.

    Parameters
    ----------
    function : Function or PreloadedFunction
        As for `preload`.

    Attributes
    ----------
    function : PreloadedFunction
        The function for tasks.
    name : str
        A name made from the module's contents, the kernel and the options: Dask keeps one plugin per name.

    Raises
    ------
    TypeError, RuntimeError
        As for `preload`.

    Examples
    --------
    >>> import distributed
    >>> f = taichi_aot.function("saxpy.tcm", "saxpy", out="y", arch="x64")
    >>> plugin = PreloadPlugin(f)
    >>> with distributed.Client(processes=False, dashboard_address=":0") as client:
    ...     workers = client.register_plugin(plugin)
    ...     print(client.submit(plugin.function, 2.0, np.float32([1]), np.float32([1])).result())
    [3.]
    """

    function: PreloadedFunction
    idempotent = True
    name: str

    def __init__(self, function: Function | PreloadedFunction) -> None:
        if isinstance(function, PreloadedFunction):
            function = function._find("preload the Function that taichi_aot.function() made")
        if not isinstance(function, Function):
            raise ArgumentTypeError(f"function must be a taichi_aot.Function, not {describe(function)}")
        self._module = function  # it has the bytes of the module, and `function` only the digest
        key = function.digest, function.kernel, tuple(function._options)
        self.function = PreloadedFunction._restore(this_version(), *key)
        self.function._function = function  # or this process forgets the module
        self.name = f"taichi_aot-{function.kernel}-{tokenize(self.function)}"

    def setup(self, worker: Worker) -> None:
        """Choose a GPU and load the module. Dask calls this in each worker."""
        choose_gpu()
        self._module._load()


class PreloadedFunction:
    """A function that is pickled with its module's digest, for workers with the module. `preload` returns it.

    Call it like the `Function`. A process without the module raises RuntimeError.

    Examples
    --------
    >>> import pickle
    >>> f = taichi_aot.function("saxpy.tcm", "saxpy", out="y", arch="x64")
    >>> preloaded = PreloadPlugin(f).function
    >>> preloaded
    <PreloadedFunction saxpy>
    >>> len(pickle.dumps(preloaded)) < len(pickle.dumps(f)) / 4
    True
    """

    __slots__ = ("__weakref__", "_function", "_key", "_version")
    _function: Function | None
    _key: tuple[str, str, tuple[Any, ...]]  # digest of the module, kernel, options
    _version: str

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise ArgumentTypeError("a PreloadedFunction is created by taichi_aot.interop.dask.preload()")

    @classmethod
    def _restore(cls, version: str, *key: Any) -> PreloadedFunction:
        """Return the unpickled function."""
        self = object.__new__(cls)
        self._version = version
        self._key = key
        self._function = None
        return self

    @property
    def __name__(self) -> str:
        return self._key[1]

    @property
    def digest(self) -> str:
        """The digest of the module: `Function.digest`."""
        return self._key[0]

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function as `Function.__call__` does. The process must have its module."""
        if self._function is None:
            self._function = self._find("call preload() with the client of this cluster")
        return self._function(*args, **kwargs)

    def _find(self, advice: str) -> Function:
        """Return this process's function; `advice` ends the error message if the module is missing."""
        digest, kernel, options = self._key
        if self._version != this_version():
            raise another_version(kernel, self._version)
        code = known_code(digest)
        function = code.functions.get((kernel, Options(*options))) if code else None
        if function is None:
            raise InvalidStateError(f"{kernel}(): this process does not have the module {digest[:12]}: {advice}")
        return cast("Function", function)

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, PreloadedFunction) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[Callable[..., PreloadedFunction], tuple[object, ...]]:
        return PreloadedFunction._restore, (self._version, *self._key)

    def __dask_tokenize__(self) -> tuple[object, ...]:
        return ("taichi_aot.PreloadedFunction", *self._key)

    def __repr__(self) -> str:
        return f"<PreloadedFunction {self.__name__}>"


@cache
def _worker_number() -> int:
    """Return the lowest number that no other worker of this user on this host has, and take it for this process."""
    # A socket's name belongs to one process. It is free again once the process has ended, even if it was killed.
    for number in itertools.count():
        with socket.socket(socket.AF_UNIX) as taken:
            try:
                taken.bind(f"\0taichi_aot-worker-{os.getuid()}-{number}")
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise
            else:
                taken.detach()  # so that it is never closed
                return number
    raise AssertionError


def choose_gpu() -> None:
    """Let this process see one of its GPUs, unless it sees only one."""
    if sys.platform != "linux":
        return
    cuda = _cuda_devices()
    if len(cuda) > 1:
        os.environ[CUDA_VARIABLE] = cuda[_worker_number() % len(cuda)]
    if VISIBLE_DEVICE not in os.environ:
        gpus = [device.index for device in visible_devices(Arch.VULKAN) if device.kind != "cpu"]
        if len(gpus) > 1:
            os.environ[VISIBLE_DEVICE] = str(gpus[_worker_number() % len(gpus)])


def _cuda_devices() -> list[str]:
    """Return the values of ``CUDA_VISIBLE_DEVICES`` that select one GPU each."""
    stated = os.environ.get(CUDA_VARIABLE)
    if stated is not None:
        return [name for name in stated.split(",") if name]
    # The driver reads the variable on its first call, so another process makes the call.
    if not has_cuda_driver():
        return []
    answer = call(count_cuda_devices, None, TIMEOUT).answer
    return [str(number) for number in range(answer or 0)]
