"""Memory of CUDA devices, allocated through the driver and imported into the library once per block.

The library's own allocations cost 700 bytes of host memory each, and its mapping copies the whole buffer to the host
and back. The driver therefore allocates the memory, in blocks that are pooled with their handles as on the host. The
driver also copies it, in the order of the default stream.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..driver._host import read_switch
from ..driver._library import Status, address_of, ffi, lib, log_debug, log_failure
from ..handles._interchange import CUDA, DEFAULT_STREAM, CudaStream, CudaStreamLike, Shared, stream_pointer
from ..handles._memory import MemoryHandle, Request, ShadowMap
from ..handles._runtime import RuntimeHandle
from ..values._enums import Arch
from ..values._errors import InvalidArgumentError, NotSupportedError, OutOfMemoryError, TaichiError
from ._base import Code, Device, Interchange, Streams
from ._pool import FreeBlocks, PoolAllocator, PoolBlock, PooledMemory, capacity_class

if TYPE_CHECKING:
    from .._capi import taichi_aot_memory_p
    from ..bundle._plan import Plan
    from ..handles._code import PtxCode

SMALLEST = 512  # bytes, the driver's alignment
RESULT = 256  # bytes of a block for return values, on the host: one wait is enough to read it
NATIVE = "TAICHI_AOT_NATIVE"  # 0: the library compiles kernels that have PTX
KEPT = 256 << 20  # bytes of free blocks that a runtime keeps for reuse


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
        capacity = RESULT if is_result else capacity_class(request.size, SMALLEST)
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
        if self._free.nbytes + block.capacity <= KEPT:
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
