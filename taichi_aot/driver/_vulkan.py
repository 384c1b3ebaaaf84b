"""Vulkan: instances, physical devices and their properties.

``include/drivers/vulkan_subset.h`` declares the functions and structures in use.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from ..values._errors import InvalidArgumentError
from ._library import DriverLibrary, address_of, ffi, lib
from ._limits import DRIVER_SPACE, require_address_space
from ._status import check
from ._variables import is_set

if TYPE_CHECKING:
    from .._capi import (
        TiVulkanRuntimeInteropInfo_p,
        VkImageFormatProperties_p,
        VkPhysicalDevice,
        VkPhysicalDeviceProperties_p,
        taichi_aot_runtime_p,
    )
    from .._cdata import Function, Pointer

T = TypeVar("T")

VERSION_1_0, VERSION_1_1, VERSION_1_3 = 1 << 22, 1 << 22 | 1 << 12, 1 << 22 | 3 << 12  # as Vulkan encodes versions
LABELS = "VK_EXT_debug_utils"
CHOOSES_DEVICE = "MESA_VK_DEVICE_SELECT"
LOADERS: tuple[str, ...] = ("libvulkan.so.1", "libvulkan.so", "vulkan-1.dll", "libvulkan.1.dylib")
# Drivers that have devices in software alone, or for the NODES of the kernel. Others may load a module of the kernel
# when they are asked, as NVIDIA's does.
DRIVERS = ("lvp", "intel", "intel_hasvk", "radeon", "nouveau", "virtio", "asahi", "broadcom", "panfrost", "freedreno")
NODES = {"/dev/dri": ("renderD",), "/dev": ("nvidia", "nvhost", "dxg", "kgsl", "mali", "pvr")}
FOLDERS: tuple[tuple[str, str], ...] = (  # where the loader looks for the files that name drivers, by variable
    ("XDG_CONFIG_HOME", "~/.config"),
    ("XDG_CONFIG_DIRS", "/etc/xdg"),
    ("XDG_DATA_HOME", "~/.local/share"),
    ("XDG_DATA_DIRS", "/usr/local/share:/usr/share"),
    ("", f"/etc:/usr/local/etc:{sys.prefix}/etc:{sys.prefix}/share"),
)
NVIDIA = 0x10DE  # a vendorID, with its own encoding of driverVersion
KINDS = {
    lib.VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: "integrated",
    lib.VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: "discrete",
    lib.VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: "virtual",
    lib.VK_PHYSICAL_DEVICE_TYPE_CPU: "cpu",
}


class VulkanInstance:
    """An instance with the functions that its ``vkGetInstanceProcAddr`` returns."""

    def __init__(self, get_instance_proc_addr: int, instance: int, api_version: int = VERSION_1_0) -> None:
        # get_instance_proc_addr, instance: addresses, which are used unchecked: a wrong one crashes the process.
        self.get_instance_proc_addr = get_instance_proc_addr
        self.api_version = api_version  # the version that it was created for, as Vulkan encodes versions
        self._get = ffi.cast("PFN_vkGetInstanceProcAddr", get_instance_proc_addr)
        self._instance = ffi.cast("VkInstance", instance)

    @classmethod
    def of(cls, info: TiVulkanRuntimeInteropInfo_p) -> VulkanInstance:
        """Return the instance of a runtime's device."""
        return cls(address_of(info.get_instance_proc_addr), address_of(info.instance), info.api_version)

    def info(self, physical_device: int) -> TiVulkanRuntimeInteropInfo_p:
        """Return ``TiVulkanRuntimeInteropInfo *`` for a device that is to be created on a physical device."""
        info = ffi.new("TiVulkanRuntimeInteropInfo *")
        info.get_instance_proc_addr = self._get
        info.api_version = min(self.api_version | 0xFFF, self.version(physical_device))
        info.instance, info.physical_device = self._instance, _physical_device(physical_device)
        return info

    def function(self, name: str) -> Function[..., Any]:
        """Return a function of the instance that ``vulkan_subset.h`` declares: ``vkEnumeratePhysicalDevices``, say."""
        function = self._get(self._instance, name.encode())
        if not function:
            raise InvalidArgumentError(f"the Vulkan instance does not have {name}")
        typed: Function[..., Any] = ffi.cast(f"PFN_{name}", function)
        return typed

    def physical_devices(self) -> list[int]:
        """Return the ``VkPhysicalDevice`` handles, by the index of the device: as the loader has them, hardware first.

        Mesa's layer puts the device that its variable names first; then that stays the first one.
        """
        get = self.function("vkEnumeratePhysicalDevices")
        found = _list("VkPhysicalDevice[]", lambda count, out: get(self._instance, count, out), address_of)
        return found if is_set(CHOOSES_DEVICE) else sorted(found, key=lambda device: self.kind(device) == "cpu")

    def properties(self, physical_device: int) -> VkPhysicalDeviceProperties_p:
        properties = ffi.new("VkPhysicalDeviceProperties *")
        self.function("vkGetPhysicalDeviceProperties")(_physical_device(physical_device), properties)
        return properties

    def name(self, physical_device: int) -> str:
        """Return the name of a device."""
        return _text(self.properties(physical_device).deviceName)

    def kind(self, physical_device: int) -> str:
        """Return the kind of a device, as `DeviceInfo` states it."""
        return KINDS.get(self.properties(physical_device).deviceType, "virtual")

    def version(self, physical_device: int) -> int:
        """Return the highest version of Vulkan that a device supports, as Vulkan encodes versions."""
        return self.properties(physical_device).apiVersion

    def image_limits(
        self, physical_device: int, format: int, dimensions: int, usage: int
    ) -> VkImageFormatProperties_p | None:
        """Return ``VkImageFormatProperties`` for optimal tiling; None if the device does not support such images."""
        limits = ffi.new("VkImageFormatProperties *")
        get = self.function("vkGetPhysicalDeviceImageFormatProperties")
        kind = lib.VK_IMAGE_TYPE_1D + dimensions - 1
        device, tiling = _physical_device(physical_device), lib.VK_IMAGE_TILING_OPTIMAL
        return limits if get(device, format, kind, tiling, usage, 0, limits) == lib.VK_SUCCESS else None

    def driver(self, physical_device: int) -> str:
        """Return the version of a device's driver and the highest version of Vulkan that it supports."""
        properties = self.properties(physical_device)
        version = version_text(properties.vendorID, properties.driverVersion)
        uuid = self.uuid(physical_device)
        return f"driver {version}, Vulkan {version_text(0, properties.apiVersion)}{f', UUID {uuid}' if uuid else ''}"

    def uuid(self, physical_device: int) -> str:
        """Return what identifies a device in all processes; empty with Vulkan 1.0, which does not say."""
        if min(self.api_version, self.version(physical_device)) < VERSION_1_1:
            return ""
        identity = ffi.new("VkPhysicalDeviceIDProperties *")
        identity.sType = lib.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES
        properties = ffi.new("VkPhysicalDeviceProperties2 *")
        properties.sType, properties.pNext = lib.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, identity
        self.function("vkGetPhysicalDeviceProperties2")(_physical_device(physical_device), properties)
        digits = bytes(identity.deviceUUID).hex()
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    def has_tool(self, physical_device: int) -> bool:
        """Return whether a tool shows the names of objects and commands, such as RenderDoc or the validation layer."""
        name = "vkGetPhysicalDeviceToolPropertiesEXT"
        get = ffi.cast(f"PFN_{name}", self._get(self._instance, name.encode()))
        if not get:  # an old loader
            return False
        device, count = _physical_device(physical_device), ffi.new("uint32_t *")
        if get(device, count, ffi.NULL) < 0:
            return False
        kind = {"sType": lib.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TOOL_PROPERTIES_EXT}
        tools = ffi.new("VkPhysicalDeviceToolPropertiesEXT[]", [kind] * count[0])
        if get(device, count, tools) < 0:
            return False
        return any(tool.purposes & lib.VK_TOOL_PURPOSE_DEBUG_MARKERS_BIT_EXT for tool in tools[0 : count[0]])

    def queue_flags(self, physical_device: int) -> list[int]:
        """Return the ``VkQueueFlags`` of each queue family of a device."""
        get = self.function("vkGetPhysicalDeviceQueueFamilyProperties")
        device = _physical_device(physical_device)
        kind = "VkQueueFamilyProperties[]"
        return _list(kind, lambda count, out: get(device, count, out), lambda family: int(family.queueFlags))

    def highest_version(self) -> int:
        """Return the highest version of instances, as Vulkan encodes versions."""
        get = ffi.cast("PFN_vkEnumerateInstanceVersion", self._get(ffi.NULL, b"vkEnumerateInstanceVersion"))
        version = ffi.new("uint32_t *", VERSION_1_0)
        if get:  # a loader of Vulkan 1.0 has none
            get(version)
        return version[0]

    def instance_extensions(self) -> set[str]:
        """Return the names of the extensions that instances can have."""
        get = VulkanInstance(self.get_instance_proc_addr, 0).function("vkEnumerateInstanceExtensionProperties")
        return _extension_names(lambda count, out: get(ffi.NULL, count, out))

    def device_extensions(self, physical_device: int) -> set[str]:
        """Return the names of the extensions of a device."""
        get = self.function("vkEnumerateDeviceExtensionProperties")
        device = _physical_device(physical_device)
        return _extension_names(lambda count, out: get(device, ffi.NULL, count, out))

    def has_device_function(self, device: int, name: str) -> bool:
        return bool(self.function("vkGetDeviceProcAddr")(ffi.cast("VkDevice", device), name.encode()))

    def needed_bytes(self, device: int, kind: str, handle: int) -> int:
        """Return the bytes of memory that a ``VkBuffer`` or ``VkImage`` needs: its size, rounded up by the driver."""
        requirements = ffi.new("VkMemoryRequirements *")
        get = self.function(f"vkGet{kind}MemoryRequirements")
        get(ffi.cast("VkDevice", device), ffi.cast(f"Vk{kind}", handle), requirements)
        return requirements.size


