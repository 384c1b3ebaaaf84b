"""The handle of an allocation, and of a mapping of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from .._ffi.library import ffi, lib
from ..enums import MemoryUsage
from .runtime import RuntimeHandle, process

__all__ = ["Mapping", "MemoryHandle", "Request"]


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
