"""Runtimes on a device that they share with the application, or whose extensions it chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from ...backends._creation import check_device, open_lazily, open_runtime
from ...backends._gfx import create_device, physical_device_of, require_loader_instance
from ...driver._gpus import LABELS, VERSION_1_0, VERSION_1_1, VERSION_1_3, VulkanInstance, runtime_info
from ...driver._library import check, check_environment, lib
from ...handles._runtime import Context, RuntimeHandle, process
from ...runtime._runtime import Runtime, capability_levels
from ...values._convert import as_integer
from ...values._enums import Arch, Capability
from ...values._errors import (
    ArgumentNullError,
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    InvalidArgumentError,
    NotSupportedError,
)
from ._info import VulkanRuntimeInfo, checked_version, from_c, issued_devices, to_c, version_name


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
