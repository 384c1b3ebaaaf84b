"""Private handles: who owns what native object, when it is released, and under which lock.

Ownership is structural. A handle holds the handle of its parent, so whatever order garbage is collected in, a
parent's native object outlives those of its children; public objects hold handles and no finalizers.

Locks, always taken in this order:

1. `process.lock`, one per process: creating and destroying runtimes, loading modules, fetching kernels and graphs.
2. `RuntimeHandle.lock`, one per runtime: what takes several steps here (allocate, free, map, copy).
3. The lock in `taichi_aot_runtime`, taken and given back within each single call into the library, without Python's
   GIL. Launches and waits take no other; what could have been closed meanwhile is checked under it, in C.

None is re-entrant, and no code of a user runs while one is held. A finalizer may run in any thread at any bytecode, so
it takes no lock that is not free: it queues its work, and the queue is drained at once if the locks are free and this
is the runtime's own thread, else by the next call on the runtime.
"""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections import deque
from contextlib import suppress
from typing import Any, NamedTuple, Protocol, TypeVar

from ._library import ffi, lib
from .enums import Arch, MemoryUsage
from .errors import check

Self = TypeVar("Self", bound="Resource")


class Resource:
    """What all public owners share: `close`, `closed`, the context manager, and no copies."""

    __slots__ = ("__weakref__",)

    @property
    def closed(self) -> bool:
        """Whether this object, or what it belongs to, was closed. Every other use then raises ValueError."""
        raise NotImplementedError

    def close(self) -> None:
        """Release the native object. Closing twice is fine."""
        raise NotImplementedError

    def __enter__(self: Self) -> Self:
        if self.closed:
            raise ValueError(f"{self!r} cannot be entered again")
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def __reduce__(self) -> str:
        raise TypeError(f"cannot pickle or copy a {type(self).__name__}: it owns a native object of this process")


class _Process:
    """State of this process: the outer lock, the live runtimes, and those that a finalizer could not destroy."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.runtimes: dict[int, weakref.ref[RuntimeHandle]] = {}
        self.abandoned: deque[RuntimeHandle] = deque()
        # The owners of what the library was lent, by runtime. Kept from here, because in a garbage cycle their
        # finalizers can come before ours.
        self.owners: dict[int, dict[int, Any]] = {}
        self.owners_to_drop: deque[Any] = deque()
        self.inherited_owners: list[Any] = []
        self.exiting = False

    def bury(self) -> None:
        """Destroy the runtimes that finalizers left behind. The lock is held."""
        while self.abandoned:
            handle = self.abandoned.popleft()
            with handle.lock:
                handle.destroy()

    def drop_owners(self) -> None:
        """Drop the owners of what was given back. No lock is held, for their finalizers are a user's code."""
        with suppress(IndexError):  # other threads drop them too
            while True:
                self.owners_to_drop.popleft()

    def living(self) -> list[RuntimeHandle]:
        return [handle for reference in list(self.runtimes.values()) if (handle := reference()) is not None]

    def at_exit(self) -> None:
        # The library copes with an exit while its objects live; finalizers that run this late stay away from it.
        self.exiting = True

    def after_fork_in_child(self) -> None:
        # What was inherited is dropped, never destroyed: the library would hang on threads that are not here.
        self.lock = threading.Lock()
        self.inherited_owners += [self.owners, self.owners_to_drop]
        self.owners, self.owners_to_drop = {}, deque()
        self.abandoned.clear()
        handles = self.living()
        self.runtimes.clear()
        if any(not handle.arch.is_cpu for handle in handles):
            # Mesa's exit handler joins the threads of the parent's queues, by handles that are stale here.
            lib.taichi_aot_skip_inherited_exit_handlers()
        for handle in handles:
            handle.lock = threading.Lock()
            handle.native.forget()
            handle.forget("was created before this process was forked; create a new Runtime in the child")


process = _Process()
atexit.register(process.at_exit)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=process.after_fork_in_child)


