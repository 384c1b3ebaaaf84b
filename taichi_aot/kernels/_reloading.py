"""Modules that follow their file (``reload=True``): a changed file replaces them between two launches.

The objects of such a module stay the same. A call looks at the file at most every `INTERVAL` seconds, in the thread of
the caller. All parts of the new module are made first: the kernels that the program has looked up, and a launch for
each bound one. If all of them fit, each object takes its new part in one assignment. So a launch in another thread uses
the old part or the new one, and keeps it alive until it returns.

As elsewhere, references go up only: objects keep the `Reloader`, which knows them weakly.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar, cast
from weakref import WeakKeyDictionary, WeakSet, ref

from ..bundle._files import Stamp, identity_of
from ..handles._runtime import RuntimeHandle
from ..values._errors import (
    ArgumentTypeError,
    IncompatibleModuleError,
    NotSupportedError,
    ReloadWarning,
    TaichiError,
    describe,
    warn_caller,
)
from ..values._signature import Signature
from ._kernel import ComputeGraph, Kernel
from ._launch import Launch
from ._module import AotModule
from ._sequence import LaunchSequence, Ramps

if TYPE_CHECKING:
    from ..bundle._files import Source
    from ._arguments import ArgumentLike
    from ._sequence import Bound, Iterations


INTERVAL = 0.2  # seconds

KernelOrGraph = TypeVar("KernelOrGraph", bound="Kernel | ComputeGraph")


def follow_file(source: Source, load: Callable[[str], AotModule], *, owns_runtime: bool = False) -> AotModule:
    """Load a module that follows its file; `load` loads the file at a path."""
    if not isinstance(source, str | os.PathLike):
        raise ArgumentTypeError(f"reload=True needs the path of a file, not {describe(source)}")
    path = os.path.abspath(os.fsdecode(source))
    stamp = identity_of(path)  # before the file is read, so that a later change is seen
    reloader = Reloader(path, stamp, load, load(path))
    return ReloadingModule._make(reloader, owns_runtime=owns_runtime)


class Reloader:
    """The state that the objects of a reloading module share."""

    def __init__(self, path: str, stamp: Stamp | None, load: Callable[[str], AotModule], plain: AotModule) -> None:
        self.plain = plain  # the module as loaded, which makes kernels and does not keep them
        self.lock = threading.RLock()  # re-entrant: signal handlers launch too
        self.due = monotonic() + INTERVAL
        self.module: Callable[[], ReloadingModule | None] = lambda: None
        self._path = path
        self._load = load  # loads the file
        self._stamp = stamp  # the identity of the file that `plain` was loaded from
        self._refused = stamp  # that of a version that cannot be loaded; None of a missing file
        self._is_busy = False
        # With the names that `rename` gave their parameters.
        self._kernels: WeakKeyDictionary[Kernel | ComputeGraph, Sequence[str] | None] = WeakKeyDictionary()
        self._primals: WeakKeyDictionary[Kernel | ComputeGraph, str] = WeakKeyDictionary()  # names, of gradients
        self._launches: WeakSet[ReloadingLaunch] = WeakSet()
        _require_no_fields(plain)

    def create(self, kind: str, name: str) -> Any:
        """Create one of the ``"kernels"`` or ``"graphs"`` of the module that is loaded now."""
        self.plain._handle.require_open()  # before the lock, which a forked child may find taken for ever
        with self.lock:
            return self.follow(getattr(self.plain, kind)._create(name))

    def follow(self, kernel: KernelOrGraph, names: Sequence[str] | None = None) -> KernelOrGraph:
        """Let a kernel or graph follow the file; `names` are those that `rename` gave its parameters."""
        with self.lock:
            kernel._call = _Call(self, kernel._call)
            kernel._reloader = self
            self._kernels[kernel] = names
            return kernel

    def follow_gradient(self, gradient: Kernel, kernel: Kernel) -> None:
        """Let the gradient of a kernel follow the file."""
        with self.lock:
            self._primals[gradient] = kernel.signature.name
            self.follow(gradient, [parameter.name for parameter in gradient.signature.parameters])

    def bind(
        self, kernel: Kernel | ComputeGraph, args: Sequence[ArgumentLike], kwargs: Mapping[str, ArgumentLike]
    ) -> Launch:
        """Bind arguments to a kernel or graph."""
        self.plain._handle.require_open()
        with self.lock:
            launch = ReloadingLaunch._of(self, kernel, Launch._make(kernel._launcher, args, kwargs))
            self._launches.add(launch)
            return launch

    def sequence(self, runtime: RuntimeHandle, launches: tuple[Launch, ...]) -> LaunchSequence:
        """Create a sequence with launches that follow files."""
        return ReloadingSequence._of(runtime, launches)

    def look(self) -> None:
        """Check the file, unless another thread does; log and warn if the new version cannot be loaded."""
        if not self.lock.acquire(blocking=False):
            return
        try:
            self.due = monotonic() + INTERVAL
            stamp = identity_of(self._path)
            if self._is_busy or stamp == self._refused or self.plain.closed:
                return
            if stamp == self._stamp:  # a missing file is back
                self._refused = stamp
                return
            try:
                if stamp is None:
                    self._refused = None
                    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self._path)
                self._take_over(stamp)
                return
            except (TaichiError, OSError) as error:
                message = self._refusal(error)
        finally:
            self.lock.release()
        import logging

        logging.getLogger("taichi_aot").warning(message)  # each time: Python shows equal warnings once
        if stamp is not None:  # a missing file is waited for
            warn_caller(message, ReloadWarning)

    def reload(self) -> bool:
        """Load the file again if it has changed; return whether it has."""
        self.plain._handle.require_open()
        with self.lock:
            stamp = identity_of(self._path)
            if stamp is None:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self._path)
            if self._is_busy or stamp == self._stamp:
                return False
            try:
                self._take_over(stamp)
            except TaichiError as error:
                error.args = (self._refusal(error), *error.args[1:])
                raise
            return True

    def _refusal(self, error: Exception) -> str:
        what = "is missing" if isinstance(error, FileNotFoundError) else "has changed"
        return f"{self._path} {what}, and the old code stays in use: {error}"

    def _take_over(self, stamp: Stamp) -> None:
        self._is_busy = True
        try:
            new = self._load(self._path)
            self._replace(new)
        except (TaichiError, OSError):
            self._refused = stamp
            raise
        else:
            self._stamp = self._refused = stamp
        finally:
            self._is_busy = False
        import logging

        logging.getLogger("taichi_aot").info("%s has changed and replaces the module that ran", self._path)

    def _replace(self, new: AotModule) -> None:
        """Switch all objects to another module, after all its parts were created."""
        _require_no_fields(new)
        kernels = [
            (kernel, _successor(kernel, names, new, self._primals.get(kernel, "")))
            for kernel, names in list(self._kernels.items())
        ]
        launchers = {id(kernel): successor._launcher for kernel, successor in kernels}
        launches = [(each, each.current._again(launchers[id(each.kernel)])) for each in list(self._launches)]
        # From here on nothing fails. After an interrupt the file is loaded again, because its stamp is not recorded.
        self.plain = new
        for kernel, successor in kernels:
            kernel._launcher, kernel._bind = successor._launcher, successor._bind
            if isinstance(kernel, Kernel) and isinstance(successor, Kernel):
                kernel._adjoint = successor._adjoint
            cast("_Call", kernel._call).now = successor._call
        for launch, again in launches:
            launch._launcher, launch.current = again._launcher, again
        module = self.module()
        if module is not None:
            module._show(new)


def _require_no_fields(module: AotModule) -> None:
    if module.info.has_fields:
        raise NotSupportedError(
            "a module with fields cannot be reloaded, because a runtime has memory for the fields of one module: use "
            "ndarrays, or load the file into a new Runtime"
        )


def _successor(
    kernel: Kernel | ComputeGraph, names: Sequence[str] | None, new: AotModule, primal: str
) -> Kernel | ComputeGraph:
    """Return the kernel or graph of the same name and parameters in another module; `primal` is that of a gradient."""
    old, noun = kernel.signature, "kernel" if isinstance(kernel, Kernel) else "graph"
    items: Any = new.kernels if isinstance(kernel, Kernel) else new.graphs
    if (primal or old.name) not in items or (primal and not hasattr(items._create(primal), "grad")):
        raise IncompatibleModuleError(f"it has no {noun} {old.name!r}, which is in use")
    successor: Kernel | ComputeGraph = items._create(primal).grad if primal else items._create(old.name)
    if _types(old, named=names is None) != _types(successor.signature, named=names is None):
        raise IncompatibleModuleError(f"{noun} {old} is in use, and the file has {successor.signature}")
    return successor if names is None or isinstance(successor, ComputeGraph) else successor.rename(*names)


def _types(signature: Signature, *, named: bool) -> tuple[object, ...]:
    """Return what must stay: all but the stated shapes and the access to arrays, which bound launches check again."""
    kept = [each._replace(shape=(), access="", name=each.name if named else "") for each in signature.parameters]
    return *kept, signature.returns


class _Call:
    """The function behind a kernel's call, which checks the file first."""

    __slots__ = ("_reloader", "now")

    def __init__(self, reloader: Reloader, call: Callable[..., Any]) -> None:
        self._reloader = reloader
        self.now = call

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if monotonic() >= self._reloader.due:
            self._reloader.look()
        return self.now(*args, **kwargs)


