"""Runtimes on a device that they share with the application, or whose extensions it chooses.

The structures that carry handles are as the Taichi C-API declares them. Importing an exported handle finds and holds
the runtime, memory or image that owns it. Handles are numbers that drivers reuse: a number identifies an exported
object only while that object is alive. All imports of a number share one hold on its owner.
"""

from __future__ import annotations

import operator
import weakref
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

from ...backends._devices import check_device, open_lazily, open_runtime
from ...backends._gfx import create_device, physical_device_of, require_loader_instance
from ...driver._gpus import LABELS, VERSION_1_0, VERSION_1_1, VERSION_1_3, VulkanInstance, runtime_info
from ...driver._library import address_of, check, check_environment, ffi, lib
from ...handles._memory import AllocationHandle, Hold
from ...handles._runtime import Context, RuntimeHandle, process
from ...runtime._runtime import Runtime, capability_levels
from ...values._errors import (
    ArgumentNullError,
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    InvalidArgumentError,
    NotSupportedError,
    ObjectStateError,
    short,
)
from ...values._numbers import Arch, Capability, as_integer

if TYPE_CHECKING:
    from ..._capi import TiVulkanImageInteropInfo_p, TiVulkanMemoryInteropInfo_p, TiVulkanRuntimeInteropInfo_p
    from ..._cdata import CType


class _Info:
    """Base of the structures: handles are integers, and an exported info refers to the handle that owns them."""

    _c_type: ClassVar[str]
    # Refers to the handle of this package that it exports; None for the application's handles.
    _owner: weakref.ref[Any] | None = None

    def __post_init__(self) -> None:
        """Replace the handles by integers that fit the C structure."""
        for name, member in ffi.typeof(self._c_type).fields:
            value = getattr(self, name)
            if member.type.kind == "struct":
                value = _integers(name, value, member.type)
            else:
                value = _integer(name, value, 8 * ffi.sizeof(member.type))
            object.__setattr__(self, name, value)


def _integer(name: str, value: Any, bits: int) -> int:
    if isinstance(value, ffi.CData):  # of any cffi module: all share one class
        value = address_of(value)
    try:
        value = operator.index(value)
    except TypeError:
        raise ArgumentTypeError(f"{name} must be an integer or a cffi handle, not {short(value)}") from None
    if not 0 <= value < 1 << bits:
        raise ArgumentOutOfRangeError(f"{name} is out of range: {short(value)}")
    return int(value)


def _integers(name: str, value: Any, struct: CType) -> tuple[int, ...]:
    """Return the members of a structure of integers, which `value` gives as a structure or a sequence."""
    members = [member for member, _ in struct.fields]
    try:
        values = [getattr(value, member) for member in members] if isinstance(value, ffi.CData) else list(value)
    except TypeError:
        values = []
    if len(values) != len(members):
        raise ArgumentTypeError(f"{name} must be a sequence of {len(members)} integers, not {short(value)}")
    return tuple(_integer(name, each, 32) for each in values)


@dataclass(frozen=True, kw_only=True)
class VulkanRuntimeInfo(_Info):
    """A Vulkan device with its queues: ``TiVulkanRuntimeInteropInfo``.

    Attributes
    ----------
    get_instance_proc_addr : int, default 0
        Address of ``vkGetInstanceProcAddr``; 0 means that of the system's loader.
    api_version : int
        The version that the instance and the device were created for, as Vulkan encodes it.
    instance, physical_device, device : int
        Handles.
    compute_queue : int
        The queue that kernels are submitted to.
    compute_queue_family_index : int
        The family of that queue.
    graphics_queue, graphics_queue_family_index : int, default 0
        The same for graphics. If the queue is 0, the compute queue is used.

    Raises
    ------
    TypeError
        If a value is neither an integer nor a cffi handle.
    ValueError
        If an integer does not fit its C type.

    Examples
    --------
    >>> from taichi_aot.interop import vulkan
    >>> info = vulkan.VulkanRuntimeInfo(
    ...     api_version=1 << 22, instance=1, physical_device=2, device=3, compute_queue=4, compute_queue_family_index=0
    ... )
    >>> info.device
    3
    """

    _c_type: ClassVar[str] = "TiVulkanRuntimeInteropInfo"

    get_instance_proc_addr: int = 0
    api_version: int
    instance: int
    physical_device: int
    device: int
    compute_queue: int
    compute_queue_family_index: int
    graphics_queue: int = 0
    graphics_queue_family_index: int = 0


