"""The Python variants of launch.py and graphs.py, as a child process: launch.variants ARCH FOLDER BINDING.

Each variant is a loop of launches followed by a wait, as in program.c, for each kernel and graph of the module
``launch``. All take a = 2 and two arrays of one element.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from itertools import repeat
from pathlib import Path
from typing import Any

from lib.cuda_source import cuda_core_module, cupy_module
from lib.serve import Run, answers, serve

TI_ARCHS = {"vulkan": 1, "cuda": 3, "x64": 4}  # TiArch
KERNELS = ("saxpy", "serial_saxpy")


def timed_loop(launch: Callable[[], Any], wait: Callable[[], Any]) -> Run:
    def run(count: int) -> None:
        for _ in repeat(None, count):
            launch()
        wait()

    return run


def package(arch: str, folder: Path) -> dict[str, Run]:
    """Return the variants of taichi_aot: sequence, bound, checked by position and by name, with stated shapes."""
    import taichi_aot

    rt = taichi_aot.Runtime(arch)
    names = dict.fromkeys(KERNELS, ("a", "x", "y"))
    module = rt.load_module(folder / "launch.tcm", names)
    shapes = {name: {"x": "n", "y": "n"} for name in KERNELS}  # also of the graphs that dispatch them
    shaped = rt.load_module(folder / "launch.tcm", names, shapes)
    x, y = rt.zeros(1), rt.zeros(1)
    runs: dict[str, Run] = {}
    for name in KERNELS:
        graph = f"{name}_graph"
        runs |= _package_variants(rt, module.kernels[name], shaped.kernels[name], x, y)
        runs |= _package_variants(rt, module.graphs[graph], shaped.graphs[graph], x, y)
    return runs | _returning_variants(rt, module.kernels)


def _package_variants(rt: Any, kernel: Any, shaped: Any, x: Any, y: Any) -> dict[str, Run]:
    bound, wait = kernel.bind(2.0, x, y), rt.wait

    def checked(count: int) -> None:
        for _ in repeat(None, count):
            kernel(2.0, x, y)
        wait()

    def checked_by_name(count: int) -> None:
        for _ in repeat(None, count):
            kernel(a=2.0, x=x, y=y)
        wait()

    def shapes(count: int) -> None:
        for _ in repeat(None, count):
            shaped(2.0, x, y)
        wait()

    runs = {"bound": timed_loop(bound, wait), "checked": checked, "checked_by_name": checked_by_name, "shapes": shapes}
    sequence = rt.sequence([bound])

    def in_sequence(count: int) -> None:
        sequence(repeat=count)
        wait()

    runs["sequence"] = in_sequence
    return {f"{kernel.name}/{name}": run for name, run in runs.items()}


def _returning_variants(rt: Any, kernels: Any) -> dict[str, Run]:
    """Return variants that wait for each launch and read its 8 bytes."""
    out = rt.zeros(2)
    stored, wait, read = kernels["stored"].bind(2.0, out), rt.wait, out.memory.read
    kernel = kernels["returned"]
    bound = kernel.bind(2.0)
    result = bound.result

    def by_hand(count: int) -> None:
        for _ in repeat(None, count):
            stored()
            wait()
            read(0, 8)

    def returned(count: int) -> None:
        for _ in repeat(None, count):
            kernel(2.0)

    def bound_result(count: int) -> None:
        for _ in repeat(None, count):
            bound()
            result()

    return {"returned/by_hand": by_hand, "returned/call": returned, "returned/result": bound_result}


def raw(arch: str, folder: Path) -> dict[str, Run]:
    """Return the variants that call the library through cffi, with arguments filled in once, without checks."""
    from lib import raw_binding

    binding = raw_binding.load(folder)
    ffi, lib = binding.ffi, binding.lib
    runtime = lib.ti_create_runtime(TI_ARCHS[arch], 0)
    module = lib.ti_load_aot_module(runtime, os.fsencode(folder / "launch"))
    info = ffi.new("TiMemoryAllocateInfo *", {"size": 4, "host_write": 1, "host_read": 1, "usage": 1})
    args, named = ffi.new("TiArgument[3]"), ffi.new("TiNamedArgument[3]")
    args[0].type, args[0].value.f32 = lib.TI_ARGUMENT_TYPE_F32, 2.0
    for i in (1, 2):
        args[i].type = lib.TI_ARGUMENT_TYPE_NDARRAY
        args[i].value.ndarray.memory = lib.ti_allocate_memory(runtime, info)
        args[i].value.ndarray.shape = {"dim_count": 1, "dims": [1]}
        args[i].value.ndarray.elem_type = lib.TI_DATA_TYPE_F32
    for i, text in enumerate((b"a", b"x", b"y")):
        named[i].name, named[i].argument = _forever(ffi.new("char[]", text)), args[i]
    runs: dict[str, Run] = {}
    for name in KERNELS:
        kernel = lib.ti_get_aot_module_kernel(module, name.encode())
        graph = lib.ti_get_aot_module_compute_graph(module, f"{name}_graph".encode())
        runs[f"{name}/raw"] = _native_loop(lib, lib.ti_launch_kernel, runtime, kernel, args)
        runs[f"{name}_graph/raw"] = _native_loop(lib, lib.ti_launch_compute_graph, runtime, graph, named)
    return runs


def _forever(value: Any, kept: list[Any] = []) -> Any:  # noqa: B006
    """Keep a value alive as long as the process, because C structures do not; return it."""
    kept.append(value)
    return value


def _native_loop(lib: Any, launch: Any, runtime: Any, kernel: Any, args: Any) -> Run:
    """Return a loop that calls one of the library's launch functions, for `raw` and `through_ctypes`."""
    wait = lib.ti_wait

    def run(count: int) -> None:
        for _ in repeat(None, count):
            launch(runtime, kernel, 3, args)
        wait(runtime)

    return run


