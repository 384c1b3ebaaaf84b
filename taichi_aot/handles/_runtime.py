"""Handles of runtimes: states, ownership, finalizers, fork and exit; random numbers; bases of the public owners.

Ownership is structural. A handle keeps its parent's handle alive, so a parent's resource outlives those of its children
in every order of garbage collection. Public objects keep handles and do not have finalizers.

No lock is held while Python code runs. Each operation is one call into C, which takes the mutex of the context, does
the operation, and notes it in a struct that Python already holds (see ``_c/taichi_aot.h``). A signal handler, a
finalizer, another thread or an exception may therefore interrupt between any two bytecodes.

A finalizer may run in any thread. It never waits for another thread: a resource that it cannot release at once is
appended to `RuntimeHandle.release_queue`, which the next operation on the runtime drains.

Taichi's generator of random numbers is xorshift128. On the CPU each group of a loop's tasks has a state of its own, so
the numbers do not depend on the threads (``pool.c``); on CUDA each thread of a launch has one. On SPIR-V a thread makes
its state at the start of a task, of its number and of two words: how many tasks have drawn, and one that a seed sets.
"""

from __future__ import annotations

import atexit
import os
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from math import inf
from numbers import Real
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol, TypeAlias, TypeVar

import numpy as np

from ..driver._host import MOST_THREADS
from ..driver._library import RLock, Status, address_of, error_of, ffi, lib, log_failure
from ..values._errors import (
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    ErrorCode,
    ObjectStateError,
    WaitTimeoutError,
    describe,
    short,
    with_article,
)
from ..values._items import is_absent
from ..values._numbers import Arch

if TYPE_CHECKING:
    from collections.abc import Sequence

    # the public names, for annotations: the classes are in higher folders
    from .. import NdArray as NdArray
    from .. import Runtime as Runtime
    from .._capi import taichi_aot_context_p, taichi_aot_module_p, taichi_aot_runtime_p

    SeedLike: TypeAlias = int | Sequence[int] | np.random.SeedSequence
    SeedKey: TypeAlias = tuple[int | tuple[int, ...], tuple[int, ...], int]

SCRAMBLE = 123456789 * 1000000007 & 0xFFFFFFFF
WORDS = 4  # of a state; a lock follows them


class RandomNumbers:
    """The seed of a runtime, and the states that its code draws from.

    `follow`: functions that rewrite states that exist; they take this object, so that they need not keep it alive.
    """

    seed: np.random.SeedSequence | None = None  # None: that of the JIT
    cuda: Any = None  # what `_ptx` keeps on the device
    follow: tuple[Callable[[RandomNumbers], object], ...] = ()
    _host: Any = None
    _cell: Any = None

    def start(self, seed: np.random.SeedSequence) -> None:
        """Begin again, from a seed."""
        self.seed = seed
        for rewrite in self.follow:
            rewrite(self)

    def start_by_default(self, seed: int) -> None:
        """Begin from the seed of a module, unless there is one; 0 is Taichi's default."""
        if self.seed is None and seed:
            self.start(np.random.SeedSequence(abs(seed), spawn_key=(seed < 0,)))

    def host_states(self) -> int:
        """Return the address of the states on the CPU, which live as long as this object."""
        if self._host is None:
            self._host = ffi.from_buffer(bytearray(self.states(0, MOST_THREADS)))
            self.follow += (RandomNumbers._rewrite_host,)
        return address_of(self._host)

    def _rewrite_host(self) -> None:
        ffi.memmove(self._host, self.states(0, MOST_THREADS), len(self._host))

    def host_cell(self) -> int:
        """Return the address at which code of the library finds that of the states."""
        if self._cell is None:
            self._cell = ffi.new("uint64_t *", self.host_states())
        return address_of(self._cell)

    def states(self, first: int, count: int) -> bytes:
        """Return the initial states of these numbers. Without a seed they are those of the JIT."""
        states = np.zeros((count, WORDS + 1), np.uint32)
        if self.seed is None:
            numbers = np.arange(first, first + count, dtype=np.uint64)
            states[:, 0] = (numbers * np.uint64(SCRAMBLE) & np.uint64(0xFFFFFFFF)).astype(np.uint32)
            states[:, 1:WORDS] = 362436069, 521288629, 88675123
        else:
            states[:, :WORDS] = _child(self.seed, first).generate_state(WORDS * count).reshape(count, WORDS)
        return states.tobytes()

    def words(self) -> list[int]:
        """Return the words that tasks in SPIR-V begin with; zeros are the JIT's."""
        return [0, 0] if self.seed is None else list(map(int, _child(self.seed, 0).generate_state(2)))


