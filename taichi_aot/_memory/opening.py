"""Opening a runtime: its private handle, with the allocator for its arch."""

from __future__ import annotations

from collections.abc import Callable

from .._drivers.fork import gpu_drivers
from .._handles.runtime import Allocator, Context, RuntimeHandle
from ..device import kind_of
from ..enums import Arch
from .cuda import CudaPool
from .gfx import GfxAllocator
from .host import HostPool

__all__ = ["open_runtime"]


def open_runtime(context: Context, arch: Arch, create: Callable[[], None]) -> RuntimeHandle:
    """The handle of a runtime over a context whose ``TiRuntime`` is created or imported by `create`."""
    # The handle comes first: if an exception interrupts this, it destroys what `create` has created.
    handle = RuntimeHandle(context, arch, _allocator(arch))
    create()
    handle.open()
    kind = kind_of(arch, handle.c)
    gpu_drivers.used |= kind != "cpu"
    if isinstance(handle.allocator, GfxAllocator):
        handle.allocator.unified = kind != "discrete"
    return handle


def _allocator(arch: Arch) -> Allocator:
    if arch.is_cpu:
        return HostPool()
    return CudaPool() if arch is Arch.CUDA else GfxAllocator()
