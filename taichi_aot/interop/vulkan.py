"""Vulkan: devices and buffers that this package and the application use together.

Handles are plain integers. Where one is taken, a cffi handle is as good, such as those of the PyPI package ``vulkan``;
``vulkan.ffi.cast("VkDevice", info.device)`` makes one of an integer.

A queue and the memory on it belong to one side at a time: `Runtime.wait` before the application uses them, and waiting
for the application's own work before anything is launched or copied here. The numbers say nothing of their own life:
the owner of what is imported stays until the import is closed, and what was exported goes with its owner here.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from .._drivers.vulkan import VulkanInstance, loader_instance
from .._ffi.library import check_environment, ffi, lib, load
from .._ffi.pointers import address_of
from .._ffi.status import check
from .._handles.runtime import NativeRuntime, RuntimeHandle, process
from .._memory.gfx import DeviceMemory
from .._memory.layout import ShapeLike, array_layout, as_shape
from ..device import library_index, visible_devices
from ..dtypes import DTypeLike
from ..enums import Arch, Capability
from ..errors import NotSupportedError
from ..memory import Memory
from ..ndarray import NdArray
from ..runtime import Runtime, check_device, read_capabilities

__all__ = [
    "VulkanMemoryInfo",
    "VulkanRuntimeInfo",
    "create_runtime",
    "export_memory",
    "export_runtime",
    "import_memory",
    "import_ndarray",
    "import_runtime",
]

VERSION_1_0 = 1 << 22
VERSION_1_5 = VERSION_1_0 | 5 << 12  # the library aborts the process for what it does not know
# What the library's allocator takes from the device for versions from these on; it aborts the process without.
FUNCTIONS_OF_VERSIONS = {
    VERSION_1_0 | 1 << 12: "vkGetBufferMemoryRequirements2",
    VERSION_1_0 | 3 << 12: "vkGetDeviceBufferMemoryRequirements",
}
QUEUE_COMPUTE = 2
NEEDED_USAGE = {1: "TRANSFER_SRC", 2: "TRANSFER_DST", 32: "STORAGE_BUFFER"}

Info = TypeVar("Info", "VulkanRuntimeInfo", "VulkanMemoryInfo")


@dataclass(frozen=True, kw_only=True)
class VulkanRuntimeInfo:
    """A device of Vulkan with its queues, as ``TiVulkanRuntimeInteropInfo`` has it.

    Attributes
    ----------
    get_instance_proc_addr : int, default 0
        Address of ``vkGetInstanceProcAddr``; 0 is that of the system's loader.
    api_version : int
        The version, as Vulkan encodes it, that instance and device were made for.
    instance, physical_device, device : int
        Handles.
    compute_queue : int
        Where kernels run.
    compute_queue_family_index : int
        The family it is of.
    graphics_queue, graphics_queue_family_index : int, default 0
        The same for graphics; the compute queue stands in where this one is 0.

    Raises
    ------
    TypeError
        For what is neither an integer nor a cffi handle.
    ValueError
        For an integer that its C type does not hold.
    """

    get_instance_proc_addr: int = 0
    api_version: int
    instance: int
    physical_device: int
    device: int
    compute_queue: int
    compute_queue_family_index: int
    graphics_queue: int = 0
    graphics_queue_family_index: int = 0

    def __post_init__(self) -> None:
        _to_integers("TiVulkanRuntimeInteropInfo", self)


@dataclass(frozen=True, kw_only=True)
class VulkanMemoryInfo:
    """A buffer of Vulkan, as ``TiVulkanMemoryInteropInfo`` has it.

    Attributes
    ----------
    buffer : int
        ``VkBuffer``.
    size : int
        Bytes of the buffer.
    usage : int
        ``VkBufferUsageFlags`` that it was made with.
    memory : int, default 0
        ``VkDeviceMemory`` that it is bound to. Needed only where the host maps it.
    offset : int, default 0
        Where in that memory it begins, in bytes.

    Raises
    ------
    TypeError
        For what is neither an integer nor a cffi handle.
    ValueError
        For an integer that its C type does not hold.
    """

    buffer: int
    size: int
    usage: int
    memory: int = 0
    offset: int = 0

    def __post_init__(self) -> None:
        _to_integers("TiVulkanMemoryInteropInfo", self)


def create_runtime(
    device_index: int = 0,
    *,
    api_version: int = VERSION_1_0,
    instance_extensions: Iterable[str] = (),
    device_extensions: Iterable[str] = (),
) -> Runtime:
    """A runtime on a device with extensions that the application needs, which it takes with `export_runtime`.

    Parameters
    ----------
    device_index : int, default 0
        As for `Runtime`.
    api_version : int, default 1.0
        Lowest version of Vulkan, as it encodes them, that the device must have. The library takes the highest it has.
    instance_extensions, device_extensions : iterable of str
        Names of extensions, beside those that the library enables itself.

    Raises
    ------
    NotSupportedError
        If this machine has no such device, or the device lacks the version or an extension; and as for `Runtime`.
    TypeError
        If an extension is not a str.
    ValueError
        For a device index out of range, or a version that is no Vulkan 1.0 or later.
    """
    load()
    check_environment()
    check_device(Arch.VULKAN, device_index)
    _check_version(api_version)
    instance_names, device_names = _names(instance_extensions), _names(device_extensions)
    instance = loader_instance()
    device = instance.physical_devices()[library_index(Arch.VULKAN, device_index)]
    if api_version > instance.version(device):
        raise NotSupportedError(f"the device has Vulkan {_version_name(instance.version(device))} only")
    _check_extensions("instance", instance_names, instance.extensions(0))
    _check_extensions("device", device_names, instance.extensions(device))  # the library would ignore it
    with process.lock:
        process.bury()
        if len(visible_devices(Arch.VULKAN)) > 1:
            _name_device(device_index)
        native = _create(api_version, instance_names, device_names)
        return Runtime._over(native, Arch.VULKAN, device_index)


def export_runtime(runtime: Runtime) -> VulkanRuntimeInfo:
    """The device and queues of a runtime. They go with it.

    Raises
    ------
    NotSupportedError
        If it is not of Vulkan.
    TypeError
        If it is no `Runtime`.
    ValueError
        If it is closed.
    """
    handle = _handle_of(runtime)
    with handle.lock:
        handle.use()
        return _export(handle)


def import_runtime(
    info: VulkanRuntimeInfo, *, owner: Any = None, capabilities: Mapping[Capability, int] | None = None
) -> Runtime:
    """A runtime on a device of the application, which stays the application's.

    Its calls submit to the queues that are given; nothing else may use these during a call.

    Parameters
    ----------
    info : VulkanRuntimeInfo
        What to run on.
    owner : object, optional
        Kept until the runtime is closed, or gone with all its views: what destroys the device in its finalizer, say.
        Where it refers to the runtime itself, only `Runtime.close` lets both go. A device of another `Runtime` needs
        none: closing that one is put off for the native side.
    capabilities : mapping of Capability to int, optional
        What the device was created with, which Vulkan does not tell: modules that need more are refused. By default
        no more than the SPIR-V version that belongs to ``info.api_version``. What the driver does
        with modules that need more than it was created with, Vulkan does not say.

    Raises
    ------
    NotSupportedError
        If this machine has no Vulkan, for buffer addresses (``SPIRV_HAS_PHYSICAL_STORAGE_BUFFER``); and for GPUs in a
        forked process whose parent used one.
    TypeError
        If `info` is none.
    ValueError
        If a handle is null, the physical device is not of the instance, the version is not one that they have, or the
        queue's family cannot compute. Handles of anything else can end the process.
    """
    load()
    check_environment()
    check_device(Arch.VULKAN, 0)  # also keeps the drivers loaded
    if not isinstance(info, VulkanRuntimeInfo):
        raise TypeError(f"expected a VulkanRuntimeInfo, got {type(info).__qualname__}")
    info = _completed(info)
    levels = _levels(capabilities or {})
    index = _check_device_of(info)
    result = ffi.new("TiRuntime *")
    with process.lock:
        process.bury()
        uses = [_DeviceUse(handle) for handle in _runtimes_on(info.device)]
        check(lib.checked_ti_import_vulkan_runtime(ffi.NULL, _to_c("TiVulkanRuntimeInteropInfo", info), result))
        native = NativeRuntime(result[0], Arch.VULKAN)
        if levels:
            _set_capabilities(native, levels)
        runtime = Runtime._over(native, Arch.VULKAN, index)
        runtime._handle.keep(0, (owner, uses))
    return runtime


def export_memory(memory: Memory | NdArray) -> VulkanMemoryInfo:
    """The buffer behind memory or an array. It goes when that is closed or dropped.

    This waits for the device; `Runtime.wait` after further launches and before it is used. The memory around it may
    hold other buffers, mapped ones too: only memory that was allocated with ``export_sharing`` has its own.

    Raises
    ------
    NotSupportedError
        If it is not on Vulkan.
    TypeError
        If it is neither a `Memory` nor an `NdArray`.
    ValueError
        If it is closed.
    """
    if not isinstance(memory, Memory | NdArray):
        raise TypeError(f"expected a Memory or an NdArray, got {type(memory).__qualname__}")
    handle = memory._handle
    _check_arch(handle.runtime)
    info = ffi.new("TiVulkanMemoryInteropInfo *")
    with handle.runtime.lock:
        native = handle.use()
        handle.runtime.synchronize()  # what was written through a staging buffer is there for others
        check(lib.checked_ti_export_vulkan_memory(handle.runtime.native.pointer, native, info))
    # The library gives the size of the allocation, which is that of the buffer rounded up.
    return replace(_from_c(VulkanMemoryInfo, info), size=handle.size)


def import_memory(
    runtime: Runtime, info: VulkanMemoryInfo, *, owner: Any = None, host_read: bool = False, host_write: bool = False
) -> Memory:
    """Memory over a buffer of the application, which stays the application's.

    Parameters
    ----------
    runtime : Runtime
        On the device that the buffer is of; one of `import_runtime`, or the one whose device was exported.
    info : VulkanMemoryInfo
        The buffer, bound to memory, with TRANSFER_SRC, TRANSFER_DST and STORAGE_BUFFER in its usage.
    owner : object, optional
        Kept until the memory is closed, or gone with all its views, and the device is done with it.
    host_read, host_write : bool, default False
        Whether the host may map it: only if its memory is host-visible and coherent, and mapped by nobody else at that
        time. `Memory.read` and `Memory.write` work without, through a copy on the device.

    Raises
    ------
    NotSupportedError
        If the runtime is not of Vulkan.
    TypeError
        If `info` or `runtime` is none.
    ValueError
        If a handle is null, the size is 0 or more than the buffer has, the usage lacks a flag, or the runtime is
        closed. Handles of anything else, or of another device, can end the process.
    """
    handle = _handle_of(runtime)
    if (host_read or host_write) and isinstance(info, VulkanMemoryInfo) and not info.memory:
        raise ValueError("the memory is null, and the host is to map it")
    return Memory(runtime, _import(handle, info, owner, host_read=bool(host_read), host_write=bool(host_write)))


def import_ndarray(
    runtime: Runtime,
    info: VulkanMemoryInfo,
    shape: ShapeLike,
    dtype: DTypeLike,
    elem_shape: ShapeLike = (),
    *,
    owner: Any = None,
) -> NdArray:
    """An array over the beginning of a buffer of the application; see `import_memory` and `Runtime.empty`.

    Raises
    ------
    NotSupportedError, TypeError, ValueError
        As those two do; ValueError also where the buffer is too small for the shape.
    """
    handle = _handle_of(runtime)
    layout = array_layout(as_shape(shape, "shape"), dtype, as_shape(elem_shape, "elem_shape"))
    if isinstance(info, VulkanMemoryInfo) and layout.nbytes > info.size:
        raise ValueError(f"an array of shape {layout.numpy_shape} has {layout.nbytes} bytes, the buffer {info.size}")
    memory = _import(handle, info, owner, host_read=True, host_write=True, on_device=True)
    return NdArray._over(runtime, layout, memory)


# Between Python's structures and those of C.


def _to_integers(struct_name: str, info: Any) -> None:
    """Replace the handles in a structure by integers that fit its C counterpart."""
    for name, field in ffi.typeof(struct_name).fields:
        value = getattr(info, name)
        if isinstance(value, ffi.CData):  # of any cffi: there is one such class
            value = address_of(value)
        try:
            value = operator.index(value)
        except TypeError:
            raise TypeError(f"{name} must be an integer or a cffi handle, not {value!r}") from None
        if not 0 <= value < 1 << 8 * ffi.sizeof(field.type):
            raise ValueError(f"{name} is out of range: {value}")
        object.__setattr__(info, name, value)


def _to_c(struct_name: str, info: Any) -> Any:
    native = ffi.new(f"{struct_name} *")
    for name, field in ffi.typeof(struct_name).fields:
        setattr(native, name, ffi.cast(field.type, getattr(info, name)))
    return native


def _from_c(cls: type[Info], native: Any) -> Info:
    return cls(**{field.name: getattr(native, field.name) for field in fields(cls)})


# Runtimes.


def _handle_of(runtime: Runtime) -> RuntimeHandle:
    if not isinstance(runtime, Runtime):
        raise TypeError(f"expected a Runtime, got {type(runtime).__qualname__}")
    _check_arch(runtime._handle)
    return runtime._handle


def _check_arch(handle: RuntimeHandle) -> None:
    if handle.arch is not Arch.VULKAN:
        raise NotSupportedError(f"a runtime of arch {handle.arch} shares nothing with Vulkan; use Runtime('vulkan')")


def _export(handle: RuntimeHandle) -> VulkanRuntimeInfo:
    """The device of a runtime. Its lock is held."""
    info = ffi.new("TiVulkanRuntimeInteropInfo *")
    check(lib.checked_ti_export_vulkan_runtime(handle.native.pointer, info))
    return _from_c(VulkanRuntimeInfo, info)


class _DeviceUse:
    """Holds back the end of a runtime whose device another one uses. The process's lock is held."""

    def __init__(self, runtime: RuntimeHandle) -> None:
        self.runtime = runtime
        with runtime.lock:
            runtime.mappings += 1

    def __del__(self) -> None:
        self.runtime.release_later(self)

    def release(self) -> None:
        """Stop. The runtime's lock is held."""
        self.runtime.mappings -= 1


