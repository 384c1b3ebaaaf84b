"""The archs to build for: what their code can do, and how the compiler starts for them on this machine.

The compiler generates code only for the arch with which it is started. It starts only if it finds the arch's CPU or
driver; this package has its own drivers for CUDA and Vulkan (`_cuda`, `_vulkan`). Modules for Vulkan, OpenGL, GLES and
Metal have the same code, so the compiler is started for Vulkan for all of them.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import NamedTuple

from ..backends._devices import CPU_ARCH, visible_devices
from ..values._enums import Arch
from . import _cuda, _vulkan
from ._cuda import CudaDevice


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
        reason = _cuda.why_no_driver()
        if not reason:
            return Plan(self.arch, "cuda", _cuda.environment(cuda_device or CudaDevice()))
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
        if _vulkan.DRIVER.is_file():  # only in installations for Linux
            return Plan(self.arch, "vulkan", _vulkan.environment())
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
    for driver in (_cuda, _vulkan):
        if driver.VARIABLE in os.environ:
            driver.load_driver()
