"""Calls of every function of `taichi_aot.capi`: with good arguments, and with null, freed and wrong handles."""

from __future__ import annotations

import ctypes
import inspect
import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from helpers.capi_arguments import array, f32, i32
from helpers.raising import assert_raises, raised

from scenarios import ArchName
from taichi_aot import ErrorCode, NotSupportedError, capi

SIZE = 4 * 16 * 4 * 4  # bytes of a memory: 16 matrices
EXTENT = capi.TiImageExtent(width=8, height=4, depth=1, array_layer_count=1)


class World:
    """A runtime with one object of each kind, and freed objects."""

    def __init__(self, arch: ArchName, path: str) -> None:
        self.arch = arch
        self.path = path
        self.runtime = capi.create_runtime(self.ti_arch, 0)
        self.module = capi.load_aot_module(self.runtime, path)
        self.kernel = capi.get_aot_module_kernel(self.module, "foo")
        self.graph = capi.get_aot_module_compute_graph(self.module, "bar")
        self.memory, self.other_memory = self.new_memory(), self.new_memory()
        self.host = ctypes.create_string_buffer(4096)
        if arch == "vulkan":
            self.image, self.other_image = self.new_image(), self.new_image()
            self.vulkan_runtime = capi.export_vulkan_runtime(self.runtime)
            self.vulkan_memory = capi.export_vulkan_memory(self.runtime, self.memory)
            self.vulkan_image = capi.export_vulkan_image(self.runtime, self.image)

    @property
    def ti_arch(self) -> capi.TiArch:
        return capi.TiArch[f"TI_ARCH_{self.arch.upper()}"]

    def new_memory(self) -> capi.TiMemory:
        return capi.allocate_memory(self.runtime, self.memory_info())

    def memory_info(self) -> capi.TiMemoryAllocateInfo:
        usage = capi.TiMemoryUsageFlagBits.TI_MEMORY_USAGE_STORAGE_BIT
        return capi.TiMemoryAllocateInfo(size=SIZE, host_write=True, host_read=True, usage=usage)

    def mapped_memory(self) -> capi.TiMemory:
        memory = self.new_memory()
        capi.map_memory(self.runtime, memory)
        return memory

    def new_image(self) -> capi.TiImage:
        return capi.allocate_image(self.runtime, self.image_info())

    def image_info(self) -> capi.TiImageAllocateInfo:
        usage = capi.TiImageUsageFlagBits
        return capi.TiImageAllocateInfo(
            dimension=capi.TiImageDimension.TI_IMAGE_DIMENSION_2D,
            extent=EXTENT,
            mip_level_count=1,
            format=capi.TiFormat.TI_FORMAT_RGBA8,
            usage=usage.TI_IMAGE_USAGE_STORAGE_BIT | usage.TI_IMAGE_USAGE_SAMPLED_BIT,
        )

    def packed(self) -> bytes:
        """Return the archive of the module's folder."""
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as archive:
            for each in Path(self.path).iterdir():
                archive.write(each, each.name)
        return data.getvalue()

    def memory_slice(self, memory: capi.TiMemory) -> capi.TiMemorySlice:
        return capi.TiMemorySlice(memory=memory, offset=0, size=SIZE)

    def image_slice(self, image: capi.TiImage) -> capi.TiImageSlice:
        return capi.TiImageSlice(image=image, extent=EXTENT, mip_level=0)

    def arguments(self) -> list[capi.TiArgument]:
        return [i32(1), f32(1.0), array(self.memory, 16, elem_shape=(4, 4))]

    def named_arguments(self) -> list[capi.TiNamedArgument]:
        return [
            capi.TiNamedArgument(name=name, argument=argument)
            for name, argument in zip(("foo", "bar", "baz"), self.arguments(), strict=True)
        ]

    def freed(self, kind: str) -> Any:
        """Return the handle of a freed object."""
        if kind == "TiRuntime":
            runtime = capi.create_runtime(self.ti_arch, 0)
            capi.destroy_runtime(runtime)
            return runtime
        if kind == "TiMemory":
            memory = self.new_memory()
            capi.free_memory(self.runtime, memory)
            return memory
        if kind == "TiImage":
            image = self.new_image()
            capi.free_image(self.runtime, image)
            return image
        module = capi.load_aot_module(self.runtime, self.path)
        kernel = capi.get_aot_module_kernel(module, "foo")
        graph = capi.get_aot_module_compute_graph(module, "bar")
        capi.destroy_aot_module(module)
        return {"TiAotModule": module, "TiKernel": kernel, "TiComputeGraph": graph}[kind]


