"""The devices of this machine, and runtimes on them: the backend of each arch, the checks before, the private handle.

The drivers are queried, not the library, because ``ti_get_available_archs`` can end the process. Each driver is probed
as the library uses it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from ..driver._gpus import (
    VISIBLE_DEVICE,
    cuda_devices,
    cuda_driver,
    may_have_gpu,
    opengl_devices,
    opengl_driver,
    vulkan_devices,
    vulkan_drivers,
    vulkan_index,
    why_no_cuda,
    why_no_opengl,
    why_no_vulkan,
)
from ..driver._host import arm64, cpu_name, read_integer
from ..driver._library import (
    check,
    check_environment,
    debug_logger,
    ffi,
    lib,
    load,
    log_debug,
    require,
    require_descriptor,
)
from ..handles._runtime import Context, RuntimeHandle, State, process
from ..values._errors import (
    ArgumentOutOfRangeError,
    CorruptedDataError,
    InvalidArgumentError,
    InvalidStateError,
    NotSupportedError,
    count,
    short,
)
from ..values._items import Record, table
from ..values._numbers import Arch, ArchName, as_integer
from ._base import Backend, Parts, Streams
from ._gfx import (
    GfxCode,
    OpenGlAllocator,
    OpenGlDevice,
    OpenGlInterchange,
    VulkanAllocator,
    VulkanCode,
    VulkanDevice,
    VulkanInterchange,
)
from ._llvm import (
    CpuCode,
    CpuDevice,
    CudaAllocator,
    CudaCode,
    CudaDevice,
    CudaInterchange,
    CudaStreams,
    HostAllocator,
    HostInterchange,
)

if TYPE_CHECKING:
    from .._capi import taichi_aot_runtime_p


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
    return vulkan_drivers()[vulkan_index(index)]


_DRIVERS: dict[Arch, _Driver] = {
    Arch.CUDA: _Driver(cuda_devices, why_no_cuda, cuda_driver),
    Arch.VULKAN: _Driver(_vulkan_devices, _why_no_vulkan, _vulkan_driver),
    CPU_ARCH: _Driver(lambda: [(cpu_name(), "cpu")], str, _no_driver, is_for_gpu=False),
    Arch.OPENGL: _Driver(opengl_devices, why_no_opengl, opengl_driver),
}


class DeviceInfo(Record):
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
        return choose_device(cast("ArchName", word), int(number))
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


# The backend of each arch.


_CPU = Parts(HostAllocator, CpuCode, HostInterchange, Streams, CpuDevice)
_OPENGL = Parts(OpenGlAllocator, GfxCode, OpenGlInterchange, Streams, OpenGlDevice)

BACKENDS: dict[Arch, Parts] = {
    Arch.X64: _CPU,
    Arch.ARM64: _CPU,
    Arch.CUDA: Parts(CudaAllocator, CudaCode, CudaInterchange, CudaStreams, CudaDevice),
    Arch.VULKAN: Parts(VulkanAllocator, VulkanCode, VulkanInterchange, Streams, VulkanDevice),
    Arch.OPENGL: _OPENGL,
    Arch.GLES: _OPENGL,
}


def backend_of(arch: Arch) -> Backend:
    """A new backend for a runtime of that arch."""
    return Backend(arch, BACKENDS[arch])


# Creation of runtimes: the checks before it, and the private handle with the backend of the arch.


MODULE_BLOCK = 8  # in LLVM bitcode

_shared_contexts: dict[tuple[Arch, int], Context] = {}  # of this process, by device
_created: set[Arch] = set()  # the archs of which this process or its parent has created a runtime


def context_for(arch: Arch, device_index: int) -> Context:
    """Return a new context, or on CUDA the one that the runtimes of a device share in this process.

    Destroying a second CUDA ``TiRuntime`` aborts the process, and creating one takes half a second.
    """
    if not BACKENDS[arch].device.is_shared:
        context = Context(arch)
        context.c.device_index = device_index
        return context
    key = arch, device_index
    return _shared_contexts.get(key) or _shared_contexts.setdefault(key, Context(arch, shared=True))


def create_context(context: Context, arch: Arch, device_index: int) -> None:
    """Open the device of a context. The ``TiRuntime`` is created too, or where that is lazy when something needs it."""
    context.c.device_index = device_index
    device = BACKENDS[arch].device
    if device.is_lazy:
        open_lazily(context, arch, lambda: device.open(context))
    else:
        _create(context, arch, device_index)


def open_lazily(context: Context, arch: Arch, open_device: Callable[[], None]) -> None:
    """Open the device of a context, whose ``TiRuntime`` is created when something needs the library."""
    context.create = partial(_create, context, arch, context.device_index)
    open_device()
    context.c.is_lazy = True


def _create(context: Context, arch: Arch, device_index: int) -> None:
    BACKENDS[arch].device.require_library(device_index)
    load()
    if not context.has_library:
        require_room(arch, device_index)
    folder = os.environ.get("TI_LIB_DIR")
    if folder is not None and BACKENDS[arch].code.family == "llvm" and not context.has_library:
        check_bitcode(f"{folder}/runtime_{arch}.bc")
    index = vulkan_index(device_index) if arch is Arch.VULKAN else device_index
    check(lib.taichi_aot_context_create(context.c, int(arch), index))
    _created.add(arch)


def require_room(arch: Arch, index: int) -> None:
    """Raise OSError or OutOfMemoryError if this process cannot get what a runtime on a visible device takes."""
    found = visible_devices(arch)[index : index + 1]  # none if the driver fails now
    kind = found[0].kind if found else ""
    require(BACKENDS[arch].device.need(kind, first=arch not in _created), f"a runtime of arch {arch}")


def check_bitcode(path: str) -> None:
    """Check the bitcode that each new LLVM runtime reads; damaged bitcode would abort the process."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise InvalidStateError(f"{path} cannot be read: {error.strerror}; TI_LIB_DIR names its folder") from None
    # After the magic number, each block is a word with its kind, a word with its length, and that many words.
    blocks: set[int] = set()
    end = 4
    while end + 8 <= len(data):
        blocks.add(data[end] >> 2 | (data[end + 1] & 3) << 6)
        end += 8 + 4 * int.from_bytes(data[end + 4 : end + 8], "little")
    if data[:4] != b"BC\xc0\xde" or end != len(data) or MODULE_BLOCK not in blocks:
        raise CorruptedDataError(
            f"{path} is damaged: it is truncated or is not LLVM bitcode; TI_LIB_DIR names its folder"
        )


