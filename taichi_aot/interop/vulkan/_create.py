"""Runtimes on a device with extensions that the application chooses."""

from __future__ import annotations

from collections.abc import Iterable

from ...backends._creation import check_device, require_room
from ...backends._devices import library_index, visible_devices
from ...backends._vulkan import VulkanDevice
from ...driver._library import check_environment, ffi, lib, load
from ...driver._status import check
from ...handles._runtime import Context, process
from ...runtime._runtime import Runtime
from ...values._enums import Arch
from ...values._errors import ArgumentTypeError, NotSupportedError
from ...values._integers import as_integer
from ._runtime import require_loader_instance
from ._version import VERSION_1_0, checked_version, version_name

__all__ = ["create_runtime"]


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
        Lowest version of Vulkan, as Vulkan encodes it, that the device must have. The library uses the highest one.
    instance_extensions, device_extensions : iterable of str
        Names of extensions, in addition to those that the library enables.

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
    load()
    check_environment()
    check_device(Arch.VULKAN, device_index)
    instance_names, device_names = _names(instance_extensions), _names(device_extensions)
    instance = require_loader_instance()
    device = instance.physical_devices()[library_index(Arch.VULKAN, device_index)]
    if api_version > instance.version(device):
        raise NotSupportedError(f"the device supports only Vulkan {version_name(instance.version(device))}")
    _check_extensions("instance", instance_names, instance.instance_extensions())
    _check_extensions("device", device_names, instance.device_extensions(device))  # the library ignores unknown ones
    require_room(Arch.VULKAN, device_index)
    process.reap()
    if len(visible_devices(Arch.VULKAN)) > 1:
        # The library uses the device of the last plain creation.
        Runtime(Arch.VULKAN, device_index).close()
    context = Context(Arch.VULKAN)
    strings = [[ffi.new("char[]", name.encode()) for name in names] for names in (instance_names, device_names)]
    of_instance, of_device = (ffi.new("const char *[]", names) for names in strings)
    extensions = (len(of_instance), of_instance, len(of_device), of_device)

    def create() -> None:
        VulkanDevice.require_library(device_index)
        result = ffi.addressof(context.c, "ti_runtime")  # noted in the same call that creates it
        check(lib.checked_ti_create_vulkan_runtime_ext(ffi.NULL, api_version, *extensions, result))

    return Runtime._over(context, Arch.VULKAN, device_index, create)


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