def _child(seed: np.random.SeedSequence, number: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, number), pool_size=seed.pool_size)


def seed_sequence(seed: object) -> np.random.SeedSequence:
    """Return a seed as numpy has it; TypeError or ValueError unless it is an int, several, or a SeedSequence."""
    if isinstance(seed, np.random.SeedSequence):
        return seed
    try:
        if seed is None or isinstance(seed, (str, bytes, float, bool)):
            raise TypeError
        return np.random.SeedSequence(seed)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentTypeError(
            f"seed is an integer, a sequence of them, or a numpy.random.SeedSequence, not {describe(seed)}"
        ) from None
    except ValueError:
        raise ArgumentOutOfRangeError(f"seed must not be negative: {short(seed)}") from None


def seed_key(seed: object) -> SeedKey:
    """Return a seed in a form that can be compared and pickled."""
    sequence = seed_sequence(seed)
    entropy: Any = sequence.entropy
    return (tuple(map(int, entropy)) if np.ndim(entropy) else int(entropy)), sequence.spawn_key, sequence.pool_size


def seed_of(key: SeedKey) -> np.random.SeedSequence:
    entropy, spawn_key, pool_size = key
    return np.random.SeedSequence(entropy, spawn_key=spawn_key, pool_size=pool_size)


# Base classes of the public owners of resources.


Self = TypeVar("Self", bound="Resource")


class Unique:
    """A public object that represents a resource of this process: it cannot be copied, pickled or initialized twice."""

    __slots__ = ("__weakref__",)
    _created_by: ClassVar[str]  # of a class whose constructor users cannot call

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise ArgumentTypeError(f"{with_article(type(self).__name__)} is created by {self._created_by}")

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not is_absent(type(self), name)]

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        other = "its to_numpy()" if hasattr(type(self), "to_numpy") else "a taichi_aot.function()"
        name = with_article(type(self).__name__)
        raise ArgumentTypeError(f"cannot pickle or copy {name}: it belongs to this process; {other} can be pickled")

    def _initialize_once(self, attribute: str) -> None:
        """Raise TypeError if `attribute` is set, which `__init__` sets last."""
        if hasattr(self, attribute):
            raise ArgumentTypeError(
                f"{type(self).__name__}.__init__ was called before: the object cannot be initialized twice"
            )


class Resource(Unique):
    """A public owner of a resource: `close`, `closed`, and the context manager."""

    __slots__ = ()

    @property
    def closed(self) -> bool:
        """Whether this object or its runtime was closed; every other use then raises ValueError."""
        raise NotImplementedError

    def close(self) -> None:
        """Release the resource. Closing it again does nothing."""
        raise NotImplementedError

    def __enter__(self: Self) -> Self:
        if self.closed:
            raise ObjectStateError(f"{self!r} cannot be entered again")
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


class OwnedResource(Resource):
    """A resource that belongs to a `Runtime`."""

    __slots__ = ("_runtime",)

    _handle: Any
    _runtime: Runtime

    @property
    def closed(self) -> bool:
        """Whether this object or its runtime was closed; every other use then raises ValueError."""
        return bool(self._handle.closed)

    @property
    def runtime(self) -> Runtime:
        """The runtime that this object belongs to."""
        return self._runtime


# Handles of runtimes: states, ownership, finalizers, fork and exit.