def check_device(arch: Arch, index: int) -> None:
    """Raise, as `Runtime` does, if this process cannot create a runtime on a device."""
    if gpu_drivers.lost and not arch.is_cpu:
        raise NotSupportedError(
            f"arch {arch} cannot be used in a process that was forked after a runtime on a GPU was created: drivers do "
            "not survive a fork; start processes with multiprocessing's 'spawn', or fork first"
        )
    found = visible_devices(arch)
    if not found:
        raise NotSupportedError(
            f"this machine has no device for arch {arch}: {why_missing(arch)}; devices() lists its devices, and "
            "Runtime() takes the best of them"
        )
    if not 0 <= index < len(found):
        hint = "; CUDA_VISIBLE_DEVICES selects the GPU of a process, before it starts" if arch is Arch.CUDA else ""
        raise ArgumentOutOfRangeError(
            f"device_index {short(index)} is out of range: arch {arch} has {count(found, 'device')}{hint}"
        )


def open_runtime(context: Context, arch: Arch, create: Callable[[], None]) -> RuntimeHandle:
    """Open a runtime over a context: `create` creates or imports the ``TiRuntime``."""
    # The handle is created first: if an exception interrupts this, it destroys what `create` has created.
    handle, begin = RuntimeHandle(context, arch, backend_of(arch)), time.perf_counter()
    create()
    handle.c.state = State.OPEN
    kind = handle.backend.device.kind(handle)
    gpu_drivers.used |= kind != "cpu"
    handle.backend.memory.unified = kind != "discrete"
    log_debug(
        "runtime opened: %s:%d (%s), %.1f ms", arch, context.device_index, kind, 1e3 * (time.perf_counter() - begin)
    )
    context.c.is_labelled = handle.backend.device.wants_labels(handle)
    return handle


def adopt_runtime(address: int, *, owned: bool, arch: Arch | None = None) -> RuntimeHandle:
    """Return a handle for another binding's ``TiRuntime``; an OpenGL runtime must belong to this thread."""
    process.reap()
    arch = arch or _arch_of(address)
    if owned and BACKENDS[arch].device.is_shared:
        raise NotSupportedError("a TiRuntime of CUDA is never destroyed, so it cannot be owned: pass owned=False")
    if arch is not Arch.OPENGL:  # this package does not use OpenGL's drivers itself
        check_device(arch, 0)
    context = Context(arch, shared=BACKENDS[arch].device.is_shared)

    def take() -> None:
        check(lib.taichi_aot_context_adopt(context.c, ffi.cast("TiRuntime", address), True))

    handle = open_runtime(context, arch, take)
    context.c.is_borrowed = not owned  # not before: a call that raises does not take ownership
    return handle


def _arch_of(address: int) -> Arch:
    """Find a runtime's arch by probing: the library cannot report it."""
    context = Context(Arch.VULKAN)
    context.c.ti_runtime = ffi.cast("TiRuntime", address)
    runtime = ffi.new("taichi_aot_runtime *", {"context": context.c, "state": State.OPEN})
    count = ffi.new("uint32_t *")
    lib.checked_ti_get_runtime_capabilities(runtime, count, ffi.NULL)
    if count[0]:  # of the archs with capabilities, OpenGL lacks images
        return Arch.VULKAN if _has_images(runtime) else Arch.OPENGL
    return Arch.CUDA if cuda_devices() and _has_cuda_memory(runtime) else CPU_ARCH


def _has_images(runtime: taichi_aot_runtime_p) -> bool:
    image, info = ffi.new("TiImage *"), ffi.new("TiImageAllocateInfo *", {"mip_level_count": 1})
    info.dimension, info.format = lib.TI_IMAGE_DIMENSION_2D, lib.TI_FORMAT_RGBA8
    info.extent = {"width": 1, "height": 1, "depth": 1, "array_layer_count": 1}
    info.usage = lib.TI_IMAGE_USAGE_SAMPLED_BIT
    if lib.checked_ti_allocate_image(runtime, info, image):
        return False
    lib.checked_ti_free_image(runtime, image[0])
    return True


def _has_cuda_memory(runtime: taichi_aot_runtime_p) -> bool:
    memory, info = ffi.new("TiMemory *"), ffi.new("TiMemoryAllocateInfo *", {"size": 4})
    lib.checked_ti_allocate_memory(runtime, info, memory)
    status = lib.checked_ti_export_cuda_memory(runtime, memory[0], ffi.new("TiCudaMemoryInteropInfo *"))
    lib.checked_ti_free_memory(runtime, memory[0])
    return status == 0


def closed_runtime(handle: RuntimeHandle) -> RuntimeHandle:
    """Return a closed handle that replaces one that another object closes."""
    context = Context(handle.arch)
    context.c.device_index = handle.context.device_index
    return RuntimeHandle(context, handle.arch, backend_of(handle.arch))