def loader_instance() -> VulkanInstance | None:
    """Return this process's instance from the system's loader; None without Vulkan."""
    # It is never destroyed, so that drivers stay loaded while runtimes are created and closed: NVIDIA's driver crashes
    # when it is loaded for about the 25th time.
    return _instance_of_process(os.getpid())


def may_have_gpu() -> bool:
    """Return whether Vulkan may have a device in hardware, by the files of this machine.

    Asking the drivers takes memory and time, which a process that will use the CPU saves. In doubt they are asked.
    """
    if sys.platform != "linux" or any(name.startswith(("VK_", "VN_", "VTEST_")) for name in os.environ):
        return True
    if any(name.startswith(NODES[folder]) for folder in NODES for name in _names(folder)):
        return True
    roots = ":".join([os.environ.get(name) or usual for name, usual in FOLDERS]).split(":")
    folders = [f"{os.path.expanduser(root)}/vulkan/icd.d" for root in roots]
    files = [f"{folder}/{name}" for folder in folders for name in _names(folder)]
    try:
        return not files or not all(_is_driver_of_nodes(path) for path in files)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return True


def _names(folder: str) -> list[str]:
    with suppress(OSError):
        return os.listdir(folder)
    return []


def _is_driver_of_nodes(path: str) -> bool:
    from ..bundle._formats import read_json  # with the first load, as the rest of that room

    with open(path, "rb") as file:
        library: str = read_json(file.read())["ICD"]["library_path"]
    return os.path.basename(library) in {f"libvulkan_{name}.so" for name in DRIVERS}


