"""Host memory for the CPU archs, owned here and imported into the library once per block.

The library's own CPU allocations cannot be had back: ``ti_free_memory`` frees them, reports NOT_SUPPORTED and logs a
line; ``ti_destroy_runtime`` frees none. An import leaves the memory to its owner but costs a table entry that is
never given back. So blocks are imported once and reused together with their handles: the table grows with the largest
number of arrays that ever lived at once, not with the number of allocations.
"""

from __future__ import annotations

import mmap
from typing import Any

from .._ffi.library import ffi, lib
from .._ffi.pointers import address_of
from .._ffi.status import check
from .._handles.memory import MemoryHandle, Request
from .._handles.runtime import RuntimeHandle
from ..errors import OutOfMemoryError
from .interchange import Shared
from .pool import Block, BlockMemory, capacity_class

SMALLEST = 4096
# Bytes of free blocks of one capacity that keep their pages. Those beyond keep their address and their handle, but give
# their pages back to the system.
KEPT = 4 << 20


class HostMemory(BlockMemory):
    """A block in use. The host reaches all of it always; its flags are kept for the sake of one rule on every arch."""

    __slots__ = ()

    @property
    def is_mappable(self) -> bool:
        return True

    def address(self) -> int:
        return self.block_address

    def read_to(self, target: int, offset: int, size: int) -> None:
        lib.taichi_aot_copy(target, self.block_address + offset, size)

    def write_from(self, source: int, offset: int, size: int) -> None:
        lib.taichi_aot_copy(self.block_address + offset, source, size)

    def copy_from(self, offset: int, source: MemoryHandle, source_offset: int, size: int) -> None:
        assert isinstance(source, HostMemory)
        lib.taichi_aot_copy(self.block_address + offset, source.block_address + source_offset, size)

    def store_ticket(self, block: Block) -> None:
        if self.is_dropped:  # nobody can be launching it, and a finalizer takes no lock
            block.state[0] = block.ticket
        else:  # a kernel of another thread may be writing to it: the block is given back when it is done
            super().store_ticket(block)

    def give_back(self, block: Block) -> None:
        pool = self.runtime.allocator
        assert isinstance(pool, HostPool)
        pool.give_back(block)

    def __del__(self) -> None:
        self.is_dropped = True
        self.release()


class HostPool:
    """The blocks of one runtime, free ones by capacity. Its lists change in single steps, so it needs no lock."""

    def __init__(self) -> None:
        self._warm: dict[int, list[Block]] = {}  # free, with their pages
        self._cold: dict[int, list[Block]] = {}  # free, without
        self._imports: dict[int, Any] = {}  # native memory by address
        self._closed = False

    def allocate(self, runtime: RuntimeHandle, request: Request) -> HostMemory:
        """A block of at least as many bytes, with any contents.

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

    def _cold_block(self, runtime: RuntimeHandle, capacity: int) -> Block:
        try:
            return self._cold[capacity].pop()
        except (KeyError, IndexError):
            pass
        try:
            pages = _anonymous_pages(capacity)
        except (OSError, OverflowError, ValueError) as reason:
            raise OutOfMemoryError(f"the host cannot allocate {capacity} bytes: {reason}") from None
        address = address_of(ffi.from_buffer(pages))
        return Block(pages, address, capacity, _import(runtime, address, capacity))

    def import_memory(self, runtime: RuntimeHandle, shared: Shared) -> HostMemory:
        """Memory of somebody else, who is kept as long as it is in use.

        An address that was imported before is known to the library already; where it ends the library never asks.
        """
        address = shared.address
        native = self._imports.get(address)
        if native is None:
            native = self._imports[address] = _import(runtime, address, shared.nbytes)
        return HostMemory(runtime, Block(shared.owner, address, 0, native), shared.nbytes)

    def give_back(self, block: Block) -> None:
        """Keep a block for reuse. Calls no library and takes no lock, so finalizers may."""
        if self._closed or block.capacity == 0:  # another's
            return
        warm = self._warm.setdefault(block.capacity, [])
        if (len(warm) + 1) * block.capacity < KEPT or not hasattr(block.owner, "madvise"):
            warm.append(block)
        else:
            block.owner.madvise(mmap.MADV_DONTNEED)
            self._cold.setdefault(block.capacity, []).append(block)

    def close(self, runtime: RuntimeHandle) -> None:
        """Drop the free blocks; those still in use go with their last view."""
        self.forget()

    def forget(self) -> None:
        self._closed = True
        self._warm.clear()
        self._cold.clear()
        self._imports.clear()


def _import(runtime: RuntimeHandle, address: int, size: int) -> Any:
    result = ffi.new("TiMemory *")
    check(lib.checked_ti_import_cpu_memory(runtime.native.pointer, ffi.cast("void *", address), size, result))
    return result[0]


def _anonymous_pages(capacity: int) -> mmap.mmap:
    if hasattr(mmap, "MAP_PRIVATE"):  # neighbours of this kind share one kernel mapping, of which there are few
        return mmap.mmap(-1, capacity, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return mmap.mmap(-1, capacity)
