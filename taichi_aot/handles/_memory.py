"""Handles of memory and images, and holds on them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn

from ..driver._library import Status, ffi, lib
from ..values._enums import MemoryUsage
from ..values._errors import ObjectStateError
from ._on_device import OnDevice

if TYPE_CHECKING:
    import numpy.typing as npt

    from .._capi import TiImage, TiMemory, taichi_aot_array_p, taichi_aot_hold_p, taichi_aot_memory_p
    from ._runtime import RuntimeHandle


class Request(NamedTuple):
    """A request for memory."""

    size: int  # size in bytes, at least 1
    # host_read, host_write, export_sharing, usage: as for `Runtime.allocate`.
    host_read: bool = True
    host_write: bool = True
    for_arrays: bool = False  # whether it must be fast for kernels; the host may then have to work on copies
    is_result: bool = False  # whether kernels only write their return values to it, which the host then reads
    export_sharing: bool = False
    usage: MemoryUsage = MemoryUsage.STORAGE


class Adoption(NamedTuple):
    """The properties of memory that the library has allocated."""

    address: int  # its handle
    size: int  # size in bytes, at least 1
    owned: bool  # whether closing frees it
    # host_read, host_write, usage: as for `Runtime.allocate`.
    host_read: bool
    host_write: bool
    usage: MemoryUsage


class AllocationHandle:
    """Memory or an image of a runtime."""

    __slots__ = ("__weakref__", "c", "generation", "runtime")

    noun: ClassVar[str]  # for messages
    c: taichi_aot_memory_p
    # The value of ``c.generation`` until the allocation is closed; negated while the memory is mapped as a copy.
    generation: int
    runtime: RuntimeHandle

    @property
    def closed(self) -> bool:
        return abs(self.c.generation) != self.generation or not self.runtime.is_open

    def require_open(self) -> taichi_aot_memory_p:
        """Return ``taichi_aot_memory *``; ValueError if the allocation or its runtime is closed."""
        self.runtime.require_open()
        if abs(self.c.generation) != self.generation:
            raise ObjectStateError(f"the {self.noun} is closed")
        return self.c

    def close(self) -> None:
        """Free it; raise BufferError while something holds it, such as a view."""
        if self.closed:
            return
        runtime = self.runtime.require_open()
        status = lib.taichi_aot_memory_close(runtime, self.c, self.generation)
        if status == Status.IN_USE and self.runtime.release_lost():
            status = lib.taichi_aot_memory_close(runtime, self.c, self.generation)
        if status != Status.ARRAY_CLOSED:  # otherwise another thread has closed it
            self.check(status)
            self.free()

    def check(self, status: int) -> None:
        """Raise the error that a call with this allocation reported, if any."""
        self.runtime.check(status)

    @property
    def ti_handle(self) -> TiMemory | TiImage:
        """The library's handle; ValueError if the allocation is closed."""
        raise NotImplementedError

    def free(self) -> None:
        """Return closed memory to its backend. May be called again."""
        raise NotImplementedError


