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
from typing import TYPE_CHECKING, Any, Protocol

from .._ffi.library import ffi, lib
from .._ffi.status import check
from ..enums import Arch

if TYPE_CHECKING:
    from .memory import MemoryHandle, Request


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
