"""Memory of CUDA devices, allocated through the driver and imported into the library once per block.

The library's own allocations cost 700 bytes of the host's memory each, and its mapping copies the whole buffer to the
host and back. So memory comes from the driver, in blocks that are pooled with their handles as those of the host are,
and is copied by the driver, in the order of the default stream.
"""

from __future__ import annotations

from typing import Any

from .._ffi.library import ffi, lib
from .._ffi.status import check
from .._handles.memory import Mapping, MemoryHandle, Request
from .._handles.runtime import RuntimeHandle
from ..errors import OutOfMemoryError
from .interchange import DEFAULT_STREAM, Shared
from .pool import Block, BlockMemory, capacity_class

SMALLEST = 512  # bytes: what the driver aligns to
KEPT = 256 << 20  # bytes of free blocks that a runtime keeps for reuse


class CudaMemory(BlockMemory):
    """A block in use. The host reaches copies of it."""

    __slots__ = ()

    @property
    def is_mappable(self) -> bool:
        return False

    def map(self, typestr: str, shape: tuple[int, ...]) -> Mapping:
        """For other libraries on the device, which order their work with ours by streams."""
        self.use()
        return Mapping(self, self.export(), typestr, shape)

    def export(self) -> int:
        if not self.is_exported:
            self.runtime.mappings += 1
        return super().export()

    def read_to(self, target: int, offset: int, size: int) -> None:
        check(lib.taichi_aot_cuda_copy(self.runtime.native.pointer, target, self.block_address + offset, size))

    def write_from(self, source: int, offset: int, size: int) -> None:
        check(lib.taichi_aot_cuda_copy(self.runtime.native.pointer, self.block_address + offset, source, size))

    def copy_from(self, offset: int, source: MemoryHandle, source_offset: int, size: int) -> None:
        assert isinstance(source, CudaMemory)
        native, begin = self.runtime.native.pointer, source.block_address + source_offset
        check(lib.taichi_aot_cuda_copy(native, self.block_address + offset, begin, size))
        native.busy = 1

    def give_back(self, block: Block) -> None:
        if self.is_exported:
            self.runtime.mappings -= 1
        pool = self.runtime.allocator
        assert isinstance(pool, CudaPool)
        pool.give_back(self.runtime, block)

    def __del__(self) -> None:
        self.is_dropped = True
        if self.block is not None:
            self.runtime.release_later(self)


class CudaPool:
    """The blocks of one runtime, free ones by capacity. The runtime's lock is held for all it does."""

    def __init__(self) -> None:
        self._free: dict[int, list[Block]] = {}
        self._kept = 0
        self._living: set[int] = set()  # addresses that are to be freed in the end
        self._imports: dict[int, Any] = {}  # native memory by address

    def allocate(self, runtime: RuntimeHandle, request: Request) -> CudaMemory:
        """A block of at least as many bytes, with any contents.

        Raises
        ------
        OutOfMemoryError
            If the device cannot give that much.
        """
        capacity = capacity_class(request.size, SMALLEST)
        with runtime.lock:
            runtime.use()
            free = self._free.get(capacity)
            if free:
                block = free.pop()
                self._kept -= capacity
            else:
                block = self._new_block(runtime, capacity)
            return CudaMemory(runtime, block, request.size, host_read=request.host_read, host_write=request.host_write)

    def _new_block(self, runtime: RuntimeHandle, capacity: int) -> Block:
        result = ffi.new("uint64_t *")
        try:
            code = lib.taichi_aot_cuda_allocate(runtime.native.pointer, capacity, result)
            if code == OutOfMemoryError.code and self._kept:
                self._trim(runtime)
                code = lib.taichi_aot_cuda_allocate(runtime.native.pointer, capacity, result)
            check(code)
        except OutOfMemoryError as error:
            raise OutOfMemoryError(f"cannot allocate {capacity} bytes on cuda: {error}") from None
        address = result[0]
        self._living.add(address)
        return Block(None, address, capacity, self._native(runtime, address, capacity))

    def _native(self, runtime: RuntimeHandle, address: int, size: int) -> Any:
        """The library's handle of an address; an import is never given back, so each address has one."""
        native = self._imports.get(address)
        if native is None:
            result = ffi.new("TiMemory *")
            pointer = ffi.cast("void *", address)
            check(lib.checked_ti_import_cuda_memory(runtime.native.pointer, pointer, size, result))
            native = self._imports[address] = result[0]
        return native

    def import_memory(self, runtime: RuntimeHandle, shared: Shared) -> CudaMemory:
        """Memory of somebody else, who is kept as long as it is in use; the work on its stream is waited for."""
        pointer, is_device = runtime.native.pointer, ffi.new("int32_t *")
        check(lib.taichi_aot_cuda_is_device_memory(pointer, shared.address, is_device))
        if not is_device[0]:
            raise ValueError("it says that it is on a CUDA device, and the driver does not know the address")
        if shared.stream not in (None, DEFAULT_STREAM):
            check(lib.taichi_aot_cuda_order(pointer, ffi.cast("void *", shared.stream), True))
        block = Block(shared.owner, shared.address, 0, self._native(runtime, shared.address, shared.nbytes))
        return CudaMemory(runtime, block, shared.nbytes)

    def give_back(self, runtime: RuntimeHandle, block: Block) -> None:
        """Keep a block for reuse, or free it."""
        if block.capacity == 0:  # another's, who may free it once we are done with it
            runtime.synchronize()
            block.owner = None
        elif self._kept + block.capacity <= KEPT:
            self._kept += block.capacity
            self._free.setdefault(block.capacity, []).append(block)
        else:
            self._free_block(runtime, block.address)

    def _trim(self, runtime: RuntimeHandle) -> None:
        for blocks in self._free.values():
            for block in blocks:
                self._free_block(runtime, block.address)
        self._free.clear()
        self._kept = 0

    def _free_block(self, runtime: RuntimeHandle, address: int) -> None:
        self._living.discard(address)
        lib.taichi_aot_cuda_free(runtime.native.pointer, address)

    def close(self, runtime: RuntimeHandle) -> None:
        for address in list(self._living):
            self._free_block(runtime, address)
        self.forget()

    def forget(self) -> None:
        self._free.clear()
        self._living.clear()
        self._imports.clear()
        self._kept = 0
