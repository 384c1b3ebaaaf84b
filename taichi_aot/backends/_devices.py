"""The devices of this machine, and the one that a runtime uses.

The drivers are queried, not the library, because ``ti_get_available_archs`` can end the process. Each driver is probed
as the library uses it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from typing import Literal, NamedTuple, TypeAlias

from ..driver._gpus import (
    cuda_devices,
    cuda_driver,
    may_have_gpu,
    opengl_devices,
    opengl_driver,
    vulkan_devices,
    vulkan_drivers,
    why_no_cuda,
    why_no_opengl,
    why_no_vulkan,
)
from ..driver._host import arm64, cpu_name, read_integer
from ..driver._library import check_environment, debug_logger, log_debug, require_descriptor
from ..values._convert import as_integer
from ..values._enums import Arch, ArchName
from ..values._errors import ArgumentOutOfRangeError, InvalidArgumentError, NotSupportedError, short
from ..values._items import table

VISIBLE_DEVICE = "TI_VISIBLE_DEVICE"  # the library's variable for the index of the only Vulkan device to use
GPU_ARCHS = (Arch.CUDA, Arch.VULKAN)  # searched for the best GPU
GPU_KINDS = ("discrete", "integrated", "virtual")  # of hardware, best first
CPU_ARCH = Arch.ARM64 if arm64() else Arch.X64


class _GpuDrivers:
    """The state of the GPU drivers of this process. They do not survive a fork."""

    used = False  # whether a runtime on a GPU was created in this process, or in its parent before the fork
    lost = False  # whether that was before a fork, so that this process cannot use a GPU

    def after_fork_in_child(self) -> None:
        self.lost = self.used


gpu_drivers = _GpuDrivers()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=gpu_drivers.after_fork_in_child)


class _Driver:
    """What knows the devices of an arch: a driver, or for a CPU the system."""

    def __init__(
        self,
        devices: Callable[[], list[tuple[str, str]]],
        why_missing: Callable[[], str],
        version: Callable[[int], str],
        *,
        is_for_gpu: bool = True,
    ) -> None:
        self.devices = devices  # name and kind of each device that this process can use
        self.why_missing = why_missing  # the reason why there is no device
        self.version = version  # the versions of a device's driver and API
        self.is_for_gpu = is_for_gpu  # whether it opens files, and does not survive a fork once it was used


def _vulkan_devices() -> list[tuple[str, str]]:
    found, index = vulkan_devices(), read_integer(VISIBLE_DEVICE)
    if index is None:
        return found
    return found[index : index + 1] if index >= 0 else []


def _why_no_vulkan() -> str:
    if vulkan_devices():
        return f"{VISIBLE_DEVICE} selects device {read_integer(VISIBLE_DEVICE)}, which does not exist"
    return why_no_vulkan()


def _no_driver(index: int) -> str:
    return ""


def _vulkan_driver(index: int) -> str:
    return vulkan_drivers()[library_index(Arch.VULKAN, index)]


_DRIVERS: dict[Arch, _Driver] = {
    Arch.CUDA: _Driver(cuda_devices, why_no_cuda, cuda_driver),
    Arch.VULKAN: _Driver(_vulkan_devices, _why_no_vulkan, _vulkan_driver),
    CPU_ARCH: _Driver(lambda: [(cpu_name(), "cpu")], str, _no_driver, is_for_gpu=False),
    Arch.OPENGL: _Driver(opengl_devices, why_no_opengl, opengl_driver),
}


class DeviceInfo(NamedTuple):
    """A device that a runtime can be created on.

    Attributes
    ----------
    arch : Arch
        The backend.
    index : int
        The `device_index` of `Runtime`.
    name : str
        Its name, as the driver reports it.
    kind : str
        ``"discrete"``, ``"integrated"``, ``"virtual"`` or ``"cpu"``. OpenGL distinguishes only hardware from software,
        and its hardware devices are ``"virtual"``.

    Examples
    --------
    >>> cpu = [device for device in devices() if device.kind == "cpu"][-1]
    >>> other = Runtime(cpu)
    >>> other.close()
    """

    arch: Arch
    index: int  # type: ignore[assignment]  # hides the method of tuples
    name: str
    kind: str

    def to_dict(self) -> dict[str, str | int]:
        """Return the device as a dict of strings and numbers, for ``json.dumps``.

        Examples
        --------
        >>> list(devices()[0].to_dict())
        ['arch', 'index', 'name', 'kind']
        """
        return {"arch": str(self.arch), "index": self.index, "name": self.name, "kind": self.kind}

    def __repr__(self) -> str:
        return f"<DeviceInfo {self.arch}:{self.index} {self.name!r} {self.kind}>"


ArchWord: TypeAlias = ArchName | Literal["cpu", "gpu"]
DeviceWord: TypeAlias = Literal[
    "cuda:0", "cuda:1", "cuda:2", "cuda:3", "cuda:4", "cuda:5", "cuda:6", "cuda:7",
    "vulkan:0", "vulkan:1", "vulkan:2", "vulkan:3", "vulkan:4", "vulkan:5", "vulkan:6", "vulkan:7",
]  # fmt: skip
ArchLike: TypeAlias = Arch | ArchWord | DeviceWord | DeviceInfo


class _Devices(tuple[DeviceInfo, ...]):
    """Result of `devices`: a tuple that notebooks show as a table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return table(DeviceInfo._fields, self)


