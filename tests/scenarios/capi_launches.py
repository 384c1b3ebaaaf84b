"""Launches through `capi` with which the library itself would crash or compute wrong numbers."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from helpers.raising import assert_raises

from scenarios import ArchName
from scenarios.capi_objects import Binding
from taichi_aot import AotModule, Image, Memory, NotSupportedError, Runtime, capi

TYPE, DATA, VALUE = capi.TiArgumentType, capi.TiDataType, capi.TiArgumentValue
LARGE = 1 << 24  # numbers, far beyond the end of an array of 4


def array(memory: Memory, *shape: int, dtype: str = "f32", elem_shape: Sequence[int] = ()) -> capi.TiArgument:
    return capi.TiArgument(
        TYPE.TI_ARGUMENT_TYPE_NDARRAY,
        VALUE(
            ndarray=capi.TiNdArray(
                memory.handle,
                capi.TiNdShape(len(shape), list(shape)),
                capi.TiNdShape(len(elem_shape), list(elem_shape)),
                DATA[f"TI_DATA_TYPE_{dtype.upper()}"],
            )
        ),
    )


def i32(number: int) -> capi.TiArgument:
    return capi.TiArgument(TYPE.TI_ARGUMENT_TYPE_I32, VALUE(i32=number))


def f32(number: float) -> capi.TiArgument:
    return capi.TiArgument(TYPE.TI_ARGUMENT_TYPE_F32, VALUE(f32=number))


def i64(number: int) -> capi.TiArgument:
    scalar = capi.TiScalar(DATA.TI_DATA_TYPE_I64, capi.TiScalarValue(x64=number))
    return capi.TiArgument(TYPE.TI_ARGUMENT_TYPE_SCALAR, VALUE(scalar=scalar))


def launcher(rt: Runtime, handle: capi.TiKernel | capi.TiComputeGraph, *names: str) -> Callable[..., None]:
    """Return a function that launches a kernel, or a graph with these argument names."""

    def launch(*arguments: capi.TiArgument) -> None:
        if isinstance(handle, capi.TiKernel):
            capi.launch_kernel(rt.handle, handle, arguments)
        else:
            named = [capi.TiNamedArgument(*pair) for pair in zip(names, arguments, strict=True)]
            capi.launch_compute_graph(rt.handle, handle, named)
        rt.wait()

    return launch


def refuse(error: type[Exception], message: str, call: Callable[..., None], *arguments: Any) -> None:
    assert_raises(error, lambda: call(*arguments), match=message)


def stated_shapes(arch: ArchName, described: str) -> None:
    """Launch saxpy, which states equal sizes of x and y: the kernel, the graph, and the graph's instance of it."""
    with Runtime(arch) as rt:
        module = capi.load_aot_module(rt.handle, described)
        loaded = rt.load_module(described)
        small, large = rt.allocate(16), rt.allocate(4 * LARGE)
        mangled = next(name for name in loaded.info.all_kernels if name.startswith("saxpy_"))
        handles: dict[str, Sequence[capi.TiKernel | capi.TiComputeGraph]] = {
            "saxpy": (capi.get_aot_module_kernel(module, "saxpy"), loaded.kernels["saxpy"].handle),
            mangled: (capi.get_aot_module_kernel(module, mangled),),
            "twice": (capi.get_aot_module_compute_graph(module, "twice"), loaded.graphs["twice"].handle),
        }
        for name, handle in ((name, handle) for name, each in handles.items() for handle in each):
            launch = launcher(rt, handle, "a", "x", "y")
            for _ in range(2):  # a refused launch has no effect
                message = f"{name}(): x has n=4, y has n={LARGE:,}"
                refuse(ValueError, message, launch, f32(1), array(small, 4), array(large, LARGE))
                launch(f32(1), array(small, 4), array(large, 4))


