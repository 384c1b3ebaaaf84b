"""The backends of Vulkan and OpenGL, whose memory are buffers, which C or the library allocates one by one.

On Vulkan a runtime has a device of our own, which the library is given when something needs it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..driver._gpus import VulkanInstance, loader_instance, prepare_opengl, runtime_info, vulkan_index
from ..driver._library import (
    RUNTIME_SPACE,
    Need,
    address_of,
    check,
    error_of,
    ffi,
    labels_switch,
    lib,
    log_failure,
    require,
    software_device,
)
from ..handles._memory import VULKAN, Adoption, DirectMap, MemoryHandle, Request, ShadowMap, array_address
from ..handles._runtime import Context, RuntimeHandle, process
from ..values._errors import NotSupportedError, OutOfMemoryError
from ..values._numbers import Arch, Capability
from ._base import Allocator, Code, Device, Interchange

if TYPE_CHECKING:
    import numpy.typing as npt

    from .._capi import TiMemory, taichi_aot_array_p, taichi_aot_image_p, taichi_aot_memory_p
    from ..bundle._plan import Plan
    from ..handles._code import SpirvCode


# Bounds of the bytes that are copied at a time between the host and memory that it cannot map. Each part waits for the
# device, which costs as much as copying megabytes.
STAGING_SIZES = 1 << 16, 32 << 20


class GfxMemory(MemoryHandle):
    """An allocation, or memory of another owner.

    It is registered before it is allocated. The same call notes the allocation, so an exception cannot lose either.
    """

    __slots__ = ("_allocator", "is_imported", "on_device")

    def __init__(
        self,
        runtime: RuntimeHandle,
        stated: Request | Adoption,
        *,
        on_device: bool = False,
        is_imported: bool = False,
    ) -> None:
        self._allocator: GfxAllocator = runtime.backend.memory
        self._allocator.check_size(stated.size)
        super().__init__(runtime, stated)
        self.on_device = on_device
        self.is_imported = is_imported
        self.generation = 1
        self.c = ffi.new("taichi_aot_memory *", {"generation": 1})
        self._allocator.in_use[self.c] = 0 if is_imported else stated.size

    @property
    def staging(self) -> Any:
        return self._allocator.staging

    @property
    def read_staging(self) -> Any:
        return ffi.NULL if self.host_read and not self.on_device else self.staging

    @property
    def is_mappable(self) -> bool:
        return (self.host_read or self.host_write) and not self.on_device

    @property
    def address(self) -> int:
        return address_of(self.c.mapped)

    def map(self, typestr: str, shape: tuple[int, ...], offset: int = 0) -> DirectMap | ShadowMap:
        return (DirectMap if self.is_mappable else ShadowMap)(self, typestr, shape, offset)

    def ti_memory_at(self, offset: int) -> TiMemory:
        self.require_open()
        if offset:
            raise NotSupportedError(
                f"arch {self.runtime.arch} has no arrays at an offset (here of {offset} bytes): its kernels take whole "
                "buffers; allocate memory for each array"
            )
        return self.c.ti_memory

    def read(self, target: npt.NDArray[Any], offset: int) -> None:
        self._transfer(target, offset, lib.TAICHI_AOT_READ, self.read_staging)

    def write(self, source: npt.NDArray[Any], offset: int, *, fresh: bool = False) -> None:
        direction = lib.TAICHI_AOT_WRITE_FRESH if fresh else lib.TAICHI_AOT_WRITE
        staging = ffi.NULL if self.host_write and not self.on_device else self.staging
        self._transfer(source, offset, direction, staging)

    def _transfer(self, host: npt.NDArray[Any], offset: int, direction: int, staging: Any) -> None:
        runtime = self.runtime
        address = array_address(host)
        where = runtime.require_open(), self.c, self.generation, offset, address, host.nbytes, direction
        runtime.check(runtime.complete(lambda may_block: lib.taichi_aot_transfer(*where, may_block, staging)))

    def copy_from(self, offset: int, source: MemoryHandle, source_offset: int, size: int) -> None:
        runtime = self.runtime
        status = lib.taichi_aot_copy_memory(runtime.require_open(), self.c, offset, source.c, source_offset, size)
        runtime.check(status)

    def free(self) -> None:
        if self._allocator.waits_before_free or self.is_imported:
            self.runtime.wait_to_release("waiting for the device before memory was freed")
        self.release(may_wait=True)

    def release(self, *, may_wait: bool) -> bool:
        runtime = self.runtime
        # Another owner may free what it has imported while the device uses it.
        wait_first = self._allocator.waits_before_free or self.is_imported
        status = lib.taichi_aot_memory_free(runtime.c, self.c, wait_first, may_wait)
        if self.c.generation and runtime.c.state:
            return False
        log_failure(status, "freeing memory")
        if self.is_imported:
            runtime.release_owner(self.c)
        self._allocator.in_use.pop(self.c, None)  # the last step, because an interrupted release is repeated
        return True

    def __del__(self) -> None:
        c = getattr(self, "c", None)
        if c is None or not process or process.exiting:
            return
        if c in self._allocator.in_use:
            self.runtime.release(self)


class GfxAllocator(Allocator):
    """Memory and images that are not pooled here."""

    handle = GfxMemory  # the class of its memory
    waits_before_free = True  # whether memory must not be freed while the device uses it
    has_offsets = False  # kernels take whole buffers

    def __init__(self, arch: Arch) -> None:
        super().__init__(arch)
        # With their bytes: 0 if another owner has allocated them.
        self.in_use: dict[taichi_aot_memory_p, int] = {}
        self.images: dict[taichi_aot_image_p, int] = {}
        smallest, largest = STAGING_SIZES
        self.staging = ffi.new("taichi_aot_staging *", {"smallest": smallest, "largest": largest})

    def allocate(self, runtime: RuntimeHandle, request: Request) -> GfxMemory:
        """Return memory that the library allocates, or C does."""
        on_device = request.for_arrays and not self.unified
        info = ffi.new("TiMemoryAllocateInfo *")
        info.size = request.size
        info.host_read = request.host_read and not on_device
        info.host_write = request.host_write and not on_device
        info.export_sharing = request.export_sharing
        info.usage = int(request.usage)
        memory = self.handle(runtime, request, on_device=on_device)
        status = lib.taichi_aot_allocate(runtime.require_open(), info, memory.c)
        if status < 0:  # whatever its code is
            raise OutOfMemoryError(f"cannot allocate {request.size} bytes on {runtime.arch}: {error_of(status)}")
        runtime.check(status)
        return memory

    def check_size(self, size: int) -> None:
        """Raise OutOfMemoryError for memory that the arch does not have."""

    def adopt(self, runtime: RuntimeHandle, adoption: Adoption) -> GfxMemory:
        self.exported(runtime, adoption)
        memory = self.handle(runtime, adoption, is_imported=True)
        memory.c.is_borrowed = not adoption.owned
        memory.c.ti_memory = ffi.cast("TiMemory", adoption.address)
        return memory

    def bytes_in_use(self) -> int:
        return sum(self.in_use.copy().values()) + sum(self.images.copy().values())

    def close(self, runtime: RuntimeHandle) -> None:
        for image in list(self.images):
            log_failure(lib.taichi_aot_image_free(runtime.c, image, False, True), "freeing an image")
        for memory in list(self.in_use):
            log_failure(lib.taichi_aot_memory_free(runtime.c, memory, False, True), "freeing memory")
        log_failure(lib.taichi_aot_staging_free(runtime.c, self.staging), "freeing the staging buffer")

    def forget(self) -> None:
        self.in_use.clear()
        self.images.clear()
        self.staging.memory = ffi.new("taichi_aot_memory *")[0]
        self.staging.size = 0


class GfxInterchange(Interchange):
    device_type = VULKAN


class GfxDevice(Device):
    @classmethod
    def need(cls, kind: str, *, first: bool) -> Need:
        return software_device() if kind == "cpu" else (RUNTIME_SPACE, 0)

    def levels(self, runtime: RuntimeHandle) -> dict[Capability, int]:
        count = ffi.new("uint32_t *")
        check(lib.checked_ti_get_runtime_capabilities(runtime.c, count, ffi.NULL))
        levels = ffi.new("TiCapabilityLevelInfo[]", count[0])
        check(lib.checked_ti_get_runtime_capabilities(runtime.c, count, levels))
        known = set(Capability)
        return {Capability(info.capability): info.level for info in levels if info.capability in known}

    def set_levels(self, runtime: RuntimeHandle, levels: Mapping[Capability, int]) -> None:
        if levels.get(Capability.SPIRV_HAS_PHYSICAL_STORAGE_BUFFER):
            raise NotSupportedError("buffers have no addresses on this arch")
        array = ffi.new("TiCapabilityLevelInfo[]", [(int(capability), level) for capability, level in levels.items()])
        runtime.check(lib.checked_ti_set_runtime_capabilities_ext(runtime.c, len(array), array))


class GfxCode(Code):
    family = "gfx"


# The backend of OpenGL.


# The library maps that much memory, and aborts the process for more (glMapBufferRange, GL_INVALID_VALUE).
LARGEST = (1 << 31) - 1


class OpenGlAllocator(GfxAllocator):
    copies_mapped = False
    export = "TiOpenglMemoryInteropInfo", lib.checked_ti_export_opengl_memory

    def check_size(self, size: int) -> None:
        if size > LARGEST:
            raise OutOfMemoryError(
                f"memory of arch opengl has at most {LARGEST} bytes (2^31 - 1), because the library can map no more, "
                f"not {size}"
            )


class OpenGlInterchange(GfxInterchange):
    api = "opengl"


class OpenGlDevice(GfxDevice):
    why_no_images = "the library allocates none there"
    has_seeds = False

    @classmethod
    def require_library(cls, device_index: int) -> None:
        prepare_opengl()

    def kind(self, runtime: RuntimeHandle) -> str:
        return "virtual"


# The backend of Vulkan: a device of our own, which the library is given when something needs it.


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
    number, devices = vulkan_index(index), instance.physical_devices()
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
