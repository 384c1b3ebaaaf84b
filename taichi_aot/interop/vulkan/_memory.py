"""Memory and images that Vulkan applications and runtimes exchange."""

from __future__ import annotations

from dataclasses import replace

from ...arrays._image import Image, require_layout
from ...arrays._layout import ShapeLike, array_layout, as_shape
from ...arrays._memory import Memory
from ...arrays._ndarray import NdArray
from ...backends._gfx import VulkanMemory
from ...driver._gpus import VulkanInstance, runtime_info
from ...driver._library import address_of, ffi, lib
from ...handles._image import ImageHandle, ImageRequest, usage_of_vulkan
from ...handles._memory import LARGEST, AllocationHandle, Hold, Request
from ...handles._runtime import RuntimeHandle
from ...runtime._runtime import Runtime
from ...values._errors import (
    ArgumentNullError,
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    InvalidArgumentError,
    NotSupportedError,
)
from ...values._numbers import DTypeLike
from ...values._texels import ImageLayout, ImageUsage, format_of_vulkan
from ._runtime import (
    VulkanImageInfo,
    VulkanMemoryInfo,
    from_c,
    handle_of,
    issued_buffers,
    issued_images,
    require_vulkan,
    to_c,
)

# Buffers that a runtime shares with the application.


NEEDED_USAGE = {
    lib.VK_BUFFER_USAGE_TRANSFER_SRC_BIT: "TRANSFER_SRC",
    lib.VK_BUFFER_USAGE_TRANSFER_DST_BIT: "TRANSFER_DST",
    lib.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT: "STORAGE_BUFFER",
}


def export_memory(memory: Memory | NdArray) -> VulkanMemoryInfo:
    """Return the buffer of memory or an array, which is valid until the memory is closed or collected.

    This waits for the device. Call `Runtime.wait` after later launches, before the application uses the buffer. The
    ``VkDeviceMemory`` may contain other buffers, and the library may have mapped it. Only memory that was allocated
    with ``export_sharing`` has its own.

    Raises
    ------
    NotSupportedError
        If the memory is not on Vulkan.
    TypeError
        If `memory` is neither a `Memory` nor an `NdArray`.
    ValueError
        If it is closed.

    Examples
    --------
    >>> from taichi_aot.interop import vulkan
    >>> runtime = Runtime("vulkan")  # doctest: +SKIP
    >>> vulkan.export_memory(runtime.zeros(1024)).size  # doctest: +SKIP
    4096
    """
    if not isinstance(memory, Memory | NdArray):
        raise ArgumentTypeError(f"expected a Memory or an NdArray, got {type(memory).__qualname__}")
    handle = memory._handle
    require_vulkan(handle.runtime)
    handle.require_open()
    use = Hold(handle.runtime, handle, lib.TAICHI_AOT_HOLD_DEVICE)  # other threads cannot close it meanwhile
    handle.runtime.synchronize()  # completes writes through a staging buffer
    # The library reports the size of the allocation, which the driver rounded up.
    info = replace(_export(handle), size=handle.size)
    device = address_of(runtime_info(handle.runtime.require_open()).device)
    del use
    issued_buffers.add_export((device, info.buffer), handle, info)
    return info


def _export(handle: AllocationHandle) -> VulkanMemoryInfo:
    """Return the buffer of memory that a hold keeps open."""
    c_info = ffi.new("TiVulkanMemoryInteropInfo *")
    c_runtime, c_memory = handle.runtime.require_open(), handle.require_open()
    handle.runtime.check(lib.taichi_aot_vulkan_describe_memory(c_runtime, c_memory, c_info))
    return from_c(VulkanMemoryInfo, c_info)


