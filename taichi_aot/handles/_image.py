"""Images of the library, and regions of them to copy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..driver._gpus import VulkanInstance, runtime_info
from ..driver._library import Status, address_of, ffi, lib, log_failure
from ..values._errors import (
    ArgumentOutOfRangeError,
    BufferStateError,
    NotSupportedError,
    ObjectStateError,
    OutOfMemoryError,
    short,
)
from ..values._texels import Format, ImageLayout, ImageUsage, Texel, format_of_vulkan, texel_of
from ._memory import LARGEST, AllocationHandle, MemoryHandle, array_address
from ._runtime import RuntimeHandle, process

if TYPE_CHECKING:
    import numpy.typing as npt

    from .._capi import (
        TiImage,
        TiVulkanImageInteropInfo_p,
        VkImageFormatProperties_p,
        taichi_aot_image_p,
        taichi_aot_memory_p,
        taichi_aot_region_p,
    )

AXES = ("width", "height", "depth")
# Uses of images by kernels, most uses first: for some formats devices lack one of them.
FOR_KERNELS = (ImageUsage.STORAGE | ImageUsage.SAMPLED, ImageUsage.SAMPLED, ImageUsage.STORAGE)


class ImageRequest(NamedTuple):
    """A request for an image."""

    extent: tuple[int, ...]  # ``(width[, height[, depth]])``
    # format, usage, export_sharing: as for `Runtime.allocate_image`.
    format: Format
    usage: ImageUsage
    export_sharing: bool = False

    @property
    def texel(self) -> Texel:
        return texel_of(self.format)

    @property
    def nbytes(self) -> int:
        """Size of all texels in bytes."""
        return math.prod(self.extent) * self.texel.nbytes


class Region(NamedTuple):
    """A box of texels."""

    # offset, extent: in the order ``(x, y, z)``, as many as the image has dimensions.
    offset: tuple[int, ...]
    extent: tuple[int, ...]

    def overlaps(self, other: Region) -> bool:
        """Return whether the two regions of an image have a texel in common."""
        edges = zip(self.offset, self.extent, other.offset, other.extent, strict=True)
        return all(max(a, b) < min(a + width, b + depth) for a, width, b, depth in edges)

    def to_c(self) -> taichi_aot_region_p:
        """Return ``taichi_aot_region *``."""
        rest = 3 - len(self.extent)
        return ffi.new("taichi_aot_region *", {"offset": self.offset, "extent": (*self.extent, *(1,) * rest)})


class ImageHandle(AllocationHandle):
    """An image, allocated or imported. It is registered first, and the call that creates it records it."""

    __slots__ = ("image", "is_imported", "request")

    noun = "image"

    def __init__(self, runtime: RuntimeHandle, request: ImageRequest, *, is_imported: bool = False) -> None:
        self.runtime = runtime
        self.request: ImageRequest = request
        self.is_imported: bool = is_imported
        self.generation = 1
        self.image: taichi_aot_image_p = ffi.new("taichi_aot_image *")
        image = self.image
        image.texel_size = request.texel.nbytes
        # Its layout after copies: that of its usual next use.
        is_sampled = ImageUsage.SAMPLED in request.usage
        image.layout = int(ImageLayout.SHADER_READ if is_sampled else ImageLayout.SHADER_READ_WRITE)
        self.c: taichi_aot_memory_p = ffi.addressof(image, "memory")
        self._allocator.images[image] = 0 if is_imported else request.nbytes

    def detached(self) -> ImageHandle:
        """Return a closed handle that replaces this one, which another object closes."""
        other = object.__new__(ImageHandle)
        other.runtime, other.request, other.is_imported, other.generation = self.runtime, self.request, False, 1
        other.image = ffi.new("taichi_aot_image *")
        other.c = ffi.addressof(other.image, "memory")
        return other

    def check(self, status: int) -> None:
        if status == Status.ARRAY_CLOSED:
            raise ObjectStateError("the image is closed")
        if status == Status.IN_USE:
            raise BufferStateError("the image is imported; close the import first")
        self.runtime.check(status)

    @property
    def ti_handle(self) -> TiImage:
        self.require_open()
        result, runtime = ffi.new("TiImage *"), self.runtime
        self.check(lib.taichi_aot_image_handle(runtime.require_library(), self.image, result))
        return result[0]

    def import_from(self, info: TiVulkanImageInteropInfo_p, layout: ImageLayout) -> None:
        self.check(lib.taichi_aot_image_import(self.runtime.require_open(), info, int(layout), self.image))

    def adopt(self, ti_image: TiImage, *, owned: bool) -> None:
        """Use an existing image of the library."""
        self.check(lib.taichi_aot_image_adopt(self.runtime.require_open(), ti_image, not owned, self.image))

    def change_layout(self, layout: ImageLayout, how: int) -> None:
        """Change the layout, or record that the application has changed it; see ``taichi_aot_image_layout``."""
        self.require_open()
        self.check(lib.taichi_aot_image_layout(self.runtime.require_open(), self.image, int(layout), how))

    def transfer(self, region: Region, host: npt.NDArray[Any], direction: int) -> None:
        """Wait for the device, and copy between a region and a contiguous array of its texels."""
        self.require_open()
        runtime, staging = self.runtime.require_open(), self._allocator.staging
        where = runtime, self.image, region.to_c(), array_address(host), direction
        self.check(self.runtime.complete(lambda may_block: lib.taichi_aot_image_transfer(*where, may_block, staging)))

    def copy_from(self, region: Region, source: ImageHandle, source_region: Region) -> None:
        """Copy a region of the same extent from an image of the same runtime and format, in launch order."""
        runtime = self.runtime.require_open()
        target, c_source = (self.image, region.to_c()), (source.image, source_region.to_c())
        self.check(lib.taichi_aot_image_copy(runtime, *target, *c_source))

    def copy_memory(self, region: Region, memory: MemoryHandle, offset: int, direction: int) -> None:
        """Copy between a region and a memory of the same runtime from `offset` on, in launch order."""
        runtime = self.runtime.require_open()
        status = lib.taichi_aot_image_copy_memory(
            runtime, self.image, region.to_c(), memory.c, memory.generation, offset, direction
        )
        self.check(status)

    @property
    def _allocator(self) -> Any:
        return self.runtime.backend.memory  # a `GfxAllocator` of the room above

    def free(self) -> None:
        self.release(may_wait=True)

    def release(self, *, may_wait: bool) -> bool:
        runtime = self.runtime
        # Images are retired until the device has finished using them; the owner of an imported one may destroy it.
        status = lib.taichi_aot_image_free(runtime.c, self.image, self.is_imported, may_wait)
        if self.c.own and runtime.c.state:
            return False
        log_failure(status, "freeing an image")
        if self.is_imported:
            runtime.release_owner(self.c)
        self._allocator.images.pop(self.image, None)  # the last step, because an interrupted release is repeated
        return True

    def __del__(self) -> None:
        image = getattr(self, "image", None)
        if image is None or not process or process.exiting:
            return
        if image in self._allocator.images:
            self.runtime.release(self)


def c_extent(extent: tuple[int, ...]) -> dict[str, int]:
    """Return a ``TiImageExtent``, with 1 for missing dimensions."""
    width, height, depth = (*extent, 1, 1)[:3]
    return {"width": width, "height": height, "depth": depth, "array_layer_count": 1}


def allocate_image(
    runtime: RuntimeHandle,
    extent: tuple[int, ...],
    format: Format,
    usage: ImageUsage | None,
    *,
    export_sharing: bool = False,
) -> ImageHandle:
    """Allocate an image with undefined texels, with the parameters and errors of `Runtime.allocate_image`."""
    usages = FOR_KERNELS if usage is None else (usage,)
    request = _supported(runtime, [ImageRequest(extent, format, usage, export_sharing) for usage in usages])
    handle = ImageHandle(runtime, request)
    info = ffi.new("TiImageAllocateInfo *")
    info.dimension = lib.TI_IMAGE_DIMENSION_1D + len(request.extent) - 1
    info.extent = c_extent(request.extent)
    info.mip_level_count = 1
    info.format = int(request.format)
    info.export_sharing = request.export_sharing
    info.usage = int(request.usage)
    status = lib.taichi_aot_image_allocate(runtime.require_open(), info, request.texel.vulkan, handle.image)
    try:
        runtime.check(status)
    except OutOfMemoryError as error:
        raise OutOfMemoryError(f"cannot allocate an image of {request.nbytes} bytes: {error}") from None
    return handle


def adopt_image(runtime: RuntimeHandle, address: int, *, owned: bool) -> ImageHandle:
    """Return a handle for an image that only the library knows, and that it describes."""
    ti_image = ffi.cast("TiImage", address)
    info = ffi.new("TiVulkanImageInteropInfo *")
    runtime.check(lib.taichi_aot_image_describe(runtime.require_open(), ti_image, info))
    image = ImageHandle(runtime, _stated_request(info), is_imported=True)
    image.adopt(ti_image, owned=owned)
    return image


def _stated_request(info: TiVulkanImageInteropInfo_p) -> ImageRequest:
    """Return the request that an exported image was created with."""
    if (info.mip_level_count, info.array_layer_count, info.sample_count) != (1, 1, 1):
        raise NotSupportedError("images of several mip levels, layers or samples are not supported: kernels take one")
    extent = (info.extent.width, info.extent.height, info.extent.depth)[: info.image_type + 1]
    return ImageRequest(extent, format_of_vulkan(info.format), usage_of_vulkan(info.usage))


def _supported(runtime: RuntimeHandle, requests: Sequence[ImageRequest]) -> ImageRequest:
    """Return the first request that the device supports; the requests differ in their usage."""
    extent, format, texel = requests[0].extent, requests[0].format, requests[0].texel
    info = runtime_info(runtime.require_open())
    instance = VulkanInstance.of(info)
    device = address_of(info.physical_device)
    for request in requests:
        limits = instance.image_limits(device, texel.vulkan, len(extent), vulkan_usage(request.usage))
        if limits is not None:
            _check_extent(request, limits)
            return request
    raise NotSupportedError(
        f"the device does not support {len(extent)}-dimensional images of {format} for {requests[0].usage!r}"
    )


def _check_extent(request: ImageRequest, limits: VkImageFormatProperties_p) -> None:
    largest = limits.maxExtent.width, limits.maxExtent.height, limits.maxExtent.depth
    for axis, size, most in zip(AXES, request.extent, largest, strict=False):
        if size > most:
            raise ArgumentOutOfRangeError(
                f"the {axis} of images of {request.format} is at most {most} on this device, not {short(size)}"
            )
    if request.nbytes > min(limits.maxResourceSize, LARGEST):
        most = limits.maxResourceSize
        raise OutOfMemoryError(f"cannot allocate an image of {request.nbytes} bytes: the device takes at most {most}")


_VULKAN_USAGE: dict[ImageUsage, int] = {
    ImageUsage.STORAGE: lib.VK_IMAGE_USAGE_STORAGE_BIT,
    ImageUsage.SAMPLED: lib.VK_IMAGE_USAGE_SAMPLED_BIT,
    ImageUsage.ATTACHMENT: lib.VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
}


def usage_of_vulkan(flags: int) -> ImageUsage:
    """Return the usage of an image that was created with ``VkImageUsageFlags``."""
    return ImageUsage(sum(usage for usage in ImageUsage if not vulkan_usage(usage) & ~flags))


def vulkan_usage(usage: ImageUsage) -> int:
    """Return ``VkImageUsageFlags`` for a usage, with copies in both directions, which the library always enables."""
    flags = lib.VK_IMAGE_USAGE_TRANSFER_SRC_BIT | lib.VK_IMAGE_USAGE_TRANSFER_DST_BIT
    return flags | sum(flag for part, flag in _VULKAN_USAGE.items() if part in usage)
