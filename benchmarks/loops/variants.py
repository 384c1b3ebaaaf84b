"""The variants of loops.py, as a child process on one core: loops.variants ARCH FOLDER VARIANT."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lib.serve import answers, serve

Array = npt.NDArray[Any]
Run = Callable[[int], object]

LENGTH = 1 << 20  # elements
HALF = np.float32(0.5)


def arguments() -> dict[str, tuple[Array, ...]]:
    """Return the arguments of each kernel, the last of which it writes."""
    numbers = np.random.default_rng(1)

    def floats(*shape: int) -> Array:
        return numbers.random(shape, np.float32) + HALF

    lines, planes = (floats(2, LENGTH) for _ in range(2))
    planes = planes.reshape(2, 1024, -1)
    vectors = floats(2, LENGTH, 3)
    integers = numbers.integers(0, LENGTH, (2, LENGTH)).astype(np.int32)
    found: dict[str, tuple[Array, ...]] = dict.fromkeys(("line", "newton", "steps", "condition"), tuple(lines))
    found |= dict.fromkeys(("plane", "stencil", "edges"), tuple(planes))
    found |= dict.fromkeys(("vectors", "norms"), tuple(vectors))
    return found | {
        "volume": tuple(planes.reshape(2, 64, 64, -1)),
        "total": (lines[0],),
        "integers": tuple(integers),
        "doubles": tuple(lines.astype(np.float64)),
        "products": (floats(LENGTH, 3, 3), *vectors),
        "gather": (integers[0], *lines),
    }


def package(folder: Path) -> dict[str, Run]:
    from taichi_aot import Runtime

    os.environ["TAICHI_AOT_CPU_THREADS"] = "1"
    kernels = Runtime("x64").load_module(folder / "loops.tcm").kernels
    return {name: repeated(kernels[name], given) for name, given in arguments().items()}


def with_numpy(folder: Path) -> dict[str, Run]:
    def stencil(x: Array, y: Array) -> None:
        y[1:-1, 1:-1] = (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) / 4

    def add(x: Array, y: Array) -> None:
        y += HALF * x

    functions: dict[str, Callable[..., object]] = dict.fromkeys(("line", "plane", "volume", "vectors"), add) | {
        "stencil": stencil,
        "total": np.sum,
        "gather": lambda p, x, y: np.multiply(x[p], 2, out=y),
    }
    given = arguments()
    return {name: repeated(function, given[name]) for name, function in functions.items()}


def with_numba(folder: Path) -> dict[str, Run]:
    import numba

    from loops import numba_functions

    given = arguments()
    return {
        name: repeated(numba.njit(fastmath=True)(function), given[name])
        for name, function in vars(numba_functions).items()
        if name in given
    }


def repeated(function: Callable[..., object], given: tuple[Array, ...]) -> Run:
    def run(count: int) -> None:
        for _ in range(count):
            function(*given)

    run(1)  # which compiles it
    return run


VARIANTS: dict[str, Callable[[Path], dict[str, Run]]] = {
    "package": package,
    "numpy": with_numpy,
    "numba": with_numba,
}


def main() -> None:
    descriptor = answers()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-1:])
    serve(VARIANTS[sys.argv[3]](Path(sys.argv[2])), descriptor)


if __name__ == "__main__":
    main()
