"""Runtimes on a device with extensions that the application chooses."""

from __future__ import annotations

from collections.abc import Iterable

from ...backends._creation import check_device, open_lazily
from ...backends._vulkan import create_device, physical_device_of, require_loader_instance
from ...driver._library import check_environment
from ...driver._vulkan import LABELS
from ...handles._runtime import Context, process
from ...runtime._runtime import Runtime
from ...values._enums import Arch
from ...values._errors import ArgumentTypeError, NotSupportedError
from ...values._integers import as_integer
from ._info import VERSION_1_0, checked_version, version_name


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

    def create() -> None:
        open_lazily(context, Arch.VULKAN, lambda: create_device(context, instance, instance_names, device_names))

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