def wrong_sizes(arch: ArchName, modules: str) -> None:
    """Check sizes given as numbers, a repeated symbol, and 32-bit and 64-bit scalars; messages match the objects'."""
    names = {"spin": ["count", "out"], "iota": ["start", "v"], "store": ["value", "real", "ints", "reals"]}
    with Runtime(arch) as rt:
        module = rt.load_module(
            os.path.join(modules, "basic.tcm"),
            names,
            {"spin": {"out": "count"}, "iota": {"v": ("n", "n")}, "store": {"ints": 4}},
        )
        memory, other = rt.allocate(1024), rt.allocate(1024)
        spin, iota, store = (launcher(rt, module.kernels[name].handle) for name in ("spin", "iota", "store"))
        spin(i32(3), array(memory, 3, dtype="i32"))
        refuse(ValueError, "spin(): count is 1,000, out has count=3", spin, i32(1000), array(memory, 3, dtype="i32"))
        refuse(ValueError, "spin(): count is -3, out has count=3", spin, i32(-3), array(memory, 3, dtype="i32"))
        message = "iota(): v has shape (4, 3), its first and second dimensions must be equal (n)"
        refuse(ValueError, message, iota, i32(0), array(memory, 4, 3, elem_shape=[3]))
        message = "store(): ints has shape (5,), its first dimension must be 4"
        refuse(ValueError, message, store, i32(0), f32(0), array(memory, 5, dtype="i32"), array(other, 5))
        path = os.path.join(modules, "kinds.tcm")
        names, shapes = {"größe": ["factor", "out"]}, {"größe": {"out": "factor"}}
        größe = launcher(rt, rt.load_module(path, names, shapes).kernels["größe"].handle)
        größe(i64(4), array(memory, 4, dtype="i64"))
        größe(i32(4), array(memory, 4, dtype="i64"))
        assert np.frombuffer(memory.read(), np.int64)[:4].tolist() == [0, 4, 8, 12]
        message = f"größe(): factor is {2**32 + 4:,}, out has factor=4"
        refuse(ValueError, message, größe, i64(2**32 + 4), array(memory, 4, dtype="i64"))


def texture(image: Image) -> capi.TiArgument:
    width, height = image.extent
    texture = capi.TiTexture(
        image.handle,
        dimension=capi.TiImageDimension.TI_IMAGE_DIMENSION_2D,
        extent=capi.TiImageExtent(width, height, 1, 1),
        format=capi.TiFormat(int(image.format)),
    )
    return capi.TiArgument(TYPE.TI_ARGUMENT_TYPE_TEXTURE, VALUE(texture=texture))


def repaired_modules(arch: ArchName, modules: str) -> None:
    """Launch what the reader repairs: gaps between field trees, profiler calls, argument space, bindings."""
    with Runtime(arch) as rt:
        memory, other = rt.allocate(64), rt.allocate(64)
        runs = {"edges": ("small_mixed", [i32(-1), array(memory, 4, dtype="i32"), *map(i32, (1, 2, 3))])}
        if arch == "x64":
            runs["profiled"] = "saxpy", [f32(2), array(memory, 4), array(other, 4)]
        if arch == "vulkan":
            image = rt.allocate_image((4, 4), "r32f")
            runs["kinds"] = "unused_texture", [texture(image), array(memory, 4)]
        else:
            runs["late_tree"] = "increase", []
        for name, (kernel, arguments) in runs.items():
            print(name, flush=True)
            module = capi.load_aot_module(rt.handle, os.path.join(modules, f"{name}.tcm"))
            launcher(rt, capi.get_aot_module_kernel(module, kernel))(*arguments)


def module_of_another_binding(arch: ArchName, folder: str, module: str) -> None:
    """Launch from a module that another binding loaded: 64-bit scalars take their low half as I32, or raise."""
    binding = Binding(arch)
    rt = Runtime.from_handle(capi.TiRuntime(binding.runtime), owned=True)
    address = binding.lib.ti_load_aot_module(ctypes.c_void_p(binding.runtime), os.fsencode(folder))
    handle = AotModule.from_handle(rt, capi.TiAotModule(address), module).handle
    memory = rt.allocate(64)

    def of(dtype: str) -> Callable[[capi.TiArgument], None]:
        launch = launcher(rt, capi.get_aot_module_kernel(handle, f"scalar_{dtype}"))
        return lambda argument: launch(argument, array(memory, 1, dtype=dtype))

    of("i64")(i32(7))
    assert np.frombuffer(memory.read(), np.int64)[0] == 7
    for dtype in ("i64", "u64"):
        refuse(OverflowError, f"-5 does not fit {dtype} as TI_ARGUMENT_TYPE_I32", of(dtype), i32(-5))
        refuse(TypeError, "expected TI_ARGUMENT_TYPE_I32", of(dtype), i64(5))
    refuse(NotSupportedError, "cannot pass an f64; load the module with load_aot_module", of("f64"), f32(0.5))
    refuse(OverflowError, "300 does not fit u8", of("u8"), i32(300))
    rt.close()