def _runtimes_on(device: int) -> list[RuntimeHandle]:
    runtimes = [handle for handle in process.living() if handle.arch is Arch.VULKAN]
    return [handle for handle in runtimes if _export(handle).device == device]


def _completed(info: VulkanRuntimeInfo) -> VulkanRuntimeInfo:
    """With everything that has a default."""
    if not info.get_instance_proc_addr:
        info = replace(info, get_instance_proc_addr=loader_instance().get_instance_proc_addr)
    if not info.graphics_queue:
        index = info.compute_queue_family_index
        info = replace(info, graphics_queue=info.compute_queue, graphics_queue_family_index=index)
    return info


def _check_device_of(info: VulkanRuntimeInfo) -> int:
    """Check a device as far as Vulkan tells; where its physical device stands among those of the instance."""
    for name in ("instance", "physical_device", "device", "compute_queue"):
        if not getattr(info, name):
            raise ValueError(f"the {name} is null")
    _check_version(info.api_version)
    instance = VulkanInstance(info.get_instance_proc_addr, info.instance)
    devices = instance.physical_devices()
    if info.physical_device not in devices:
        raise ValueError("the physical_device is none of the instance")
    if info.api_version > instance.version(info.physical_device):
        raise ValueError(f"the physical_device is below version {_version_name(info.api_version)}")
    for version, function in FUNCTIONS_OF_VERSIONS.items():
        if info.api_version >= version and not instance.has_device_function(info.device, function):
            raise ValueError(f"instance or device were made for a version below {_version_name(info.api_version)}")
    _check_families(info, instance.queue_flags(info.physical_device))
    return devices.index(info.physical_device)