def import_memory(
    runtime: Runtime, info: VulkanMemoryInfo, *, owner: object = None, host_read: bool = False, host_write: bool = False
) -> Memory:
    """Return memory over a buffer of the application, which remains its owner.

    Parameters
    ----------
    runtime : Runtime
        A runtime on the device of the buffer: from `import_runtime`, or one whose device was exported.
    info : VulkanMemoryInfo
        A buffer that is bound to memory, with TRANSFER_SRC, TRANSFER_DST and STORAGE_BUFFER in its usage.
    owner : object, optional
        Kept alive until the memory and all views of it are closed and the device has finished with it. Not needed for a
        buffer that this package exported, whose memory cannot be closed (BufferError) before the import.
    host_read, host_write : bool, default False
        Whether the host may map it. Its memory must then be host-visible and coherent, and must not be mapped elsewhere
        at the same time. `Memory.read` and `Memory.write` do not need the flags: they copy on the device.

    Raises
    ------
    NotSupportedError
        If the runtime is not of arch Vulkan.
    TypeError
        If `info` is not a `VulkanMemoryInfo`, or `runtime` is not a `Runtime`.
    ValueError
        If a handle is null, the size is 0 or larger than the buffer, the usage lacks a flag, the runtime is closed, or
        the memory that `info` was exported from is closed, or it is elsewhere. A handle of another kind of object or of
        another device, or a wrong offset of a buffer of the application, cannot be detected and may crash the process.

    Examples
    --------
    >>> from taichi_aot.interop import vulkan
    >>> info = vulkan.VulkanMemoryInfo(buffer=buffer, size=4096, usage=usage)  # doctest: +SKIP
    >>> memory = vulkan.import_memory(runtime, info, owner=application)  # doctest: +SKIP
    """
    handle = handle_of(runtime)
    if (host_read or host_write) and isinstance(info, VulkanMemoryInfo) and not info.memory:
        raise ArgumentNullError("the memory is null, so the host cannot map it")
    return Memory(runtime, _over_buffer(handle, info, owner, host_read=bool(host_read), host_write=bool(host_write)))


def import_ndarray(
    runtime: Runtime,
    info: VulkanMemoryInfo,
    shape: ShapeLike,
    dtype: DTypeLike,
    elem_shape: ShapeLike = (),
    *,
    owner: object = None,
) -> NdArray:
    """Return an array at the beginning of a buffer of the application.

    Parameters
    ----------
    runtime : Runtime
        A runtime on the device of the buffer, as for `import_memory`.
    info : VulkanMemoryInfo
        The buffer, as for `import_memory`.
    shape, dtype, elem_shape
        As for `Runtime.empty`.
    owner : object, optional
        Kept alive, as for `import_memory`.

    Raises
    ------
    NotSupportedError, TypeError, ValueError
        As for `import_memory` and `Runtime.empty`; ValueError also if the buffer is too small for the shape.

    Examples
    --------
    >>> from taichi_aot.interop import vulkan
    >>> info = vulkan.VulkanMemoryInfo(buffer=buffer, size=4096, usage=usage)  # doctest: +SKIP
    >>> particles = vulkan.import_ndarray(runtime, info, 1024, np.float32)  # doctest: +SKIP
    """
    handle = handle_of(runtime)
    layout = array_layout(as_shape(shape, "shape"), dtype, as_shape(elem_shape, "elem_shape"))
    if isinstance(info, VulkanMemoryInfo) and layout.nbytes > info.size:
        raise InvalidArgumentError(
            f"an array of shape {layout.numpy_shape} has {layout.nbytes} bytes, the buffer {info.size}"
        )
    memory = _over_buffer(handle, info, owner, host_read=True, host_write=True, on_device=True)
    return NdArray._over(runtime, layout, memory)


