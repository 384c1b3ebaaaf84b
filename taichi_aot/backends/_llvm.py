"""The backends of the CPU and CUDA: memory that the library has not allocated, pooled, and the code of modules.

Machine code takes addresses. The library takes handles, so a block is imported when a launch by the library first needs
one, and reused with its handle. It does not return its own CPU allocations to the system: ``ti_free_memory`` frees
them, but reports NOT_SUPPORTED and logs a line; ``ti_destroy_runtime`` does not free them. An import leaves the memory
to its owner, but takes a table entry that is never freed. The table grows with the largest number of arrays alive at
the same time, not with the number of allocations.

On CUDA the library's own allocations cost 700 bytes of host memory each, and its mapping copies the whole buffer to the
host and back. The driver therefore allocates the memory, in blocks that are pooled with their handles as on the host.
The driver also copies it, in the order of the default stream.
"""

from __future__ import annotations

import functools
import mmap
import os
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from ..driver._host import anonymous_pages, cpu_threads, host_memory, read_switch
from ..driver._library import RUNTIME_SPACE, STACK_SPACE, Need, Status, address_of, ffi, lib, log_debug, log_failure
from ..handles._interchange import CudaStream, CudaStreamLike, Shared, stream_pointer
from ..handles._memory import CPU, CUDA, DEFAULT_STREAM, Adoption, DirectMap, Hold, MemoryHandle, Request, ShadowMap
from ..handles._runtime import RuntimeHandle, process
from ..values._errors import ErrorCode, InvalidArgumentError, NotSupportedError, OutOfMemoryError, TaichiError
from ..values._numbers import Arch
from ._base import Allocator, Code, Device, Interchange, Streams

if TYPE_CHECKING:
    import numpy.typing as npt

    from .._capi import TiMemory, taichi_aot_array_p, taichi_aot_memory_p
    from ..bundle._plan import Plan
    from ..handles._code import NativeCode, PtxCode


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


# The CPU archs: host memory, owned by this package, and the machine code of modules.


HOST_SMALLEST = 4096
CHUNK = 1 << 30  # bytes of address space that the library reserves for all of its CPU runtimes
# Bytes of free blocks of one capacity that keep their pages. Further free blocks keep their address and their handle,
# but return their pages to the system.
HOST_KEPT = 4 << 20
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
        capacity = capacity_class(request.size, HOST_SMALLEST)
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
        elif not self._warm.add_below(block, HOST_KEPT):
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


# Memory of CUDA devices, allocated through the driver and imported into the library once per block.


CUDA_SMALLEST = 512  # bytes, the driver's alignment
RESULT = 256  # bytes of a block for return values, on the host: one wait is enough to read it
NATIVE = "TAICHI_AOT_NATIVE"  # 0: the library compiles kernels that have PTX
CUDA_KEPT = 256 << 20  # bytes of free blocks that a runtime keeps for reuse


class CudaMemory(PooledMemory):
    """A block in use. The host accesses copies of it."""

    __slots__ = ()

    @property
    def is_mappable(self) -> bool:
        return False

    def map(self, typestr: str, shape: tuple[int, ...], offset: int = 0) -> ShadowMap:
        return ShadowMap(self, typestr, shape, offset)

    def copy_from_peer(self, offset: int, source: MemoryHandle, source_offset: int, size: int) -> bool:
        runtime, other = self.runtime, source.runtime
        if other.arch is not runtime.arch:
            return False
        target = runtime.require_open(), self.c, self.generation, offset
        status = lib.taichi_aot_cuda_copy_peer(
            *target, other.require_open(), source.c, source.generation, source_offset, size
        )
        if status == Status.NOT_MINE:
            reason = ffi.string(lib.taichi_aot_error_message()).decode(errors="replace") or "the driver is too old"
            log_debug("copy from %s to %s: through the host: %s", other.device, runtime.device, reason)
            return False
        runtime.check(status)
        return True

    def release(self, *, may_wait: bool) -> bool:
        if not may_wait and not self.runtime.is_free:
            return False
        return super().release(may_wait=may_wait)

    def drop(self) -> None:
        self.runtime.release(self)


