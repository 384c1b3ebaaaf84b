"""The Python variants of throughput.py, as a child process: throughput.variants ARCH FOLDER VARIANT.

The variant is ``cupy``, ``cuda.core``, ``taichi`` (its JIT), ``taichi_aot`` (with sequences), or ``library``: the same
bound launches, in an environment where the library makes them.

A child first does all work once and compares the results with numpy's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np

from lib.cuda_source import cuda_core_module, cupy_module
from lib.serve import Run, answers, serve
from throughput.workloads import (
    BODIES,
    BY_LIBRARY,
    GRAVITY,
    GRID,
    LENGTH,
    MATRIX,
    PARTICLES,
    PICTURE,
    REDUCTIONS,
    SIDE,
    TIME_STEP,
    Work,
    dam,
    data,
    numpy_works,
    times,
)

SQUARES = {"stencil": SIDE, "transpose": SIDE, "matmul": MATRIX, "julia": PICTURE}  # the side, which kernels get
EXACT = ("copy", "transpose", "histogram", "counted", "least", "most")
DIFFERENT_STEPS = 0.02  # of a picture's pixels, by rounding


def package(arch: str, folder: Path, names: Collection[str]) -> dict[str, dict[str, Work]]:
    """Return the work of these names in taichi_aot, with bound launches and with sequences."""
    from taichi_aot import Runtime

    rt = Runtime(arch)
    kernels = rt.load_module(folder / "throughput.tcm").kernels
    bound: dict[str, Work] = {}
    sequences: dict[str, Work] = {}
    for name, (numbers, arrays) in ((name, each) for name, each in data().items() if name in names):
        given = [rt.asarray(array, elem_shape=(3,) if name == "nbody" else ()) for array in arrays]
        if name == "reduction_returned":
            bound[name] = returning(partial(kernels[name], given[0]))
            continue
        launch, result = kernels[name].bind(*numbers, *given), given[-1].to_numpy
        bound[name] = Work(times(launch, rt.wait), result)
        sequences[name] = Work(in_sequence(rt, launch), result)
    bound["mpm"], sequences["mpm"] = fluid(rt, folder / "mpm.tcm")
    return {"taichi_aot": bound, "sequence": sequences}


def returning(call: Callable[[], Any]) -> Work:
    """Return the work of a kernel that returns its result."""
    results: list[Any] = [0]

    def run(count: int) -> None:
        for _ in repeat(None, count):
            results[0] = call()

    return Work(run, lambda: np.array(results, np.float32))


def reducing(call: Callable[[], Any], wait: Callable[[], Any]) -> Work:
    """Return the work of a function of CuPy's, which makes an array for its result."""
    results: list[Any] = [None]

    def run(count: int) -> None:
        for _ in repeat(None, count):
            results[0] = call()
        wait()

    return Work(run, lambda: results[0].get().reshape(1))


def taichi_works(arch: str) -> dict[str, Work]:
    """Return the work in Taichi's JIT."""
    import taichi as ti

    from lib import kernels

    ti.init(getattr(ti, arch), offline_cache=False, log_level=ti.ERROR)
    works = {}
    for kernel in kernels.THROUGHPUT:
        name = kernel.__name__
        numbers, arrays = data()[name]
        given = []
        for array in arrays:
            dtype = ti.i32 if array.dtype.kind == "i" else ti.f32
            is_vectors = name == "nbody"
            made = ti.ndarray(ti.types.vector(3, dtype), BODIES) if is_vectors else ti.ndarray(dtype, array.shape)
            made.from_numpy(array)
            given.append(made)
        if name == "reduction_returned":
            works[name] = returning(partial(kernel, given[0]))
        else:
            works[name] = Work(times(partial(kernel, *numbers, *given), ti.sync), given[-1].to_numpy)
    return works


def in_sequence(rt: Any, launch: Any) -> Run:
    sequence = rt.sequence([launch])

    def run(count: int) -> None:
        sequence(repeat=count)
        rt.wait()

    return run


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


