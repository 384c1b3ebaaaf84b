"""Let a kernel add to a Vulkan buffer that another part of the program has created.

python examples/vulkan_buffer.py saxpy.tcm  # a module for Vulkan with the kernel saxpy
"""

import sys

import numpy as np
import vulkan as vk

from taichi_aot import Runtime
from taichi_aot.interop import vulkan as tv

with Runtime("vulkan") as rt:
    info = tv.export_runtime(rt)  # or tv.import_runtime(tv.VulkanRuntimeInfo(...)) on a device of your own
    device = vk.ffi.cast("VkDevice", info.device)

    # A buffer of 4096 bytes in memory that the host can map.
    usage = (
        vk.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
        | vk.VK_BUFFER_USAGE_TRANSFER_SRC_BIT
        | vk.VK_BUFFER_USAGE_TRANSFER_DST_BIT
    )
    create = vk.VkBufferCreateInfo(size=4096, usage=usage, sharingMode=vk.VK_SHARING_MODE_EXCLUSIVE)
    buffer = vk.vkCreateBuffer(device, create, None)
    needed = vk.vkGetBufferMemoryRequirements(device, buffer)
    types = vk.vkGetPhysicalDeviceMemoryProperties(vk.ffi.cast("VkPhysicalDevice", info.physical_device))
    visible = vk.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | vk.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
    index = next(
        i
        for i in range(types.memoryTypeCount)
        if needed.memoryTypeBits >> i & 1 and types.memoryTypes[i].propertyFlags & visible == visible
    )
    allocate = vk.VkMemoryAllocateInfo(allocationSize=needed.size, memoryTypeIndex=index)
    memory = vk.vkAllocateMemory(device, allocate, None)
    vk.vkBindBufferMemory(device, buffer, memory, 0)

    y = tv.import_ndarray(rt, tv.VulkanMemoryInfo(buffer=buffer, size=4096, usage=usage), 1024, np.float32)
    y.fill(1)
    x = rt.asarray(np.arange(1024, dtype=np.float32))
    rt.load_module(sys.argv[1]).kernels["saxpy"](2.0, x, y)
    rt.wait()

    data = vk.vkMapMemory(device, memory, 0, 4096, 0)
    print(np.frombuffer(data, np.float32)[:5])
    vk.vkUnmapMemory(device, memory)
    y.close()  # before the buffer is destroyed
    vk.vkDestroyBuffer(device, buffer, None)
    vk.vkFreeMemory(device, memory, None)