class ReloadingLaunch(Launch):
    """A launch that follows the file of its kernel."""

    __slots__ = ("_reloader", "current", "kernel")
    _reloader: Reloader
    current: Launch  # the launch in the module that is loaded now
    kernel: Kernel | ComputeGraph  # the kernel, which must live as long as the launch to follow the file

    @classmethod
    def _of(cls, reloader: Reloader, kernel: Kernel | ComputeGraph, current: Launch) -> ReloadingLaunch:
        self = object.__new__(cls)
        self._reloader = reloader
        self._launcher = current._launcher
        self.kernel = kernel
        self.current = current
        return self

    def __call__(self) -> None:
        if monotonic() >= self._reloader.due:
            self._reloader.look()
        self.current()  # which lives until it has returned, even if it is replaced

    def result(self) -> Any:
        return self.current.result()

    def update(self, /, **arguments: ArgumentLike) -> None:
        with self._reloader.lock:  # so that no update is lost
            self.current.update(**arguments)

    def __repr__(self) -> str:
        return repr(self.current)


class ReloadingSequence(LaunchSequence):
    """A sequence with launches that follow files, which it checks before it runs."""

    __slots__ = ("_current", "_followed")
    _current: LaunchSequence
    _followed: tuple[Launch, ...]

    @classmethod
    def _of(cls, runtime: RuntimeHandle, launches: tuple[Launch, ...]) -> ReloadingSequence:
        self = object.__new__(cls)
        self._followed = launches
        self._runtime = runtime
        self._current = LaunchSequence._make(runtime, _current(launches))
        return self

    def __len__(self) -> int:
        return len(self._followed)

    def _launch(self, repeat: int, ramps: Ramps | None, bound: Bound | None) -> Iterations | None:
        now = monotonic()
        for launch in self._followed:
            if isinstance(launch, ReloadingLaunch) and now >= launch._reloader.due:
                launch._reloader.look()
        sequence, launches = self._current, _current(self._followed)
        if any(old is not new for old, new in zip(sequence._launches, launches, strict=True)):
            sequence = self._current = LaunchSequence._make(self._runtime, launches)
        return sequence._launch(repeat, ramps, bound)

    def __repr__(self) -> str:
        return repr(self._current)


