"""A Vulkan application that uses only the package `vulkan`: devices, buffers, copies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import vulkan as vk

from taichi_aot.interop.vulkan import VulkanMemoryInfo, VulkanRuntimeInfo

VERSION_1_0 = vk.VK_MAKE_VERSION(1, 0, 0)
VERSION_1_3 = vk.VK_MAKE_VERSION(1, 3, 0)
USAGE = (
    vk.VK_BUFFER_USAGE_TRANSFER_SRC_BIT | vk.VK_BUFFER_USAGE_TRANSFER_DST_BIT | vk.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
)


class Device:
    """A device with one queue; destroyed when it is dropped, unless it was exported to us."""

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
        """A device that was exported."""
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
        """Copy between two VkBuffer, and wait."""
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

    def __del__(self) -> None:
        self.is_there = False
        if self.is_own:
            vk.vkDestroyDevice(self.device, None)
            vk.vkDestroyInstance(self.instance, None)


class Buffer:
    """A buffer that the host can map; destroyed when it is dropped."""

    def __init__(self, device: Device, size: int, usage: int = USAGE, offset: int = 0) -> None:
        self.device = device
        self.size = size
        self.usage = usage
        self.offset = offset
        info = vk.VkBufferCreateInfo(size=size, usage=usage, sharingMode=vk.VK_SHARING_MODE_EXCLUSIVE)
        self.buffer = vk.vkCreateBuffer(device.device, info, None)
        needed = vk.vkGetBufferMemoryRequirements(device.device, self.buffer)
        allocate = vk.VkMemoryAllocateInfo(allocationSize=needed.size + offset, memoryTypeIndex=self._type(needed))
        self.memory = vk.vkAllocateMemory(device.device, allocate, None)
        vk.vkBindBufferMemory(device.device, self.buffer, self.memory, offset)

    def _type(self, needed: Any) -> int:
        wanted = vk.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | vk.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
        there = vk.vkGetPhysicalDeviceMemoryProperties(self.device.physical_device)
        return next(
            i
            for i in range(there.memoryTypeCount)
            if needed.memoryTypeBits >> i & 1 and there.memoryTypes[i].propertyFlags & wanted == wanted
        )

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
        if self.device.is_there:  # both may be in one garbage cycle, with the traceback of a test that failed
            vk.vkDestroyBuffer(self.device.device, self.buffer, None)
            vk.vkFreeMemory(self.device.device, self.memory, None)