def vulkan_devices() -> list[tuple[str, str]]:
    """Return (name, kind) of each Vulkan device; empty without Vulkan."""
    instance = loader_instance()
    if instance is None:
        return []
    try:
        return [(instance.name(device), instance.kind(device)) for device in instance.physical_devices()]
    except ValueError:  # a broken loader
        return []


def vulkan_drivers() -> list[str]:
    """Return the driver of each Vulkan device, in the order of `vulkan_devices`; empty without Vulkan."""
    instance = loader_instance()
    return [] if instance is None else [instance.driver(device) for device in instance.physical_devices()]


def why_no_vulkan() -> str:
    """Return the reason why Vulkan has no device."""
    if not DriverLibrary(*LOADERS):
        return (
            "the Vulkan loader (libvulkan.so.1, vulkan-1.dll) cannot be loaded: install the package libvulkan1 "
            "(vulkan-loader on Fedora), or on Windows the GPU's driver"
        )
    if loader_instance() is None:
        return "the Vulkan loader has no driver (ICD): install a driver, such as Mesa's, or unset VK_ICD_FILENAMES"
    return "no driver reports a device"


def runtime_info(c_runtime: taichi_aot_runtime_p) -> TiVulkanRuntimeInteropInfo_p:
    """Return the ``TiVulkanRuntimeInteropInfo`` of a runtime: its instance, device and queues."""
    info = ffi.new("TiVulkanRuntimeInteropInfo *")
    check(lib.taichi_aot_vulkan_describe(c_runtime, info, ffi.NULL))
    return info


