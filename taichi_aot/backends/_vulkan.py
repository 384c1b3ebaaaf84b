"""The backend of Vulkan, which has images and shares memory with applications."""

from __future__ import annotations

from ..driver._library import labels_switch, lib
from ..driver._pointers import address_of
from ..driver._vulkan import VulkanInstance, exported_runtime
from ..handles._runtime import RuntimeHandle
from ._gfx import GfxBackend

__all__ = ["VulkanBackend"]


class VulkanBackend(GfxBackend):
    api = "vulkan"
    why_no_images = ""
    recording = "TAICHI_AOT_VULKAN_RECORDING"
    waits_before_free = False  # the library's command lists keep their buffers alive
    export = "TiVulkanMemoryInteropInfo", lib.checked_ti_export_vulkan_memory

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
