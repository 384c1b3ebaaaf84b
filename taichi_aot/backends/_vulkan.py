"""The backend of Vulkan, which has images and shares memory with applications."""

from __future__ import annotations

from collections.abc import Sequence

from ..driver._library import labels_switch, lib
from ..driver._pointers import address_of
from ..driver._vulkan import VulkanInstance, exported_runtime, vulkan_builds
from ..handles._runtime import RuntimeHandle, process
from ..values._enums import Arch
from ..values._errors import NotSupportedError
from ._devices import library_index, visible_devices
from ._gfx import GfxAllocator, GfxCode, GfxDevice, GfxInterchange

__all__ = ["VulkanAllocator", "VulkanCode", "VulkanDevice", "VulkanInterchange"]


class VulkanAllocator(GfxAllocator):
    waits_before_free = False  # the library's command lists keep their buffers alive
    export = "TiVulkanMemoryInteropInfo", lib.checked_ti_export_vulkan_memory


class VulkanInterchange(GfxInterchange):
    api = "vulkan"


class VulkanDevice(GfxDevice):
    why_no_images = ""

    @classmethod
    def require_library(cls, device_index: int) -> None:
        # The library has one table of the functions of devices, which it fills for the device that it opens last. With
        # another driver, the calls for the devices before would get functions that do not know them. A runtime that
        # is being opened is among these already, so of two threads at least one sees the other's.
        runtimes = process.live_runtimes()
        others = {handle.context.device_index for handle in runtimes if handle.arch is Arch.VULKAN}
        if not others - {device_index}:
            return
        builds = vulkan_builds()
        mine = _driver_of(device_index, builds)
        for other in sorted(others):
            if _driver_of(other, builds) != mine:
                names = [device.name for device in visible_devices(Arch.VULKAN)]
                raise NotSupportedError(
                    f"vulkan:{device_index} and vulkan:{other} have different drivers ({_name(names, device_index)}, "
                    f"{_name(names, other)}), and the Taichi C-API library calls only one of them at a time: close the "
                    f"runtime on vulkan:{other} first, or use a process for each device"
                )

    def kind(self, runtime: RuntimeHandle) -> str:
        info = exported_runtime(runtime.c)  # because the library may choose the device
        instance = VulkanInstance.of(info)
        return instance.kind(address_of(info.physical_device))

    def wants_labels(self, runtime: RuntimeHandle) -> bool:
        wanted = labels_switch()
        if wanted is None:
            info = exported_runtime(runtime.c)
            instance = VulkanInstance.of(info)
            wanted = super().wants_labels(runtime) or instance.has_tool(address_of(info.physical_device))
        return wanted


class VulkanCode(GfxCode):
    recording = "TAICHI_AOT_VULKAN_RECORDING"


def _driver_of(device_index: int, builds: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    number = library_index(Arch.VULKAN, device_index)
    return builds[number] if 0 <= number < len(builds) else None


def _name(names: Sequence[str], index: int) -> str:
    return repr(names[index]) if 0 <= index < len(names) else "an imported device"
