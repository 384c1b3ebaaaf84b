"""Host memory for the CPU archs, owned by this package and imported into the library once per block.

The library does not return its own CPU allocations to the system: ``ti_free_memory`` frees them, but reports
NOT_SUPPORTED and logs a line; ``ti_destroy_runtime`` does not free them. An import leaves the memory to its owner, but
takes a table entry that is never freed. Each block is therefore imported once and reused with its handle. The table
grows with the largest number of arrays alive at the same time, not with the number of allocations.
"""

from __future__ import annotations

import mmap
import os

from ..driver._library import ffi, lib
from ..driver._limits import RUNTIME_SPACE, STACK_SPACE, Need
from ..driver._pointers import address_of
from ..handles._memory import Request
from ..handles._runtime import RuntimeHandle
from ..values._enums import Arch
from ..values._errors import OutOfMemoryError
from ._interchange import CPU, Shared
from ._pool import PoolBackend, PoolBlock, PooledMemory, capacity_class
from ._views import DirectMap

__all__ = ["CpuBackend", "HostMemory"]

SMALLEST = 4096
CHUNK = 1 << 30  # bytes of address space that the library reserves for all of its CPU runtimes
# Bytes of free blocks of one capacity that keep their pages. Further free blocks keep their address and their handle,
# but return their pages to the system.
KEPT = 4 << 20


class HostMemory(PooledMemory):
    """A block in use. The host can access all of it, but the access flags apply as on every arch."""

    __slots__ = ()

    @property
    def is_mappable(self) -> bool:
        return True

    def map(self, typestr: str, shape: tuple[int, ...], offset: int = 0) -> DirectMap:
        return DirectMap(self, typestr, shape, offset)


class CpuBackend(PoolBackend):
    """The blocks of one runtime, free ones by capacity. Each change of its lists is atomic, so it needs no lock."""

    family = "llvm"
    on_host = True
    device_type = CPU
    interface = "__array_interface__"
    api = "cpu"
    memory = HostMemory
    c_import = lib.checked_ti_import_cpu_memory
    export = "TiCpuMemoryInteropInfo", lib.checked_ti_export_cpu_memory

    def __init__(self, arch: Arch) -> None:
        super().__init__(arch)
        self._warm: dict[int, list[PoolBlock]] = {}  # free, with their pages
        self._cold: dict[int, list[PoolBlock]] = {}  # free, without their pages
        self._closed = False

    @classmethod
    def need(cls, kind: str, *, first: bool) -> Need:
        threads = os.cpu_count() or 1
        return Need(RUNTIME_SPACE + threads * STACK_SPACE + (CHUNK if first else 0), threads)

    def allocate(self, runtime: RuntimeHandle, request: Request) -> PooledMemory:
        """Return an uninitialized block of at least `request.size` bytes.

        Raises
        ------
        OutOfMemoryError
            If the system does not have enough memory.
        """
        capacity = capacity_class(request.size, SMALLEST)
        try:
            block = self._warm[capacity].pop()
        except (KeyError, IndexError):
            block = self._cold_block(runtime, capacity)
        return self.use(runtime, block, request)

    def _cold_block(self, runtime: RuntimeHandle, capacity: int) -> PoolBlock:
        try:
            return self._cold[capacity].pop()
        except (KeyError, IndexError):
            pass
        try:
            pages = _anonymous_pages(capacity)
        except (OSError, OverflowError, ValueError) as reason:
            raise OutOfMemoryError(f"the host cannot allocate {capacity} bytes: {reason}") from None
        block = PoolBlock(pages, address_of(ffi.from_buffer(pages)), capacity)
        block.c.ti_memory = self.known.handle(runtime, block.address, capacity)
        return block

    def import_memory(self, runtime: RuntimeHandle, shared: Shared) -> HostMemory:
        """Return memory of another owner, and keep the owner alive while the memory is in use."""
        block = PoolBlock(shared.owner, shared.address, 0)
        block.c.ti_memory = self.known.handle(runtime, shared.address, shared.nbytes)
        return HostMemory(runtime, block, shared.nbytes)

    def may_import(self) -> bool:
        return self.known.has_room

    def return_block(self, memory: PooledMemory, block: PoolBlock) -> None:
        """Keep a block for reuse. Finalizers may call this: it neither calls the library nor takes a lock."""
        if self._closed or block.capacity == 0:  # 0: belongs to another owner
            return
        warm = self._warm.setdefault(block.capacity, [])
        if (len(warm) + 1) * block.capacity < KEPT or not hasattr(block.owner, "madvise"):
            warm.append(block)
        else:
            block.owner.madvise(mmap.MADV_DONTNEED)
            self._cold.setdefault(block.capacity, []).append(block)

    def kind(self, runtime: RuntimeHandle) -> str:
        return "cpu"

    def close(self, runtime: RuntimeHandle) -> None:
        """Drop the free blocks; those in use are freed with their last view."""
        self.adopted.close(runtime)
        self.forget()

    def forget(self) -> None:
        self._closed = True
        self._warm.clear()
        self._cold.clear()
        self.known.forget()
        self.adopted.forget()


def _anonymous_pages(capacity: int) -> mmap.mmap:
    if hasattr(mmap, "MAP_PRIVATE"):  # the kernel merges adjacent private mappings; it limits their number
        return mmap.mmap(-1, capacity, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return mmap.mmap(-1, capacity)