class _Shape(ctypes.Structure):
    _fields_ = (("dim_count", ctypes.c_uint32), ("dims", ctypes.c_uint32 * 16))


class _NdArray(ctypes.Structure):
    _fields_ = (
        ("memory", ctypes.c_void_p),
        ("shape", _Shape),
        ("elem_shape", _Shape),
        ("elem_type", ctypes.c_uint32),
    )


class _Value(ctypes.Union):
    _fields_ = (("f32", ctypes.c_float), ("ndarray", _NdArray))


class _Argument(ctypes.Structure):
    _fields_ = (("type", ctypes.c_uint32), ("value", _Value))


class _NamedArgument(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("argument", _Argument))


class _AllocateInfo(ctypes.Structure):
    _fields_ = (
        ("size", ctypes.c_uint64),
        ("host_write", ctypes.c_uint32),
        ("host_read", ctypes.c_uint32),
        ("export_sharing", ctypes.c_uint32),
        ("usage", ctypes.c_uint32),
    )


def _open(path: str) -> ctypes.CDLL:
    library = ctypes.CDLL(path)
    pointer, uint32 = ctypes.c_void_p, ctypes.c_uint32
    prototypes = {
        "ti_create_runtime": (pointer, uint32, uint32),
        "ti_load_aot_module": (pointer, pointer, ctypes.c_char_p),
        "ti_get_aot_module_kernel": (pointer, pointer, ctypes.c_char_p),
        "ti_get_aot_module_compute_graph": (pointer, pointer, ctypes.c_char_p),
        "ti_allocate_memory": (pointer, pointer, ctypes.POINTER(_AllocateInfo)),
        "ti_launch_kernel": (None, pointer, pointer, uint32, pointer),
        "ti_launch_compute_graph": (None, pointer, pointer, uint32, pointer),
        "ti_wait": (None, pointer),
    }
    for name, (result, *parameters) in prototypes.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, parameters
    return library


