"""Every public operation, to be interrupted or entered again anywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

import taichi_aot
from helpers import fault_operations
from helpers.fault_operations import warm_operations
from helpers.objects import Objects
from taichi_aot import Arch, MemoryUsage, NdArray, Runtime
from taichi_aot.interop import vulkan

HOST, VULKAN = (1, 0), 7  # of DLPack


def operations(arch: Arch, module: Path, things: Objects) -> dict[str, Callable[[], object]]:
    """Return calls of every public operation, each of which leaves the objects unchanged."""
    rt, kernel, x, y, memory = things.rt, things.kernel, things.x, things.y, things.memory
    answer, integers = things.module.kernels["answer"], rt.zeros(1, "i32")
    data = np.ones(100, np.float32)

    out = np.empty(100, np.float32)
    over = rt.allocate(400).ndarray(100, "f32")

    def map_and_keep() -> None:
        with x.map() as view, memory.map() as other:
            kept = view[1:], other
        del view, other
        assert kept[0][0] == 1

    def close_module() -> None:
        loaded = rt.load_module(module)
        loaded.kernels["saxpy"](0.0, x, y)
        loaded.close()

    calls = {name: each.run for name, each in warm_operations(fault_operations.Objects(rt, module)).items()}
    calls |= {
        "empty": lambda: rt.empty((3, 4), "i16", (2,)),
        "zeros": lambda: rt.zeros(1000),
        "asarray of a list": lambda: rt.asarray([[1, 2], [3, 4]], "i32"),
        "allocate": lambda: rt.allocate(64, host_read=True),
        "memory.close": lambda: rt.allocate(64).close(),
        "module.close": close_module,
        "to_numpy(out)": lambda: x.to_numpy(out),
        "__dlpack__": lambda: x.__dlpack__(dl_device=None if x.__dlpack_device__()[0] != VULKAN else HOST),
        "__dlpack__(copy)": lambda: x.__dlpack__(copy=True, dl_device=(1, 0), max_version=(1, 0)),
        "views kept": map_and_keep,
        "usage": lambda: rt.zeros(10, usage=MemoryUsage.VERTEX),
        "ndarray": lambda: memory.ndarray(4, "f32", 2),
        "ndarray.close": lambda: memory.ndarray(4, "f32", 2).close(),
        "launch over memory": lambda: kernel(0.0, x, over),
        "fill over memory": lambda: over.fill(0),
        "array slice": lambda: x[10:20].to_numpy(),
        "array slice(out)": lambda: x[10:20][5:].to_numpy(out[:5]),
        "bind for a value": lambda: answer.bind(integers),
        "kernels": lambda: things.module.kernels["iota"],
        "rename": lambda: kernel.rename("p", "q", "r"),
        "load_module": lambda: rt.load_module(module),
        "runtime": lambda: Runtime(arch).close(),
        "module of a new runtime": lambda: Runtime(arch).load_module(module),
        "load": lambda: taichi_aot.load(module, arch).close(),
    }
    if arch is Arch.X64:
        calls |= {
            "from_dlpack": lambda: rt.from_dlpack(data),
            "from_dlpack of a capsule": lambda: rt.from_dlpack(NdArrayOnly(x)),
            "import_memory": lambda: rt.import_memory(data),
            "ndarray at an offset": lambda: memory.ndarray(4, "f32", offset=16),
        }
    if arch is Arch.VULKAN:
        calls |= vulkan_operations(rt, x)
    if arch is Arch.CUDA:

        def stream() -> None:
            with rt.stream(1):
                kernel(0.0, x, y)

        calls |= {"stream": stream, "from_dlpack": lambda: rt.from_dlpack(x)}
    return calls


class NdArrayOnly:
    """Export an array only through DLPack."""

    def __init__(self, array: NdArray) -> None:
        self.__dlpack__ = array.__dlpack__
        self.__dlpack_device__ = array.__dlpack_device__


def vulkan_operations(rt: Runtime, x: NdArray) -> dict[str, Callable[[], object]]:
    """Return calls of the Vulkan interop."""

    def import_runtime() -> None:
        with vulkan.import_runtime(vulkan.export_runtime(rt)) as imported:
            imported.zeros(4).to_numpy()

    return {
        "export_memory": lambda: vulkan.export_memory(x),
        "export_runtime": lambda: vulkan.export_runtime(rt),
        "import_runtime": import_runtime,
        "create_runtime": lambda: vulkan.create_runtime().close(),
    }


def image_operations(rt: Runtime, module: Path) -> dict[str, Callable[[], object]]:
    kernel = rt.load_module(module.with_name("kinds.tcm")).kernels["fetch_texels"]
    image, out, result = rt.allocate_image((4, 4), "r32f"), rt.zeros(4), np.empty((4, 4), np.float32)
    picture = np.zeros((4, 4, 3), np.uint8)
    colors = rt.image_from(picture)
    launch = kernel.bind(image, out)
    image.write(np.ones((4, 4), np.float32))
    return {
        "image.to_numpy": lambda: image.to_numpy(result),
        "image_from": lambda: rt.image_from(picture),
        "image.to_pil": lambda: colors.to_pil(),
        "preview": lambda: colors._repr_png_(),
        "image slices": lambda: image[1:3, :2].copy_from(image[:2, 2:]),
        "texture with a sampler": lambda: kernel(image.texture(), out),
        "update of a texture": lambda: launch.update(image=image),
    }


HEAVY = (
    "load_module",
    "module.close",
    "runtime",
    "module of a new runtime",
    "load",
    "import_runtime",
    "create_runtime",
)


def every_operation(arch: Arch, module: Path, things: Objects) -> dict[str, Callable[[], object]]:
    return operations(arch, module, things) | (image_operations(things.rt, module) if arch is Arch.VULKAN else {})


def light_operations(arch: Arch, module: Path, things: Objects) -> dict[str, Callable[[], object]]:
    """Return the operations that take less than a millisecond, except for images."""
    every = operations(arch, module, things)
    return {name: every[name] for name in every if name not in HEAVY}


def assert_working(things: Objects) -> None:
    before = things.y.to_numpy()[0]
    things.kernel(1.0, things.x, things.y)
    assert things.y.to_numpy()[0] == before + 1