@dataclass(frozen=True, kw_only=True)
class VulkanMemoryInfo(_Info):
    """A Vulkan buffer: ``TiVulkanMemoryInteropInfo``.

    Attributes
    ----------
    buffer : int
        ``VkBuffer``.
    size : int
        Size of the buffer in bytes.
    usage : int
        ``VkBufferUsageFlags`` that the buffer was created with.
    memory : int, default 0
        ``VkDeviceMemory`` that the buffer is bound to. Needed only if the host maps it.
    offset : int, default 0
        Offset of the buffer in that memory in bytes.

    Raises
    ------
    TypeError, ValueError
        As for `VulkanRuntimeInfo`.

    Examples
    --------
    >>> from taichi_aot.interop import vulkan
    >>> vulkan.VulkanMemoryInfo(buffer=1, size=4096, usage=0x23)
    VulkanMemoryInfo(buffer=1, size=4096, usage=35, memory=0, offset=0)
    """

    _c_type: ClassVar[str] = "TiVulkanMemoryInteropInfo"

    buffer: int
    size: int
    usage: int
    memory: int = 0
    offset: int = 0


@dataclass(frozen=True, kw_only=True)
class VulkanImageInfo(_Info):
    """A Vulkan image: ``TiVulkanImageInteropInfo``.

    Attributes
    ----------
    image : int
        ``VkImage``.
    image_type : int
        ``VkImageType``: 0, 1 or 2 for 1 to 3 dimensions.
    format : int
        ``VkFormat``.
    extent : (int, int, int)
        Width, height and depth.
    usage : int
        ``VkImageUsageFlags`` that the image was created with.
    mip_level_count, array_layer_count, sample_count : int, default 1
        As it was created.
    tiling : int, default 0
        ``VkImageTiling``: 0 is optimal, 1 is linear.

    Raises
    ------
    TypeError, ValueError
        As for `VulkanRuntimeInfo`; TypeError also if the extent does not consist of three integers.

    Examples
    --------
    >>> from taichi_aot.interop import vulkan
    >>> vulkan.VulkanImageInfo(image=1, image_type=1, format=37, extent=(640, 480, 1), usage=0x7).extent
    (640, 480, 1)
    """

    _c_type: ClassVar[str] = "TiVulkanImageInteropInfo"

    image: int
    image_type: int
    format: int
    extent: tuple[int, int, int]
    usage: int
    mip_level_count: int = 1
    array_layer_count: int = 1
    sample_count: int = 1
    tiling: int = 0


Info = TypeVar("Info", VulkanRuntimeInfo, VulkanMemoryInfo, VulkanImageInfo)


def to_c(info: _Info) -> Any:
    """Return the C structure of an info."""
    c_info = ffi.new(f"{info._c_type} *")
    for name, member in ffi.typeof(info._c_type).fields:
        value = getattr(info, name)
        setattr(c_info, name, value if member.type.kind == "struct" else ffi.cast(member.type, value))
    return c_info


def from_c(
    cls: type[Info], c_info: TiVulkanRuntimeInteropInfo_p | TiVulkanMemoryInteropInfo_p | TiVulkanImageInteropInfo_p
) -> Info:
    """Return the info of a C structure."""
    return cls(**{member.name: getattr(c_info, member.name) for member in fields(cls)})


FIRST_UNKNOWN = 1 << 22 | 5 << 12  # the library aborts the process for versions that it does not know


def checked_version(version: int) -> int:
    """Return a version as an int; raise ValueError for one that the library does not know."""
    version = as_integer(version, "api_version")
    if not VERSION_1_0 <= version < FIRST_UNKNOWN:
        raise ArgumentOutOfRangeError(
            f"api_version {short(version)} is not one of Vulkan 1.0 to 1.4, as Vulkan encodes them"
        )
    return version