class CudaAllocator(PoolAllocator):
    """The blocks of one runtime. Each change of what it knows of them is atomic, so it needs no lock."""

    handle = CudaMemory
    export = "TiCudaMemoryInteropInfo", lib.checked_ti_export_cuda_memory

    def __init__(self, arch: Arch) -> None:
        super().__init__(arch)
        self._free = FreeBlocks()
        self._on_close: list[Callable[[], object]] = []
        self._in_use: set[tuple[PoolBlock, int]] = set()  # with the generation of the use
        self._allocated: set[taichi_aot_memory_p] = set()  # blocks to free when the backend is closed

    def allocate(self, runtime: RuntimeHandle, request: Request) -> PooledMemory:
        """Return an uninitialized block of at least `request.size` bytes."""
        is_result = request.is_result and request.size <= RESULT
        capacity = RESULT if is_result else capacity_class(request.size, CUDA_SMALLEST)
        block = self._free.take(capacity)
        if block is None:
            block = self._new_block(runtime, capacity)
        self._in_use.add((block, block.c.generation))
        return CudaMemory(runtime, self, block, request)

    def _new_block(self, runtime: RuntimeHandle, capacity: int) -> PoolBlock:
        block = PoolBlock(None, 0, capacity)
        self._allocated.add(block.c)  # before the driver allocates, so that an exception in between cannot lose it
        try:
            where = runtime.c, capacity, capacity == RESULT, block.c
            status = lib.taichi_aot_cuda_allocate(*where)
            if status == OutOfMemoryError.code and self._free.nbytes:
                self._free_blocks(runtime)
                status = lib.taichi_aot_cuda_allocate(*where)
            runtime.check(status)
        except TaichiError as error:
            self._free_block(runtime, block.c)
            if isinstance(error, OutOfMemoryError):
                raise OutOfMemoryError(f"cannot allocate {capacity} bytes on cuda: {error}") from None
            raise
        return block

    def import_memory(self, runtime: RuntimeHandle, shared: Shared) -> CudaMemory:
        """Return memory of another owner, keep the owner alive, and wait for the work on its stream."""
        c_runtime, device = runtime.require_open(), ffi.new("int32_t *")
        runtime.check(lib.taichi_aot_cuda_find_device(c_runtime, shared.address, device))
        if device[0] < 0:
            raise InvalidArgumentError("it claims to be on a CUDA device, but the driver does not know the address")
        if device[0] != runtime.context.device_index:
            raise InvalidArgumentError(f"it is on cuda:{device[0]}, and this runtime is on {runtime.device}")
        if shared.stream not in (None, DEFAULT_STREAM):
            runtime.check(lib.taichi_aot_cuda_order(c_runtime, stream_pointer(shared.stream), True))
        block = PoolBlock(shared.owner, shared.address, 0)
        return CudaMemory(runtime, self, block, Request(shared.nbytes))

    def return_block(self, memory: PooledMemory, block: PoolBlock) -> None:
        """Keep a block for reuse, or free it."""
        if block.capacity == 0:  # another owner's, which may free it now
            # In one call: a finalizer that signal handlers interrupt is not called again.
            status = lib.taichi_aot_wait_to_release(memory.runtime.c)
            log_failure(status, "waiting for the device")
            if status < 0:  # launches may still use it
                memory.runtime.retain_owner(block, block.owner)
            block.owner = None
            return
        try:  # two threads or nested calls may drain a queue: one of them claims this use of the block
            self._in_use.remove((block, memory.generation))
        except KeyError:
            return
        if self._free.nbytes + block.capacity <= CUDA_KEPT:
            self._free.add(block)
        else:
            self._free_block(memory.runtime, block.c)

    def bytes_in_use(self) -> int:
        return sum(block.capacity for block, _ in self._in_use.copy())

    def bytes_pooled(self) -> int:
        return self._free.nbytes

    def trim(self, runtime: RuntimeHandle) -> int:
        return super().trim(runtime) + self._free_blocks(runtime)

    def _free_blocks(self, runtime: RuntimeHandle) -> int:
        """Free the blocks that are not in use; return their bytes."""
        freed = 0
        for block in self._free.take_all():
            self._free_block(runtime, block.c)
            freed += block.capacity
        return freed

    def _free_block(self, runtime: RuntimeHandle, c: taichi_aot_memory_p) -> None:
        log_failure(lib.taichi_aot_cuda_free(runtime.c, c), "freeing CUDA memory")
        self._allocated.discard(c)

    def on_close(self, call: Callable[[], object]) -> None:
        """Call a function when the runtime is closed."""
        self._on_close.append(call)

    def close(self, runtime: RuntimeHandle) -> None:
        super().close(runtime)
        while self._on_close:
            self._on_close.pop()()
        for c in list(self._allocated):
            self._free_block(runtime, c)

    def forget(self) -> None:
        self._on_close.clear()
        self._free.clear()
        self._in_use.clear()
        self._allocated.clear()
        super().forget()


class CudaInterchange(Interchange):
    device_type = CUDA
    shares_cuda = True
    api = "cuda"

    def dlpack_device(self, runtime: RuntimeHandle) -> tuple[int, int]:
        return CUDA, runtime.context.device_index


class CudaStreams(Streams):
    def use(self, runtime: RuntimeHandle, stream: CudaStreamLike) -> CudaStream:
        return CudaStream(runtime, stream)

    def current(self, runtime: RuntimeHandle) -> int:
        stream = ffi.new("void **")
        runtime.check(lib.taichi_aot_cuda_current_stream(runtime.require_open(), stream))
        return address_of(stream[0])


class CudaDevice(Device):
    is_shared = True
    is_lazy = True

    @classmethod
    def require_library(cls, device_index: int) -> None:
        if device_index:
            raise NotSupportedError(
                f"the Taichi C-API library uses only cuda:0, not cuda:{device_index}: give the module its PTX with "
                "`taichi-aot build`, without random numbers and sparse fields, which need the library"
            )

    def kind(self, runtime: RuntimeHandle) -> str:
        return "discrete"


class CudaCode(Code):
    family = "llvm"
    recording = "TAICHI_AOT_CUDA_RECORDING"

    def open(self, plan: Plan, runtime: RuntimeHandle) -> PtxCode | str:
        from ..handles._code import open_ptx

        return f"{NATIVE}=0 disables PTX" if read_switch(NATIVE) is False else open_ptx(plan, runtime)

    def random_cell(self, runtime: RuntimeHandle, threads: int) -> int:
        from ..handles._code import random_states

        return random_states(runtime, threads, cell=True)
