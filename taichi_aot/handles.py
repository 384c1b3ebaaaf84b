"""Private handles: who owns which native object, when it is released, and under which lock.

Ownership is structural. A handle holds the handle of its parent, so whatever order garbage is collected in, a
parent's native object outlives those of its children; public objects hold handles and no finalizers.

Locks, always taken in this order:

1. `process.lock`, one per process: creating and destroying runtimes, loading modules, fetching kernels and graphs.
2. `RuntimeHandle.lock`, one per runtime: every other call on that runtime.

Neither is re-entrant, and no code of a user runs while one is held. A finalizer may run in any thread at any
bytecode, so it takes no lock that is not free: it queues its work, and the queue is drained at once if the locks are
free and this is the runtime's own thread, else by the next call on the runtime.
"""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections import deque
from typing import TYPE_CHECKING, Any, TypeVar

from ._library import ffi, lib
from .enums import Arch
from .errors import check

if TYPE_CHECKING:
    from .host_memory import Block, HostPool

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
        self.exiting = False

    def bury(self) -> None:
        """Destroy the runtimes that finalizers left behind. The lock is held."""
        while self.abandoned:
            handle = self.abandoned.popleft()
            with handle.lock:
                handle.destroy()

    def at_exit(self) -> None:
        # The library copes with an exit while its objects live; finalizers that run this late stay away from it.
        self.exiting = True

    def after_fork_in_child(self) -> None:
        # What was inherited is dropped, never destroyed: the library would hang on threads that are not here.
        self.lock = threading.Lock()
        self.abandoned.clear()
        handles = [handle for reference in self.runtimes.values() if (handle := reference()) is not None]
        self.runtimes.clear()
        if any(not handle.arch.is_cpu for handle in handles):
            # Mesa's exit handler joins the threads of the parent's queues, by handles that are stale here.
            lib.taichi_aot_skip_inherited_exit_handlers()
        for handle in handles:
            handle.lock = threading.Lock()
            handle.forget("was created before this process was forked; create a new Runtime in the child")


process = _Process()
atexit.register(process.at_exit)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=process.after_fork_in_child)


class RuntimeHandle:
    """A native runtime, and the record of what must be released before it."""

    __slots__ = (
        "__weakref__",
        "allocations",
        "arch",
        "busy",
        "closed_because",
        "field_module",
        "host_pool",
        "lock",
        "mappings",
        "modules",
        "native",
        "pointer",
        "released",
        "thread",
    )

    def __init__(self, native: Any, arch: Arch) -> None:
        self.native = native  # None once destroyed
        self.pointer = native  # None once closed: what every use takes
        self.arch = arch
        self.lock = threading.Lock()
        self.thread = threading.get_ident()
        self.busy = False  # launched since the last wait
        self.closed_because = ""
        self.host_pool: HostPool | None = None  # on CPU archs
        self.allocations: dict[int, Any] = {}  # native memory that the library owns
        # Native modules by digest of their files. They stay loaded: the library does not give back what one takes.
        self.modules: dict[bytes, Any] = {}
        self.field_module: bytes | None = None  # digest of the one that has fields
        self.mappings = 0  # live mappings of device memory
        self.released: deque[MemoryHandle | Mapping] = deque()
        process.runtimes[id(self)] = weakref.ref(self)

    # Using it. The lock is held for all of these.

    def use(self) -> Any:
        """The native pointer, for one call on this runtime."""
        if self.pointer is None:
            raise self.closed_error()
        if self.arch is Arch.OPENGL and threading.get_ident() != self.thread:
            raise ValueError("an OpenGL runtime can be used only by the thread that created it")
        if self.released:
            self.drain()
        return self.pointer

    def closed_error(self) -> ValueError:
        return ValueError(f"the runtime {self.closed_because or 'is closed'}")

    def synchronize(self) -> None:
        """Wait for the device, if anything was launched."""
        if self.busy:
            check(lib.checked_ti_wait(self.use()))
            self.busy = False

    def drain(self) -> None:
        """Release what finalizers queued."""
        while self.released:
            self.released.popleft().release()

    # Ending it.

    def close(self) -> None:
        """Close for use, and destroy as soon as no view of mapped device memory lives."""
        with process.lock:
            process.bury()
            with self.lock:
                if self.pointer is None:
                    return
                self.use()
                self.pointer = None
                self.destroy()

    def destroy(self) -> None:
        """Destroy the native runtime and all that is left of its children, unless a mapping lives. Both locks are held.

        A mapping destroys it when it goes; destroying the memory of one would abort the process.
        """
        native = self.native
        if native is None:
            return
        self.drain()
        if self.mappings:
            return
        self.native = self.pointer = None
        process.runtimes.pop(id(self), None)
        # Errors while tearing down have no one to go to, and stopping at one would leak the rest.
        if self.busy:
            lib.checked_ti_wait(native)
        for module in self.modules.values():
            lib.checked_ti_destroy_aot_module(module)
        for memory in self.allocations.values():
            lib.checked_ti_free_memory(native, memory)
        lib.checked_ti_destroy_runtime(native)
        self.forget(self.closed_because)

    def forget(self, because: str) -> None:
        """Drop all native objects without a call."""
        self.native = self.pointer = None
        self.closed_because = because
        self.modules.clear()
        self.allocations.clear()
        self.released.clear()
        if self.host_pool is not None:
            self.host_pool.close()

    def release_later(self, item: MemoryHandle | Mapping) -> None:
        """Queue what a finalizer wants released, and do it now where that is safe."""
        if self.native is None or process.exiting:
            return
        self.released.append(item)
        if threading.get_ident() != self.thread or not process.lock.acquire(blocking=False):
            return
        try:
            if self.lock.acquire(blocking=False):
                try:
                    self.drain()
                    if self.pointer is None:
                        self.destroy()
                finally:
                    self.lock.release()
        finally:
            process.lock.release()

    def __del__(self) -> None:
        if self.native is None or process.exiting:
            return
        if threading.get_ident() == self.thread and process.lock.acquire(blocking=False):
            try:
                with self.lock:  # free: nobody else has this handle
                    self.destroy()
            finally:
                process.lock.release()
        else:
            process.abandoned.append(self)


