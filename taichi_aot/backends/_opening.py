"""Open runtimes: a private handle with the backend of its arch."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..driver._cuda import cuda_devices
from ..driver._fork import gpu_drivers
from ..driver._library import ffi, lib
from ..driver._status import check, log_debug
from ..handles._image import c_extent
from ..handles._runtime import Context, RuntimeHandle, State, process
from ..values._enums import Arch
from ..values._errors import NotSupportedError
from ._creation import check_device
from ._devices import CPU_ARCH
from ._table import BACKENDS, backend_of

if TYPE_CHECKING:
    from .._capi import taichi_aot_runtime_p


def open_runtime(context: Context, arch: Arch, create: Callable[[], None]) -> RuntimeHandle:
    """Open a runtime over a context: `create` creates or imports the ``TiRuntime``."""
    # The handle is created first: if an exception interrupts this, it destroys what `create` has created.
    handle, begin = RuntimeHandle(context, arch, backend_of(arch)), time.perf_counter()
    create()
    handle.open()
    kind = handle.backend.device.kind(handle)
    gpu_drivers.used |= kind != "cpu"
    handle.backend.memory.unified = kind != "discrete"
    log_debug(
        "runtime opened: %s:%d (%s), %.1f ms", arch, context.device_index, kind, 1e3 * (time.perf_counter() - begin)
    )
    context.c.is_labelled = handle.backend.device.wants_labels(handle)
    return handle


def adopt_runtime(address: int, *, owned: bool) -> RuntimeHandle:
    """Return a handle for another binding's ``TiRuntime``; an OpenGL runtime must belong to this thread."""
    process.reap()
    arch = _arch_of(address)
    if owned and BACKENDS[arch].device.is_shared:
        raise NotSupportedError("a TiRuntime of CUDA is never destroyed, so it cannot be owned: pass owned=False")
    if arch is not Arch.OPENGL:  # this package does not use OpenGL's drivers itself
        check_device(arch, 0)
    context = Context(arch, shared=BACKENDS[arch].device.is_shared)

    def take() -> None:
        check(lib.taichi_aot_context_adopt(context.c, ffi.cast("TiRuntime", address), True))

    handle = open_runtime(context, arch, take)
    context.c.is_borrowed = not owned  # not before: a call that raises does not take ownership
    return handle


def _arch_of(address: int) -> Arch:
    """Find a runtime's arch by probing: the library cannot report it."""
    context = Context(Arch.VULKAN)
    context.c.ti_runtime = ffi.cast("TiRuntime", address)
    runtime = ffi.new("taichi_aot_runtime *", {"context": context.c, "state": State.OPEN})
    count = ffi.new("uint32_t *")
    lib.checked_ti_get_runtime_capabilities(runtime, count, ffi.NULL)
    if count[0]:  # of the archs with capabilities, OpenGL lacks images
        return Arch.VULKAN if _has_images(runtime) else Arch.OPENGL
    return Arch.CUDA if cuda_devices() and _has_cuda_memory(runtime) else CPU_ARCH


def _has_images(runtime: taichi_aot_runtime_p) -> bool:
    image, info = ffi.new("TiImage *"), ffi.new("TiImageAllocateInfo *", {"mip_level_count": 1})
    info.dimension, info.format = lib.TI_IMAGE_DIMENSION_2D, lib.TI_FORMAT_RGBA8
    info.extent = c_extent((1, 1))
    info.usage = lib.TI_IMAGE_USAGE_SAMPLED_BIT
    if lib.checked_ti_allocate_image(runtime, info, image):
        return False
    lib.checked_ti_free_image(runtime, image[0])
    return True


def _has_cuda_memory(runtime: taichi_aot_runtime_p) -> bool:
    memory, info = ffi.new("TiMemory *"), ffi.new("TiMemoryAllocateInfo *", {"size": 4})
    lib.checked_ti_allocate_memory(runtime, info, memory)
    status = lib.checked_ti_export_cuda_memory(runtime, memory[0], ffi.new("TiCudaMemoryInteropInfo *"))
    lib.checked_ti_free_memory(runtime, memory[0])
    return status == 0


def closed_runtime(handle: RuntimeHandle) -> RuntimeHandle:
    """Return a closed handle that replaces one that another object closes."""
    context = Context(handle.arch)
    context.c.device_index = handle.context.device_index
    return RuntimeHandle(context, handle.arch, backend_of(handle.arch))
