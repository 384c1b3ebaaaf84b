"""Opening a runtime: its private handle, with the allocator for its arch."""

from __future__ import annotations

from collections.abc import Callable

from .._drivers.fork import gpu_drivers
from .._drivers.vulkan import exported_runtime
from .._ffi.library import ffi, lib
from .._ffi.status import check
from .._handles.creation import check_device, read_capabilities
from .._handles.runtime import Allocator, Context, RuntimeHandle, State, process
from ..device import kind_of
from ..enums import Arch, Capability
from ..errors import NotSupportedError
from .cuda import CudaPool
from .gfx import GfxAllocator
from .host import HostPool

__all__ = ["adopt_runtime", "closed_runtime", "open_runtime"]


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


def adopt_runtime(address: int, arch: Arch, *, owned: bool) -> RuntimeHandle:
    """The handle of a ``TiRuntime`` that another binding of the library has created.

    Raises
    ------
    NotSupportedError
        If this machine has no device of that arch, or a runtime of CUDA is to be owned.
    ValueError
        If it is of another arch, as far as that can be seen.
    """
    if owned and arch is Arch.CUDA:
        raise NotSupportedError("a TiRuntime of CUDA is never destroyed, so it cannot be owned: pass owned=False")
    if arch is not Arch.OPENGL:  # whose drivers this package does not use itself
        check_device(arch, 0)
    process.reap()
    context = Context(arch, shared=arch is Arch.CUDA)

    def take() -> None:
        check(lib.taichi_aot_context_adopt(context.c, int(arch), ffi.cast("TiRuntime", address), True))
        if not _seems_of(context, arch):
            raise ValueError(f"the TiRuntime is not of arch {arch}")

    handle = open_runtime(context, arch, take)
    context.c.is_borrowed = not owned  # not before: a call that raises does not take it
    return handle


def _seems_of(context: Context, arch: Arch) -> bool:
    """Whether a ``TiRuntime`` behaves like one of an arch; x64 and CUDA behave alike."""
    c_runtime = ffi.new("taichi_aot_runtime *", {"context": context.c, "state": State.OPEN})
    if (Capability.SPIRV_VERSION in read_capabilities(c_runtime)) == arch.is_llvm:
        return False
    if arch is Arch.OPENGL:
        return bool(lib.checked_ti_export_opengl_runtime(c_runtime, ffi.new("TiOpenglRuntimeInteropInfo *")) == 0)
    return arch is not Arch.VULKAN or bool(exported_runtime(c_runtime).instance)


def closed_runtime(handle: RuntimeHandle) -> RuntimeHandle:
    """A closed handle in place of one that another object closes."""
    context = Context(handle.arch)
    context.device_index = handle.context.device_index
    return RuntimeHandle(context, handle.arch, _allocator(handle.arch))


def _allocator(arch: Arch) -> Allocator:
    if arch.is_cpu:
        return HostPool()
    return CudaPool() if arch is Arch.CUDA else GfxAllocator()