def available_archs() -> tuple[Arch, ...]:
    """Return the archs that have a device on this machine, in the order of `devices`: that of ``Runtime()`` is first.

    Only the drivers are queried: a missing driver or C library is not an error. A runtime needs both. On Linux a child
    process queries OpenGL's, once.

    Raises
    ------
    OSError
        If this process has reached its limit of open files.
    ValueError
        If an environment variable has a value that would make the library abort the process.

    Examples
    --------
    >>> Arch.X64 in available_archs()
    True
    """
    return tuple(dict.fromkeys(device.arch for device in devices()))


def devices() -> tuple[DeviceInfo, ...]:
    """Return all devices that a runtime can be created on, best first: ``Runtime()`` uses ``devices()[0]``.

    Discrete GPUs come first, then integrated and virtual ones, CUDA before Vulkan. The CPU follows, then GPUs in
    software, then OpenGL. ``CUDA_VISIBLE_DEVICES`` selects CUDA devices. With ``TI_VISIBLE_DEVICE=n`` the Vulkan
    device n is the only one and has index 0. A forked process whose parent used a GPU has only CPU devices.

    Raises
    ------
    OSError, ValueError
        As `available_archs` does.

    Examples
    --------
    >>> [device.name for device in devices() if device.kind == "discrete"]  # doctest: +SKIP
    ['NVIDIA H200', 'NVIDIA H200']
    """
    check_environment()
    return _Devices(sorted((device for arch in _DRIVERS for device in visible_devices(arch)), key=_rank))


def _rank(device: DeviceInfo) -> int:
    """Return the place of a device in `devices`: a lower number is a better device."""
    if device.arch in GPU_ARCHS and device.kind in GPU_KINDS:
        return GPU_KINDS.index(device.kind)
    return len(GPU_KINDS) + (CPU_ARCH, *GPU_ARCHS, Arch.OPENGL).index(device.arch)


def visible_devices(arch: Arch) -> list[DeviceInfo]:
    """Return the devices of one arch; empty if the arch cannot be used."""
    driver = _DRIVERS.get(arch)
    if driver is None:
        return []
    if driver.is_for_gpu:
        if gpu_drivers.lost:
            return []
        require_descriptor("a GPU driver")
    return [DeviceInfo(arch, index, name, kind) for index, (name, kind) in enumerate(driver.devices())]


def driver_of(device: DeviceInfo) -> str:
    """Return the versions of a device's driver and API, as the driver states them; empty for a CPU."""
    return _DRIVERS[device.arch].version(device.index)


def missing_archs() -> dict[Arch, str]:
    """Return the archs without a device and the reasons."""
    return {arch: why_missing(arch) for arch in _DRIVERS if not visible_devices(arch)}


def why_missing(arch: Arch) -> str:
    """Return the reason why an arch has no device."""
    if gpu_drivers.lost:
        return "the process was forked from one that used a GPU"
    driver = _DRIVERS.get(arch)
    if driver is None:
        return f"its CPU is {CPU_ARCH}" if arch.is_cpu else "this package has no driver for it"
    return driver.why_missing()


def library_index(arch: Arch, index: int) -> int:
    """Return the library's index of a visible device."""
    stated = read_integer(VISIBLE_DEVICE) if arch is Arch.VULKAN else None
    return index if stated is None else stated