def cuda_launch(name: str, numbers: Sequence[float]) -> tuple[tuple[int, ...], tuple[int, ...], list[Any], Any]:
    """Return grid and block of a kernel, one thread an element, and what it gets before and behind its arrays."""
    before = [np.float32(number) for number in numbers]
    if name in SQUARES:
        side = SQUARES[name]
        return (side // 128, side), (128, 1), before, np.int32(side)
    if name == "reduction":
        return (2048,), (256,), before, np.int32(LENGTH)
    size = BODIES if name == "nbody" else LENGTH // 4 if name.endswith("4") else LENGTH
    return (size // 128,), (128,), before, np.int32(size)


def last_of(arrays: Sequence[Any]) -> Any:
    return arrays[-1].get()


def cupy_works(folder: Path) -> dict[str, Work]:
    """Return the work with CuPy's RawKernels; ``copy4`` and ``saxpy4`` take four neighbours at once."""
    import cupy

    module, wait = cupy_module(folder), cupy.cuda.get_current_stream().synchronize
    given, works = data(), {}
    given |= {f"{name}4": given[name] for name in ("copy", "saxpy")}
    for name, (numbers, arrays) in given.items():
        own = [cupy.asarray(array.copy()) for array in arrays]
        if name in ("least", "most", "counted"):
            calls = {"least": cupy.amin, "most": cupy.amax, "counted": lambda x: cupy.count_nonzero(x > 0.5)}
            works[name] = reducing(partial(calls[name], own[0]), wait)
            continue
        elif name in REDUCTIONS[1:]:
            continue
        else:
            grid, block, before, size = cuda_launch(name, numbers)
            call = partial(module.get_function(name), grid, block, (*before, *own, size))
        works[name] = Work(times(call, wait), own[-1].get)
    return works


def cuda_core_works(folder: Path) -> dict[str, Work]:
    """Return the work with cuda.core, on CuPy's arrays."""
    import cupy
    from cuda.core import Device, LaunchConfig, launch

    device = Device()
    device.set_current()
    stream, module = device.create_stream(), cuda_core_module(folder, device)
    works = {}
    for name in ("saxpy", "reduction", "stencil", "nbody"):
        numbers, arrays = data()[name]
        own = [cupy.asarray(array) for array in arrays]
        grid, block, before, size = cuda_launch(name, numbers)
        arguments = *before, *(array.data.ptr for array in own), size
        call = partial(launch, stream, LaunchConfig(grid=grid, block=block), module.get_kernel(name), *arguments)
        works[name] = Work(times(call, stream.sync), partial(last_of, own))  # which keeps the others too
    cupy.cuda.Device().synchronize()
    return works


def compare(works: dict[str, Work], right: dict[str, Work], variant: str) -> None:
    """Run each work once in both variants and compare the results."""
    for work in works.values():
        work.run(1)
    for name, work in right.items():
        work.run(1)
        for one in (one for one in works if one.rstrip("4") == name or (name == "reduction" and one in REDUCTIONS)):
            result, wanted = works[one].result(), work.result()
            if one == "reduction_returned":
                wanted = np.array([data()[one].arrays[0].sum()])
            if name == "julia":
                assert np.mean(result != wanted) < DIFFERENT_STEPS, variant
            else:
                tolerance = 0 if name in EXACT else 1e-3
                np.testing.assert_allclose(result, wanted, tolerance, tolerance, err_msg=f"{one}/{variant}")


def main() -> None:
    descriptor = answers()
    arch, folder, variant = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    if variant in ("taichi_aot", "library"):
        works = package(arch, folder, data() if variant == "taichi_aot" else BY_LIBRARY)
        works = {"library": works["taichi_aot"]} if variant == "library" else works
    else:
        make = {"cupy": cupy_works, "cuda.core": cuda_core_works, "taichi": lambda _: taichi_works(arch)}
        works = {variant: make[variant](folder)}
    numpy = numpy_works()
    runs = {f"{name}/numpy": work.run for name, work in numpy.items()}
    for title, one in works.items():  # titles may share arrays: numpy continues with each
        compare(one, numpy, title)
        runs |= {f"{name}/{title}": work.run for name, work in one.items()}
    serve(runs, descriptor)


if __name__ == "__main__":
    main()
