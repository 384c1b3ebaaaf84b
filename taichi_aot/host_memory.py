"""Host memory for the CPU archs, owned here and imported into the library once per block.

The library's own CPU allocations cannot be had back: ``ti_free_memory`` frees them, reports NOT_SUPPORTED and logs a
line; ``ti_destroy_runtime`` frees none. An import leaves the memory to its owner but costs a table entry that is
never given back. So blocks are imported once and reused together with their handles: the table grows with the largest
number of arrays that ever lived at once, not with the number of allocations.
"""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING, Any

from ._library import ffi, lib
from .errors import OutOfMemoryError, check

if TYPE_CHECKING:
    from .handles import RuntimeHandle

SMALLEST = 4096
# A pooled block of at least this size keeps its address and its handle but gives its pages back to the system.
TRIM_FROM = 1 << 20


class Block:
    """`capacity` bytes of host memory with the handle that the library knows them by."""

    __slots__ = ("address", "capacity", "pages", "pointer", "pool")

    def __init__(self, pool: HostPool, pages: mmap.mmap, address: int, capacity: int, pointer: Any) -> None:
        self.pool = pool
        self.pages = pages
        self.address = address
        self.capacity = capacity
        self.pointer = pointer


class HostPool:
    """The blocks of one runtime, free ones sorted by capacity."""

    def __init__(self) -> None:
        self._free: dict[int, list[Block]] = {}
        self._closed = False

    def take(self, runtime: RuntimeHandle, size: int) -> Block:
        """A block of at least `size` bytes with any contents. The runtime's lock is held.

        Raises
        ------
        OutOfMemoryError
            If the system cannot give that much.
        """
        capacity = _capacity_class(size)
        free = self._free.get(capacity)
        if free:
            return free.pop()
        return self._import(runtime, capacity)

    def _import(self, runtime: RuntimeHandle, capacity: int) -> Block:
        try:
            pages = _anonymous_pages(capacity)
        except (OSError, OverflowError, ValueError) as reason:
            raise OutOfMemoryError(f"the host cannot allocate {capacity} bytes: {reason}") from None
        address = int(ffi.cast("uintptr_t", ffi.from_buffer(pages)))
        result = ffi.new("TiMemory *")
        check(lib.checked_ti_import_cpu_memory(runtime.use(), ffi.cast("void *", address), capacity, result))
        return Block(self, pages, address, capacity, result[0])

    def give_back(self, block: Block) -> None:
        """Keep a block for reuse. Calls no library and takes no lock, so finalizers may."""
        if self._closed:
            return
        if block.capacity >= TRIM_FROM and hasattr(block.pages, "madvise"):
            block.pages.madvise(mmap.MADV_DONTNEED)
        self._free.setdefault(block.capacity, []).append(block)

    def close(self) -> None:
        """Drop the free blocks; those still in use go with their last view."""
        self._closed = True
        self._free.clear()


def _capacity_class(size: int) -> int:
    """`size` rounded up to one of eight steps per power of two, so that blocks of similar size are shared."""
    step = max(SMALLEST, 1 << (size - 1).bit_length() >> 4)
    return -(-size // step) * step


def _anonymous_pages(capacity: int) -> mmap.mmap:
    if hasattr(mmap, "MAP_PRIVATE"):  # neighbours of this kind share one kernel mapping, of which there are few
        return mmap.mmap(-1, capacity, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return mmap.mmap(-1, capacity)
