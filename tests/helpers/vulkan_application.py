"""A Vulkan application that uses only the package `vulkan`: devices, buffers, images, copies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import vulkan as vk

from taichi_aot.interop.vulkan import VulkanImageInfo, VulkanMemoryInfo, VulkanRuntimeInfo

VERSION_1_0 = vk.VK_MAKE_VERSION(1, 0, 0)
VERSION_1_3 = vk.VK_MAKE_VERSION(1, 3, 0)
USAGE = (
    vk.VK_BUFFER_USAGE_TRANSFER_SRC_BIT | vk.VK_BUFFER_USAGE_TRANSFER_DST_BIT | vk.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
)
OPAQUE_FD = vk.VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT


class Device:
    """A device with one queue; destroyed when dropped, unless it is one that we exported."""

    def __init__(self, version: int = VERSION_1_3, **features: Any) -> None:
        application = vk.VkApplicationInfo(apiVersion=version)
        self.instance = vk.vkCreateInstance(vk.VkInstanceCreateInfo(pApplicationInfo=application), None)
        self.physical_device = vk.vkEnumeratePhysicalDevices(self.instance)[0]
        queue = vk.VkDeviceQueueCreateInfo(queueFamilyIndex=0, pQueuePriorities=[1.0])
        enabled = vk.VkPhysicalDeviceFeatures(**features)
        info = vk.VkDeviceCreateInfo(pQueueCreateInfos=[queue], pEnabledFeatures=[enabled])
        self.device = vk.vkCreateDevice(self.physical_device, info, None)
        self.queue = vk.vkGetDeviceQueue(self.device, 0, 0)
        self.family = 0
        self.version = version
        self.is_own = self.is_there = True

    @classmethod
    def of(cls, info: VulkanRuntimeInfo) -> Device:
        """Wrap a device that we exported."""
        self = object.__new__(cls)
        self.instance = vk.ffi.cast("VkInstance", info.instance)
        self.physical_device = vk.ffi.cast("VkPhysicalDevice", info.physical_device)
        self.device = vk.ffi.cast("VkDevice", info.device)
        self.queue = vk.ffi.cast("VkQueue", info.compute_queue)
        self.family = info.compute_queue_family_index
        self.is_own = False
        self.is_there = True
        return self

    def info(self, **others: Any) -> VulkanRuntimeInfo:
        fields = {
            "api_version": self.version,
            "instance": self.instance,
            "physical_device": self.physical_device,
            "device": self.device,
            "compute_queue": self.queue,
            "compute_queue_family_index": self.family,
        }
        return VulkanRuntimeInfo(**{**fields, **others})

    def copy(self, source: Any, target: Any, size: int) -> None:
        """Copy between two VkBuffers, and wait."""
        region = vk.VkBufferCopy(srcOffset=0, dstOffset=0, size=size)
        self.record(lambda commands: vk.vkCmdCopyBuffer(commands, source, target, 1, [region]))

    def record(self, commands_of: Callable[[Any], None]) -> None:
        """Submit the commands that a function records into a command buffer, and wait."""
        pool = vk.vkCreateCommandPool(self.device, vk.VkCommandPoolCreateInfo(queueFamilyIndex=self.family), None)
        allocate = vk.VkCommandBufferAllocateInfo(
            commandPool=pool, level=vk.VK_COMMAND_BUFFER_LEVEL_PRIMARY, commandBufferCount=1
        )
        commands = vk.vkAllocateCommandBuffers(self.device, allocate)[0]
        vk.vkBeginCommandBuffer(commands, vk.VkCommandBufferBeginInfo())
        commands_of(commands)
        vk.vkEndCommandBuffer(commands)
        vk.vkQueueSubmit(self.queue, 1, [vk.VkSubmitInfo(pCommandBuffers=[commands])], vk.VK_NULL_HANDLE)
        vk.vkQueueWaitIdle(self.queue)
        vk.vkDestroyCommandPool(self.device, pool, None)

    def file_descriptor(self, memory: int) -> int:
        """Return a new file descriptor of a ``VkDeviceMemory``; needs VK_KHR_external_memory_fd."""
        info = vk.VkMemoryGetFdInfoKHR(memory=vk.ffi.cast("VkDeviceMemory", memory), handleType=OPAQUE_FD)
        fd: int = vk.vkGetDeviceProcAddr(self.device, "vkGetMemoryFdKHR")(self.device, info)
        return fd

    def memory_type(self, needed: Any, wanted: int) -> int:
        """Return the first memory type with these properties that a buffer or an image can use."""
        there = vk.vkGetPhysicalDeviceMemoryProperties(self.physical_device)
        return next(
            i
            for i in range(there.memoryTypeCount)
            if needed.memoryTypeBits >> i & 1 and there.memoryTypes[i].propertyFlags & wanted == wanted
        )

    def __del__(self) -> None:
        self.is_there = False
        if self.is_own:
            vk.vkDestroyDevice(self.device, None)
            vk.vkDestroyInstance(self.instance, None)


class Buffer:
    """A buffer that the host can map; destroyed when dropped."""

    properties = vk.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | vk.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT  # of its memory

    def __init__(
        self, device: Device, size: int, usage: int = USAGE, offset: int = 0, external: Any = None, imported: Any = None
    ) -> None:
        self.device = device
        self.size = size
        self.usage = usage
        self.offset = offset
        mode = vk.VK_SHARING_MODE_EXCLUSIVE
        info = vk.VkBufferCreateInfo(pNext=external, size=size, usage=usage, sharingMode=mode)
        self.buffer = vk.vkCreateBuffer(device.device, info, None)
        needed = vk.vkGetBufferMemoryRequirements(device.device, self.buffer)
        number = device.memory_type(needed, self.properties)
        allocate = vk.VkMemoryAllocateInfo(pNext=imported, allocationSize=needed.size + offset, memoryTypeIndex=number)
        self.memory = vk.vkAllocateMemory(device.device, allocate, None)
        vk.vkBindBufferMemory(device.device, self.buffer, self.memory, offset)

    def info(self, **others: Any) -> VulkanMemoryInfo:
        fields = {name: getattr(self, name) for name in ("buffer", "size", "usage", "memory", "offset")}
        return VulkanMemoryInfo(**{**fields, **others})

    def read(self) -> bytes:
        data = bytes(vk.vkMapMemory(self.device.device, self.memory, self.offset, self.size, 0))
        vk.vkUnmapMemory(self.device.device, self.memory)
        return data

    def write(self, data: bytes) -> None:
        vk.vkMapMemory(self.device.device, self.memory, self.offset, self.size, 0)[:] = data
        vk.vkUnmapMemory(self.device.device, self.memory)

    def __del__(self) -> None:
        if self.device.is_there:  # both may be in one garbage cycle with the traceback of a failed test
            vk.vkDestroyBuffer(self.device.device, self.buffer, None)
            vk.vkFreeMemory(self.device.device, self.memory, None)


class SharedBuffer(Buffer):
    """A buffer in the memory of a file descriptor, which it takes over."""

    properties = vk.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT

    def __init__(self, device: Device, size: int, fd: int) -> None:
        external = vk.VkExternalMemoryBufferCreateInfo(handleTypes=OPAQUE_FD)
        super().__init__(
            device, size, external=external, imported=vk.VkImportMemoryFdInfoKHR(handleType=OPAQUE_FD, fd=fd)
        )


IMAGE_USAGE = (
    vk.VK_IMAGE_USAGE_TRANSFER_SRC_BIT
    | vk.VK_IMAGE_USAGE_TRANSFER_DST_BIT
    | vk.VK_IMAGE_USAGE_SAMPLED_BIT
    | vk.VK_IMAGE_USAGE_STORAGE_BIT
    | vk.VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
)
COLOR = vk.VkImageSubresourceRange(vk.VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1)
LAYER = vk.VkImageSubresourceLayers(vk.VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1)


class Picture:
    """A two-dimensional image in device memory; destroyed when dropped."""

    def __init__(
        self,
        device: Device,
        width: int,
        height: int,
        format: int = vk.VK_FORMAT_R8G8B8A8_UNORM,
        usage: int = IMAGE_USAGE,
    ) -> None:
        self.device = device
        self.extent = (width, height, 1)
        self.format = format
        self.usage = usage
        info = vk.VkImageCreateInfo(
            imageType=vk.VK_IMAGE_TYPE_2D,
            format=format,
            extent=vk.VkExtent3D(*self.extent),
            mipLevels=1,
            arrayLayers=1,
            samples=1,
            tiling=vk.VK_IMAGE_TILING_OPTIMAL,
            usage=usage,
            sharingMode=vk.VK_SHARING_MODE_EXCLUSIVE,
            initialLayout=vk.VK_IMAGE_LAYOUT_UNDEFINED,
        )
        self.image = vk.vkCreateImage(device.device, info, None)
        needed = vk.vkGetImageMemoryRequirements(device.device, self.image)
        allocate = vk.VkMemoryAllocateInfo(
            allocationSize=needed.size,
            memoryTypeIndex=device.memory_type(needed, vk.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT),
        )
        self.memory = vk.vkAllocateMemory(device.device, allocate, None)
        vk.vkBindImageMemory(device.device, self.image, self.memory, 0)

    def info(self, **others: Any) -> VulkanImageInfo:
        fields = {name: getattr(self, name) for name in ("image", "extent", "format", "usage")}
        return VulkanImageInfo(**{"image_type": vk.VK_IMAGE_TYPE_2D, **fields, **others})

    def fill(self, color: tuple[float, float, float, float], final_layout: int) -> None:
        """Fill the image with a color and leave it in a layout."""

        def record(commands: Any) -> None:
            transition(commands, self.image, vk.VK_IMAGE_LAYOUT_UNDEFINED, vk.VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL)
            value = vk.VkClearColorValue(float32=color)
            vk.vkCmdClearColorImage(commands, self.image, vk.VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, value, 1, [COLOR])
            transition(commands, self.image, vk.VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, final_layout)

        self.device.record(record)

    def __del__(self) -> None:
        if self.device.is_there:
            vk.vkDestroyImage(self.device.device, self.image, None)
            vk.vkFreeMemory(self.device.device, self.memory, None)


def transition(commands: Any, image: Any, before: int, after: int) -> None:
    """Record a layout transition of an image, with a full barrier."""
    access = vk.VK_ACCESS_MEMORY_READ_BIT | vk.VK_ACCESS_MEMORY_WRITE_BIT
    barrier = vk.VkImageMemoryBarrier(
        srcAccessMask=access,
        dstAccessMask=access,
        oldLayout=before,
        newLayout=after,
        srcQueueFamilyIndex=vk.VK_QUEUE_FAMILY_IGNORED,
        dstQueueFamilyIndex=vk.VK_QUEUE_FAMILY_IGNORED,
        image=image,
        subresourceRange=COLOR,
    )
    stage = vk.VK_PIPELINE_STAGE_ALL_COMMANDS_BIT
    vk.vkCmdPipelineBarrier(commands, stage, stage, 0, 0, None, 0, None, 1, [barrier])


def read_image(device: Device, image: Any, layout: int, width: int, height: int, texel_size: int) -> bytes:
    """Return the texels of an image in that layout, copied through a buffer."""
    target = Buffer(device, width * height * texel_size)
    region = vk.VkBufferImageCopy(
        bufferOffset=0,
        bufferRowLength=0,
        bufferImageHeight=0,
        imageSubresource=LAYER,
        imageOffset=vk.VkOffset3D(0, 0, 0),
        imageExtent=vk.VkExtent3D(width, height, 1),
    )
    device.record(lambda commands: vk.vkCmdCopyImageToBuffer(commands, image, layout, target.buffer, 1, [region]))
    return target.read()