def version_name(version: int) -> str:
    """Return a version as text, such as ``1.3``."""
    return f"{version >> 22}.{version >> 12 & 0x3FF}"


Handle = TypeVar("Handle", bound=RuntimeHandle | AllocationHandle)
AnyInfo: TypeAlias = VulkanRuntimeInfo | VulkanMemoryInfo | VulkanImageInfo


class OwnerHold(Hold, Generic[Handle]):
    """Keeps an import usable: delays destroying its runtime, and prevents closing its memory or image."""

    __slots__ = ("owner",)

    def __init__(self, owner: Handle) -> None:
        self.owner: Handle = owner
        runtime, memory = (owner, None) if isinstance(owner, RuntimeHandle) else (owner.runtime, owner)
        super().__init__(runtime, memory, lib.TAICHI_AOT_HOLD_DEVICE)


class Issued(Generic[Handle]):
    """Exported numbers and weak references to their owners."""

    def __init__(self) -> None:
        self._owners: weakref.WeakValueDictionary[Hashable, Handle] = weakref.WeakValueDictionary()
        self._holds: weakref.WeakValueDictionary[Hashable, OwnerHold[Handle]] = weakref.WeakValueDictionary()
        self._imported: weakref.WeakKeyDictionary[Handle, weakref.ref[Handle] | None] = weakref.WeakKeyDictionary()

    def add_export(self, number: Hashable, handle: Handle, info: AnyInfo) -> None:
        """Note that a handle was exported as a number, and mark the info with the owner of the number."""
        if handle not in self._imported:
            self._owners[number] = handle
        object.__setattr__(info, "_owner", self._imported.get(handle, weakref.ref(handle)))

    def add_import(self, handle: Handle, hold: OwnerHold[Handle] | None) -> None:
        """Note that a handle imports the object of a hold, or with None an object of the application."""
        self._imported[handle] = None if hold is None else weakref.ref(hold.owner)

    def hold(self, number: Hashable, info: AnyInfo) -> OwnerHold[Handle] | None:
        """Return a hold on the owner of the number in an info; None if no open object of this package owns it."""
        hold, own = self._holds.get(number), self._owners.get(number)
        if hold is None and own is not None and not own.closed:
            hold = self._holds[number] = OwnerHold(own)
        owner = info._owner
        if owner is not None and (hold is None or hold.owner is not owner()):
            raise ObjectStateError("the object that the info was exported from is closed, so its handles are invalid")
        return hold


issued_devices: Issued[RuntimeHandle] = Issued()  # by VkDevice
issued_buffers: Issued[AllocationHandle] = Issued()  # by VkDevice and VkBuffer
issued_images: Issued[AllocationHandle] = Issued()  # by VkDevice and VkImage


# Runtimes on a device that they share with the application, or whose extensions it chooses.


def create_runtime(
    device_index: int = 0,
    *,
    api_version: int = VERSION_1_0,
    instance_extensions: Iterable[str] = (),
    device_extensions: Iterable[str] = (),
) -> Runtime:
    """Create a runtime whose device has extensions for the application; `export_runtime` returns the device.

    Parameters
    ----------
    device_index : int, default 0
        As for `Runtime`.
    api_version : int, default 1.0
        Lowest version of Vulkan, as Vulkan encodes it, that the device must have. It is used with the highest one.
    instance_extensions, device_extensions : iterable of str
        Names of extensions, in addition to those that kernels need.

    Raises
    ------
    NotSupportedError
        If this machine has no such device, or the device lacks the version or an extension; also as for `Runtime`.
    TypeError
        If a number is not an integer, or the name of an extension is not a str.
    ValueError
        If `device_index` is out of range, or `api_version` is not one of Vulkan 1.0 to 1.4.

    Examples
    --------
    >>> from taichi_aot.interop import vulkan
    >>> runtime = vulkan.create_runtime(device_extensions=["VK_KHR_external_memory_fd"])  # doctest: +SKIP
    """
    device_index, api_version = as_integer(device_index, "device_index"), checked_version(api_version)
    check_environment()
    check_device(Arch.VULKAN, device_index)
    instance_names, device_names = _names(instance_extensions), _names(device_extensions)
    instance = require_loader_instance()
    device = physical_device_of(instance, device_index)
    if api_version > instance.version(device):
        raise NotSupportedError(f"the device supports only Vulkan {version_name(instance.version(device))}")
    supported = instance.instance_extensions()
    _check_extensions("instance", instance_names, supported)
    if instance_names:
        instance_names = tuple({*instance_names, *({LABELS} & supported)})
    _check_extensions("device", device_names, instance.device_extensions(device))
    process.reap()
    context = Context(Arch.VULKAN)
    context.c.device_index = device_index
    return _open(context, lambda: create_device(context, instance, instance_names, device_names))


