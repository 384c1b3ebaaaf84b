"""The backend of Vulkan: a device of our own, which the library is given when something needs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..driver._gpus import VulkanInstance, loader_instance, runtime_info
from ..driver._library import address_of, check, ffi, labels_switch, lib, require
from ..handles._memory import Adoption
from ..handles._runtime import Context, RuntimeHandle
from ..values._enums import Arch, Capability
from ..values._errors import NotSupportedError
from ._devices import library_index
from ._gfx import GfxAllocator, GfxCode, GfxDevice, GfxInterchange, GfxMemory

if TYPE_CHECKING:
    from .._capi import TiMemory, taichi_aot_array_p
    from ..bundle._plan import Plan
    from ..handles._code import SpirvCode


class VulkanMemory(GfxMemory):
    """A buffer. The library is given it when something asks for its handle."""

    __slots__ = ()

    def place(self, c: taichi_aot_array_p, offset: int = 0) -> None:
        if offset:
            super().place(c, offset)  # raises
        self.require_open()
        c.memory, c.generation = self.c, self.generation

    def ti_memory_at(self, offset: int) -> TiMemory:
        if offset:
            return super().ti_memory_at(offset)
        self.require_open()
        result, runtime = ffi.new("TiMemory *"), self.runtime
        runtime.check(lib.taichi_aot_import(runtime.require_library(), self.c, self.generation, 0, self.size, result))
        return result[0]


class VulkanAllocator(GfxAllocator):
    handle = VulkanMemory
    waits_before_free = False  # memory is retired until the device has done what uses it
    export = "TiVulkanMemoryInteropInfo", lib.checked_ti_export_vulkan_memory

    def adopt(self, runtime: RuntimeHandle, adoption: Adoption) -> GfxMemory:
        memory = super().adopt(runtime, adoption)
        runtime.check(lib.taichi_aot_vulkan_adopt_memory(runtime.c, memory.c))
        return memory


class VulkanInterchange(GfxInterchange):
    api = "vulkan"


class VulkanDevice(GfxDevice):
    why_no_images = ""
    is_lazy = True

    @classmethod
    def open(cls, context: Context) -> None:
        create_device(context, require_loader_instance())

    def kind(self, runtime: RuntimeHandle) -> str:
        info = runtime_info(runtime.c)
        return VulkanInstance.of(info).kind(address_of(info.physical_device))

    def wants_labels(self, runtime: RuntimeHandle) -> bool:
        wanted = labels_switch()
        if wanted is None:
            info = runtime_info(runtime.c)
            instance = VulkanInstance.of(info)
            wanted = super().wants_labels(runtime) or instance.has_tool(address_of(info.physical_device))
        if wanted:
            check(lib.taichi_aot_vulkan_use_labels(runtime.c))
        return wanted

    def levels(self, runtime: RuntimeHandle) -> dict[Capability, int]:
        levels = ffi.new("uint32_t[]", lib.TAICHI_AOT_VULKAN_LEVELS)
        check(lib.taichi_aot_vulkan_describe(runtime.c, ffi.NULL, levels))
        return {each: levels[int(each)] for each in Capability if levels[int(each)]}

    def set_levels(self, runtime: RuntimeHandle, levels: Mapping[Capability, int]) -> None:
        array = ffi.new("uint32_t[]", lib.TAICHI_AOT_VULKAN_LEVELS)
        for capability, level in levels.items():
            array[int(capability)] = level
        runtime.check(lib.taichi_aot_vulkan_set_levels(runtime.c, array))


class VulkanCode(GfxCode):
    recording = "TAICHI_AOT_VULKAN_RECORDING"
    own_way = "recorded"

    def open(self, plan: Plan, runtime: RuntimeHandle) -> SpirvCode:
        from ..handles._code import SpirvCode

        return SpirvCode(plan, runtime)


def require_loader_instance() -> VulkanInstance:
    """Return this process's instance; NotSupportedError without Vulkan."""
    instance = loader_instance()
    if instance is None:
        raise NotSupportedError("Vulkan is not available on this machine")
    return instance


def physical_device_of(instance: VulkanInstance, index: int) -> int:
    """Return the ``VkPhysicalDevice`` of a visible device; NotSupportedError if the driver fails now."""
    number, devices = library_index(Arch.VULKAN, index), instance.physical_devices()
    if number >= len(devices):
        raise NotSupportedError(f"the Vulkan driver no longer reports vulkan:{index}")
    return devices[number]


def create_device(
    context: Context,
    instance: VulkanInstance,
    instance_extensions: Sequence[str] = (),
    extensions: Sequence[str] = (),
) -> None:
    """Create the device of a context, on an instance of its own if that needs extensions."""
    device = physical_device_of(instance, context.device_index)
    require(VulkanDevice.need(instance.kind(device), first=False), "a runtime of arch vulkan")
    strings = [[ffi.new("char[]", name.encode()) for name in names] for names in (instance_extensions, extensions)]
    of_instance, of_device = (ffi.new("const char *[]", names) for names in strings)
    info, counts = instance.info(device), [len(names) for names in strings]
    check(lib.taichi_aot_vulkan_create(context.c, info, of_instance, counts[0], of_device, counts[1]))