def through_ctypes(arch: str, folder: Path, path: str) -> dict[str, Run]:
    """Return the variants of `raw` through ctypes, with declarations written by hand."""
    library = _open(path)
    runtime = library.ti_create_runtime(TI_ARCHS[arch], 0)
    module = library.ti_load_aot_module(runtime, os.fsencode(folder / "launch"))
    info = _AllocateInfo(size=4, host_write=1, host_read=1, usage=1)
    args, named = (_Argument * 3)(), (_NamedArgument * 3)()
    args[0] = _Argument(1, _Value(f32=2.0))
    for i in (1, 2):
        array = _NdArray(memory=library.ti_allocate_memory(runtime, info), elem_type=1)
        array.shape.dim_count, array.shape.dims[0] = 1, 1
        args[i] = _Argument(2, _Value(ndarray=array))
    for i, text in enumerate((b"a", b"x", b"y")):
        named[i] = _NamedArgument(text, args[i])
    runs: dict[str, Run] = {}
    for name in KERNELS:
        kernel = library.ti_get_aot_module_kernel(module, name.encode())
        graph = library.ti_get_aot_module_compute_graph(module, f"{name}_graph".encode())
        runs[f"{name}/ctypes"] = _native_loop(library, library.ti_launch_kernel, runtime, kernel, args)
        runs[f"{name}_graph/ctypes"] = _native_loop(library, library.ti_launch_compute_graph, runtime, graph, named)
    return runs


def jit(arch: str) -> dict[str, Run]:
    """Return the variants of Taichi itself, which compiles kernel and graph in this process, untimed."""
    import taichi as ti

    from lib import kernels

    kernels.init(arch)
    x, y = ti.ndarray(ti.f32, 1), ti.ndarray(ti.f32, 1)
    runs: dict[str, Run] = {}
    for name in KERNELS:
        runs |= _jit_variants(name, getattr(kernels, name), kernels.graph_of(getattr(kernels, name)), x, y)
    for run in runs.values():
        run(1)
    return runs


def _jit_variants(name: str, kernel: Any, graph: Any, x: Any, y: Any) -> dict[str, Run]:
    import taichi as ti

    def run(count: int) -> None:
        for _ in repeat(None, count):
            kernel(2.0, x, y)
        ti.sync()

    def run_graph(count: int) -> None:
        for _ in repeat(None, count):
            graph.run({"a": 2.0, "x": x, "y": y})
        ti.sync()

    return {f"{name}/taichi_jit": run, f"{name}_graph/taichi_jit": run_graph}


def cupy(arch: str, folder: Path) -> dict[str, Run]:
    """Return the variants of CuPy's RawKernel, and of graphs of 100 launches that CuPy captured."""
    import cupy
    import numpy as np

    kernel = cupy_module(folder).get_function("saxpy")
    stream = cupy.cuda.Stream(non_blocking=True)
    arguments = (np.float32(2), cupy.zeros(1, np.float32), cupy.zeros(1, np.float32), np.int32(1))
    cupy.cuda.Device().synchronize()

    def run(count: int) -> None:
        with stream:
            for _ in repeat(None, count):
                kernel((1,), (256,), arguments)
        stream.synchronize()

    run(1)
    with stream:
        stream.begin_capture()
        for _ in range(100):
            kernel((1,), (256,), arguments)
        graph = stream.end_capture()

    def run_graph(count: int) -> None:
        for _ in repeat(None, -(-count // 100)):
            graph.launch(stream)
        stream.synchronize()

    return {"saxpy/cupy": run, "saxpy/cupy_graph": run_graph}


def cuda_core(arch: str, folder: Path) -> dict[str, Run]:
    """Return the variants of cuda.core, with its own memory."""
    import numpy as np
    from cuda.core import Device, LaunchConfig, launch

    device = Device()
    device.set_current()
    stream, kernel = device.create_stream(), cuda_core_module(folder, device).get_kernel("saxpy")
    x, y = device.allocate(4, stream=stream), device.allocate(4, stream=stream)
    config = LaunchConfig(grid=1, block=256)
    arguments = (np.float32(2), x, y, np.int32(1))
    return {"saxpy/cuda.core": timed_loop(lambda: launch(stream, config, kernel, *arguments), stream.sync)}


def main() -> None:
    descriptor = answers()
    arch, folder, binding = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    if binding == "ctypes":
        runs = through_ctypes(arch, folder, sys.argv[4])
    elif binding == "taichi_jit":
        runs = jit(arch)
    else:
        variants = {"package": package, "raw": raw, "cupy": cupy, "cuda.core": cuda_core}
        runs = variants[binding](arch, folder)
    serve(runs, descriptor)
    if binding == "taichi_jit":
        os._exit(0)  # otherwise the clean-up of CUDA may abort at Python's exit (cuMemFreeAsync)


if __name__ == "__main__":
    main()