def _open(context: Context, open_device: Callable[[], None]) -> Runtime:
    return Runtime._of(open_runtime(context, Arch.VULKAN, lambda: open_lazily(context, Arch.VULKAN, open_device)))


def _names(extensions: Iterable[str]) -> tuple[str, ...]:
    if isinstance(extensions, str):
        raise ArgumentTypeError(f"expected names of extensions, got the str {extensions!r}")
    names = tuple(extensions)
    for name in names:
        if not isinstance(name, str):
            raise ArgumentTypeError(f"the name of an extension must be a str, not {name!r}")
    return names


def _check_extensions(what: str, names: tuple[str, ...], supported: set[str]) -> None:
    for name in names:
        if name not in supported:
            raise NotSupportedError(f"the {what} has no extension {name!r}")


# The library's allocator needs these functions from these versions on; without them it aborts the process.
FUNCTIONS_OF_VERSIONS = {
    VERSION_1_1: "vkGetBufferMemoryRequirements2",
    VERSION_1_3: "vkGetDeviceBufferMemoryRequirements",
}


def export_runtime(runtime: Runtime) -> VulkanRuntimeInfo:
    """Return the device and queues of a runtime, which are valid until the runtime is closed.

    Raises
    ------
    NotSupportedError
        If the runtime is not of arch Vulkan.
    TypeError
        If `runtime` is not a `Runtime`.
    ValueError
        If it is closed.

    Examples
    --------
    >>> from taichi_aot.interop import vulkan
    >>> runtime = Runtime("vulkan")  # doctest: +SKIP
    >>> info = vulkan.export_runtime(runtime)  # doctest: +SKIP
    >>> info.device, info.compute_queue  # doctest: +SKIP
    (94529637195648, 94529637202432)
    """
    handle = handle_of(runtime)
    info = from_c(VulkanRuntimeInfo, runtime_info(handle.require_open()))
    issued_devices.add_export(info.device, handle, info)
    return info


def import_runtime(
    info: VulkanRuntimeInfo, *, owner: object = None, capabilities: Mapping[Capability, int] | None = None
) -> Runtime:
    """Return a runtime on a device of the application, which remains its owner.

    Calls of the runtime submit to the queues in `info`; nothing else may use them during such a call.

    Parameters
    ----------
    info : VulkanRuntimeInfo
        The device.
    owner : object, optional
        Kept alive until the runtime and all views of its memory are closed: for example an object whose finalizer
        destroys the device. If it refers to the runtime itself, only `Runtime.close` releases both. Not needed for a
        device that this package exported, which is destroyed after the importing runtime is closed.
    capabilities : mapping of Capability to int, optional
        The features that the device was created with, which Vulkan cannot report. A module that needs more raises
        IncompatibleModuleError. The default is the SPIR-V version of ``info.api_version``. Stating a feature that the
        device was created without is undefined behaviour in Vulkan.

    Raises
    ------
    NotSupportedError
        If this machine does not have Vulkan, or this is a forked process whose parent used a GPU.
    TypeError
        If `info` is not a `VulkanRuntimeInfo`.
    ValueError
        If a handle is null, the physical device does not belong to the instance, the version is unknown or above that
        of the device, the queue family cannot compute, or the runtime that `info` was exported from is closed. A handle
        of another kind of object cannot be detected and may crash the process.

    Examples
    --------
    >>> from taichi_aot.interop import vulkan
    >>> info = vulkan.VulkanRuntimeInfo(  # doctest: +SKIP
    ...     api_version=1 << 22 | 3 << 12,
    ...     instance=instance,
    ...     physical_device=physical_device,
    ...     device=device,
    ...     compute_queue=queue,
    ...     compute_queue_family_index=0,
    ... )
    >>> runtime = vulkan.import_runtime(info, owner=application)  # doctest: +SKIP
    """
    check_environment()
    check_device(Arch.VULKAN, 0)  # also keeps the drivers loaded
    if not isinstance(info, VulkanRuntimeInfo):
        raise ArgumentTypeError(f"expected a VulkanRuntimeInfo, got {type(info).__qualname__}")
    hold = issued_devices.hold(info.device, info)
    info = _with_defaults(info)
    levels = capability_levels(capabilities or {})
    index = _check_device_of(info)
    process.reap()
    context = Context(Arch.VULKAN)
    context.c.device_index = index
    runtime = _open(context, lambda: check(lib.taichi_aot_vulkan_import(context.c, to_c(info))))
    runtime._handle.retain_owner(0, (owner, hold))
    issued_devices.add_import(runtime._handle, hold)
    if levels:
        runtime.set_capabilities({**runtime.capabilities, **levels})
    return runtime