def _over_buffer(
    handle: RuntimeHandle,
    info: VulkanMemoryInfo,
    owner: object,
    *,
    host_read: bool,
    host_write: bool,
    on_device: bool = False,
) -> VulkanMemory:
    """Return the private handle of memory over a buffer, with the errors of `import_memory`."""
    _check(info)
    use = Hold(handle, None, lib.TAICHI_AOT_HOLD_DEVICE)  # other threads cannot destroy the device meanwhile
    device = runtime_info(handle.require_open())
    hold = issued_buffers.hold((address_of(device.device), info.buffer), info)
    largest = VulkanInstance.of(device).needed_bytes(address_of(device.device), "Buffer", info.buffer)
    if info.size > largest:
        raise ArgumentOutOfRangeError(f"the size is {info.size} bytes, but the buffer has at most {largest}")
    if hold is not None and info.memory:
        _check_place(hold.owner, info)
    request = Request(info.size, host_read, host_write)
    memory = VulkanMemory(handle, request, on_device=on_device, is_imported=True)
    handle.retain_owner(memory.c, (owner, hold))
    # Memory of this package is mapped already, if the host has it at all.
    address = 0 if hold is None or not (host_read or host_write) or on_device else hold.owner.c.address
    handle.check(lib.taichi_aot_vulkan_import_memory(handle.require_open(), to_c(info), address, memory.c))
    issued_buffers.add_import(memory, hold)
    del use
    return memory


def _check(info: VulkanMemoryInfo) -> None:
    """Check the info without a device."""
    if not isinstance(info, VulkanMemoryInfo):
        raise ArgumentTypeError(f"expected a VulkanMemoryInfo, got {type(info).__qualname__}")
    if not info.buffer:
        raise ArgumentNullError("the buffer is null")
    if not info.size:
        raise ArgumentOutOfRangeError("the size of memory must be at least 1 byte, not 0")
    if info.offset + info.size > LARGEST:
        raise ArgumentOutOfRangeError(
            f"the memory cannot reach to byte {info.offset + info.size}, where the buffer would end"
        )
    missing = [name for flag, name in NEEDED_USAGE.items() if not info.usage & flag]
    if missing:
        raise InvalidArgumentError(f"the buffer was created without usage {' and '.join(missing)}")


def _check_place(owner: AllocationHandle, info: VulkanMemoryInfo) -> None:
    """Check where a buffer of this package is in its memory; elsewhere the host would map what is not the buffer's."""
    place = _export(owner)
    if (info.memory, info.offset) != (place.memory, place.offset):
        raise InvalidArgumentError(
            f"the buffer is at byte {place.offset} of memory {place.memory:#x}, "
            f"not at byte {info.offset} of memory {info.memory:#x}"
        )


# Images that a runtime shares with the application.


def export_image(image: Image, layout: ImageLayout) -> VulkanImageInfo:
    """Return the ``VkImage`` of an image, which is valid until the image is closed or collected.

    This changes the image's layout and waits for the device. Later launches and copies may change the layout: call
    `Image.transition` and `Runtime.wait` before the application uses the image again. If the application has changed
    the layout, call `Image.track`.

    Parameters
    ----------
    image : Image
        The image.
    layout : ImageLayout
        The layout in which the application uses it.

    Raises
    ------
    TypeError
        If `image` is not an `Image`.
    ValueError
        If it is closed, lacks the usage that the layout needs, or the layout is undefined or unknown.
    NotSupportedError
        If it is a layout for depth images.

    Examples
    --------
    >>> from taichi_aot.interop import vulkan
    >>> vulkan.export_image(image, ImageLayout.SHADER_READ).extent  # doctest: +SKIP
    (640, 480, 1)
    """
    if not isinstance(image, Image):
        raise ArgumentTypeError(f"expected an Image, got {type(image).__qualname__}")
    handle = image._handle
    require_vulkan(handle.runtime)
    handle.require_open()
    use = Hold(handle.runtime, handle, lib.TAICHI_AOT_HOLD_DEVICE)  # other threads cannot close it meanwhile
    image.transition(layout)
    handle.runtime.synchronize()
    c_info = ffi.addressof(handle.image, "info")
    device = address_of(runtime_info(handle.runtime.require_open()).device)
    del use
    info = from_c(VulkanImageInfo, c_info)
    issued_images.add_export((device, info.image), handle, info)
    return info