class NativeRuntime:
    """The library's runtime with the lock around each call on it, and the modules that it has loaded.

    Parameters
    ----------
    native : cdata
        ``TiRuntime``.
    arch : Arch
        Its arch.
    shared : bool
        Whether it stays for as long as the process runs, for all `RuntimeHandle` of its arch.
    """

    __slots__ = ("modules", "pointer", "shared")

    def __init__(self, native: Any, arch: Arch, *, shared: bool = False) -> None:
        self.pointer = ffi.new("taichi_aot_runtime *")  # what every checked call takes
        lib.taichi_aot_runtime_init(self.pointer, native, not arch.is_cpu, arch is Arch.OPENGL)
        self.shared = shared
        # Native modules by digest of their files. They stay loaded: the library does not give back what one takes.
        self.modules: dict[bytes, Any] = {}

    def forget(self) -> None:
        """Drop what a fork inherited."""
        lib.taichi_aot_runtime_forget(self.pointer)
        self.modules.clear()


class Request(NamedTuple):
    """What memory is wanted.

    Attributes
    ----------
    size : int
        Bytes, at least 1.
    for_arrays : bool
        Whether it shall be where kernels are fast; the host may reach copies.
    host_read, host_write, export_sharing, usage
        As for `Runtime.allocate`.
    """

    size: int
    host_read: bool = True
    host_write: bool = True
    for_arrays: bool = False
    export_sharing: bool = False
    usage: MemoryUsage = MemoryUsage.STORAGE


class Allocator(Protocol):
    """Where the memory of a runtime comes from; one class for each kind of arch."""

    def allocate(self, runtime: RuntimeHandle, request: Request) -> MemoryHandle:
        """Memory with any contents."""

    def close(self, runtime: RuntimeHandle) -> None:
        """Give back all that is kept or left. The runtime's lock is held, and nothing is in use any more."""

    def forget(self) -> None:
        """Drop all native memory without a call."""


