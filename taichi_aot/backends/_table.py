"""The backend of each arch."""

from __future__ import annotations

from ..values._enums import Arch
from ._base import Backend
from ._cpu import CpuBackend
from ._cuda import CudaBackend
from ._opengl import OpenGlBackend
from ._vulkan import VulkanBackend

__all__ = ["BACKENDS", "backend_of"]

BACKENDS: dict[Arch, type[Backend]] = {
    Arch.X64: CpuBackend,
    Arch.ARM64: CpuBackend,
    Arch.CUDA: CudaBackend,
    Arch.VULKAN: VulkanBackend,
    Arch.OPENGL: OpenGlBackend,
    Arch.GLES: OpenGlBackend,
}


def backend_of(arch: Arch) -> Backend:
    """A new backend for a runtime of that arch."""
    return BACKENDS[arch](arch)