def _check_families(info: VulkanRuntimeInfo, flags: list[int]) -> None:
    for name in ("compute_queue_family_index", "graphics_queue_family_index"):
        index = getattr(info, name)
        if index >= len(flags):
            raise ValueError(f"{name} {index} is out of range: the device has {len(flags)} families of queues")
    if not flags[info.compute_queue_family_index] & QUEUE_COMPUTE:
        raise ValueError(f"queues of family {info.compute_queue_family_index} cannot compute")


def _levels(capabilities: Mapping[Capability, int]) -> dict[Capability, int]:
    levels = {Capability(capability): operator.index(level) for capability, level in capabilities.items()}
    for capability, level in levels.items():
        if not 0 <= level < 1 << 32:
            raise ValueError(f"the level of {capability.name} is out of range: {level}")
    if levels.get(Capability.SPIRV_HAS_PHYSICAL_STORAGE_BUFFER):
        raise NotSupportedError("the library cannot use buffer addresses on an imported device")
    return levels


def _set_capabilities(native: NativeRuntime, levels: dict[Capability, int]) -> None:
    """Add to what the library takes a new runtime for."""
    merged = read_capabilities(native.pointer) | levels
    array = ffi.new("TiCapabilityLevelInfo[]", [(int(capability), level) for capability, level in merged.items()])
    check(lib.checked_ti_set_runtime_capabilities_ext(native.pointer, len(array), array))