class MemoryHandle:
    """An allocation: memory of the device, or on CPU archs a block of the host pool."""

    __slots__ = (
        "__weakref__",
        "address",
        "block",
        "host_read",
        "host_write",
        "map_count",
        "pointer",
        "runtime",
        "size",
    )

    def __init__(
        self,
        runtime: RuntimeHandle,
        pointer: Any,
        size: int,
        *,
        host_read: bool,
        host_write: bool,
        block: Block | None = None,
    ) -> None:
        self.runtime = runtime
        self.pointer = pointer  # None once closed
        self.size = size
        self.host_read = host_read
        self.host_write = host_write
        self.block = block
        self.address = 0 if block is None else block.address  # where it is mapped, 0 if it is not
        self.map_count = 0
        if block is None:
            runtime.allocations[int(ffi.cast("uintptr_t", pointer))] = pointer

    @property
    def closed(self) -> bool:
        return self.pointer is None or self.runtime.pointer is None

    def use(self) -> Any:
        """The native pointer, for one call. The runtime's lock is held."""
        self.runtime.use()
        if self.pointer is None:
            raise ValueError("the memory is closed")
        return self.pointer

    def map(self) -> Mapping:
        """Map for the host, after the device is done. The runtime's lock is held."""
        pointer = self.use()
        self.runtime.synchronize()
        if not self.address:
            result = ffi.new("void **")
            check(lib.checked_ti_map_memory(self.runtime.pointer, pointer, result))
            self.address = int(ffi.cast("uintptr_t", result[0]))
            self.runtime.mappings += 1
        return Mapping(self)

    def close(self) -> None:
        """Free it; BufferError while a view of it lives."""
        with self.runtime.lock:
            if self.closed:
                return
            self.runtime.use()
            if self.map_count:
                raise BufferError("the memory has living views; drop them before it is closed")
            self.release()

    def release(self) -> None:
        """Free the native memory. The runtime's lock is held, except for a block of the host pool."""
        pointer, self.pointer = self.pointer, None
        if pointer is None:
            return
        block, self.block = self.block, None
        if block is not None:
            block.pool.give_back(block)
            return
        self.unmap()
        runtime = self.runtime
        if runtime.allocations.pop(int(ffi.cast("uintptr_t", pointer)), None) is None:
            return
        if runtime.busy and runtime.arch is not Arch.VULKAN:  # Vulkan's command lists keep what they use
            lib.checked_ti_wait(runtime.native)
            runtime.busy = False
        lib.checked_ti_free_memory(runtime.native, pointer)

    def unmap(self) -> None:
        """Undo the mapping of device memory. The runtime's lock is held."""
        if self.block is None and self.address:
            self.address = 0
            self.runtime.mappings -= 1
            lib.checked_ti_unmap_memory(self.runtime.native, self.pointer)

    def __del__(self) -> None:
        if self.pointer is None:
            return
        if self.block is not None:
            self.release()
        else:
            self.runtime.release_later(self)


class Mapping:
    """One `map()` of a memory; numpy views keep it as their base, so it dies with the last of them."""

    __slots__ = ("__array_interface__", "memory")

    def __init__(self, memory: MemoryHandle) -> None:
        self.memory = memory
        memory.map_count += 1
        self.__array_interface__ = {
            "version": 3,
            "typestr": "|u1",
            "shape": (memory.size,),
            "data": (memory.address, not memory.host_write),
        }

    def release(self) -> None:
        """Count this one off. The runtime's lock is held."""
        memory = self.memory
        memory.map_count -= 1
        if memory.map_count == 0 and memory.pointer is not None:
            memory.unmap()

    def __del__(self) -> None:
        self.memory.runtime.release_later(self)


class ModuleHandle:
    """One loading of a module: closed by itself, while the native module stays with the runtime."""

    __slots__ = ("__weakref__", "native", "open", "runtime")

    def __init__(self, runtime: RuntimeHandle, native: Any) -> None:
        self.runtime = runtime
        self.native = native
        self.open = True

    @property
    def closed(self) -> bool:
        return not self.open or self.runtime.pointer is None

    def use(self) -> Any:
        """The native pointer, for one call. The runtime's lock is held."""
        self.runtime.use()
        if not self.open:
            raise ValueError("the module is closed")
        return self.native
