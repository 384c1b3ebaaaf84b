"""How the compiler is started for each arch, and why this machine cannot compile for an arch.

The compiler generates code for the arch with which it is started alone, and starts only where it finds the arch's CPU
or driver. For CUDA there is a driver of ours (`_cuda`). Modules for Vulkan, OpenGL, GLES and Metal have the same code,
which depends on the capabilities that the module is given and not on the device, so one that starts compiles for all.
"""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

from .._drivers.loader import DriverLibrary
from ..device import visible_devices
from ..enums import Arch
from ._cuda import VARIABLE, CudaDevice, environment, load_driver, why_no_driver

__all__ = ["Plan", "plan", "prepare"]

CPUS = (Arch.X64, Arch.ARM64)
NO_GFX = (
    "to generate SPIR-V the compiler needs a driver of Vulkan, or of OpenGL with EGL, which can be one without a GPU: "
    "Mesa's, for example (Debian: mesa-vulkan-drivers)"
)


class Plan(NamedTuple):
    """How a child process compiles for an arch.

    Attributes
    ----------
    arch : Arch
        What is compiled for.
    start : str
        Name of the arch in ``ti.init(arch=...)`` and ``ti.aot.Module(...)``.
    environment : dict of str to str
        Variables of the child process, which calls `prepare` before it imports ``taichi``.
    device : CudaDevice or None
        For CUDA, the device that the code is compiled for; None if it is the one of this machine.
    missing : str
        Why this machine cannot compile for the arch; empty if it can.
    """

    arch: Arch
    start: str
    environment: dict[str, str]
    device: CudaDevice | None = None
    missing: str = ""

    def report(self) -> dict[str, object]:
        """What the report of a build states, for JSON."""
        cuda = {"cuda_device": self.device.values()} if self.device else {}
        return {"compiled_as": self.start, **cuda}


def plan(arch: Arch, cuda_device: CudaDevice | None = None) -> Plan:
    """How to compile for an arch on this machine.

    Parameters
    ----------
    arch : Arch
        What to compile for.
    cuda_device : CudaDevice, optional
        For CUDA, the device to compile for. By default one that does not depend on this machine.

    Examples
    --------
    >>> plan(Arch.CUDA).report()["cuda_device"]["capability"]
    75
    """
    if arch in CPUS:
        return _plan_cpu(arch)
    if arch is Arch.CUDA:
        return _plan_cuda(cuda_device or CudaDevice())
    return _plan_gfx(arch)


def prepare(start: str) -> str:
    """In the child process, before ``taichi`` is imported: make ready what the plan needs.

    Parameters
    ----------
    start : str
        `Plan.start`.

    Returns
    -------
    str
        Why the compiler cannot start; empty if it can.

    Raises
    ------
    OSError
        If the driver for CUDA cannot be loaded.
    """
    if VARIABLE in os.environ:
        load_driver()
    # Where EGL has no usable platform, the compiler crashes when it starts (SIGSEGV).
    return NO_GFX if start == "gles" and not visible_devices(Arch.OPENGL) else ""


def _plan_cpu(arch: Arch) -> Plan:
    if visible_devices(arch):
        return Plan(arch, str(arch), {})
    here = next((str(cpu) for cpu in CPUS if visible_devices(cpu)), "another one")
    reason = f"the compiler generates code for the CPU that it runs on, which is {here}: build on an {arch} machine"
    return Plan(arch, str(arch), {}, missing=f"{reason}, and join the modules with `taichi-aot bundle`")


def _plan_cuda(device: CudaDevice) -> Plan:
    reason = why_no_driver()
    if not reason:
        return Plan(Arch.CUDA, "cuda", environment(device), device)
    if visible_devices(Arch.CUDA):  # on Windows the compiler can have the device of the machine alone
        return Plan(Arch.CUDA, "cuda", {})
    return Plan(Arch.CUDA, "cuda", {}, missing=f"{reason}, and this machine does not have a CUDA device")


def _plan_gfx(arch: Arch) -> Plan:
    if visible_devices(Arch.VULKAN):
        return Plan(arch, "vulkan", {})
    if sys.platform == "linux" and DriverLibrary("libEGL.so.1"):
        # Not OpenGL itself: there the compiler fails to allocate the arrays of small numbers by which it adds kernels.
        return Plan(arch, "gles", {"EGL_PLATFORM": os.environ.get("EGL_PLATFORM", "surfaceless")})
    return Plan(arch, "vulkan", {}, missing=NO_GFX)