# Creation with extensions.


def _names(extensions: Iterable[str]) -> tuple[str, ...]:
    if isinstance(extensions, str):
        raise TypeError(f"expected names of extensions, got the str {extensions!r}")
    return tuple(extensions)


def _check_extensions(what: str, names: tuple[str, ...], there: set[str]) -> None:
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"the name of an extension is a str, not {name!r}")
        if name not in there:
            raise NotSupportedError(f"the {what} has no extension {name!r}")


def _name_device(index: int) -> None:
    """Make the library use this device. The process's lock is held.

    It takes the one that was named last, and only a plain creation names one.
    """
    result = ffi.new("TiRuntime *")
    native = library_index(Arch.VULKAN, index)
    check(lib.checked_ti_create_runtime(ffi.NULL, int(Arch.VULKAN), native, result))
    lib.taichi_aot_runtime_destroy(NativeRuntime(result[0], Arch.VULKAN).pointer)


def _create(version: int, instance_names: tuple[str, ...], device_names: tuple[str, ...]) -> NativeRuntime:
    strings = [[ffi.new("char[]", name.encode()) for name in names] for names in (instance_names, device_names)]
    of_instance, of_device = (ffi.new("const char *[]", names) for names in strings)
    lists = (len(of_instance), of_instance, len(of_device), of_device)
    result = ffi.new("TiRuntime *")
    check(lib.checked_ti_create_vulkan_runtime_ext(ffi.NULL, version, *lists, result))
    return NativeRuntime(result[0], Arch.VULKAN)