def handle_of(runtime: Runtime) -> RuntimeHandle:
    """Return the handle of a Vulkan runtime; TypeError or NotSupportedError for anything else."""
    if not isinstance(runtime, Runtime):
        raise ArgumentTypeError(f"expected a Runtime, got {type(runtime).__qualname__}")
    require_vulkan(runtime._handle)
    return runtime._handle


def require_vulkan(handle: RuntimeHandle) -> None:
    """Raise NotSupportedError for a runtime of another arch."""
    if handle.backend.interchange.api != "vulkan":
        raise NotSupportedError(f"a runtime of arch {handle.arch} cannot share with Vulkan; use Runtime('vulkan')")


def _with_defaults(info: VulkanRuntimeInfo) -> VulkanRuntimeInfo:
    if not info.get_instance_proc_addr:
        info = replace(info, get_instance_proc_addr=require_loader_instance().get_instance_proc_addr)
    if not info.graphics_queue:
        index = info.compute_queue_family_index
        info = replace(info, graphics_queue=info.compute_queue, graphics_queue_family_index=index)
    return info


def _check_device_of(info: VulkanRuntimeInfo) -> int:
    """Check a device as far as Vulkan allows; return the index of its physical device in the instance."""
    for name in ("instance", "physical_device", "device", "compute_queue"):
        if not getattr(info, name):
            raise ArgumentNullError(f"the {name} is null")
    checked_version(info.api_version)
    instance = VulkanInstance(info.get_instance_proc_addr, info.instance)
    devices = instance.physical_devices()
    if not devices:
        raise InvalidArgumentError("the instance does not have a device, or vkEnumeratePhysicalDevices failed")
    if info.physical_device not in devices:
        raise InvalidArgumentError("the physical_device does not belong to the instance")
    if info.api_version > instance.version(info.physical_device):
        raise InvalidArgumentError(f"the physical_device does not support version {version_name(info.api_version)}")
    for version, function in FUNCTIONS_OF_VERSIONS.items():
        if info.api_version >= version and not instance.has_device_function(info.device, function):
            raise InvalidArgumentError(
                f"the instance or device was created for a version below {version_name(info.api_version)}"
            )
    _check_families(info, instance.queue_flags(info.physical_device))
    return devices.index(info.physical_device)


def _check_families(info: VulkanRuntimeInfo, flags: list[int]) -> None:
    for name in ("compute_queue_family_index", "graphics_queue_family_index"):
        index = getattr(info, name)
        if index >= len(flags):
            raise ArgumentOutOfRangeError(f"{name} {index} is out of range: the device has {len(flags)} queue families")
    if not flags[info.compute_queue_family_index] & lib.VK_QUEUE_COMPUTE_BIT:
        raise InvalidArgumentError(f"queues of family {info.compute_queue_family_index} cannot compute")