def best_device(archs: Collection[Arch] = ()) -> DeviceInfo:
    """Return the first device of some archs, by default of all; x64 and arm64 count as one, for their modules do."""
    if Arch.X64 in archs:
        archs = (*archs, CPU_ARCH)
    gpu = _best_gpu(archs or _DRIVERS)
    if gpu is not None:
        _log_choice(gpu, archs or GPU_ARCHS)
        return gpu
    others = (
        device for arch in (CPU_ARCH, *_DRIVERS) if arch in (archs or _DRIVERS) for device in visible_devices(arch)
    )
    other = next(others, None)
    if other is None:
        reasons = "; ".join(f"{arch}: {why_missing(arch)}" for arch in archs if arch in _DRIVERS)
        names = ", ".join(map(str, archs))
        raise NotSupportedError(f"this machine has no device for {names}{f' ({reasons})' if reasons else ''}")
    _log_choice(other, archs or GPU_ARCHS)
    return other


def _log_choice(device: DeviceInfo, archs: Collection[Arch]) -> None:
    """Log a device that was chosen among those of some archs, and the GPUs that were found."""
    if not debug_logger():
        return
    gpus = _gpu_archs(archs)
    found = [f"{arch}: {', '.join(map(repr, visible_devices(arch))) or why_missing(arch)}" for arch in gpus]
    if device.arch in GPU_ARCHS and device.kind in GPU_KINDS:
        why = "the best hardware GPU"
    else:
        why = "no hardware GPU was found" if not set(archs).isdisjoint(GPU_ARCHS) else "no code for GPUs"
    log_debug("device chosen: %r, %s%s", device, why, f" ({'; '.join(found)})" if found else "")


def _best_gpu(archs: Collection[Arch] = GPU_ARCHS) -> DeviceInfo | None:
    """Return the best hardware GPU of some archs."""
    found = (device for arch in _gpu_archs(archs) for device in visible_devices(arch))
    return min((device for device in found if device.kind in GPU_KINDS), key=_rank, default=None)


def _gpu_archs(archs: Collection[Arch]) -> list[Arch]:
    """Return those of some archs whose drivers may have a hardware GPU."""
    return [arch for arch in GPU_ARCHS if arch in archs and (arch is not Arch.VULKAN or may_have_gpu())]


def names_device(arch: object) -> bool:
    """Return whether an arch also says which of its devices is meant: a `DeviceInfo`, or text such as ``vulkan:1``."""
    return isinstance(arch, DeviceInfo) or (isinstance(arch, str) and ":" in arch)


def choose_device(arch: ArchLike | None, index: int) -> tuple[Arch, int]:
    """Return the arch and index that the parameters of `Runtime` select; `check_device` checks them."""
    name = arch.lower() if isinstance(arch, str) else ""
    word, _, number = name.partition(":")
    if number.isdecimal() and number.isascii():
        if index:
            raise InvalidArgumentError(f"device_index {short(index)} is given beside {short(arch)}, which has a number")
        return Arch(word), int(number)
    if name == "cpu":
        return CPU_ARCH, index
    if isinstance(arch, _Devices):
        raise ArgumentOutOfRangeError(
            "unknown arch: devices() is a tuple of devices; pass one of them, such as devices()[0]"
        )
    if not (arch is None or name == "gpu" or isinstance(arch, DeviceInfo)):
        return Arch(arch), index
    if index:
        raise InvalidArgumentError(
            f"device_index {short(index)} needs an arch: None, 'gpu' and a DeviceInfo determine the device themselves"
        )
    if isinstance(arch, DeviceInfo):
        return Arch(arch.arch), as_integer(arch.index, "the index of a DeviceInfo")
    device = _require_gpu() if name == "gpu" else best_device()
    return device.arch, device.index


def _require_gpu() -> DeviceInfo:
    gpu = _best_gpu()
    if gpu is None:
        reasons = "; ".join(f"{arch}: {_why_no_gpu(arch)}" for arch in GPU_ARCHS)
        raise NotSupportedError(f"this machine does not have a GPU that Runtime('gpu') could use; {reasons}")
    _log_choice(gpu, GPU_ARCHS)
    return gpu


def _why_no_gpu(arch: Arch) -> str:
    found = visible_devices(arch)
    if not found:
        return why_missing(arch)
    return f"{found[0].name} runs on the CPU, and Runtime({str(arch)!r}) uses it"