class MemoryHandle(AllocationHandle):
    """An allocation of memory; subclasses define how it is accessed, copied and freed."""

    __slots__ = ("host_read", "host_write", "readonly", "size", "usage")

    noun = "memory"

    def __init__(self, runtime: RuntimeHandle, stated: Request | Adoption | MemoryHandle) -> None:
        self.runtime = runtime
        self.size: int = stated.size
        # host_read, host_write, usage: the uses that it was allocated for, as for `Runtime.allocate`.
        self.host_read: bool = stated.host_read
        self.host_write: bool = stated.host_write
        self.readonly: bool = False  # whether neither the host nor a kernel may write to it
        self.usage: MemoryUsage = stated.usage

    def protect(self) -> None:
        """Make the memory read-only, before it has arrays and views."""
        self.readonly, self.host_write = True, False

    @property
    def ti_handle(self) -> TiMemory:
        return self.ti_memory_at(0)

    # Implemented by subclasses.

    @property
    def staging(self) -> Any:
        """``taichi_aot_staging *`` for memory that the host cannot map; NULL where copies do not need one."""
        return ffi.NULL

    @property
    def read_staging(self) -> Any:
        """``taichi_aot_staging *`` through which the host reads the memory; NULL where a read does not need one."""
        return ffi.NULL

    @property
    def is_mappable(self) -> bool:
        """Whether the host can access the memory itself, not only a copy."""
        raise NotImplementedError

    @property
    def address(self) -> int:
        """Address for the host, or for the device if it is not mappable; valid while a hold on it is active."""
        raise NotImplementedError

    def map(self, typestr: str, shape: tuple[int, ...], offset: int = 0) -> AbstractContextManager[npt.NDArray[Any]]:
        """Return a context manager that yields a numpy view of that type string and shape from `offset` on."""
        raise NotImplementedError

    def place(self, c: taichi_aot_array_p, offset: int = 0) -> None:
        """Let an array lie in it, from `offset` on."""
        c.ti_ndarray.memory = self.ti_memory_at(offset)
        c.memory, c.generation = self.c, self.generation

    def ti_memory_at(self, offset: int) -> TiMemory:
        """Return the library's handle for the bytes from `offset`, which lies within the memory, to the end."""
        raise NotImplementedError

    def export(self) -> int:
        """Return the address for a consumer, which keeps this handle alive while it uses the address."""
        raise NotImplementedError

    def read(self, target: npt.NDArray[Any], offset: int) -> None:
        """Wait for the device and fill a contiguous array with a copy."""
        raise NotImplementedError

    def write(self, source: npt.NDArray[Any], offset: int, *, fresh: bool = False) -> None:
        """Copy a contiguous array into the memory, after waiting for the device unless the memory is fresh."""
        raise NotImplementedError

    def copy_from(self, offset: int, source: MemoryHandle, source_offset: int, size: int) -> None:
        """Copy from other memory of the same context, in launch order; the ranges must not overlap."""
        raise NotImplementedError

    def copy_from_peer(self, offset: int, source: MemoryHandle, source_offset: int, size: int) -> bool:
        """Copy from memory of another device, in the launch order of both; return False if it must pass the host."""
        return False


class DetachedMemory(MemoryHandle):
    """A closed handle that replaces one that another object closes."""

    __slots__ = ()

    def __init__(self, memory: MemoryHandle) -> None:
        super().__init__(memory.runtime, memory)
        self.readonly = memory.readonly
        self.generation = 1
        self.c = ffi.new("taichi_aot_memory *")

    def map(self, typestr: str, shape: tuple[int, ...], offset: int = 0) -> NoReturn:
        self._raise()

    def ti_memory_at(self, offset: int) -> NoReturn:
        self._raise()

    def _raise(self) -> NoReturn:
        self.require_open()
        raise AssertionError("it is never open")


class Hold(OnDevice):
    """A use, such as ``TAICHI_AOT_HOLD_VIEW``, that prevents freeing memory or an image, or with None a runtime."""

    __slots__ = ()

    def __init__(self, runtime: RuntimeHandle, memory: AllocationHandle | None, kind: int) -> None:
        c: taichi_aot_hold_p = ffi.new("taichi_aot_hold *")
        # The memory keeps an export alive, so an export must not keep the memory alive.
        kept = memory if kind != lib.TAICHI_AOT_HOLD_EXPORT else None
        super().__init__(runtime, c, lib.taichi_aot_hold_end, "unmapping memory", kept)
        c_memory, generation = (ffi.NULL, 0) if memory is None else (memory.c, memory.generation)
        c_runtime = runtime.require_open()
        runtime.check(
            runtime.complete(
                lambda may_block: lib.taichi_aot_hold_begin(c_runtime, c_memory, generation, kind, may_block, c)
            )
        )
