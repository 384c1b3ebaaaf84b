"""What Vulkan tells of itself: functions, devices, versions, queues and extensions of one instance."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from .._ffi.library import ffi
from .._ffi.pointers import address_of
from ..device import vulkan_instance
from ..errors import NotSupportedError

__all__ = ["VulkanInstance", "loader_instance"]


class VulkanInstance:
    """An instance, asked through ``vkGetInstanceProcAddr``.

    Parameters
    ----------
    get_instance_proc_addr, instance : int
        Addresses. What is not one ends the process.
    """

    def __init__(self, get_instance_proc_addr: int, instance: int) -> None:
        self.get_instance_proc_addr = get_instance_proc_addr
        self._get = ffi.cast("PFN_vkGetInstanceProcAddr", get_instance_proc_addr)
        self._instance = ffi.cast("VkInstance", instance)

    def function(self, kind: str, name: str) -> Any:
        """A function, of the C type `kind`, that takes what belongs to the instance.

        Raises
        ------
        ValueError
            If there is none.
        """
        function = self._get(self._instance, name.encode())
        if not function:
            raise ValueError(f"the Vulkan instance has no {name}")
        return ffi.cast(kind, function)

    def physical_devices(self) -> list[int]:
        """Handles, in the order in which `devices` numbers them."""
        get = self.function("int(*)(VkInstance, uint32_t *, void **)", "vkEnumeratePhysicalDevices")
        handles = _list("void *[]", lambda count, out: get(self._instance, count, out))
        return [address_of(handle) for handle in handles]

    def version(self, physical_device: int) -> int:
        """The highest version that a device has, as Vulkan encodes it."""
        get = self.function("void(*)(void *, void *)", "vkGetPhysicalDeviceProperties")
        properties = ffi.new("uint64_t[256]")  # VkPhysicalDeviceProperties {uint32 version, ...} of 824 bytes
        get(ffi.cast("void *", physical_device), properties)
        version: int = struct.unpack_from("=I", ffi.buffer(properties))[0]
        return version

    def queue_flags(self, physical_device: int) -> list[int]:
        """``VkQueueFlags`` of each family of queues."""
        get = self.function("void(*)(void *, uint32_t *, void *)", "vkGetPhysicalDeviceQueueFamilyProperties")
        # VkQueueFamilyProperties {flags, count, timestamp bits, granularity of 3 x uint32}.
        families = _list("uint32_t[][6]", lambda count, out: get(ffi.cast("void *", physical_device), count, out))
        return [family[0] for family in families]

    def extensions(self, physical_device: int) -> set[str]:
        """Names of the extensions of a device; of instances, for device 0."""
        if physical_device:
            kind = "int(*)(void *, void *, uint32_t *, void *)"
            of_device = self.function(kind, "vkEnumerateDeviceExtensionProperties")
            device = ffi.cast("void *", physical_device)
            return _names(lambda count, out: of_device(device, ffi.NULL, count, out))
        function = self._get(ffi.NULL, b"vkEnumerateInstanceExtensionProperties")
        of_instance = ffi.cast("int(*)(void *, uint32_t *, void *)", function)
        return _names(lambda count, out: of_instance(ffi.NULL, count, out))

    def has_device_function(self, device: int, name: str) -> bool:
        """Whether a device that was created, a ``VkDevice``, has a function."""
        get = self.function("void *(*)(void *, const char *)", "vkGetDeviceProcAddr")
        return bool(get(ffi.cast("void *", device), name.encode()))

    def buffer_size(self, device: int, buffer: int) -> int:
        """Bytes of memory that a buffer needs: its size, rounded up by the driver."""
        get = self.function("void(*)(void *, void *, uint64_t *)", "vkGetBufferMemoryRequirements")
        requirements = ffi.new("uint64_t[3]")  # VkMemoryRequirements {size, alignment, uint32 types}
        get(ffi.cast("void *", device), ffi.cast("void *", buffer), requirements)
        size: int = requirements[0]
        return size


def loader_instance() -> VulkanInstance:
    """An instance of version 1.0 of this process, to ask what the machine has.

    Raises
    ------
    NotSupportedError
        If it has no Vulkan.
    """
    found = vulkan_instance()
    if found is None:
        raise NotSupportedError("this machine has no Vulkan")
    return VulkanInstance(*found)


def _list(kind: str, get: Callable[[Any, Any], object]) -> list[Any]:
    """What a function lists: asked for how many, then for them."""
    count = ffi.new("uint32_t *")
    get(count, ffi.NULL)
    array = ffi.new(kind, count[0])
    get(count, array)
    return list(array[0 : count[0]])


def _names(get: Callable[[Any, Any], object]) -> set[str]:
    properties = _list("char[][260]", get)  # VkExtensionProperties {char name[256], uint32 version}
    return {ffi.string(name).decode(errors="replace") for name in properties}
