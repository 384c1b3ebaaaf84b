"""The functions of `capi` that share memory, devices and streams with the CPU, CUDA, OpenGL and Vulkan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import numpy as np

from ..backends._creation import open_runtime
from ..driver._library import address_of, ffi, lib, load
from ..driver._status import check
from ..handles._c_types import TiImage, TiMemory, TiRuntime
from ..handles._interchange import LARGEST_ADDRESS, Shared
from ..handles._registry import keep_runtime
from ..handles._runtime import Context, RuntimeHandle, process
from ..interop.vulkan._image import import_handle as import_image_handle
from ..interop.vulkan._info import VulkanImageInfo, VulkanMemoryInfo, VulkanRuntimeInfo, from_c
from ..interop.vulkan._memory import import_handle as import_memory_handle
from ..interop.vulkan._runtime import create_runtime as create_vulkan_runtime
from ..interop.vulkan._runtime import import_runtime as import_runtime_object
from ..values._enums import Arch
from ..values._errors import ArgumentNullError, ArgumentOutOfRangeError, NotSupportedError, wrong_type
from ..values._image_enums import ImageLayout
from ..values._wording import describe, short
from ._arguments import find_memory, memory_of, runtime_sharing_with, structure_of
from ._calls import kept
from ._members import as_number, as_text
from ._structures import (
    TiCpuMemoryInteropInfo,
    TiCudaMemoryInteropInfo,
    TiOpenglRuntimeInteropInfo,
    TiVulkanImageInteropInfo,
    TiVulkanMemoryInteropInfo,
    TiVulkanRuntimeInteropInfo,
)

Info = TypeVar("Info", TiCpuMemoryInteropInfo, TiCudaMemoryInteropInfo)

# The VkImageLayouts that the library tracks.
LAYOUTS = {
    0: ImageLayout.UNDEFINED,
    1: ImageLayout.SHADER_READ_WRITE,
    2: ImageLayout.COLOR_ATTACHMENT,
    5: ImageLayout.SHADER_READ,
    6: ImageLayout.TRANSFER_SRC,
    7: ImageLayout.TRANSFER_DST,
    1000001002: ImageLayout.PRESENT_SRC,
}


# The CPU and CUDA.


def export_cpu_memory(runtime: TiRuntime, memory: TiMemory) -> TiCpuMemoryInteropInfo:
    return _exported("cpu", runtime, memory, lib.checked_ti_export_cpu_memory, TiCpuMemoryInteropInfo())


def export_cuda_memory(runtime: TiRuntime, memory: TiMemory) -> TiCudaMemoryInteropInfo:
    return _exported("cuda", runtime, memory, lib.checked_ti_export_cuda_memory, TiCudaMemoryInteropInfo())


def _exported(api: str, runtime: TiRuntime, memory: TiMemory, function: Callable[..., int], result: Info) -> Info:
    """Fill in the address and size of memory. The library states the size of its block, which may be larger."""
    handle = runtime_sharing_with(api, runtime)
    allocation = find_memory(handle, memory, "memory")
    handle.check(function(handle.c, memory_of(handle, memory, "memory"), result.c))
    if allocation is not None:
        result.size = allocation.size
    return result


def import_cpu_memory(runtime: TiRuntime, ptr: int, memory_size: int) -> TiMemory:
    return _import_shared(runtime_sharing_with("cpu", runtime), ptr, memory_size)


def import_cuda_memory(runtime: TiRuntime, ptr: int, memory_size: int) -> TiMemory:
    return _import_shared(runtime_sharing_with("cuda", runtime), ptr, memory_size)


def _import_shared(handle: RuntimeHandle, ptr: int, memory_size: int) -> TiMemory:
    address, size = as_number(ptr, "ptr", 64), as_number(memory_size, "memory_size", 64)
    if not address:
        raise ArgumentNullError("ptr is null")
    if not size:
        raise ArgumentOutOfRangeError("memory_size must be at least 1 byte")
    if address + size > LARGEST_ADDRESS:
        raise ArgumentOutOfRangeError(f"ptr and memory_size: {size} bytes at {address:#x} exceed the address space")
    memory = handle.backend.memory.import_memory(handle, Shared(None, address, (size,), np.dtype(np.uint8), 1))
    return kept(TiMemory, memory)


def _cuda_runtime() -> RuntimeHandle:
    """Return an open CUDA runtime on the library's device; all share one context of the driver."""
    load()
    runtimes = process.live_runtimes()
    found = (each for each in runtimes if each.backend.interchange.api == "cuda" and each.is_open)
    handle = next((each for each in found if each.context.device_index == 0), None)
    if handle is None:
        raise NotSupportedError("this process has no CUDA runtime, to whose context a stream belongs")
    return handle