class RuntimeHandle:
    """A runtime of the user, and the record of what must be released before it."""

    __slots__ = (
        "__weakref__",
        "allocator",
        "arch",
        "closed_because",
        "lock",
        "mappings",
        "modules",
        "native",
        "open",
        "released",
        "state",
        "thread",
        "undestroyed",
    )

    def __init__(self, native: NativeRuntime, arch: Arch, allocator: Allocator) -> None:
        self.native = native
        self.arch = arch
        self.allocator = allocator
        self.lock = threading.Lock()
        self.thread = threading.get_ident()
        self.open = True  # for use
        self.state = ffi.new("int64_t *", 1)  # the same for launches, in C
        self.undestroyed = True
        self.closed_because = ""
        self.modules: dict[bytes, Any] = {}  # native modules with fields, which belong to this runtime alone
        self.mappings = 0  # live mappings of device memory, and runtimes on its device
        self.released: deque[Releasable] = deque()
        process.runtimes[id(self)] = weakref.ref(self)

    # Using it.

    def use(self) -> Any:
        """The native pointer, for calls on this runtime. The lock is held."""
        if not self.open:
            raise self.closed_error()
        if self.arch is Arch.OPENGL and threading.get_ident() != self.thread:
            raise ValueError("an OpenGL runtime can be used only by the thread that created it")
        if self.released:
            self.drain()
        return self.native.pointer

    def closed_error(self) -> ValueError:
        return ValueError(f"the runtime {self.closed_because or 'is closed'}")

    def synchronize(self) -> None:
        """Wait for the device, if anything was launched."""
        if not self.arch.is_cpu:
            check(lib.taichi_aot_wait(self.native.pointer, True))

    def drain(self) -> None:
        """Release what finalizers queued. The lock is held."""
        while self.released:
            self.released.popleft().release()

    # Ending it.

    def close(self) -> None:
        """Close for use, and destroy as soon as no view of mapped device memory lives."""
        with process.lock:
            process.bury()
            with self.lock:
                if not self.open:
                    return
                self.use()
                self.destroy()
        process.drop_owners()

    def destroy(self) -> None:
        """Destroy the native runtime and all that is left of its children, unless a mapping lives. Both locks are held.

        A mapping destroys it when it goes; destroying the memory of one would abort the process.
        """
        if not self.undestroyed:
            return
        self.open = False
        native = self.native.pointer
        lib.taichi_aot_store(native, self.state, 0)  # no launch gets in any more
        # Errors while tearing down have no one to go to, and stopping at one would leak the rest.
        lib.taichi_aot_wait(native, True)
        self.drain()
        if self.mappings:
            return
        self.undestroyed = False
        process.runtimes.pop(id(self), None)
        self.allocator.close(self)
        if not self.native.shared:
            for module in (*self.modules.values(), *self.native.modules.values()):
                lib.checked_ti_destroy_aot_module(native, module)
            lib.taichi_aot_runtime_destroy(native)
        # The device came first, so it goes last.
        process.owners_to_drop.extend(reversed(process.owners.pop(id(self), {}).values()))
        self.forget(self.closed_because)

    def forget(self, because: str) -> None:
        """Drop all native objects without a call."""
        self.open = self.undestroyed = False
        self.state[0] = 0
        self.closed_because = because
        self.modules.clear()
        self.released.clear()
        self.allocator.forget()

    def keep(self, key: int, owner: Any) -> None:
        """Keep the owner of what the library was lent: memory, by its number, or the device, as 0."""
        process.owners.setdefault(id(self), {})[key] = owner

    def let_go(self, key: int) -> None:
        """Let the owner of what was given back go, as soon as no lock is held."""
        process.owners_to_drop.append(process.owners[id(self)].pop(key))

    def release_later(self, item: Releasable) -> None:
        """Queue what a finalizer wants released, and do it now where that is safe."""
        if not self.undestroyed or process.exiting:
            return
        self.released.append(item)
        if threading.get_ident() != self.thread or not process.lock.acquire(blocking=False):
            return
        try:
            if self.lock.acquire(blocking=False):
                try:
                    if lib.taichi_aot_runtime_is_free(self.native.pointer):
                        self.drain()
                        if not self.open:
                            self.destroy()
                finally:
                    self.lock.release()
        finally:
            process.lock.release()
        process.drop_owners()

    def __del__(self) -> None:
        if not getattr(self, "undestroyed", False) or process.exiting:
            return
        if threading.get_ident() == self.thread and process.lock.acquire(blocking=False):
            try:
                with self.lock:  # free: nobody else has this handle
                    self.destroy()
            finally:
                process.lock.release()
            process.drop_owners()
        else:
            process.abandoned.append(self)


class Releasable(Protocol):
    """What a finalizer leaves to be released."""

    def release(self) -> None:
        """Release it. The runtime's lock is held."""


