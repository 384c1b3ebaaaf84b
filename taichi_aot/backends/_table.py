"""The backend of each arch."""

from __future__ import annotations

from ..values._enums import Arch
from ._base import Backend, Parts, Streams
from ._cpu import CpuCode, CpuDevice, HostAllocator, HostInterchange
from ._cuda import CudaAllocator, CudaCode, CudaDevice, CudaInterchange, CudaStreams
from ._gfx import GfxCode
from ._opengl import OpenGlAllocator, OpenGlDevice, OpenGlInterchange
from ._vulkan import VulkanAllocator, VulkanCode, VulkanDevice, VulkanInterchange

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
