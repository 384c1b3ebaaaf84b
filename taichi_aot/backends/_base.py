"""What a backend is: the one place that knows how kinds of device differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from ..driver._host import read_switch
from ..driver._library import IS_LISTENING, Need, check, ffi, labels_switch, lib
from ..values._errors import InvalidArgumentError, NotSupportedError, short
from ..values._items import Record

if TYPE_CHECKING:
    from ..bundle._plan import Plan
    from ..handles._code import KernelCode
    from ..handles._interchange import CudaStreamLike, Shared
    from ..handles._memory import Adoption, MemoryHandle, Request
    from ..handles._runtime import Context, RuntimeHandle
    from ..values._numbers import Arch, Capability


class MemoryInfo(Record):
    """The memory of a runtime and its device, in bytes; see `Runtime.memory_info`.

    Attributes
    ----------
    in_use : int
        The open arrays, images and other memory of the runtime. On CPUs and CUDA sizes are rounded up by at most an
        eighth, or to the smallest block: 4096 bytes on CPUs, 512 on CUDA.
    pooled : int
        What `Runtime.trim` would free.
    free : int or None
        What this process can still get on the device.
    total : int or None
        The memory of the device.

    Examples
    --------
    >>> MemoryInfo(in_use=4096, pooled=0, free=3 << 30, total=4 << 30)
    <MemoryInfo 4.0 KiB in use, 0 B pooled, 3.0 GiB of 4.0 GiB free>
    >>> MemoryInfo(in_use=4096, pooled=0, free=None, total=None).free is None
    True
    """

    in_use: int
    pooled: int
    free: int | None
    total: int | None

    def __repr__(self) -> str:
        return f"<MemoryInfo {_with_unit(self.in_use)} in use, {_with_unit(self.pooled)} pooled{self._device()}>"

    def _device(self) -> str:
        if self.total is None:
            return ""
        return (
            f", {_with_unit(self.total)} in total"
            if self.free is None
            else f", {_with_unit(self.free)} of {_with_unit(self.total)} free"
        )


def _with_unit(size: float) -> str:
    """Return a number of bytes in the largest binary unit below it."""
    if size < 1024:
        return f"{size} B"
    for unit in ("KiB", "MiB", "GiB"):
        size /= 1024
        if size < 1024:
            return f"{size:.1f} {unit}"
    return f"{size / 1024:.1f} TiB"


# What a backend is: the one place that knows how kinds of device differ.


class _Part:
    """A part of the backend of an arch. Methods that raise here are for devices that lack the feature."""

    def __init__(self, arch: Arch) -> None:
        self.arch = arch

    def _have_no(self, what: str) -> NoReturn:
        raise NotSupportedError(f"arch {self.arch} has no {what}")


class Allocator(_Part):
    """Where the memory of one runtime comes from."""

    unified = True  # whether host and device share memory; set when the runtime is opened
    export: tuple[str, Callable[..., int]]  # the structure and the function in which the library describes memory
    # ``taichi_aot_staging *`` for copies of memory that the host cannot map; NULL if there is no such memory.
    staging: Any = ffi.NULL
    copies_mapped = True  # whether the library can copy memory that is mapped
    has_offsets = True  # whether arrays may begin at any byte of their memory

    def allocate(self, runtime: RuntimeHandle, request: Request) -> MemoryHandle:
        """Return uninitialized memory of an open runtime; OutOfMemoryError if the device cannot give that much."""
        raise NotImplementedError

    def adopt(self, runtime: RuntimeHandle, adoption: Adoption) -> MemoryHandle:
        """Return memory over an allocation of the library that this package does not know."""
        raise NotImplementedError

    def exported(self, runtime: RuntimeHandle, adoption: Adoption) -> Any:
        """Return what the library states of memory, with ``size``; ValueError if that is less than stated."""
        kind, export = self.export
        info = ffi.new(f"{kind} *")
        runtime.check(export(runtime.require_library(), ffi.cast("TiMemory", adoption.address), info))
        if adoption.size > info.size:
            raise InvalidArgumentError(f"the size is {short(adoption.size)} bytes, but the memory has {info.size}")
        return info

    def import_memory(self, runtime: RuntimeHandle, shared: Shared) -> MemoryHandle:
        """Return memory of another owner, and keep the owner alive while the memory is in use."""
        raise NotImplementedError

    def may_import(self, runtime: RuntimeHandle) -> bool:
        """Return whether memory of the host may be imported that could be copied instead."""
        return False

    def info(self, runtime: RuntimeHandle) -> MemoryInfo:
        c = ffi.new("taichi_aot_memory_numbers *")
        runtime.check(lib.taichi_aot_count_memory(runtime.require_open(), c))
        free, total = self.device_memory(c.free, c.total)
        return MemoryInfo(self.bytes_in_use(), self.bytes_pooled() + c.pooled, free, total)

    def device_memory(self, free: int, total: int) -> tuple[int | None, int | None]:
        """Return the free bytes of the device and all of them; the arguments are the driver's, -1 if unknown."""
        return None if free < 0 else free, None if total < 0 else total

    def bytes_in_use(self) -> int:
        """Return the bytes of open arrays, images and memory that the runtime has allocated."""
        raise NotImplementedError

    def bytes_pooled(self) -> int:
        """Return the bytes that `trim` would free, without those that C keeps."""
        return int(self.staging.size) if self.staging else 0

    def trim(self, runtime: RuntimeHandle) -> int:
        """Wait for the device, free what is kept for reuse, and return how many bytes that were."""
        c, freed = runtime.require_open(), ffi.new("uint64_t *")
        runtime.check(runtime.complete(lambda may_block: lib.taichi_aot_trim(c, may_block, self.staging, freed)))
        return int(freed[0])

    def close(self, runtime: RuntimeHandle) -> None:
        """Free all memory of a runtime that is CLOSING and has no holds."""
        raise NotImplementedError

    def forget(self) -> None:
        """Drop all memory without calling the library."""
        raise NotImplementedError