# Memory.


def _import(handle: RuntimeHandle, info: VulkanMemoryInfo, owner: Any, **access: bool) -> DeviceMemory:
    if not isinstance(info, VulkanMemoryInfo):
        raise TypeError(f"expected a VulkanMemoryInfo, got {type(info).__qualname__}")
    if not info.buffer:
        raise ValueError("the buffer is null")
    if not info.size:
        raise ValueError("the size of a memory must be at least 1 byte, and this is empty")
    missing = [name for flag, name in NEEDED_USAGE.items() if not info.usage & flag]
    if missing:
        raise ValueError(f"the buffer was made without usage {' and '.join(missing)}")
    with handle.lock:
        handle.use()
        _check_size(handle, info)
        result = ffi.new("TiMemory *")
        native_info = _to_c("TiVulkanMemoryInteropInfo", info)
        check(lib.checked_ti_import_vulkan_memory(handle.native.pointer, native_info, result))
        memory = DeviceMemory(handle, result[0], info.size, **access)
        memory.lend(owner)
        return memory


def _check_size(handle: RuntimeHandle, info: VulkanMemoryInfo) -> None:
    device = _export(handle)
    instance = VulkanInstance(device.get_instance_proc_addr, device.instance)
    largest = instance.buffer_size(device.device, info.buffer)
    if info.size > largest:
        raise ValueError(f"the size is given as {info.size} bytes, and the buffer has at most {largest}")


# Versions, as Vulkan encodes them.


def _check_version(version: int) -> None:
    if not VERSION_1_0 <= operator.index(version) < VERSION_1_5:
        raise ValueError(f"api_version {version} is not one of Vulkan 1.0 to 1.4, as Vulkan encodes them")


def _version_name(version: int) -> str:
    return f"{version >> 22}.{version >> 12 & 0x3FF}"