WHILE_CLOSING = "waiting for the device while a runtime was closed"
PENDING = frozenset({Status.UNFINISHED, Status.BUSY})  # of a wait that is not over
SLICE = 50_000_000  # nanoseconds of a wait between two looks at signals


class State:
    """State of a runtime.

    =================== ================================================== =======================================
    transition          by                                                 under
    =================== ================================================== =======================================
    CLOSED -> OPEN      `backends._devices.open_runtime`                   nothing: other threads lack the handle
    OPEN -> CLOSING     `close`, the finalizer                             the context's mutex
    CLOSING -> CLOSED   `close`, the finalizer, the end of the last hold   the mutexes of process and context
    any -> INHERITED    a forked child                                     nothing: it has one thread
    =================== ================================================== =======================================

    While OPEN every operation is allowed, while CLOSING only operations that release a resource. Holds (views and
    exports) keep a runtime in CLOSING.
    """

    CLOSED = lib.TAICHI_AOT_STATE_CLOSED
    OPEN = lib.TAICHI_AOT_STATE_OPEN
    CLOSING = lib.TAICHI_AOT_STATE_CLOSING
    INHERITED = lib.TAICHI_AOT_STATE_INHERITED


class _Process:
    """State of the process: its runtimes, and the owners of imported memory and devices."""

    def __init__(self) -> None:
        self.runtimes: dict[int, weakref.ref[RuntimeHandle]] = {}
        # Runtimes whose finalizer could not close them, for example on another thread.
        self.orphans: deque[RuntimeHandle] = deque()
        # Owners of imported memory and devices, by runtime, then by their memory or device. Handles do not keep them,
        # because in a garbage cycle the finalizers of owners may run before those of handles.
        self.owners: dict[int, dict[object, object]] = {}
        self.inherited_owners: list[object] = []
        self.loading = RLock()  # one module is loaded at a time; the mutexes in C protect the library
        self.exiting = False

    def live_runtimes(self) -> list[RuntimeHandle]:
        return [handle for reference in list(self.runtimes.values()) if (handle := reference()) is not None]

    def reap(self) -> None:
        """Close the orphans that can be closed without waiting."""
        for handle in list(self.orphans):
            if handle.is_free:
                handle.close_now()
            if handle.state not in (State.OPEN, State.CLOSING):
                with suppress(ValueError):  # another thread has removed it
                    self.orphans.remove(handle)

    def at_exit(self) -> None:
        # The library supports exiting with live objects; finalizers that run this late do not call it.
        self.exiting = True

    def after_fork_in_child(self) -> None:
        # Inherited objects are not released: the library would wait for threads that exist only in the parent.
        lib.taichi_aot_process_init()
        self.loading = RLock()
        self.inherited_owners.append(self.owners)
        self.owners = {}
        handles = self.live_runtimes()
        self.orphans.clear()
        self.runtimes.clear()
        if any(not handle.backend.device.on_host for handle in handles):
            # Mesa's exit handler joins the threads of the parent's queues, whose handles are stale here.
            lib.taichi_aot_skip_inherited_exit_handlers()
        for handle in handles:
            handle.forget()


# None if modules are cleared before the last objects are finalized, as in frozen programs.
process = _Process()
atexit.register(process.at_exit)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=process.after_fork_in_child)


