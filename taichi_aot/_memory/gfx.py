"""Memory of archs whose library manages it: Vulkan and OpenGL."""

from __future__ import annotations

from typing import Any

from .._ffi.library import ffi, lib
from .._ffi.pointers import address_of
from .._ffi.status import check
from .._handles.memory import MemoryHandle, Request
from .._handles.runtime import RuntimeHandle
from ..enums import Arch
from ..errors import OutOfMemoryError, TaichiError

# Bytes that are copied at a time between the host and memory that it cannot reach: as many as there are, within these.
# Each part waits for the device, which costs as much as copying megabytes.
STAGING_SIZES = 1 << 16, 32 << 20


class DeviceMemory(MemoryHandle):
    """An allocation of the library, or one that was imported into it."""

    __slots__ = ("is_lent", "mapped_at", "on_device")

    def __init__(
        self,
        runtime: RuntimeHandle,
        native: Any,
        size: int,
        *,
        host_read: bool,
        host_write: bool,
        on_device: bool = False,
    ) -> None:
        super().__init__(runtime, native, size, host_read=host_read, host_write=host_write)
        self.mapped_at = 0
        self.on_device = on_device
        self.is_lent = False
        self._allocator.living[address_of(native)] = native

    def lend(self, owner: Any) -> None:
        """State that it is of another owner, who is kept until it was given back."""
        self.is_lent = True
        self.runtime.keep(address_of(self.native), owner)

    @property
    def is_mappable(self) -> bool:
        return (self.host_read or self.host_write) and not self.on_device

    def address(self) -> int:
        if not self.mapped_at:
            self.mapped_at = _map(self.runtime, self.native)
            self.runtime.mappings += 1
        return self.mapped_at

    def unmap(self) -> None:
        self.runtime.release_later(_Unmapping(self))

    def unmap_now(self) -> None:
        """Undo the mapping, unless there are views again. The runtime's lock is held."""
        if self.mapped_at and not self.views:
            self.mapped_at = 0
            self.runtime.mappings -= 1
            lib.checked_ti_unmap_memory(self.runtime.native.pointer, self.native)

    def read_to(self, target: int, offset: int, size: int) -> None:
        if self.host_read and not self.on_device:
            self._copy_host(target, offset, size, to_host=True)
        else:
            self._allocator.staging.read(self, target, offset, size)

    def write_from(self, source: int, offset: int, size: int) -> None:
        if self.host_write and not self.on_device:
            self._copy_host(source, offset, size, to_host=False)
        else:
            self._allocator.staging.write(self, source, offset, size)

    def _copy_host(self, host: int, offset: int, size: int, *, to_host: bool) -> None:
        if not self.mapped_at:
            native = self.runtime.native.pointer
            check(lib.taichi_aot_copy_mapped(native, self.native, offset, host, size, to_host))
            return
        self.runtime.synchronize()
        device = self.mapped_at + offset
        lib.taichi_aot_copy(*((host, device) if to_host else (device, host)), size)

    def copy_from(self, offset: int, source: MemoryHandle, source_offset: int, size: int) -> None:
        _copy(self.runtime, (self.native, offset), (source.native, source_offset), size)

    @property
    def _allocator(self) -> DeviceAllocator:
        allocator = self.runtime.allocator
        assert isinstance(allocator, DeviceAllocator)
        return allocator

    def release(self) -> None:
        if not self.open:
            return
        self.open = False
        runtime = self.runtime
        lib.taichi_aot_store(runtime.native.pointer, self.state, 0)
        if self._allocator.living.pop(address_of(self.native), None) is None:
            return
        self.views.clear()
        self.unmap_now()
        if runtime.arch is not Arch.VULKAN or self.is_lent:
            runtime.synchronize()  # Vulkan's command lists keep what they use, but not from another owner
        lib.checked_ti_free_memory(runtime.native.pointer, self.native)
        if self.is_lent:
            runtime.let_go(address_of(self.native))

    def __del__(self) -> None:
        if getattr(self, "open", False):
            self.runtime.release_later(self)


class _Unmapping:
    """The wish of a finalizer to unmap."""

    __slots__ = ("memory",)

    def __init__(self, memory: DeviceMemory) -> None:
        self.memory = memory

    def release(self) -> None:
        self.memory.unmap_now()


