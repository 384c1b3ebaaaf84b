"""The variants of loops.py, as a child process: loops.variants ARCH FOLDER VARIANT CORES ELEMENTS."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lib.serve import answers, serve

Array = npt.NDArray[Any]
Run = Callable[[int], object]
Given = dict[str, tuple[Array, ...]]

SIDE = 1024  # of planes
SAME = {"picture": "volume"}  # loops whose code is that of others
HALF = np.float32(0.5)


def arguments(length: int) -> Given:
    """Return the arguments of each kernel for so many elements; it writes the last one."""
    numbers = np.random.default_rng(1)

    def floats(*shape: int) -> Array:
        return numbers.random(shape, np.float32) + HALF

    lines, planes = (floats(2, length) for _ in range(2))
    planes = planes.reshape(2, -1, SIDE)
    vectors = floats(2, length, 3)
    integers = numbers.integers(0, length, (2, length)).astype(np.int32)
    found: dict[str, tuple[Array, ...]] = dict.fromkeys(
        ("line", "newton", "steps", "uneven", "condition", "sines", "exponentials", "powers"), tuple(lines)
    )
    found |= dict.fromkeys(("plane", "stencil", "edges", "box", "sobel"), tuple(planes))
    if length == SIDE**2:  # the kernel's fields have this shape
        found["field"] = tuple(planes)
    found |= dict.fromkeys(("vectors", "norms"), tuple(vectors))
    found |= dict.fromkeys(("picture", "colours"), tuple(vectors.reshape(2, -1, SIDE, 3)))
    return found | {
        "volume": tuple(planes.reshape(2, -1, 32, 64)),
        "total": (lines[0],),
        "integers": tuple(integers),
        **dict.fromkeys(("doubles", "angles"), tuple(lines.astype(np.float64))),
        "products": (floats(length, 3, 3), *vectors),
        "gather": (integers[0], *lines),
        "bilateral": (floats(5, 5), *planes),
        "convolution": (floats(7, 7), *planes),
        "matmul": (floats(len(planes[0]), 64), floats(64, SIDE), planes[1]),
    }


def package(folder: Path, given: Given) -> dict[str, Run]:
    from taichi_aot import Runtime

    kernels = Runtime("x64").load_module(folder / "loops.tcm").kernels
    return {name: repeated(kernels[SAME.get(name, name)], () if name == "field" else given[name]) for name in given}


BY_NUMPY = ("line", "plane", "volume", "stencil", "field", "total", "vectors", "picture", "gather")
BY_NUMPY += ("sines", "exponentials", "powers", "angles", "bilateral", "box", "convolution", "matmul", "sobel")
SOME = ("line", "newton", "stencil", "exponentials", "gather")
# The variants that do not have every loop
LOOPS = {"numpy": BY_NUMPY, "jax": (*SOME, "total"), "warp": (*SOME, "uneven"), "jit": (*SOME, "total", "uneven")}


def with_numpy(folder: Path, given: Given) -> dict[str, Run]:
    def stencil(x: Array, y: Array) -> None:
        y[1:-1, 1:-1] = (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) / 4

    def add(x: Array, y: Array) -> None:
        y += HALF * x

    def parts(x: Array, side: int) -> Iterator[tuple[tuple[int, ...], Array]]:
        height, width = (length - side + 1 for length in x.shape)
        return ((at, x[at[0] : at[0] + height, at[1] : at[1] + width]) for at in np.ndindex(side, side))

    def bilateral(weights: Array, x: Array, y: Array) -> None:
        total, weight = np.zeros_like(x), np.zeros_like(x)
        for at, here in parts(np.pad(x, len(weights) // 2, "edge"), len(weights)):
            own = weights[at] * np.exp(-((here - x) ** 2))
            total += own * here
            weight += own
        np.divide(total, weight, out=y)

    def convolution(weights: Array, x: Array, y: Array) -> None:
        y[3:-3, 3:-3] = sum(weights[at] * here for at, here in parts(x, 7))

    def sobel(x: Array, y: Array) -> None:
        places = dict(parts(np.pad(x, 1, "edge"), 3))
        across = sum(here * np.float32((m - 1) * (2 - (k - 1) ** 2)) for (k, m), here in places.items() if m != 1)
        along = sum(here * np.float32((k - 1) * (2 - (m - 1) ** 2)) for (k, m), here in places.items() if k != 1)
        np.sqrt(across * across + along * along, out=y)

    functions: dict[str, Callable[..., object]] = {
        **dict.fromkeys(("line", "plane", "volume", "vectors", "picture"), add),
        "stencil": stencil,
        "field": stencil,
        "total": np.sum,
        "sines": np.sin,
        "exponentials": lambda x, y: np.divide(1, 1 + np.exp(-x), out=y),
        "powers": lambda x, y: np.power(x, np.float32(1.7), out=y),
        "angles": lambda x, y: np.arctan2(x, 0.5, out=y),
        "bilateral": bilateral,
        "box": lambda x, y: np.copyto(y[3:-3, 3:-3], sum(here for _, here in parts(x, 7))),
        "convolution": convolution,
        "matmul": lambda a, b, c: np.matmul(a, b, out=c),
        "sobel": sobel,
        "gather": lambda p, x, y: np.multiply(x[p], 2, out=y),
    }
    return {name: repeated(function, given[name]) for name, function in functions.items() if name in given}


def with_numba(folder: Path, given: Given) -> dict[str, Run]:
    import numba

    from loops import numba_functions

    compiled = numba.njit(fastmath=True, parallel=len(os.sched_getaffinity(0)) > 1)
    functions = vars(numba_functions)
    return {
        name: repeated(compiled(functions[code]), given[name])
        for name in given
        if (code := SAME.get(name, name)) in functions
    }


def with_jax(folder: Path, given: Given) -> dict[str, Run]:
    import jax

    from loops import jax_functions

    return {
        name: waiting(jax.jit(getattr(jax_functions, name)), tuple(map(jax.numpy.asarray, given[name])))
        for name in LOOPS["jax"]
    }


def with_warp(folder: Path, given: Given) -> dict[str, Run]:
    """Return the loops of Warp, which uses one core on a CPU."""
    import warp

    from loops import warp_kernels

    def launching(kernel: Any, arrays: tuple[Array, ...]) -> Callable[..., object]:
        shared = [warp.array(array, device="cpu", copy=False) for array in arrays]
        return lambda *_: warp.launch(kernel, shared[-1].shape, shared, device="cpu")

    return {name: repeated(launching(getattr(warp_kernels, name), given[name]), given[name]) for name in LOOPS["warp"]}


def with_jit(folder: Path, given: Given) -> dict[str, Run]:
    import taichi as ti

    ti.init(arch=ti.cpu, cpu_max_num_threads=len(os.sched_getaffinity(0)), offline_cache=False)
    from loops import kernels  # whose fields need the line before

    return {name: repeated(getattr(kernels, name), given[name]) for name in LOOPS["jit"]}


def waiting(function: Callable[..., Any], given: tuple[Any, ...]) -> Run:
    return repeated(lambda *arrays: function(*arrays).block_until_ready(), given)


def repeated(function: Callable[..., object], given: tuple[Array, ...]) -> Run:
    def run(count: int) -> None:
        for _ in range(count):
            function(*given)

    run(1)  # which compiles it
    return run


VARIANTS: dict[str, Callable[[Path, Given], dict[str, Run]]] = {
    "package": package,
    "numpy": with_numpy,
    "numba": with_numba,
    "jax": with_jax,
    "warp": with_warp,
    "jit": with_jit,
}


def main() -> None:
    descriptor = answers()
    _, _, folder, variant, cores, length = sys.argv
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-int(cores) :])
    os.environ["TAICHI_AOT_CPU_THREADS"] = cores
    serve(VARIANTS[variant](Path(folder), arguments(int(length))), descriptor)


if __name__ == "__main__":
    main()
