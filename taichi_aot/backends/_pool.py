"""Memory that the library has not allocated, pooled and reused. The library imports it when it first needs a handle."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from ..driver._library import Status, address_of, ffi, lib, log_failure
from ..handles._memory import Adoption, Hold, MemoryHandle, Request
from ..handles._runtime import RuntimeHandle, process
from ..values._enums import Arch
from ..values._errors import ErrorCode, InvalidArgumentError
from ._base import Allocator

if TYPE_CHECKING:
    import numpy.typing as npt

    from .._capi import TiMemory, taichi_aot_array_p, taichi_aot_memory_p


# Found once, because small arrays are copied in a microsecond.
_from_buffer, _copy_host = ffi.from_buffer, lib.taichi_aot_copy_host
_READ, _WRITE = lib.TAICHI_AOT_READ, lib.TAICHI_AOT_WRITE


class PoolBlock:
    """Bytes at an address, with the library's handle for them.

    Its generation, which launches compare, counts its uses: a launch bound in an earlier use does not match.
    """

    __slots__ = ("__weakref__", "c", "capacity", "owner")

    def __init__(self, owner: Any, address: int, capacity: int) -> None:
        self.owner = owner  # the object that keeps the bytes allocated
        # Number of bytes; 0 if they belong to another owner, in which case they are not pooled.
        self.capacity = capacity
        self.c = ffi.new("taichi_aot_memory *", {"address": address, "generation": 1})

    @property
    def address(self) -> int:
        return int(self.c.address)


class FreeBlocks:
    """Blocks that are not in use, by capacity. Each change is atomic, so it needs no lock."""

    def __init__(self) -> None:
        self._lists: dict[int, list[PoolBlock]] = {}

    def __iter__(self) -> Iterator[PoolBlock]:
        for blocks in self._lists.copy().values():
            yield from blocks.copy()

    @property
    def nbytes(self) -> int:
        return sum(capacity * len(blocks) for capacity, blocks in self._lists.copy().items())

    def add(self, block: PoolBlock) -> None:
        self._lists.setdefault(block.capacity, []).append(block)

    def add_below(self, block: PoolBlock, most: int) -> bool:
        """Add a block, unless those of its capacity would then have `most` bytes."""
        blocks = self._lists.setdefault(block.capacity, [])
        if (len(blocks) + 1) * block.capacity >= most:
            return False
        blocks.append(block)
        return True

    def take(self, capacity: int) -> PoolBlock | None:
        """Remove and return a block of a capacity; None if there is none."""
        try:
            return self._lists[capacity].pop()
        except (KeyError, IndexError):
            return None

    def take_all(self) -> Iterator[PoolBlock]:
        """Remove the blocks, one by one."""
        for capacity in self._lists.copy():
            while (block := self.take(capacity)) is not None:
                yield block

    def clear(self) -> None:
        self._lists.clear()


class PooledMemory(MemoryHandle):
    """A block in use."""

    __slots__ = ("_allocator", "_export", "block")

    def __init__(
        self, runtime: RuntimeHandle, allocator: PoolAllocator, block: PoolBlock, request: Request | Adoption
    ) -> None:
        MemoryHandle.__init__(self, runtime, request)  # faster than super()
        self._allocator = allocator
        self.c = block.c
        self.generation = block.c.generation
        self._export: Hold | None = None
        self.block: PoolBlock | None = block

    @property
    def address(self) -> int:
        return int(self.c.address)

    def place(self, c: taichi_aot_array_p, offset: int = 0) -> None:
        c.memory, c.offset, c.generation = self.c, offset, self.generation

    def ti_memory_at(self, offset: int) -> TiMemory:
        self.require_open()
        if self.c.ti_memory and offset == 0:  # an allocation of the library
            return self.c.ti_memory
        result, size = ffi.new("TiMemory *"), self.size - offset
        runtime = self.runtime
        where = self.c, self.generation, offset, size
        runtime.check(lib.taichi_aot_import(runtime.require_library(), *where, result))
        return result[0]

    def read(self, target: npt.NDArray[Any], offset: int) -> None:
        where = self.runtime.c, self.c, self.generation, offset, _from_buffer(target), target.nbytes, _READ
        status = _copy_host(*where, False)
        if status:
            self._finish(status, where)

    def write(self, source: npt.NDArray[Any], offset: int, *, fresh: bool = False) -> None:
        where = self.runtime.c, self.c, self.generation, offset, _from_buffer(source), source.nbytes, _WRITE
        status = _copy_host(*where, False)
        if status:
            self._finish(status, where)

    def copy_from(self, offset: int, source: MemoryHandle, source_offset: int, size: int) -> None:
        where = self.runtime.c, self.c, self.generation, offset, source.c, source.generation, source_offset, size
        self.runtime.check(lib.taichi_aot_copy(*where))

    def _finish(self, status: int, where: Any) -> None:
        """Wait for a copy that takes longer; raise the error of one that failed."""
        if status == Status.UNFINISHED:
            status = self.runtime.complete(partial(_copy_host, *where))
        self.runtime.check(status)

    def export(self) -> int:
        self.require_open()
        if self._export is None:
            self._export = Hold(self.runtime, self, lib.TAICHI_AOT_HOLD_EXPORT)
        return self.address

    def free(self) -> None:
        # A consumer of an exported address keeps this handle alive; the block is returned with it.
        if self._export is None:
            self.release(may_wait=True)

    def release(self, *, may_wait: bool) -> bool:
        """Return the block to its pool; return False if it would have to wait but may not."""
        block = self.block
        if block is not None:
            if not block.capacity and not self._allocator.free_adopted(self.runtime, block.c, may_wait=may_wait):
                return False
            self.block = None
            self._allocator.return_block(self, block)
        return True

    def __del__(self) -> None:
        block = getattr(self, "block", None)
        if block is None or not process or process.exiting:
            return
        if self.c.generation == self.generation:  # other threads cannot be launching with it
            self.c.generation = self.generation + 1
        self.drop()

    def drop(self) -> None:
        """Return the block to its pool; called by the finalizer."""
        if not self.release(may_wait=False):
            self.runtime.release(self)


class PoolAllocator(Allocator):
    """Memory in blocks, which are reused."""

    handle: type[PooledMemory]  # the class of its memory

    def __init__(self, arch: Arch) -> None:
        super().__init__(arch)
        self.adopted: set[taichi_aot_memory_p] = set()  # allocations of the library that the runtime owns

    def adopt(self, runtime: RuntimeHandle, adoption: Adoption) -> PooledMemory:
        block = PoolBlock(None, address_of(self.exported(runtime, adoption).ptr), 0)
        block.c.ti_memory = ffi.cast("TiMemory", adoption.address)
        block.c.is_borrowed = not adoption.owned
        if adoption.owned:
            if any(other.ti_memory == block.c.ti_memory for other in self.adopted.copy()):
                raise InvalidArgumentError("the memory belongs to an object of this package already")
            self.adopted.add(block.c)
        return self.handle(runtime, self, block, adoption)

    def free_adopted(self, runtime: RuntimeHandle, c: taichi_aot_memory_p, *, may_wait: bool) -> bool:
        """Free an owned allocation; return False if it would have to wait but may not. A second call does nothing."""
        if c not in self.adopted:
            return True
        status = lib.taichi_aot_memory_free(runtime.c, c, True, may_wait)
        if c.ti_memory and runtime.c.state:
            return False
        if status != ErrorCode.NOT_SUPPORTED:  # on CPUs the library reports this after freeing the memory
            log_failure(status, "freeing memory")
        self.adopted.discard(c)
        return True

    def close(self, runtime: RuntimeHandle) -> None:
        for c in self.adopted.copy():
            self.free_adopted(runtime, c, may_wait=True)

    def forget(self) -> None:
        self.adopted.clear()

    def return_block(self, memory: PooledMemory, block: PoolBlock) -> None:
        """Keep a block for reuse, or free it."""
        raise NotImplementedError


@lru_cache(1024)
def capacity_class(size: int, smallest: int) -> int:
    """Round `size` up to one of eight steps per power of two, so that similar sizes can reuse a block."""
    step = max(smallest, 1 << (size - 1).bit_length() >> 4)
    return -(-size // step) * step
