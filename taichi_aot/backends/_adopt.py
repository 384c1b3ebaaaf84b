"""Memory and images of the library that exist already, by their handles."""

from __future__ import annotations

from typing import Any, NamedTuple, SupportsInt

from ..driver._library import ffi, lib
from ..driver._pointers import address_of
from ..handles._memory import MemoryHandle
from ..handles._runtime import RuntimeHandle
from ..values._enums import Arch, MemoryUsage
from ..values._wording import describe, short
from ._cuda import CudaMemory, CudaPool
from ._gfx import GfxAllocator, GfxMemory
from ._host import HostMemory, HostPool
from ._pool import PoolBlock

__all__ = ["Adoption", "address_in", "adopt_memory"]


class Adoption(NamedTuple):
    """What is known of memory that the library has allocated.

    Attributes
    ----------
    address : int
        Its handle.
    size : int
        Size in bytes, at least 1.
    owned : bool
        Whether closing frees it.
    host_read, host_write, usage
        As for `Runtime.allocate`.
    """

    address: int
    size: int
    owned: bool
    host_read: bool
    host_write: bool
    usage: MemoryUsage


def address_in(kind: type[SupportsInt], handle: object) -> int:
    """The address of a handle of a type.

    Raises
    ------
    TypeError
        If it is of another type.
    ValueError
        If it is null.
    """
    if not isinstance(handle, kind):
        raise TypeError(f"expected a {kind.__name__} of taichi_aot.capi, got {describe(handle)}")
    if not int(handle):
        raise ValueError(f"the {kind.__name__} is null")
    return int(handle)


def adopt_memory(runtime: RuntimeHandle, adoption: Adoption) -> MemoryHandle:
    """Memory over an allocation of the library that this package does not know.

    Raises
    ------
    ValueError
        If it is smaller than stated.
    """
    info = _exported(runtime, adoption.address)
    if adoption.size > info.size:
        raise ValueError(f"the size is {short(adoption.size)} bytes, but the memory has {info.size}")
    allocator = runtime.allocator
    if isinstance(allocator, GfxAllocator):
        return _adopt_gfx(runtime, adoption)
    assert isinstance(allocator, HostPool | CudaPool)
    block = PoolBlock(None, address_of(info.ptr), 0)
    block.c.ti_memory = ffi.cast("TiMemory", adoption.address)
    block.c.is_borrowed = not adoption.owned
    if adoption.owned:
        allocator.adopted.add(block.c)
    kind = HostMemory if isinstance(allocator, HostPool) else CudaMemory
    return kind(
        runtime,
        block,
        adoption.size,
        host_read=adoption.host_read,
        host_write=adoption.host_write,
        usage=adoption.usage,
    )


def _adopt_gfx(runtime: RuntimeHandle, adoption: Adoption) -> GfxMemory:
    memory = GfxMemory(
        runtime,
        adoption.size,
        host_read=adoption.host_read,
        host_write=adoption.host_write,
        is_imported=True,
        usage=adoption.usage,
    )
    memory.c.is_borrowed = not adoption.owned
    memory.c.ti_memory = ffi.cast("TiMemory", adoption.address)
    return memory


def _exported(runtime: RuntimeHandle, address: int) -> Any:
    """What the library tells of memory: a struct with ``size``, and ``ptr`` on CPUs and CUDA."""
    kind, export = _EXPORTS["cpu" if runtime.arch.is_cpu else runtime.arch]
    info = ffi.new(f"{kind} *")
    runtime.check(export(runtime.require_open(), ffi.cast("TiMemory", address), info))
    return info


_EXPORTS: dict[Arch | str, tuple[str, Any]] = {
    "cpu": ("TiCpuMemoryInteropInfo", lib.checked_ti_export_cpu_memory),
    Arch.CUDA: ("TiCudaMemoryInteropInfo", lib.checked_ti_export_cuda_memory),
    Arch.VULKAN: ("TiVulkanMemoryInteropInfo", lib.checked_ti_export_vulkan_memory),
    Arch.OPENGL: ("TiOpenglMemoryInteropInfo", lib.checked_ti_export_opengl_memory),
}