def set_cuda_stream(stream: int) -> None:
    address = as_number(stream, "stream", 64)
    handle = _cuda_runtime()
    c = handle.require_library()  # launches without the library run on the stream of one that exists
    handle.check(lib.checked_ti_set_cuda_stream(c, ffi.cast("void *", address)))


def get_cuda_stream() -> int:
    handle = _cuda_runtime()
    result = ffi.new("void **")
    handle.check(lib.checked_ti_get_cuda_stream(handle.c, result))
    return address_of(result[0])


# OpenGL.


def import_opengl_runtime(interop_info: TiOpenglRuntimeInteropInfo, use_gles: bool) -> TiRuntime:
    load()
    info = structure_of(TiOpenglRuntimeInteropInfo, interop_info, "interop_info")
    gles = bool(as_number(use_gles, "use_gles", 1))
    if not interop_info.get_proc_addr:
        raise ArgumentNullError("get_proc_addr is null")
    process.reap()
    context = Context(Arch.OPENGL)

    def create() -> None:
        result = ffi.addressof(context.c, "ti_runtime")  # noted in the same call that imports it
        check(lib.checked_ti_import_opengl_runtime(ffi.NULL, info, gles, result))

    return keep_runtime(open_runtime(context, Arch.OPENGL, create))


# Vulkan.


def create_vulkan_runtime_ext(
    api_version: int, instance_extensions: Sequence[str], device_extensions: Sequence[str]
) -> TiRuntime:
    version = as_number(api_version, "api_version", 32)
    for_instance = _names(instance_extensions, "instance_extensions")
    for_device = _names(device_extensions, "device_extensions")
    runtime = create_vulkan_runtime(api_version=version, instance_extensions=for_instance, device_extensions=for_device)
    return keep_runtime(runtime._handle)


def _names(names: Any, what: str) -> tuple[str, ...]:
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise wrong_type(names, f"{what} must be a sequence of str, not {describe(names)}")
    given = tuple(cast("Sequence[str]", names))
    for name in given:
        as_text(name, f"a name of {what}")
    return given


def import_vulkan_runtime(interop_info: TiVulkanRuntimeInteropInfo) -> TiRuntime:
    info = structure_of(TiVulkanRuntimeInteropInfo, interop_info, "interop_info")
    return keep_runtime(import_runtime_object(from_c(VulkanRuntimeInfo, cast("Any", info)))._handle)


def export_vulkan_runtime(runtime: TiRuntime) -> TiVulkanRuntimeInteropInfo:
    handle = runtime_sharing_with("vulkan", runtime)
    result = TiVulkanRuntimeInteropInfo()
    # The library would name the function that it was given to find others, which answers for its own runtime only.
    handle.check(lib.taichi_aot_vulkan_describe(handle.c, result.c, ffi.NULL))
    return result


def import_vulkan_memory(runtime: TiRuntime, interop_info: TiVulkanMemoryInteropInfo) -> TiMemory:
    handle = runtime_sharing_with("vulkan", runtime)
    info = structure_of(TiVulkanMemoryInteropInfo, interop_info, "interop_info")
    mappable = bool(interop_info.memory)
    memory = import_memory_handle(
        handle, from_c(VulkanMemoryInfo, cast("Any", info)), None, host_read=mappable, host_write=mappable
    )
    return kept(TiMemory, memory)


def import_vulkan_image(
    runtime: TiRuntime, interop_info: TiVulkanImageInteropInfo, view_type: int, layout: int
) -> TiImage:
    handle = runtime_sharing_with("vulkan", runtime)
    info = structure_of(TiVulkanImageInteropInfo, interop_info, "interop_info")
    known = LAYOUTS.get(as_number(layout, "layout", 32))
    if known is None:
        raise ArgumentOutOfRangeError(f"layout {short(layout)} is not a VkImageLayout that the library tracks")
    if as_number(view_type, "view_type", 32) != interop_info.image_type:
        raise ArgumentOutOfRangeError(
            f"view_type {short(view_type)} is not that of an image of type {interop_info.image_type}"
        )
    return kept(TiImage, import_image_handle(handle, from_c(VulkanImageInfo, cast("Any", info)), known, None))