def _current(launches: Sequence[Launch]) -> tuple[Launch, ...]:
    return tuple(each.current if isinstance(each, ReloadingLaunch) else each for each in launches)


class ReloadingModule(AotModule):
    """A module that follows its file."""

    __slots__ = ("_reloader",)
    _reloader: Reloader

    @classmethod
    def _make(cls, reloader: Reloader, *, owns_runtime: bool) -> ReloadingModule:
        self = object.__new__(cls)
        self._reloader = reloader
        self._owns_runtime = owns_runtime
        self._runtime = reloader.plain.runtime
        self._kernels, self._graphs = reloader.plain.kernels, reloader.plain.graphs  # of which nothing is created
        self._show(reloader.plain)
        reloader.module = ref(self)
        return self

    def _show(self, plain: AotModule) -> None:
        """Show the contents of a module; kernels and graphs that are looked up stay."""
        create = self._reloader.create
        self._kernels = plain._kernels._created_by(partial(create, "kernels"), self._kernels)
        self._graphs = plain._graphs._created_by(partial(create, "graphs"), self._graphs)
        self._fields = plain._fields
        self._handle = plain._handle
        self._info = plain._info

    def reload(self) -> bool:
        return self._reloader.reload()

    def close(self) -> None:
        if not self.closed:
            with self._reloader.lock:
                super().close()