class Code(_Part):
    """The code of modules, and how it is launched."""

    family: Literal["llvm", "gfx"]  # the files that modules consist of: ``"llvm"`` or ``"gfx"`` (SPIR-V)
    recording = ""  # the variable that switches recorded launches off; empty if launches are not recorded
    own_way = "native"  # what launches without the library are called, which are all launches of a kernel or none
    own_means = "recorded launches"  # what `recording` switches off

    def why_by_library(self) -> str:
        """Return why no launch can bypass the library; empty if some can."""
        if not self.recording:
            return f"launches on {self.arch} are not recorded"
        is_off = read_switch(self.recording) is False
        return f"the module was loaded with {self.recording}=0, which disables {self.own_means}" if is_off else ""

    @classmethod
    def describe_recording(cls, reason: str) -> str:
        """Return how launches are made, as `Kernel.recording` says it; `reason` says why by the library."""
        return f"by the library: {reason}" if reason else cls.own_way

    def open(self, plan: Plan, runtime: RuntimeHandle) -> KernelCode | str:
        """Open the machine code of a module, by which launches bypass the library; return the reason if it has none."""
        return f"modules for {self.arch} have none"

    def random_cell(self, runtime: RuntimeHandle, threads: int) -> int:
        """Return where code of the library finds the address of the runtime's random states for this many threads."""
        raise NotImplementedError


class Interchange(_Part):
    """How arrays share memory with other libraries."""

    device_type: int  # DLPack's number of the device
    # shares_host, shares_cuda: whether other libraries use its memory where it is, and launches take theirs: of the
    # host, of a CUDA device.
    shares_host = False
    shares_cuda = False
    api: str  # the API that `capi` shares memory with

    def dlpack_device(self, runtime: RuntimeHandle) -> tuple[int, int]:
        """Return DLPack's type and number of the device."""
        return self.device_type, 0

    def require_interface(self) -> None:
        """Raise NotSupportedError unless the device can use memory of other libraries."""
        if not (self.shares_host or self.shares_cuda):
            raise NotSupportedError(
                f"arch {self.arch} cannot use memory of other libraries; asarray() and write() copy it"
            )


class Streams(_Part):
    """The order of launches and copies, and that of streams of other libraries."""

    def use(self, runtime: RuntimeHandle, stream: CudaStreamLike) -> AbstractContextManager[object]:
        """Return a context manager in which this thread launches and copies in the order of a stream."""
        self._have_no("streams")

    def current(self, runtime: RuntimeHandle) -> int:
        self._have_no("streams")


class Device(_Part):
    """What creating a runtime takes, and what the device has."""

    # Whether launches run on the host: they have finished when they return, and a forked process can go on.
    on_host = False
    is_shared = False  # whether all runtimes of a device share one context in a process, with its ``TiRuntime``
    # Whether a runtime can run the machine code of modules, and has no ``TiRuntime`` until something needs the
    # library.
    is_lazy = False
    why_no_images = "its kernels have no textures"  # why it has no images; empty if it has
    has_seeds = True  # whether random numbers start from seeds

    @classmethod
    def need(cls, kind: str, *, first: bool) -> Need:
        """Return what creating a runtime on a device of a kind takes; `first` for the first one of a process."""
        return 0, 0

    @classmethod
    def open(cls, context: Context) -> None:
        """Open the device of a context that is lazy."""
        check(lib.taichi_aot_context_attach(context.c))

    @classmethod
    def require_library(cls, device_index: int) -> None:
        """Raise NotSupportedError if the library cannot use a device that this package can use."""

    def kind(self, runtime: RuntimeHandle) -> str:
        """Return the kind of a new runtime's device, as in `DeviceInfo.kind`."""
        raise NotImplementedError

    def wants_labels(self, runtime: RuntimeHandle) -> bool:
        """Return whether a tool shows the names of a new runtime's launches and arrays."""
        return IS_LISTENING and labels_switch() is not False

    def require_images(self) -> None:
        """Raise NotSupportedError unless the device has images."""
        if self.why_no_images:
            raise NotSupportedError(f"arch {self.arch} has no images: {self.why_no_images}; use Runtime('vulkan')")

    def require_seeds(self) -> None:
        """Raise NotSupportedError unless random numbers start from seeds."""
        if not self.has_seeds:
            raise NotSupportedError(f"arch {self.arch} has no seeds: the library draws its random numbers")

    def levels(self, runtime: RuntimeHandle) -> Mapping[Capability, int]:
        """Return the levels of the device's capabilities, which are those of SPIR-V."""
        return {}

    def set_levels(self, runtime: RuntimeHandle, levels: Mapping[Capability, int]) -> None:
        """Replace the levels of the device's capabilities."""
        self._have_no("capabilities")


class Parts:
    """The classes of a backend's parts."""

    def __init__(
        self,
        memory: type[Allocator],
        code: type[Code],
        interchange: type[Interchange],
        streams: type[Streams],
        device: type[Device],
    ) -> None:
        self.memory, self.code, self.interchange, self.streams, self.device = memory, code, interchange, streams, device


class Backend:
    """The backend of one runtime: how its device differs from others."""

    def __init__(self, arch: Arch, parts: Parts) -> None:
        self.arch = arch
        self.memory = parts.memory(arch)
        self.code = parts.code(arch)
        self.interchange = parts.interchange(arch)
        self.streams = parts.streams(arch)
        self.device = parts.device(arch)