class Context:
    """A ``TiRuntime`` with its mutex, and the modules that it has loaded."""

    def __init__(self, arch: Arch, *, shared: bool = False) -> None:
        self.c: taichi_aot_context_p = ffi.new("taichi_aot_context *")
        lib.taichi_aot_context_init(self.c, lib.taichi_aot_backend_of(int(arch)))
        self.create: Callable[[], None] | None = None  # creates the ``TiRuntime`` of a context that exists without one
        # The bytes and the address of memory on a device that PTX uses within a launch.
        self.temporaries: tuple[int, int] = 0, 0
        self.shared = shared  # whether all runtimes of the device share it until the process ends
        # Modules by the contents of their files. They stay loaded, because the library does not free
        # most of a module's memory.
        self.modules: dict[object, Any] = {}
        # Modules that stay loaded as long as something uses them, by the contents of their files, for all runtimes.
        self.in_use: weakref.WeakValueDictionary[object, Any] = weakref.WeakValueDictionary()
        self.loaded: list[taichi_aot_module_p] = []  # all modules, including those whose loading was interrupted
        # What finalizers release that belongs to no runtime. Operations of all runtimes of the context drain it.
        self.release_queue: deque[Releasable] = deque()

    def release(self, item: Releasable) -> None:
        """Release a resource for a finalizer: now if that is possible without waiting, else with the next operation."""
        self.release_queue.append(item)
        if lib.taichi_aot_context_is_free(self.c):
            self.drain(may_wait=False)

    def drain(self, *, may_wait: bool) -> None:
        """Release what finalizers have queued."""
        _drain(self.release_queue, may_wait=may_wait)

    @property
    def device_index(self) -> int:
        """Index of the device among those of the arch."""
        return int(self.c.device_index)

    @property
    def exists(self) -> bool:
        """Whether the ``TiRuntime`` exists, or will as soon as something needs the library."""
        return bool(self.c.ti_runtime or self.c.is_lazy)

    @property
    def has_library(self) -> bool:
        """Whether the ``TiRuntime`` exists."""
        return bool(self.c.ti_runtime)


class Releasable(Protocol):
    """A resource that a finalizer releases."""

    def release(self, *, may_wait: bool) -> bool:
        """Release it; return False if it would have to wait but may not. A second call does nothing."""
        raise NotImplementedError


