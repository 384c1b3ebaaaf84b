"""The structures that carry handles, as the Taichi C-API declares them, and the handles that this package exported.

Importing an exported handle finds and holds the runtime, memory or image that owns it. Handles are numbers that drivers
reuse: a number identifies an exported object only while that object is alive. All imports of a number share one hold on
its owner.
"""

from __future__ import annotations

import operator
import weakref
from collections.abc import Hashable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

from ...driver._gpus import VERSION_1_0
from ...driver._library import address_of, ffi, lib
from ...handles._memory import AllocationHandle, Hold
from ...handles._runtime import RuntimeHandle
from ...values._convert import as_integer
from ...values._errors import ArgumentOutOfRangeError, ArgumentTypeError, ObjectStateError, short

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
