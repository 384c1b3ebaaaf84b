"""The Python variants of throughput.py, as a child process: throughput.variants ARCH FOLDER VARIANT.

The variant is ``cupy``, ``cuda.core``, ``taichi_aot`` (with sequences), or ``library``: the same bound launches, in an
environment where the library makes them.

A child first does all work once and compares the results with numpy's.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from lib.cuda_source import cuda_core_module, cupy_module
from lib.serve import Run, answers, serve
from throughput.workloads import (
    BODIES,
    GRAVITY,
    GRID,
    LENGTH,
    PARTICLES,
    SIDE,
    TIME_STEP,
    Work,
    dam,
    data,
    numpy_works,
    times,
)

REDUCTIONS = ("reduction", "reduction_variable", "reduction_parts")  # the same in three ways
# Grid and block of each CUDA kernel, and the integer argument.
CUDA_LAUNCHES = {
    "saxpy": ((LENGTH // 256,), (256,), LENGTH),
    "reduction": ((2048,), (256,), LENGTH),
    "stencil": ((SIDE // 32, SIDE // 8), (32, 8), SIDE),
    "nbody": ((BODIES // 128,), (128,), BODIES),
}


def package(arch: str, folder: Path) -> dict[str, dict[str, Work]]:
    """Return the work in taichi_aot, with bound launches and with sequences."""
    from taichi_aot import Runtime

    rt = Runtime(arch)
    kernels = rt.load_module(folder / "throughput.tcm").kernels
    bound: dict[str, Work] = {}
    sequences: dict[str, Work] = {}
    for name, arrays in data().items():
        elements = (3,) if name == "nbody" else ()
        *inputs, output = [rt.asarray(array, elem_shape=elements) for array in arrays]
        if name == "copy":
            bound[name] = Work(times(_copy(output, *inputs), rt.wait), output.to_numpy)
            continue
        scalars = (2.0,) if name == "saxpy" else ()
        for kernel in REDUCTIONS if name == "reduction" else (name,):
            result = rt.asarray(arrays[-1], elem_shape=elements)
            launch = kernels[kernel].bind(*scalars, *inputs, result)
            bound[kernel] = Work(times(launch, rt.wait), result.to_numpy)
            sequences[kernel] = Work(in_sequence(rt, launch), result.to_numpy)
    bound["mpm"], sequences["mpm"] = fluid(rt, folder / "mpm.tcm")
    return {"taichi_aot": bound, "sequence": sequences}


def in_sequence(rt: Any, launch: Any) -> Run:
    sequence = rt.sequence([launch])

    def run(count: int) -> None:
        sequence(repeat=count)
        rt.wait()

    return run


def _copy(target: Any, source: Any) -> Any:
    return lambda: target.copy_from(source)


def fluid(rt: Any, path: Path) -> tuple[Work, Work]:
    x = rt.asarray(dam(), elem_shape=2)
    step = (
        rt.load_module(path)
        .graphs["substep"]
        .bind(
            dt=TIME_STEP,
            gravity=GRAVITY,
            x=x,
            v=rt.zeros(PARTICLES, elem_shape=2),
            affine=rt.zeros(PARTICLES, elem_shape=(2, 2)),
            stretch=rt.full(PARTICLES, 1.0, np.float32),
            momentum=rt.zeros((GRID, GRID), elem_shape=2),
            mass=rt.zeros((GRID, GRID)),
        )
    )
    return Work(times(step, rt.wait), x.to_numpy), Work(in_sequence(rt, step), x.to_numpy)


def cupy_works(folder: Path) -> dict[str, Work]:
    """Return the work with CuPy's RawKernel."""
    import cupy

    module = cupy_module(folder)
    wait = cupy.cuda.get_current_stream().synchronize
    works = {}
    for name, arrays in data().items():
        source, target = (cupy.asarray(array) for array in arrays)
        if name == "copy":
            works[name] = Work(times(_copy_cupy(cupy, target, source), wait), target.get)
        else:
            works[name] = Work(times(_launch_cupy(module, name, source, target), wait), target.get)
    return works


def _copy_cupy(cupy: Any, target: Any, source: Any) -> Any:
    return lambda: cupy.copyto(target, source)


def _launch_cupy(module: Any, name: str, source: Any, target: Any) -> Any:
    kernel = module.get_function(name)
    grid, block, size = CUDA_LAUNCHES[name]
    arguments: tuple[Any, ...] = (source, target, np.int32(size))
    if name == "saxpy":
        arguments = (np.float32(2), *arguments)
    return lambda: kernel(grid, block, arguments)


def cuda_core_works(folder: Path) -> dict[str, Work]:
    """Return the work with cuda.core, on CuPy's arrays."""
    import cupy
    from cuda.core import Device

    device = Device()
    device.set_current()
    stream, module = device.create_stream(), cuda_core_module(folder, device)
    works = {}
    for name, arrays in data().items():
        if name in CUDA_LAUNCHES:
            source, target = (cupy.asarray(array) for array in arrays)
            call = _launch_cuda_core(stream, module.get_kernel(name), name, source, target)
            works[name] = Work(times(call, stream.sync), target.get)
    cupy.cuda.Device().synchronize()
    return works


def _launch_cuda_core(stream: Any, kernel: Any, name: str, source: Any, target: Any) -> Any:
    from cuda.core import LaunchConfig, launch

    grid, block, size = CUDA_LAUNCHES[name]
    config = LaunchConfig(grid=grid, block=block)
    arguments: tuple[Any, ...] = (source.data.ptr, target.data.ptr, np.int32(size))
    if name == "saxpy":
        arguments = (np.float32(2), *arguments)
    return lambda keep=(source, target): launch(stream, config, kernel, *arguments)


def compare(works: dict[str, Work], right: dict[str, Work], variant: str) -> None:
    """Run each work once in both variants and compare the results."""
    for work in works.values():
        work.run(1)
    for name, work in right.items():
        work.run(1)
        for one in (one for one in works if one == name or (name == "reduction" and one in REDUCTIONS)):
            result = works[one].result()
            np.testing.assert_allclose(result, work.result(), 1e-3, 1e-3, err_msg=f"{one}/{variant}")


def main() -> None:
    descriptor = answers()
    arch, folder, variant = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    if variant in ("taichi_aot", "library"):
        works = package(arch, folder)
        works = {"library": works["taichi_aot"]} if variant == "library" else works
    else:
        works = {variant: {"cupy": cupy_works, "cuda.core": cuda_core_works}[variant](folder)}
    numpy = numpy_works()
    runs = {f"{name}/numpy": work.run for name, work in numpy.items()}
    for title, one in works.items():  # titles may share arrays: numpy continues with each
        compare(one, numpy, title)
        runs |= {f"{name}/{title}": work.run for name, work in one.items()}
    serve(runs, descriptor)


if __name__ == "__main__":
    main()
