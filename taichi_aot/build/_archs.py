"""Plans for starting the compiler for each arch, or the reason why this machine cannot compile for it.

The compiler generates code only for the arch with which it is started. It starts only if it finds the arch's CPU or
driver; this package has its own drivers for CUDA and Vulkan (`_cuda`, `_vulkan`). Modules for Vulkan, OpenGL, GLES and
Metal have the same code, so the compiler is started for Vulkan for all of them.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from ..backends._devices import visible_devices
from ..values._enums import Arch
from . import _cuda, _vulkan
from ._cuda import CudaDevice

__all__ = ["Plan", "plan", "prepare"]

CPUS = (Arch.X64, Arch.ARM64)


class Plan(NamedTuple):
    """A plan for a child process that compiles for an arch.

    Attributes
    ----------
    arch : Arch
        The target.
    start : str
        Name of the arch in ``ti.init(arch=...)`` and ``ti.aot.Module(...)``.
    environment : dict of str to str
        Variables of the child process, which calls `prepare` before it imports ``taichi``.
    missing : str
        The reason why this machine cannot compile for the arch; empty if it can.
    """

    arch: Arch
    start: str
    environment: dict[str, str]
    missing: str = ""


def plan(arch: Arch, cuda_device: CudaDevice | None = None) -> Plan:
    """Plan how to compile for an arch on this machine.

    Parameters
    ----------
    arch : Arch
        The target.
    cuda_device : CudaDevice, optional
        For CUDA, the device to compile for. By default one that does not depend on this machine.

    Examples
    --------
    >>> plan(Arch.OPENGL).start
    'vulkan'
    """
    if arch in CPUS:
        return _plan_cpu(arch)
    if arch is Arch.CUDA:
        return _plan_cuda(cuda_device or CudaDevice())
    return _plan_gfx(arch)


def prepare() -> None:
    """Load the drivers that the plan's environment names; the child calls this before it imports ``taichi``.

    Raises
    ------
    OSError
        If a driver cannot be loaded.
    """
    for driver in (_cuda, _vulkan):
        if driver.VARIABLE in os.environ:
            driver.load_driver()


def _plan_cpu(arch: Arch) -> Plan:
    if visible_devices(arch):
        return Plan(arch, str(arch), {})
    here = next((str(cpu) for cpu in CPUS if visible_devices(cpu)), "another one")
    reason = f"the compiler generates code for the CPU that it runs on, which is {here}: build on an {arch} machine"
    return Plan(arch, str(arch), {}, missing=f"{reason}, and join the modules with `taichi-aot bundle`")


def _plan_cuda(device: CudaDevice) -> Plan:
    reason = _cuda.why_no_driver()
    if not reason:
        return Plan(Arch.CUDA, "cuda", _cuda.environment(device))
    if visible_devices(Arch.CUDA):  # on Windows the compiler can use only the machine's own device
        return Plan(Arch.CUDA, "cuda", {})
    return Plan(Arch.CUDA, "cuda", {}, missing=f"{reason}, and this machine does not have a CUDA device")


def _plan_gfx(arch: Arch) -> Plan:
    if _vulkan.has_driver():
        return Plan(arch, "vulkan", _vulkan.environment())
    if visible_devices(Arch.VULKAN):
        return Plan(arch, "vulkan", {})
    reason = "to generate SPIR-V on this system the compiler needs a Vulkan driver, which is not installed"
    return Plan(arch, "vulkan", {}, missing=reason)