class RuntimeHandle:
    """The handle of one public `Runtime`: its state, and the resources that must be released before it."""

    def __init__(self, context: Context, arch: Arch, backend: Any) -> None:
        self.context = context
        self.arch = arch
        self.backend = backend  # a `Backend` of the room above
        self.modules: dict[object, Any] = {}  # modules with fields, which belong only to this runtime
        # Modules with states of random numbers, which stay loaded as long as something uses them.
        self.in_use: weakref.WeakValueDictionary[object, Any] = weakref.WeakValueDictionary()
        self.kept: list[Any] = []  # those of them that the library has loaded too
        self.random: RandomNumbers = RandomNumbers()
        self.loaded: list[taichi_aot_module_p] = []  # all modules, including those whose loading was interrupted
        # The releases to do, and the objects whose finalizers do them unless interrupted.
        self.releases: dict[Releasable, weakref.ref[object]] = {}
        self.release_queue: deque[Releasable] = deque()
        self.why_closed: str = ""  # the end of the message about it, if not its own `close` closed it
        self.c: taichi_aot_runtime_p = ffi.new("taichi_aot_runtime *", {"context": context.c})
        process.runtimes[id(self)] = weakref.ref(self)

    @property
    def state(self) -> int:
        return int(self.c.state)

    @property
    def is_open(self) -> bool:
        return bool(self.c.state == State.OPEN)

    @property
    def closed(self) -> bool:
        return not self.is_open

    @property
    def has_failed(self) -> bool:
        """Whether a check of a kernel is known to have failed, which no call has reported yet."""
        return bool(lib.taichi_aot_has_failure(self.context.c))

    @property
    def is_free(self) -> bool:
        """Whether a call would not wait for another thread."""
        return bool(lib.taichi_aot_context_is_free(self.context.c))

    def require_open(self) -> taichi_aot_runtime_p:
        """Return ``taichi_aot_runtime *``; ValueError unless OPEN. Drains the release queue."""
        if self.c.state != State.OPEN:
            raise self.closed_error()
        if self.release_queue or self.context.release_queue:
            self.drain()
        return self.c

    def require_library(self) -> taichi_aot_runtime_p:
        """Return ``taichi_aot_runtime *`` for a call of the library; the first creates a lazy ``TiRuntime``."""
        c = self.require_open()
        if not self.context.has_library and self.context.create is not None:
            self.context.create()
        return c

    def check(self, status: int) -> None:
        """Raise the error that a call on this runtime reported, if any."""
        if status:
            raise self.closed_error() if status == Status.CLOSED else error_of(status)

    @property
    def device(self) -> str:
        """The device, such as ``cuda:0``."""
        return f"{self.arch}:{self.context.device_index}"

    def closed_error(self) -> ValueError:
        if self.state == State.INHERITED:
            return ObjectStateError(
                "the runtime was created before this process was forked; create a new Runtime in the child"
            )
        why = (
            self.why_closed or f" ({self.device}): use it and its arrays before close() or the end of its `with` block"
        )
        return ObjectStateError(f"the runtime is closed{why}")

    # Waiting. C waits in slices, and Python handles signals between them: an exception ends the wait, not the work.

    def wait(self, timeout: float | None = None) -> None:
        """Wait for what was launched before, at most `timeout` seconds; see `wait_until`."""
        self.wait_until(self._asking(), timeout)

    def _asking(self) -> Callable[[int], int]:
        """Return a function that waits for the launches before its first call, for at most this many nanoseconds."""
        ticket = 0

        def ask(ns: int) -> int:
            nonlocal ticket
            status = lib.taichi_aot_wait(self.c, ticket, ns)
            if status == Status.UNFINISHED and not ticket:
                ticket = self.c.awaited  # or that of a later wait, in another thread or a signal handler
            return status

        return ask

    def wait_until(self, ask: Callable[[int], int], timeout: float | None = None) -> None:
        """Call `ask` with a maximum of nanoseconds to wait, until it returns a status that is not in `PENDING`."""
        end = None if timeout is None else monotonic() + _seconds(timeout)
        left = SLICE
        while True:
            if end is not None:
                left = int(min(SLICE, max(0, (end - monotonic()) * 1e9)))
            status = ask(left)
            if status not in PENDING:
                self.check(status)
                return
            if not left:
                raise WaitTimeoutError(f"the device has not finished after {timeout} s; its work continues")

    def synchronize(self) -> None:
        """Wait for the device, unless it is a CPU, where launches have finished."""
        if not self.backend.device.on_host:
            self.wait()

    def complete(self, call: Callable[[bool], int]) -> int:
        """Return the status of a call that needs an idle device; if it is UNFINISHED, wait, and repeat it with True."""
        status = call(False)
        if status == Status.UNFINISHED:
            self.wait()
            status = call(True)
        return status

    # Releasing.

    def release(self, item: Releasable) -> None:
        """Release a resource for a finalizer: now if that is possible without waiting, else with the next operation."""
        if not process or process.exiting or self.c.state not in (State.OPEN, State.CLOSING):
            self.releases.pop(item, None)
            return
        self.release_queue.append(item)
        if self.is_free:
            self.drain(may_wait=False)
            if self.c.state == State.CLOSING and not self.c.holds:
                self._finish_close()

    def drain(self, *, may_wait: bool = True) -> None:
        """Release what finalizers have queued."""
        _drain(self.release_queue, self.releases, may_wait=may_wait)
        self.context.drain(may_wait=may_wait)

    def release_lost(self) -> bool:
        """Release what interrupted finalizers did not; return whether there was anything."""
        # Copies the dict, because a list of its items makes tuples: a collection may start, whose finalizers change it.
        lost = [release for release, reference in self.releases.copy().items() if reference() is None]
        self.release_queue.extend(lost)
        self.drain()
        return bool(lost)

    def close(self) -> None:
        """Close for use, and destroy the ``TiRuntime`` after the last view of mapped device memory is collected."""
        process.reap()
        self.wait_to_release(WHILE_CLOSING)
        if self.c.state in (State.OPEN, State.CLOSING):
            self.close_now()
        elif self.c.state == State.CLOSED:
            self._end()

    def wait_to_release(self, what: str) -> None:
        """Wait as `wait` does, so that signal handlers can end it; log errors, because the release continues."""
        if self.c.state != State.OPEN:
            return
        ask = self._asking()
        while (status := ask(SLICE)) in PENDING:
            pass
        if status != ErrorCode.NOT_SUPPORTED:  # a library that cannot wait
            log_failure(status, what)

    def close_now(self) -> None:
        """Change OPEN to CLOSING, and without holds to CLOSED. An interrupted close can be repeated."""
        status = lib.taichi_aot_begin_close(self.c)
        if status in (Status.WRONG_THREAD, Status.REENTERED):
            raise error_of(status)
        log_failure(status, WHILE_CLOSING)
        self.release_lost()
        if not self.c.holds:
            self._finish_close()

    def _finish_close(self) -> None:
        self.backend.memory.close(self)
        if not self.context.shared:
            for module in (*self.loaded, *self.context.loaded):
                log_failure(lib.taichi_aot_module_destroy(self.c, module), "destroying a module")
        status = lib.taichi_aot_finish_close(self.c, not self.context.shared)
        if status == Status.IN_USE:  # a hold began meanwhile; its end finishes the close
            return
        log_failure(status, "destroying a runtime")
        self._end()

    def _end(self) -> None:
        """Drop the references of a closed runtime. A second call completes an interrupted one."""
        process.runtimes.pop(id(self), None)
        self._drop_references()
        # The device was imported first, so its owner is released last. The owners' finalizers may call this package.
        owners = process.owners.pop(id(self), {})
        while owners:
            owners.popitem()

    def _drop_references(self) -> None:
        self.modules.clear()
        self.loaded.clear()
        if not self.context.shared:
            self.context.modules.clear()
            self.context.loaded.clear()
        self.releases.clear()
        self.release_queue.clear()
        self.backend.memory.forget()

    def forget(self) -> None:
        """Drop everything that a forked child inherited, without calling the library."""
        self.c.state = State.INHERITED
        lib.taichi_aot_context_forget(self.context.c)
        self.context.modules.clear()
        self.context.loaded.clear()
        self._drop_references()

    # Owners of imported memory and of an imported device.

    def retain_owner(self, key: object, owner: object) -> None:
        """Keep the owner of imported memory or an imported device until `release_owner` or the end of the runtime."""
        process.owners.setdefault(id(self), {})[key] = owner

    def release_owner(self, key: object) -> None:
        process.owners.get(id(self), {}).pop(key, None)

    def __del__(self) -> None:
        c = getattr(self, "c", None)
        if c is None or not process or process.exiting:
            return
        if c.state == State.CLOSED and self.context.exists and not self.context.shared:
            c.state = State.CLOSING  # interrupted while opening
        if c.state in (State.OPEN, State.CLOSING):
            process.orphans.append(self)
            process.reap()
        elif c.state == State.CLOSED:
            self._end()


def _drain(
    queue: deque[Releasable], releases: dict[Releasable, weakref.ref[object]] | None = None, *, may_wait: bool
) -> None:
    """Release what is in a queue, in order, until something would have to wait but may not."""
    with suppress(IndexError):  # another thread drains it too
        while queue:
            item = queue[0]
            if not item.release(may_wait=may_wait):
                return
            if releases is not None:
                releases.pop(item, None)
            with suppress(ValueError):
                queue.remove(item)


def _seconds(timeout: object) -> float:
    if not isinstance(timeout, Real):
        raise ArgumentTypeError(f"timeout is a number of seconds, not {describe(timeout)}")
    try:
        seconds = float(timeout)
    except OverflowError:  # longer than anything takes
        seconds = inf
    if not seconds >= 0:
        raise ArgumentOutOfRangeError(f"timeout must be at least 0 seconds, not {short(timeout)}")
    return seconds


def handle_of(runtime: object) -> RuntimeHandle:
    """Return the private handle of a `Runtime`; TypeError for anything else."""
    handle = getattr(runtime, "_handle", None)
    if not isinstance(handle, RuntimeHandle):
        raise ArgumentTypeError(f"expected a Runtime, got {type(runtime).__qualname__}")
    return handle
