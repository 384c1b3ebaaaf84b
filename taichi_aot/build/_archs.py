"""The archs to build for: what their code can do, and how the compiler starts for them on this machine.

The compiler generates code only for the arch with which it is started. It starts only if it finds the arch's CPU or
driver, so this package has its own drivers for CUDA and Vulkan, ``cuda_driver.so`` and ``vulkan_driver.so`` in this
folder, which answer the compiler's queries but do not run kernels. They are compiled from ``taichi_aot/_c/cuda_driver``
and ``taichi_aot/_c/vulkan_driver``, and have the sonames that the compiler opens: in a process that has loaded one
first, the compiler finds it instead of the real one. Modules for Vulkan, OpenGL, GLES and Metal have the same code,
which depends only on the capabilities that a module is given, so the compiler is started for Vulkan for all of them.

Taichi's modules are imported at their first use. Taichi has no types for them.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ..backends._devices import CPU_ARCH, visible_devices
from ..driver._gpus import cuda_attributes
from ..values._numbers import Arch

CUDA_DRIVER = Path(__file__).with_name("cuda_driver.so")
CUDA_VARIABLE = "TAICHI_AOT_CUDA_ATTRIBUTES"  # "NUMBER=VALUE,...", which the driver reads

# Numbers of CUdevice_attribute: only those that the compiler queries.
THREADS, MULTIPROCESSORS, MAJOR, MINOR, SHARED_MEMORY, BLOCKS, MEMORY_POOLS = 2, 16, 75, 76, 97, 106, 115
HOST_ACCESS, HOST_TABLES = 88, 100  # whether kernels can use memory of the host; Quadrants asks


@dataclass(frozen=True)
class CudaDevice:
    """The CUDA device for which code is compiled: the attributes that the compiler queries.

    The defaults are the same on every machine. Code for a lower capability runs on newer devices too.

    Attributes
    ----------
    capability : int
        Ten times the compute capability: 75 is 7.5. The compiler generates the same code from 70 on, so modules for 75
        run on all devices from 7.0 on. Below 70, it replaces atomic operations on f16 (see docs/build.md).
    multiprocessors, blocks : int
        Number of multiprocessors, and maximum number of blocks on one. The compiler writes twice their product into
        modules as the maximum number of blocks of a launch. The default is 2560 blocks: at 128 threads each, as many
        threads as the largest devices of 2025 can hold (160 multiprocessors of 2048 threads).
    threads : int
        Maximum number of threads in a block.
    shared_memory : int
        Maximum shared memory of a block in bytes.

    Raises
    ------
    ValueError
        If a value is outside the range of real devices.
    TypeError
        If a value is not an integer.

    Examples
    --------
    >>> CudaDevice(capability=86)
    CudaDevice(capability=86, multiprocessors=40, blocks=32, threads=1024, shared_memory=65536)
    """

    capability: int = 75
    multiprocessors: int = 40
    blocks: int = 32
    threads: int = 1024
    shared_memory: int = 65536

    def __post_init__(self) -> None:
        for name, value in self.values().items():
            if not isinstance(value, int) or isinstance(value, bool):
                raise TypeError(f"{name} must be an integer, not {type(value).__name__}")
            lowest, highest = CUDA_RANGES[name]
            if not lowest <= value <= highest:
                raise ValueError(f"{name} must be {lowest} to {highest}, not {value}")

    def values(self) -> dict[str, int]:
        """Return the attributes by name, for the report of a build."""
        return asdict(self)


CUDA_RANGES = {
    "capability": (50, 199),
    "multiprocessors": (1, 4096),
    "blocks": (1, 1024),
    "threads": (32, 65536),
    "shared_memory": (16384, 2**24),
}


def cuda_environment(device: CudaDevice | None = None) -> dict[str, str]:
    """Return the variables of a child that compiles for a CUDA device, and calls `load_driver` first."""
    device = device or CudaDevice()
    major, minor = divmod(device.capability, 10)
    attributes = {
        THREADS: device.threads,
        MULTIPROCESSORS: device.multiprocessors,
        MAJOR: major,
        MINOR: minor,
        SHARED_MEMORY: device.shared_memory,
        BLOCKS: device.blocks,
        MEMORY_POOLS: 1,
        HOST_ACCESS: 0,
        HOST_TABLES: 0,
    }
    return {CUDA_VARIABLE: ",".join(f"{number}={value}" for number, value in attributes.items())}


def why_no_cuda_driver() -> str:
    """Return the reason why this installation cannot compile for CUDA; empty if it can."""
    if CUDA_DRIVER.is_file():
        return ""
    return f"this installation of taichi_aot does not have {CUDA_DRIVER.name}, which is built only for Linux"


def load_cuda_driver() -> ctypes.CDLL:
    """Load the driver into this process, which then cannot use another CUDA driver, and return it."""
    driver = ctypes.CDLL(str(CUDA_DRIVER))
    if driver.cuInit(0) != 0:
        raise OSError(f"{CUDA_VARIABLE} is not set")
    return driver


def device_here() -> CudaDevice | None:
    """Return the first CUDA device of this machine; None if it does not have one."""
    values = cuda_attributes(MAJOR, MINOR, MULTIPROCESSORS, BLOCKS, THREADS, SHARED_MEMORY)
    if not values:
        return None
    major, minor, *others = values
    return CudaDevice(10 * major + minor, *others)


# Compiling for Vulkan, OpenGL, GLES and Metal without a device: a Vulkan library that does not run kernels.


VULKAN_DRIVER = Path(__file__).with_name("vulkan_driver.so")
VULKAN_VARIABLE = "TAICHI_AOT_VULKAN_COMPILER"  # the driver does not create instances without it


def vulkan_environment() -> dict[str, str]:
    """Return the variables of a child that compiles; it calls `load_driver` before it imports the compiler."""
    # With a display the compiler would create a window for the device.
    return {VULKAN_VARIABLE: "1", "DISPLAY": "", "WAYLAND_DISPLAY": ""}


def with_features(variables: Mapping[str, str], caps: Sequence[str]) -> dict[str, str]:
    """Return the variables for a compiler that asks the device what code may use, as Quadrants does."""
    return {**variables, **({VULKAN_VARIABLE: ",".join(caps)} if VULKAN_VARIABLE in variables else {})}


def load_vulkan_driver() -> None:
    """Load the library into this process, whose compiler then does not find another Vulkan library."""
    ctypes.CDLL(str(VULKAN_DRIVER))


class _Late:
    """Stands for a module, so that importing this package does not import Taichi."""

    def __init__(self, name: str) -> None:
        vars(self)["_name"] = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(vars(self)["_name"]), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(importlib.import_module(vars(self)["_name"]), name, value)


# Taichi's modules, imported at their first use.


TI: Any = _Late("taichi")
AOT_EXPORT: Any = _Late("taichi.aot._export")
AOT_MODULE: Any = _Late("taichi.aot.module")
ARGPACK: Any = _Late("taichi.lang.argpack")
CORE: Any = _Late("taichi._lib.core.taichi_python")
EXCEPTION: Any = _Late("taichi.lang.exception")
BUILDER: Any = _Late("taichi._snode.fields_builder")
FIELD: Any = _Late("taichi.lang.field")
GRAPH: Any = _Late("taichi.graph._graph")
IMPL: Any = _Late("taichi.lang.impl")
KERNEL: Any = _Late("taichi.lang.kernel_impl")
KERNEL_ARGUMENTS: Any = _Late("taichi.lang.kernel_arguments")
LANG: Any = _Late("taichi.lang")
MATRIX: Any = _Late("taichi.lang.matrix")
MISC: Any = _Late("taichi.lang.misc")
NDARRAY: Any = _Late("taichi.lang._ndarray")
SNODE: Any = _Late("taichi.lang.snode")
STRUCT: Any = _Late("taichi.lang.struct")
TEXTURE: Any = _Late("taichi.lang._texture")
TYPES: Any = _Late("taichi.types")
UTIL: Any = _Late("taichi.lang.util")


# The archs to build for: what their code can do, and how the compiler starts for them on this machine.


class Plan(NamedTuple):
    """A plan for a child process that compiles for an arch."""

    arch: Arch  # the target
    start: str  # Taichi's name of the arch with which the compiler starts
    environment: dict[str, str]  # variables of the child process, which calls `prepare` before it imports ``taichi``
    missing: str = ""  # the reason why this machine cannot compile for the arch; empty if it can


class Target:
    """An arch to build for. A kind of target is a subclass, listed in `TARGETS`."""

    prints = True  # whether ``print`` in a kernel prints
    has_textures = False  # whether kernels can have textures
    stores_u1 = True  # whether ndarrays can have elements of u1
    has_field_trees = True  # whether fields can be in several trees; otherwise only tree 0 has memory
    packs_fields = False  # whether Taichi's code lays out fields without gaps, and states their places
    aligns_words = False  # whether words must be at multiples of their size
    has_adjoints = True  # whether kernels can have adjoints, by the gradients of arrays
    has_checks = False  # whether kernels can check indices and asserts
    has_machine_code = False  # whether the build compiles machine code for them, for CPUs of all kinds
    # Whether these options of `build` apply.
    uses_cpu_threads = False
    uses_caps = False
    uses_cuda_device = False

    def __init__(self, arch: Arch) -> None:
        self.arch = arch

    def plan(self, cuda_device: CudaDevice | None = None) -> Plan:
        """Plan how to compile for the arch, by default for a CUDA device that does not depend on this machine."""
        raise NotImplementedError

    def elsewhere(self, source: str, output: Path, *, is_alone: bool) -> str:
        """Return the end of a message about an arch that this machine cannot compile for: the commands that do it."""
        return ""


class CpuTarget(Target):
    has_checks = True
    uses_cpu_threads = True

    def plan(self, cuda_device: CudaDevice | None = None) -> Plan:
        arch = self.arch
        if visible_devices(arch):
            return Plan(arch, str(arch), {})
        reason = f"the compiler generates code for the CPU that it runs on, which is {CPU_ARCH}"
        return Plan(arch, str(arch), {}, missing=reason)

    def elsewhere(self, source: str, output: Path, *, is_alone: bool) -> str:
        own = output if is_alone else output.with_name(f"{output.stem}-{self.arch}.tib")
        build = shlex.join(["taichi-aot", "build", source, "--arch", str(self.arch), "-o", str(own)])
        join = "" if is_alone else shlex.join(["taichi-aot", "bundle", str(output), str(own), "-o", str(output)])
        return f"; run `{build}` on an {self.arch} machine{f', and `{join}` anywhere' * bool(join)}"


class X64Target(CpuTarget):
    has_machine_code = True


class CudaTarget(Target):
    aligns_words = True
    has_checks = True
    uses_cuda_device = True

    def plan(self, cuda_device: CudaDevice | None = None) -> Plan:
        reason = why_no_cuda_driver()
        if not reason:
            return Plan(self.arch, "cuda", cuda_environment(cuda_device or CudaDevice()))
        if visible_devices(self.arch):  # on Windows the compiler can use only the machine's own device
            return Plan(self.arch, "cuda", {})
        return Plan(self.arch, "cuda", {}, missing=f"{reason}, and this machine does not have a CUDA device")


class SpirvTarget(Target):
    prints = False
    has_textures = True
    stores_u1 = False
    has_field_trees = False  # in the C library
    packs_fields = True
    has_adjoints = False
    uses_caps = True

    def plan(self, cuda_device: CudaDevice | None = None) -> Plan:
        if VULKAN_DRIVER.is_file():  # only in installations for Linux
            return Plan(self.arch, "vulkan", vulkan_environment())
        if visible_devices(Arch.VULKAN):
            return Plan(self.arch, "vulkan", {})
        reason = "to generate SPIR-V on this system the compiler needs a Vulkan driver, which is not installed"
        return Plan(self.arch, "vulkan", {}, missing=reason)


class VulkanTarget(SpirvTarget):
    has_field_trees = True


TARGETS: dict[Arch, Target] = {
    Arch.X64: X64Target(Arch.X64),
    Arch.ARM64: CpuTarget(Arch.ARM64),
    Arch.CUDA: CudaTarget(Arch.CUDA),
    Arch.VULKAN: VulkanTarget(Arch.VULKAN),
    **{each: SpirvTarget(each) for each in (Arch.OPENGL, Arch.GLES, Arch.METAL)},
}


def prepare() -> None:
    """Load the drivers that the plan's environment names; the child calls this before it imports ``taichi``."""
    if CUDA_VARIABLE in os.environ:
        load_cuda_driver()
    if VULKAN_VARIABLE in os.environ:
        load_vulkan_driver()
