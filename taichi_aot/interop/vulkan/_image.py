"""Images that a runtime shares with the application."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...arrays._image import Image, require_layout
from ...driver._library import address_of, ffi, lib
from ...driver._vulkan import VulkanInstance, runtime_info
from ...handles._image import ImageHandle, ImageRequest, usage_of_vulkan
from ...handles._memory import Hold
from ...runtime._runtime import Runtime
from ...values._errors import (
    ArgumentNullError,
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    InvalidArgumentError,
    NotSupportedError,
)
from ...values._image_enums import ImageLayout, ImageUsage
from ...values._texels import format_of_vulkan
from ._info import VulkanImageInfo, from_c, issued_images, to_c
from ._runtime import handle_of, require_vulkan

if TYPE_CHECKING:
    from ...handles._runtime import RuntimeHandle


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
    return Image(runtime, import_handle(handle_of(runtime), info, layout, owner))


def import_handle(handle: RuntimeHandle, info: VulkanImageInfo, layout: ImageLayout, owner: object) -> ImageHandle:
    """Return the private handle of an application's image, with the errors of `import_image`."""
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
    return image


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
