"""Find the functions of `taichi_aot.capi` that work on an arch."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scenarios import ArchName
from taichi_aot import TaichiError, capi

USAGE = capi.TiMemoryUsageFlagBits.TI_MEMORY_USAGE_STORAGE_BIT
LAYOUT = capi.TiImageLayout.TI_IMAGE_LAYOUT_SHADER_READ


class World:
    """A runtime, and the objects that calls need, made on first use."""

    def __init__(self, arch: ArchName, module: str) -> None:
        self.arch, self.path = arch, module
        self.number = capi.TiArch[f"TI_ARCH_{arch.upper()}"]
        self.runtime = capi.create_runtime(self.number, 0)
        self.memory, self.other = self.allocate(), self.allocate()
        self.module = capi.load_aot_module(self.runtime, module)
        extent = capi.TiImageExtent(width=8, height=4, depth=1, array_layer_count=1)
        self.image_info = capi.TiImageAllocateInfo(
            dimension=capi.TiImageDimension.TI_IMAGE_DIMENSION_2D,
            extent=extent,
            mip_level_count=1,
            format=capi.TiFormat.TI_FORMAT_RGBA8,
            usage=3,
        )
        self.extent = extent

    def allocate(self) -> capi.TiMemory:
        info = capi.TiMemoryAllocateInfo(size=64, host_read=True, host_write=True, usage=USAGE)
        return capi.allocate_memory(self.runtime, info)

    def image(self) -> capi.TiImage:
        return capi.allocate_image(self.runtime, self.image_info)

    def image_slice(self) -> capi.TiImageSlice:
        return capi.TiImageSlice(image=self.image(), extent=self.extent)

    def slice(self, memory: capi.TiMemory) -> capi.TiMemorySlice:
        return capi.TiMemorySlice(memory=memory, size=64)

    def arguments(self) -> list[capi.TiArgument]:
        kind, value = capi.TiArgumentType, capi.TiArgumentValue
        array = capi.TiNdArray(
            memory=self.memory, shape=capi.TiNdShape(1, [16]), elem_type=capi.TiDataType.TI_DATA_TYPE_F32
        )
        return [
            capi.TiArgument(kind.TI_ARGUMENT_TYPE_F32, value(f32=1)),
            capi.TiArgument(kind.TI_ARGUMENT_TYPE_NDARRAY, value(ndarray=array)),
            capi.TiArgument(kind.TI_ARGUMENT_TYPE_NDARRAY, value(ndarray=array)),
        ]

    def launch_graph(self) -> None:
        names = ("a", "x", "y")
        named = [capi.TiNamedArgument(*pair) for pair in zip(names, self.arguments(), strict=True)]
        capi.launch_compute_graph(self.runtime, capi.get_aot_module_compute_graph(self.module, "twice"), named)

    def map_and_unmap(self) -> None:
        ctypes.memset(capi.map_memory(self.runtime, self.memory), 0, 64)
        capi.unmap_memory(self.runtime, self.memory)

    def set_capabilities(self) -> None:
        before = capi.get_runtime_capabilities(self.runtime)
        if not before:
            raise NotImplementedError
        capi.set_runtime_capabilities_ext(self.runtime, before)

    def import_cpu_memory(self) -> capi.TiMemory:
        self.bytes = ctypes.create_string_buffer(64)
        return capi.import_cpu_memory(self.runtime, ctypes.addressof(self.bytes), 64)

    def import_vulkan_image(self) -> None:
        info = capi.export_vulkan_image(self.runtime, self.image())
        capi.import_vulkan_image(self.runtime, info, 1, 1)

    def calls(self) -> dict[str, Callable[[], Any]]:
        """Return a call for each function that this machine can try; CUDA's need a device."""
        rt = self.runtime
        return {
            "get_version": capi.get_version,
            "get_available_archs": capi.get_available_archs,
            "get_last_error": capi.get_last_error,
            "set_last_error": lambda: capi.set_last_error(capi.TiError.TI_ERROR_SUCCESS, ""),
            "create_runtime": lambda: capi.create_runtime(self.number, 0),
            "destroy_runtime": lambda: capi.destroy_runtime(capi.create_runtime(self.number, 0)),
            "set_runtime_capabilities_ext": self.set_capabilities,
            "get_runtime_capabilities": lambda: capi.get_runtime_capabilities(rt),
            "flush": lambda: capi.flush(rt),
            "wait": lambda: capi.wait(rt),
            "allocate_memory": self.allocate,
            "free_memory": lambda: capi.free_memory(rt, self.allocate()),
            "map_memory": self.map_and_unmap,
            "unmap_memory": self.map_and_unmap,
            "allocate_image": self.image,
            "free_image": lambda: capi.free_image(rt, self.image()),
            "create_sampler": lambda: capi.create_sampler(rt, capi.TiSamplerCreateInfo()),
            "destroy_sampler": lambda: capi.destroy_sampler(rt, capi.TiSampler(16)),
            "copy_memory_device_to_device": lambda: capi.copy_memory_device_to_device(
                rt, self.slice(self.memory), self.slice(self.other)
            ),
            "copy_image_device_to_device": lambda: capi.copy_image_device_to_device(
                rt, self.image_slice(), self.image_slice()
            ),
            "track_image_ext": lambda: capi.track_image_ext(rt, self.image(), LAYOUT),
            "transition_image": lambda: capi.transition_image(rt, self.image(), LAYOUT),
            "load_aot_module": lambda: capi.load_aot_module(rt, self.path),
            "create_aot_module": lambda: capi.create_aot_module(rt, Path(self.path).read_bytes()),
            "destroy_aot_module": lambda: capi.destroy_aot_module(capi.load_aot_module(rt, self.path)),
            "get_aot_module_kernel": lambda: capi.get_aot_module_kernel(self.module, "saxpy"),
            "get_aot_module_compute_graph": lambda: capi.get_aot_module_compute_graph(self.module, "twice"),
            "launch_kernel": lambda: capi.launch_kernel(
                rt, capi.get_aot_module_kernel(self.module, "saxpy"), self.arguments()
            ),
            "launch_compute_graph": self.launch_graph,
            "export_cpu_memory": lambda: capi.export_cpu_memory(rt, self.memory),
            "import_cpu_memory": self.import_cpu_memory,
            "export_cuda_memory": lambda: capi.export_cuda_memory(rt, self.memory),
            "set_cuda_stream": lambda: capi.set_cuda_stream(0),
            "get_cuda_stream": capi.get_cuda_stream,
            "export_opengl_runtime": lambda: capi.export_opengl_runtime(rt),
            "import_opengl_memory": lambda: capi.import_opengl_memory(rt, capi.TiOpenglMemoryInteropInfo()),
            "export_opengl_memory": lambda: capi.export_opengl_memory(rt, self.memory),
            "import_opengl_image": lambda: capi.import_opengl_image(rt, capi.TiOpenglImageInteropInfo()),
            "export_opengl_image": lambda: capi.export_opengl_image(rt, self.image()),
            "export_vulkan_runtime": lambda: capi.export_vulkan_runtime(rt),
            "import_vulkan_runtime": lambda: capi.import_vulkan_runtime(capi.export_vulkan_runtime(rt)),
            "import_vulkan_memory": lambda: capi.import_vulkan_memory(rt, capi.export_vulkan_memory(rt, self.memory)),
            "export_vulkan_memory": lambda: capi.export_vulkan_memory(rt, self.memory),
            "import_vulkan_image": self.import_vulkan_image,
            "export_vulkan_image": lambda: capi.export_vulkan_image(rt, self.image()),
        }


def try_functions(arch: ArchName, module: str) -> None:
    """Print each function that was tried, and whether it worked."""
    for name, call in World(arch, module).calls().items():
        try:
            call()
        except (TaichiError, ValueError, NotImplementedError) as error:
            print(name, "no", f"{type(error).__name__}: {error}", flush=True)
        else:
            print(name, "yes", flush=True)
