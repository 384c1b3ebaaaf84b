"""The CPU archs: host memory, owned by this package, and the machine code of modules.

Machine code takes addresses. The library takes handles, so a block is imported when a launch by the library first needs
one. It does not return its own CPU allocations to the system: ``ti_free_memory`` frees them, but reports NOT_SUPPORTED
and logs a line; ``ti_destroy_runtime`` does not free them. An import leaves the memory to its owner, but takes a table
entry that is never freed. Each block is therefore imported once and reused with its handle. The table grows with the
largest number of arrays alive at the same time, not with the number of allocations.
"""

from __future__ import annotations

import functools
import mmap
import os
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from ..driver._host import anonymous_pages, cpu_threads, host_memory
from ..driver._library import RUNTIME_SPACE, STACK_SPACE, Need, address_of, ffi, lib, log_debug
from ..handles._interchange import CPU, Shared
from ..handles._memory import DirectMap, Request
from ..handles._runtime import RuntimeHandle
from ..values._enums import Arch
from ._base import Code, Device, Interchange
from ._pool import FreeBlocks, PoolAllocator, PoolBlock, PooledMemory, capacity_class

if TYPE_CHECKING:
    from ..bundle._plan import Plan
    from ..handles._code import NativeCode

SMALLEST = 4096
CHUNK = 1 << 30  # bytes of address space that the library reserves for all of its CPU runtimes
# Bytes of free blocks of one capacity that keep their pages. Further free blocks keep their address and their handle,
# but return their pages to the system.
KEPT = 4 << 20
MANY_IMPORTS = 1 << 16  # into the library; after that, memory that can be copied is not imported
CAN_RETURN_PAGES = hasattr(mmap, "MADV_DONTNEED")


class HostMemory(PooledMemory):
    """A block in use. The host can access all of it, but the access flags apply as on every arch."""

    __slots__ = ()

    @property
    def is_mappable(self) -> bool:
        return True

    def map(self, typestr: str, shape: tuple[int, ...], offset: int = 0) -> DirectMap:
        return DirectMap(self, typestr, shape, offset)


class HostAllocator(PoolAllocator):
    """The blocks of one runtime. Each change of what it knows of them is atomic, so it needs no lock."""

    handle = HostMemory
    export = "TiCpuMemoryInteropInfo", lib.checked_ti_export_cpu_memory

    def __init__(self, arch: Arch) -> None:
        super().__init__(arch)
        self._blocks: WeakValueDictionary[int, PoolBlock] = WeakValueDictionary()  # by address, in use or free
        self._warm = FreeBlocks()  # with their pages
        self._cold = FreeBlocks()  # without their pages
        self._closed = False

    def allocate(self, runtime: RuntimeHandle, request: Request) -> PooledMemory:
        """Return an uninitialized block of at least `request.size` bytes."""
        capacity = capacity_class(request.size, SMALLEST)
        block = self._warm.take(capacity) or self._cold.take(capacity) or self._new_block(runtime, capacity)
        return HostMemory(runtime, self, block, request)

    def _new_block(self, runtime: RuntimeHandle, capacity: int) -> PoolBlock:
        pages = anonymous_pages(capacity)
        block = PoolBlock(pages, address_of(ffi.from_buffer(pages)), capacity)
        self._blocks[block.address] = block
        return block

    def import_memory(self, runtime: RuntimeHandle, shared: Shared) -> HostMemory:
        """Return memory of another owner, and keep the owner alive while the memory is in use."""
        runtime.require_open()
        block = PoolBlock(shared.owner, shared.address, 0)
        return HostMemory(runtime, self, block, Request(shared.nbytes))

    def may_import(self, runtime: RuntimeHandle) -> bool:
        return lib.taichi_aot_import_count(runtime.context.c) < MANY_IMPORTS

    def return_block(self, memory: PooledMemory, block: PoolBlock) -> None:
        """Keep a block for reuse. Finalizers may call this: it neither calls the library nor takes a lock."""
        if self._closed or block.capacity == 0:  # 0: belongs to another owner
            return
        if not CAN_RETURN_PAGES:
            self._warm.add(block)
        elif not self._warm.add_below(block, KEPT):
            self._return_pages(block)

    def _return_pages(self, block: PoolBlock) -> None:
        block.owner.madvise(mmap.MADV_DONTNEED)
        self._cold.add(block)

    def bytes_in_use(self) -> int:
        free = {*self._warm, *self._cold}
        blocks = [reference() for reference in self._blocks.valuerefs()]
        return sum(block.capacity for block in blocks if block is not None and block not in free)

    def bytes_pooled(self) -> int:
        return self._warm.nbytes if CAN_RETURN_PAGES else 0

    def device_memory(self, free: int, total: int) -> tuple[int | None, int | None]:
        return host_memory()

    def trim(self, runtime: RuntimeHandle) -> int:
        freed = super().trim(runtime)
        for block in self._warm.take_all() if CAN_RETURN_PAGES else ():
            self._return_pages(block)
            freed += block.capacity
        return freed

    def close(self, runtime: RuntimeHandle) -> None:
        """Drop the free blocks; those in use are freed with their last view."""
        super().close(runtime)
        self.forget()

    def forget(self) -> None:
        self._closed = True
        self._warm.clear()
        self._cold.clear()
        self._blocks.clear()
        super().forget()


class HostInterchange(Interchange):
    device_type = CPU
    shares_host = True
    api = "cpu"


class CpuDevice(Device):
    on_host = True
    is_lazy = True

    @classmethod
    def need(cls, kind: str, *, first: bool) -> Need:
        threads = os.cpu_count() or 1
        return RUNTIME_SPACE + threads * STACK_SPACE + (CHUNK if first else 0), threads

    def kind(self, runtime: RuntimeHandle) -> str:
        return "cpu"


class CpuCode(Code):
    family = "llvm"
    recording = "TAICHI_AOT_NATIVE"
    own_means = "machine code"

    def __init__(self, arch: Arch) -> None:
        super().__init__(arch)
        size_pool()

    def open(self, plan: Plan, runtime: RuntimeHandle) -> NativeCode | str:
        from ..handles._code import open_code

        return open_code(plan, runtime)

    def random_cell(self, runtime: RuntimeHandle, threads: int) -> int:
        return runtime.random.host_cell()


@functools.cache
def size_pool() -> None:
    """Give the pool as many threads as the process can use, once in a process."""
    threads = cpu_threads()
    lib.taichi_aot_pool_resize(threads)
    log_debug("loops on the CPU run on up to %d threads", threads)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=size_pool.cache_clear)