@cache
def _instance_of_process(pid: int) -> VulkanInstance | None:
    require_address_space(DRIVER_SPACE, "a Vulkan driver")
    get = DriverLibrary(*LOADERS).function("PFN_vkGetInstanceProcAddr", "vkGetInstanceProcAddr")
    create = get(ffi.NULL, b"vkCreateInstance") if get is not None else None
    if get is None or not create:
        return None
    loader = VulkanInstance(address_of(get), 0)
    strings = [ffi.new("char[]", name.encode()) for name in {LABELS} & loader.instance_extensions()]
    c_names = ffi.new("const char *[]", strings)
    application = ffi.new("VkApplicationInfo *")
    application.sType = lib.VK_STRUCTURE_TYPE_APPLICATION_INFO
    application.apiVersion = min(loader.highest_version(), VERSION_1_3)
    info = ffi.new("VkInstanceCreateInfo *")
    info.sType = lib.VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO
    info.pApplicationInfo = application
    info.enabledExtensionCount, info.ppEnabledExtensionNames = len(strings), c_names
    instance = ffi.new("VkInstance *")
    if ffi.cast("PFN_vkCreateInstance", create)(info, ffi.NULL, instance) != lib.VK_SUCCESS:
        return None
    return VulkanInstance(address_of(get), address_of(instance[0]), application.apiVersion)


def version_text(vendor: int, number: int) -> str:
    """Return a vendor's version as text: NVIDIA has its own encoding, other vendors use Vulkan's."""
    if vendor == NVIDIA:
        return f"{number >> 22}.{number >> 14 & 0xFF}.{number >> 6 & 0xFF}"
    return f"{number >> 22 & 0x7F}.{number >> 12 & 0x3FF}.{number & 0xFFF}"


def _physical_device(handle: int) -> VkPhysicalDevice:
    return ffi.cast("VkPhysicalDevice", handle)


def _list(c_type: str, get: Callable[[Any, Any], int | None], convert: Callable[[Any], T]) -> list[T]:
    """Return the converted items that a Vulkan function enumerates; empty if it fails."""
    # The first call gets the count, the second one the items.
    count = ffi.new("uint32_t *")
    if (get(count, ffi.NULL) or 0) < 0:
        return []
    items = ffi.new(c_type, count[0])
    if (get(count, items) or 0) < 0:
        return []
    return [convert(item) for item in items[0 : count[0]]]  # before the array is freed


def _extension_names(get: Callable[[Any, Any], int | None]) -> set[str]:
    return set(_list("VkExtensionProperties[]", get, lambda extension: _text(extension.extensionName)))


def _text(characters: Pointer[bytes]) -> str:
    return ffi.string(characters).decode(errors="replace")