# Good arguments for each function, in order.
Good = Callable[[World], tuple[Any, ...]]
LAYOUT = capi.TiImageLayout.TI_IMAGE_LAYOUT_SHADER_READ
VULKAN_1_2 = 0x402000
ANYWHERE: dict[str, Good] = {
    "get_version": lambda w: (),
    "get_available_archs": lambda w: (),
    "get_last_error": lambda w: (),
    "set_last_error": lambda w: (capi.TiError.TI_ERROR_SUCCESS, ""),
    "create_runtime": lambda w: (w.ti_arch, 0),
    "destroy_runtime": lambda w: (capi.create_runtime(w.ti_arch, 0),),
    "set_runtime_capabilities_ext": lambda w: (w.runtime, capi.get_runtime_capabilities(w.runtime)),
    "get_runtime_capabilities": lambda w: (w.runtime,),
    "flush": lambda w: (w.runtime,),
    "wait": lambda w: (w.runtime,),
    "allocate_memory": lambda w: (w.runtime, w.memory_info()),
    "free_memory": lambda w: (w.runtime, w.new_memory()),
    "map_memory": lambda w: (w.runtime, w.new_memory()),
    "unmap_memory": lambda w: (w.runtime, w.mapped_memory()),
    "load_aot_module": lambda w: (w.runtime, w.path),
    "destroy_aot_module": lambda w: (capi.load_aot_module(w.runtime, w.path),),
    "get_aot_module_kernel": lambda w: (w.module, "foo"),
    "get_aot_module_compute_graph": lambda w: (w.module, "bar"),
    "launch_kernel": lambda w: (w.runtime, w.kernel, w.arguments()),
    "launch_compute_graph": lambda w: (w.runtime, w.graph, w.named_arguments()),
}
ON_VULKAN: dict[str, Good] = {
    "allocate_image": lambda w: (w.runtime, w.image_info()),
    "free_image": lambda w: (w.runtime, w.new_image()),
    "copy_image_device_to_device": lambda w: (w.runtime, w.image_slice(w.other_image), w.image_slice(w.image)),
    "track_image_ext": lambda w: (w.runtime, w.image, LAYOUT),
    "transition_image": lambda w: (w.runtime, w.image, LAYOUT),
    "create_vulkan_runtime_ext": lambda w: (VULKAN_1_2, [], []),
    "import_vulkan_runtime": lambda w: (w.vulkan_runtime,),
    "export_vulkan_runtime": lambda w: (w.runtime,),
    "import_vulkan_memory": lambda w: (w.runtime, w.vulkan_memory),
    "export_vulkan_memory": lambda w: (w.runtime, w.memory),
    "import_vulkan_image": lambda w: (w.runtime, w.vulkan_image, 1, 1),
    "export_vulkan_image": lambda w: (w.runtime, w.image),
}
ON_GFX: dict[str, Good] = {
    "copy_memory_device_to_device": lambda w: (w.runtime, w.memory_slice(w.other_memory), w.memory_slice(w.memory)),
    "create_aot_module": lambda w: (w.runtime, w.packed()),
}
ON_X64: dict[str, Good] = {
    "import_cpu_memory": lambda w: (w.runtime, ctypes.addressof(w.host), 4096),
    "export_cpu_memory": lambda w: (w.runtime, w.memory),
}
ON_OPENGL: dict[str, Good] = {
    "export_opengl_runtime": lambda w: (w.runtime,),
    "export_opengl_memory": lambda w: (w.runtime, w.memory),
}
# Functions that no device supports, or only those in an arch's table: elsewhere, even a good call must raise.
# The library does not implement the first, and does not export the others.
NOWHERE: dict[str, Good] = {
    "create_sampler": lambda w: (w.runtime, capi.TiSamplerCreateInfo(max_anisotropy=1.0)),
    "destroy_sampler": lambda w: (w.runtime, capi.TiSampler(16)),
    "import_opengl_memory": lambda w: (w.runtime, capi.TiOpenglMemoryInteropInfo(buffer=1, size=4)),
    "import_opengl_image": lambda w: (w.runtime, capi.TiOpenglImageInteropInfo(texture=1)),
}
# No test has a context or an image of OpenGL.
UNCALLED = ("import_opengl_runtime", "export_opengl_image")
ON_CUDA: dict[str, Good] = {
    "import_cuda_memory": lambda w: (w.runtime, capi.export_cuda_memory(w.runtime, w.other_memory).ptr, 64),
    "export_cuda_memory": lambda w: (w.runtime, w.memory),
    "set_cuda_stream": lambda w: (0,),
    "get_cuda_stream": lambda w: (),
}
OF_ARCH: dict[ArchName, dict[str, Good]] = {
    "x64": ON_X64,
    "vulkan": ON_VULKAN | ON_GFX,
    "opengl": ON_OPENGL | ON_GFX,
    "cuda": ON_CUDA,
}
HANDLES = (capi.TiRuntime, capi.TiAotModule, capi.TiMemory, capi.TiImage, capi.TiKernel, capi.TiComputeGraph)


