"""Host memory for the CPU archs, owned here and imported into the library once per block.

The library's own CPU allocations never return to the system: ``ti_free_memory`` frees them, reports NOT_SUPPORTED and
logs a line; ``ti_destroy_runtime`` frees none. An import leaves the memory to its owner but costs a table entry that
is never given back. So blocks are imported once and reused together with their handles: the table grows with the
largest number of arrays that ever lived at once, not with the number of allocations.
"""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING

from .._ffi.library import ffi, lib
from .._ffi.pointers import address_of
from .._handles.memory import Request
from .._handles.runtime import RuntimeHandle
from ..errors import OutOfMemoryError
from .interchange import Shared
from .pool import PoolBlock, PooledMemory, capacity_class
from .views import DirectMap

if TYPE_CHECKING:
    from .._capi import TiMemory

__all__ = ["HostMemory", "HostPool"]

SMALLEST = 4096
# Bytes of free blocks of one capacity that keep their pages. Those beyond keep their address and their handle, but give
# their pages back to the system.
KEPT = 4 << 20


class HostMemory(PooledMemory):
    """A block in use. The host can always reach all of it; its flags are kept so that one rule holds on every arch."""

    __slots__ = ()
    c_copy = staticmethod(lib.taichi_aot_copy)

    @property
    def is_mappable(self) -> bool:
        return True

    def map(self, typestr: str, shape: tuple[int, ...]) -> DirectMap:
        return DirectMap(self, typestr, shape)

    def give_back(self, block: PoolBlock) -> None:
        pool = self.runtime.allocator
        assert isinstance(pool, HostPool)
        pool.give_back(block)


class HostPool:
    """The blocks of one runtime, free ones by capacity. Its lists change in single steps, so it needs no lock."""

    def __init__(self) -> None:
        self._warm: dict[int, list[PoolBlock]] = {}  # free, with their pages
        self._cold: dict[int, list[PoolBlock]] = {}  # free, without
        self._imports: dict[int, TiMemory] = {}  # by address
        self._closed = False

    def allocate(self, runtime: RuntimeHandle, request: Request) -> HostMemory:
        """Return a block of at least `request.size` bytes, with arbitrary contents.

        Raises
        ------
        OutOfMemoryError
            If the system cannot give that much.
        """
        capacity = capacity_class(request.size, SMALLEST)
        try:
            block = self._warm[capacity].pop()
        except (KeyError, IndexError):
            block = self._cold_block(runtime, capacity)
        return HostMemory(runtime, block, request.size, host_read=request.host_read, host_write=request.host_write)

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
        _import(runtime, block, capacity)
        return block

    def import_memory(self, runtime: RuntimeHandle, shared: Shared) -> HostMemory:
        """Return memory of another owner, which is kept as long as the memory is in use.

        The library knows an address that was imported before already; it never asks where it ends.
        """
        block = PoolBlock(shared.owner, shared.address, 0)
        known = self._imports.get(shared.address)
        if known is None:
            _import(runtime, block, shared.nbytes)
            self._imports[shared.address] = block.c.ti_memory
        else:
            block.c.ti_memory = known
        return HostMemory(runtime, block, shared.nbytes)

    def give_back(self, block: PoolBlock) -> None:
        """Keep a block for reuse. It calls no library and takes no lock, so finalizers may call it."""
        if self._closed or block.capacity == 0:  # of another owner
            return
        warm = self._warm.setdefault(block.capacity, [])
        if (len(warm) + 1) * block.capacity < KEPT or not hasattr(block.owner, "madvise"):
            warm.append(block)
        else:
            block.owner.madvise(mmap.MADV_DONTNEED)
            self._cold.setdefault(block.capacity, []).append(block)

    def close(self, runtime: RuntimeHandle) -> None:
        """Drop the free blocks; those in use are freed with their last view."""
        self.forget()

    def forget(self) -> None:
        self._closed = True
        self._warm.clear()
        self._cold.clear()
        self._imports.clear()


def _import(runtime: RuntimeHandle, block: PoolBlock, size: int) -> None:
    c = block.c
    result = ffi.addressof(c, "ti_memory")
    status = lib.checked_ti_import_cpu_memory(runtime.require_open(), ffi.cast("void *", c.address), size, result)
    runtime.check(status)


def _anonymous_pages(capacity: int) -> mmap.mmap:
    if hasattr(mmap, "MAP_PRIVATE"):  # neighbours of this kind share one kernel mapping, of which there are few
        return mmap.mmap(-1, capacity, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return mmap.mmap(-1, capacity)