class _Staging:
    """The buffer through which the host reaches memory that it cannot map. It keeps no reference to the runtime."""

    def __init__(self) -> None:
        self._native: Any = None
        self._size = 0

    def _get(self, runtime: RuntimeHandle, size: int) -> tuple[Any, int]:
        """The buffer and its size: that of the largest copy yet, within bounds."""
        smallest, largest = STAGING_SIZES
        wanted = max(smallest, min(1 << (size - 1).bit_length(), largest)) if size else smallest
        if wanted > self._size:
            runtime.synchronize()
            self.free(runtime)
            self._native = _allocate(runtime, Request(wanted))
            self._size = wanted
        return self._native, self._size

    def read(self, memory: DeviceMemory, target: int, offset: int, size: int) -> None:
        """Copy to the host address `target`, a part at a time."""
        runtime = memory.runtime
        native, step = self._get(runtime, size)
        for begin in range(0, size, step):
            part = min(step, size - begin)
            _copy(runtime, (native, 0), (memory.native, offset + begin), part)
            check(lib.taichi_aot_copy_mapped(runtime.native.pointer, native, 0, target + begin, part, True))

    def write(self, memory: DeviceMemory, source: int, offset: int, size: int) -> None:
        """Copy from the host address `source`, a part at a time."""
        runtime = memory.runtime
        native, step = self._get(runtime, size)
        for begin in range(0, size, step):
            part = min(step, size - begin)
            # Waits until the part before was taken out of the buffer.
            check(lib.taichi_aot_copy_mapped(runtime.native.pointer, native, 0, source + begin, part, False))
            _copy(runtime, (memory.native, offset + begin), (native, 0), part)

    def free(self, runtime: RuntimeHandle) -> None:
        """Give it back."""
        native = self._native
        self.forget()
        if native is not None:
            lib.checked_ti_free_memory(runtime.native.pointer, native)

    def forget(self) -> None:
        """Drop it without a call."""
        self._native = None
        self._size = 0


class DeviceAllocator:
    """Allocates through the library.

    Parameters
    ----------
    unified : bool
        Whether the host reaches the memory of the device as it is; else arrays are where the device is fast.
    """

    def __init__(self, *, unified: bool) -> None:
        self.living: dict[int, Any] = {}  # native memory by its number
        self.staging = _Staging()
        self._unified = unified

    def allocate(self, runtime: RuntimeHandle, request: Request) -> DeviceMemory:
        """Memory of the library's own.

        Raises
        ------
        OutOfMemoryError
            If the device cannot give that much.
        """
        on_device = request.for_arrays and not self._unified
        native_request = request._replace(host_read=False, host_write=False) if on_device else request
        with runtime.lock:
            runtime.use()
            native = _allocate(runtime, native_request)
            read, write = request.host_read, request.host_write
            return DeviceMemory(runtime, native, request.size, host_read=read, host_write=write, on_device=on_device)

    def close(self, runtime: RuntimeHandle) -> None:
        for native in self.living.values():
            lib.checked_ti_free_memory(runtime.native.pointer, native)
        self.staging.free(runtime)
        self.forget()

    def forget(self) -> None:
        self.living.clear()
        self.staging.forget()


# Calls into the library. The runtime's lock is held.


def _allocate(runtime: RuntimeHandle, request: Request) -> Any:
    info = ffi.new("TiMemoryAllocateInfo *")
    info.size = request.size
    info.host_read = request.host_read
    info.host_write = request.host_write
    info.export_sharing = request.export_sharing
    info.usage = int(request.usage)
    result = ffi.new("TiMemory *")
    try:
        check(lib.checked_ti_allocate_memory(runtime.native.pointer, info, result))
    except TaichiError as error:
        raise OutOfMemoryError(f"cannot allocate {request.size} bytes on {runtime.arch}: {error}") from None
    return result[0]


def _map(runtime: RuntimeHandle, native: Any) -> int:
    result = ffi.new("void **")
    check(lib.checked_ti_map_memory(runtime.native.pointer, native, result))
    return address_of(result[0])


def _copy(runtime: RuntimeHandle, target: tuple[Any, int], source: tuple[Any, int], size: int) -> None:
    """Record a copy between two (memory, offset) of the device."""
    slices = ffi.new("TiMemorySlice[2]", [(*target, size), (*source, size)])
    native = runtime.native.pointer
    check(lib.checked_ti_copy_memory_device_to_device(native, slices, slices + 1))
    native.busy = 1