def tables(arch: ArchName) -> dict[str, Good]:
    """Return the functions that work on an arch, with good arguments."""
    return ANYWHERE | OF_ARCH[arch]


def every_function(arch: ArchName, path: str) -> None:
    """Call all functions of an arch; those that it lacks raise."""
    world = World(arch, path)
    for name, make in tables(arch).items():
        print(name, flush=True)
        arguments = make(world)
        getattr(capi, name)(*arguments)
        if name == "map_memory":  # a runtime with mapped memory cannot be destroyed
            capi.unmap_memory(*arguments)
    for name, make in NOWHERE.items():
        print(name, flush=True)
        assert_raises(NotSupportedError, lambda: getattr(capi, name)(*make(world)))  # noqa: B023
    capi.destroy_runtime(world.runtime)


def bad_handles(arch: ArchName, path: str) -> None:
    """Call all functions of an arch with each handle replaced."""
    world = World(arch, path)
    for name, good in tables(arch).items():
        function = getattr(capi, name)
        arguments = good(world)
        for i, (parameter, handle) in enumerate(zip(inspect.signature(function).parameters, arguments, strict=False)):
            if not isinstance(handle, HANDLES):
                continue
            wrong = capi.TiMemory(8) if type(handle) is not capi.TiMemory else capi.TiRuntime(8)
            for value, error, code in (
                (type(handle)(), ValueError, ErrorCode.ARGUMENT_NULL),
                (None, ValueError, ErrorCode.ARGUMENT_NULL),
                (wrong, TypeError, ErrorCode.INVALID_ARGUMENT),
                (int(handle), TypeError, ErrorCode.INVALID_ARGUMENT),
                (world.freed(type(handle).__name__), ValueError, ErrorCode.INVALID_STATE),
            ):
                changed = (*arguments[:i], value, *arguments[i + 1 :])
                found = raised(lambda: function(*changed), error, f"{name}({value!r})")  # noqa: B023
                assert getattr(found, "code", None) is code, (name, value, found)
                assert parameter in str(found) or "was freed" in str(found), (name, found)
        if name == "unmap_memory":  # a runtime with mapped memory cannot be destroyed
            function(*arguments)
    capi.destroy_runtime(world.runtime)
    assert_raises(ValueError, lambda: capi.launch_kernel(world.runtime, world.kernel, []), match="was freed")
    assert_raises(ValueError, lambda: capi.get_aot_module_kernel(world.module, "foo"), match="was freed")
    assert_raises(ValueError, lambda: capi.TiMemorySlice(memory=world.memory), match="was freed")
