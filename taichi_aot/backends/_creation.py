"""Creation of runtimes: the backend of each arch, the checks before, and the private handle."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ..driver._gpus import cuda_devices
from ..driver._library import check, ffi, lib, load, log_debug, require
from ..handles._runtime import Context, RuntimeHandle, State, process
from ..values._enums import Arch
from ..values._errors import ArgumentOutOfRangeError, CorruptedDataError, InvalidStateError, NotSupportedError, short
from ._base import Backend, Parts, Streams
from ._devices import CPU_ARCH, gpu_drivers, library_index, visible_devices, why_missing
from ._gfx import (
    GfxCode,
    OpenGlAllocator,
    OpenGlDevice,
    OpenGlInterchange,
    VulkanAllocator,
    VulkanCode,
    VulkanDevice,
    VulkanInterchange,
)
from ._llvm import (
    CpuCode,
    CpuDevice,
    CudaAllocator,
    CudaCode,
    CudaDevice,
    CudaInterchange,
    CudaStreams,
    HostAllocator,
    HostInterchange,
)

if TYPE_CHECKING:
    from .._capi import taichi_aot_runtime_p


_CPU = Parts(HostAllocator, CpuCode, HostInterchange, Streams, CpuDevice)
_OPENGL = Parts(OpenGlAllocator, GfxCode, OpenGlInterchange, Streams, OpenGlDevice)

BACKENDS: dict[Arch, Parts] = {
    Arch.X64: _CPU,
    Arch.ARM64: _CPU,
    Arch.CUDA: Parts(CudaAllocator, CudaCode, CudaInterchange, CudaStreams, CudaDevice),
    Arch.VULKAN: Parts(VulkanAllocator, VulkanCode, VulkanInterchange, Streams, VulkanDevice),
    Arch.OPENGL: _OPENGL,
    Arch.GLES: _OPENGL,
}


def backend_of(arch: Arch) -> Backend:
    """A new backend for a runtime of that arch."""
    return Backend(arch, BACKENDS[arch])


MODULE_BLOCK = 8  # in LLVM bitcode

_shared_contexts: dict[tuple[Arch, int], Context] = {}  # of this process, by device
_created: set[Arch] = set()  # the archs of which this process or its parent has created a runtime


def context_for(arch: Arch, device_index: int) -> Context:
    """Return a new context, or on CUDA the one that the runtimes of a device share in this process.

    Destroying a second CUDA ``TiRuntime`` aborts the process, and creating one takes half a second.
    """
    if not BACKENDS[arch].device.is_shared:
        context = Context(arch)
        context.c.device_index = device_index
        return context
    key = arch, device_index
    return _shared_contexts.get(key) or _shared_contexts.setdefault(key, Context(arch, shared=True))


def create_context(context: Context, arch: Arch, device_index: int) -> None:
    """Open the device of a context. The ``TiRuntime`` is created too, or where that is lazy when something needs it."""
    context.c.device_index = device_index
    device = BACKENDS[arch].device
    if device.is_lazy:
        open_lazily(context, arch, lambda: device.open(context))
    else:
        _create(context, arch, device_index)


def open_lazily(context: Context, arch: Arch, open_device: Callable[[], None]) -> None:
    """Open the device of a context, whose ``TiRuntime`` is created when something needs the library."""
    context.create = partial(_create, context, arch, context.device_index)
    open_device()
    context.c.is_lazy = True


def _create(context: Context, arch: Arch, device_index: int) -> None:
    BACKENDS[arch].device.require_library(device_index)
    load()
    if not context.has_library:
        require_room(arch, device_index)
    folder = os.environ.get("TI_LIB_DIR")
    if folder is not None and BACKENDS[arch].code.family == "llvm" and not context.has_library:
        check_bitcode(f"{folder}/runtime_{arch}.bc")
    check(lib.taichi_aot_context_create(context.c, int(arch), library_index(arch, device_index)))
    _created.add(arch)


def require_room(arch: Arch, index: int) -> None:
    """Raise OSError or OutOfMemoryError if this process cannot get what a runtime on a visible device takes."""
    found = visible_devices(arch)[index : index + 1]  # none if the driver fails now
    kind = found[0].kind if found else ""
    require(BACKENDS[arch].device.need(kind, first=arch not in _created), f"a runtime of arch {arch}")


def check_bitcode(path: str) -> None:
    """Check the bitcode that each new LLVM runtime reads; damaged bitcode would abort the process."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise InvalidStateError(f"{path} cannot be read: {error.strerror}; TI_LIB_DIR names its folder") from None
    # After the magic number, each block is a word with its kind, a word with its length, and that many words.
    blocks: set[int] = set()
    end = 4
    while end + 8 <= len(data):
        blocks.add(data[end] >> 2 | (data[end + 1] & 3) << 6)
        end += 8 + 4 * int.from_bytes(data[end + 4 : end + 8], "little")
    if data[:4] != b"BC\xc0\xde" or end != len(data) or MODULE_BLOCK not in blocks:
        raise CorruptedDataError(
            f"{path} is damaged: it is truncated or is not LLVM bitcode; TI_LIB_DIR names its folder"
        )


def check_device(arch: Arch, index: int) -> None:
    """Raise, as `Runtime` does, if this process cannot create a runtime on a device."""
    if gpu_drivers.lost and not arch.is_cpu:
        raise NotSupportedError(
            f"arch {arch} cannot be used in a process that was forked after a runtime on a GPU was created: drivers do "
            "not survive a fork; start processes with multiprocessing's 'spawn', or fork first"
        )
    found = visible_devices(arch)
    if not found:
        raise NotSupportedError(
            f"this machine has no device for arch {arch}: {why_missing(arch)}; devices() lists its devices, and "
            "Runtime() takes the best of them"
        )
    if not 0 <= index < len(found):
        hint = "; CUDA_VISIBLE_DEVICES selects the GPU of a process, before it starts" if arch is Arch.CUDA else ""
        raise ArgumentOutOfRangeError(
            f"device_index {short(index)} is out of range: arch {arch} has {len(found)} device(s){hint}"
        )


def open_runtime(context: Context, arch: Arch, create: Callable[[], None]) -> RuntimeHandle:
    """Open a runtime over a context: `create` creates or imports the ``TiRuntime``."""
    # The handle is created first: if an exception interrupts this, it destroys what `create` has created.
    handle, begin = RuntimeHandle(context, arch, backend_of(arch)), time.perf_counter()
    create()
    handle.c.state = State.OPEN
    kind = handle.backend.device.kind(handle)
    gpu_drivers.used |= kind != "cpu"
    handle.backend.memory.unified = kind != "discrete"
    log_debug(
        "runtime opened: %s:%d (%s), %.1f ms", arch, context.device_index, kind, 1e3 * (time.perf_counter() - begin)
    )
    context.c.is_labelled = handle.backend.device.wants_labels(handle)
    return handle


def adopt_runtime(address: int, *, owned: bool, arch: Arch | None = None) -> RuntimeHandle:
    """Return a handle for another binding's ``TiRuntime``; an OpenGL runtime must belong to this thread."""
    process.reap()
    arch = arch or _arch_of(address)
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
    info.extent = {"width": 1, "height": 1, "depth": 1, "array_layer_count": 1}
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