def import_image(runtime: Runtime, info: VulkanImageInfo, layout: ImageLayout, *, owner: object = None) -> Image:
    """Return an `Image` over an image of the application, which remains its owner.

    Parameters
    ----------
    runtime : Runtime
        A runtime on the device of the image, as for `import_memory`.
    info : VulkanImageInfo
        A colour image that is bound to memory, with one mip level, one layer and one sample, and with TRANSFER_SRC,
        TRANSFER_DST and at least one of SAMPLED and STORAGE in its usage.
    layout : ImageLayout
        The layout in which the application has left it. UNDEFINED lets the device discard the texels. After a later
        change by the application, call `Image.track`.
    owner : object, optional
        Kept alive, as for `import_memory`.

    Raises
    ------
    NotSupportedError
        If the runtime is not of arch Vulkan, Taichi does not have the format, or the image has several mip levels,
        layers or samples.
    TypeError
        If `info` is not a `VulkanImageInfo`, or `runtime` is not a `Runtime`.
    ValueError
        If the handle is null, the extent does not fit the type or the image, the usage lacks a flag, the layout needs
        another usage or is unknown, the runtime is closed, or the image that `info` was exported from is closed. A
        handle of another kind of object or of another device cannot be detected and may crash the process.

    Examples
    --------
    >>> from taichi_aot.interop import vulkan
    >>> info = vulkan.VulkanImageInfo(  # doctest: +SKIP
    ...     image=frame, image_type=1, format=37, extent=(640, 480, 1), usage=usage
    ... )
    >>> image = vulkan.import_image(runtime, info, ImageLayout.TRANSFER_SRC, owner=application)  # doctest: +SKIP
    """
    handle = handle_of(runtime)
    request = _request(info)
    layout = require_layout(layout, request.usage)
    use = Hold(handle, None, lib.TAICHI_AOT_HOLD_DEVICE)  # other threads cannot destroy the device meanwhile
    device = runtime_info(handle.require_open())
    hold = issued_images.hold((address_of(device.device), info.image), info)
    largest = VulkanInstance.of(device).needed_bytes(address_of(device.device), "Image", info.image)
    if request.nbytes > largest:
        raise InvalidArgumentError(
            f"an image of extent {info.extent} has {request.nbytes} bytes, but this one has only {largest}"
        )
    image = ImageHandle(handle, request, is_imported=True)
    handle.retain_owner(image.c, (owner, hold))
    image.import_from(to_c(info), layout)
    issued_images.add_import(image, hold)
    del use
    return Image(runtime, image)


def _request(info: VulkanImageInfo) -> ImageRequest:
    """Check the info without a device, and return the image's properties."""
    if not isinstance(info, VulkanImageInfo):
        raise ArgumentTypeError(f"expected a VulkanImageInfo, got {type(info).__qualname__}")
    if not info.image:
        raise ArgumentNullError("the image is null")
    for name in ("mip_level_count", "array_layer_count", "sample_count"):
        if getattr(info, name) != 1:
            raise NotSupportedError(
                f"images of {name} {getattr(info, name)} are not supported: kernels take one of each"
            )
    if info.image_type > 2 or info.tiling > 1:
        raise ArgumentOutOfRangeError(f"image_type {info.image_type} or tiling {info.tiling} is not one of Vulkan")
    ndim = info.image_type + 1
    if 0 in info.extent or any(size != 1 for size in info.extent[ndim:]):
        raise ArgumentOutOfRangeError(f"the extent {info.extent} is not that of an image of {ndim} dimensions")
    usage = usage_of_vulkan(info.usage)
    if not usage & (ImageUsage.SAMPLED | ImageUsage.STORAGE):
        raise InvalidArgumentError(
            "the image was created without usage TRANSFER_SRC, TRANSFER_DST, and SAMPLED or STORAGE"
        )
    return ImageRequest(info.extent[:ndim], format_of_vulkan(info.format), usage)
