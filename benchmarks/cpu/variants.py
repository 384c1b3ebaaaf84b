"""The variants of cpu_launch.py, as a child process: cpu.variants ARCH FOLDER VARIANT CORES.

The process uses the first CORES cores that it may use. It runs each work once, and compares the results with numpy's.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lib.serve import answers, serve
from throughput.workloads import Array, Work, times

MODULE = "cpu.tcm"
A, STEPS = 1e-3, 32
LENGTHS = (64, 1024, 16_384, 262_144, 4_194_304)
# The longest loops of the heavy bodies take numpy a second.
WORKS = {"light": LENGTHS, "heavy": LENGTHS[:-1], "uneven": LENGTHS[:-1]}
Works = dict[str, Work]


class Data(NamedTuple):
    """The arrays of a work: the kernel reads `x` and writes `y`."""

    x: Array
    y: Array


def data(length: int) -> Data:
    x, y = np.random.default_rng(length).random((2, length), np.float32)
    return Data(x + np.float32(0.5), y)


def with_numpy(folder: Path) -> Works:
    works: Works = {}
    for length in LENGTHS:
        given = data(length)
        works[f"light/{length}"] = Work(times(_light(given)), lambda y=given.y: y)
    for length in WORKS["heavy"]:
        given = data(length)
        works[f"heavy/{length}"] = Work(times(_heavy(given)), lambda y=given.y: y)
    return works


def _light(given: Data) -> Callable[[], Any]:
    (x, y), a, scratch = given, np.float32(A), np.empty_like(given.x)

    def run() -> None:
        np.multiply(x, a, out=scratch)
        np.add(y, scratch, out=y)

    return run


def _heavy(given: Data) -> Callable[[], Any]:
    x, y = given
    half, scratch = x * np.float32(-0.5), np.empty_like(x)

    def run() -> None:
        y[:] = x
        for _ in range(STEPS):
            np.multiply(y, y, out=scratch)
            np.multiply(scratch, half, out=scratch)
            np.add(scratch, np.float32(1.5), out=scratch)
            np.multiply(y, scratch, out=y)

    return run


def with_numba(folder: Path) -> Works:
    import numba

    compiled = numba.njit(parallel=True, fastmath=True)

    @compiled
    def light(a: float, x: Array, y: Array) -> None:
        for i in numba.prange(len(y)):
            y[i] = a * x[i] + y[i]

    @compiled
    def heavy(x: Array, y: Array) -> None:
        for i in numba.prange(len(y)):
            here = root = x[i]
            for _ in range(STEPS):
                root = root * (np.float32(1.5) - np.float32(0.5) * here * root * root)
            y[i] = root

    @compiled
    def uneven(x: Array, y: Array) -> None:
        for i in numba.prange(len(y)):
            here = root = x[i]
            for _ in range(2 * STEPS * i // len(y)):
                root = root * (np.float32(1.5) - np.float32(0.5) * here * root * root)
            y[i] = root

    functions = {"light": lambda x, y: light(np.float32(A), x, y), "heavy": heavy, "uneven": uneven}
    return {
        f"{body}/{length}": _called(functions[body], data(length))
        for body, lengths in WORKS.items()
        for length in lengths
    }


def _called(function: Callable[..., Any], given: Data) -> Work:
    return Work(times(lambda: function(*given)), lambda: given.y)


def library(folder: Path) -> Works:
    """Return the work of the library with its own pool of threads."""
    from lib.library_threads import with_library_threads

    os.environ["TAICHI_AOT_NATIVE"] = "0"
    return package(with_library_threads(folder / MODULE))


def pool(folder: Path) -> Works:
    """Return the work of the library with the package's pool of threads."""
    os.environ["TAICHI_AOT_NATIVE"] = "0"
    return package(folder / MODULE)


def native(folder: Path) -> Works:
    """Return the work as machine code."""
    return package(folder / MODULE, "native")


def package(module: Path, recording: str = "") -> Works:
    """Return the work as bound launches, in sequences and as checked calls."""
    from taichi_aot import Runtime

    rt = Runtime("x64")
    kernels = rt.load_module(module).kernels
    if recording and recording != kernels["light"].recording:
        raise SystemExit(kernels["light"].recording)
    works: Works = {}
    for body, lengths in WORKS.items():
        kernel, scalars = kernels[body], ((A,) if body == "light" else ())
        for length in lengths:
            arguments = (*scalars, *map(rt.asarray, data(length)))
            launch, result = kernel.bind(*arguments), arguments[-1].to_numpy
            works[f"{body}/{length}"] = Work(times(launch), result)
            works[f"{body}/{length}/sequence"] = Work(rt.sequence([launch]), result)
            works[f"{body}/{length}/checked"] = Work(times(partial(kernel, *arguments)), result)
    return works


def expected() -> dict[str, Array]:
    """Return the results of one run of each work."""
    found = {}
    for name, work in with_numpy(Path()).items():
        work.run(1)
        found[name] = work.result().copy()
    for length in WORKS["uneven"]:
        x, y = data(length)
        found[f"uneven/{length}"] = y
        y[:] = x
        places = np.arange(length)
        for step in range(2 * STEPS):
            further = 2 * STEPS * places // length > step
            y[further] *= np.float32(1.5) - np.float32(0.5) * x[further] * y[further] ** 2
    return found


def compare(works: Works, right: Mapping[str, Array]) -> None:
    """Run each work on the data of its first run, and compare the results."""
    for name, work in works.items():
        body, length, *way = name.split("/")
        if not way:  # the other ways continue with the same arrays
            work.run(1)
            np.testing.assert_allclose(work.result(), right[f"{body}/{length}"], 1e-4, 1e-4, err_msg=name)


VARIANTS: dict[str, Callable[[Path], Works]] = {
    "library": library,
    "pool": pool,
    "native": native,
    "numpy": with_numpy,
    "numba": with_numba,
}


def main() -> None:
    descriptor = answers()
    folder, variant, cores = Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    os.environ["NUMBA_NUM_THREADS"] = str(cores)
    works = VARIANTS[variant](folder)
    compare(works, expected())
    serve({name: work.run for name, work in works.items()}, descriptor)


if __name__ == "__main__":
    main()