class MemoryHandle:
    """An allocation; subclasses know how it is reached, copied and freed.

    Parameters
    ----------
    runtime : RuntimeHandle
        Whose it is.
    native : cdata
        ``TiMemory``.
    size : int
        Bytes.
    host_read, host_write : bool
        Whether the host may map it to read and to write.

    Attributes
    ----------
    state : cdata
        ``int64_t *`` that launches look at: the memory may be used while it is `ticket`.
    """

    __slots__ = (
        "__weakref__",
        "host_read",
        "host_write",
        "native",
        "open",
        "runtime",
        "size",
        "stage",
        "state",
        "ticket",
        "views",
    )

    def __init__(
        self,
        runtime: RuntimeHandle,
        native: Any,
        size: int,
        *,
        host_read: bool,
        host_write: bool,
    ) -> None:
        self.runtime = runtime
        self.native = native
        self.size = size
        self.host_read = host_read
        self.host_write = host_write
        self.state = ffi.new("int64_t *", 1)
        self.ticket = 1
        self.open = True
        self.stage: Any = None  # the host's copy of it, where one is in use and launches must wait
        self.views: set[int] = set()  # ids of the living mappings

    @property
    def closed(self) -> bool:
        return not self.open or not self.runtime.open

    def use(self) -> Any:
        """The native memory, for calls on it. The runtime's lock is held."""
        self.runtime.use()
        if not self.open:
            raise ValueError("the memory is closed")
        return self.native

    def close(self) -> None:
        """Free it; BufferError while a view of it lives."""
        with self.runtime.lock:
            if self.closed:
                return
            self.runtime.use()
            if self.views or self.stage is not None:
                raise BufferError("the memory has living views; drop them before it is closed")
            self.release()
        process.drop_owners()

    # What subclasses do. The runtime's lock is held for all of these.

    @property
    def is_mappable(self) -> bool:
        """Whether the host can reach it where it is; else only copies of it."""
        raise NotImplementedError

    def address(self) -> int:
        """Where it is for the host, as long as a mapping of it lives."""
        raise NotImplementedError

    def export(self) -> int:
        """The address, for somebody who keeps this handle while using it."""
        raise NotImplementedError

    def unmap(self) -> None:
        """The last mapping is gone."""

    def read_to(self, target: int, offset: int, size: int) -> None:
        """Copy to the host address `target`, after the device is done."""
        raise NotImplementedError

    def write_from(self, source: int, offset: int, size: int) -> None:
        """Copy from the host address `source`, after the device is done."""
        raise NotImplementedError

    def copy_from(self, offset: int, source: MemoryHandle, source_offset: int, size: int) -> None:
        """Copy from other memory of the same runtime, in the order of launches; the ranges do not overlap."""
        raise NotImplementedError

    def release(self) -> None:
        """Free the native memory. Called twice it does nothing the second time."""
        raise NotImplementedError

    def map(self, typestr: str, shape: tuple[int, ...]) -> Mapping:
        """Map for the host, after the device is done, as an array of that type as numpy names it, and that shape."""
        self.use()
        self.runtime.synchronize()
        return Mapping(self, self.address(), typestr, shape)

    def begin_stage(self, stage: Any) -> None:
        """Begin the use of a host copy in its place, or with None end it."""
        self.stage = stage
        lib.taichi_aot_store(self.runtime.native.pointer, self.state, self.ticket if stage is None else 0)


class Mapping:
    """One mapping of a memory; numpy views keep it as their base, so it dies with the last of them."""

    __slots__ = ("__array_interface__", "__weakref__", "memory")

    def __init__(self, memory: MemoryHandle, address: int, typestr: str, shape: tuple[int, ...]) -> None:
        self.memory = memory
        memory.views.add(id(self))
        self.__array_interface__: dict[str, Any] = {
            "version": 3,
            "typestr": typestr,
            "shape": shape,
            "data": (address, not memory.host_write),
        }

    def __del__(self) -> None:
        # Adding to and discarding from a set are single steps of the interpreter, also for other threads.
        self.memory.views.discard(id(self))
        if not self.memory.views:
            self.memory.unmap()


class ModuleHandle:
    """One loading of a module: closed by itself, while the native module stays with the runtime."""

    __slots__ = ("__weakref__", "native", "runtime", "state")

    def __init__(self, runtime: RuntimeHandle, native: Any) -> None:
        self.runtime = runtime
        self.native = native
        self.state = ffi.new("int64_t *", 1)  # not 0 while it is open

    @property
    def open(self) -> bool:
        return bool(self.state[0])

    @property
    def closed(self) -> bool:
        return not self.open or not self.runtime.open

    def close(self) -> None:
        """Refuse every launch from now on."""
        lib.taichi_aot_store(self.runtime.native.pointer, self.state, 0)

    def use(self) -> Any:
        """The native module, for one call. The runtime's lock is held."""
        self.runtime.use()
        if not self.open:
            raise ValueError("the module is closed")
        return self.native
