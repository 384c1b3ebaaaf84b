"""The Python variants of three benchmarks, as a child process: memory.variants ARCH FOLDER BYTES.

They are transfers.py and allocation.py; with "small" in the place of the bytes, small.py.
"""

from __future__ import annotations

import ctypes
import math
import sys
from collections.abc import Callable
from itertools import repeat
from typing import Any

import numpy as np

import taichi_aot
from lib.serve import Run, answers, serve


def times(call: Callable[[], Any]) -> Run:
    def run(count: int) -> None:
        for _ in repeat(None, count):
            call()

    return run


def held(create: Callable[[], Any]) -> Run:
    """Return a loop that creates all objects before it drops the first."""

    def run(count: int) -> None:
        arrays = [create() for _ in repeat(None, count)]
        del arrays

    return run


def allocations(rt: taichi_aot.Runtime, elements: int) -> dict[str, Run]:
    def create() -> Any:
        return rt.empty(elements)

    def create_numpy() -> Any:
        return np.empty(elements, np.float32)

    return {
        "empty": times(create),
        "numpy": times(create_numpy),
        "empty_held": held(create),
        "numpy_held": held(create_numpy),
    }


def small(rt: taichi_aot.Runtime) -> dict[str, Run]:
    """Return the variants of small.py, for arrays of 8 floats."""
    source, numbers = np.arange(8, dtype=np.float32), [float(i) for i in range(8)]
    array, target = rt.zeros(8), np.zeros_like(source)
    runs: dict[str, Callable[[], Any]] = {
        "asarray": lambda: rt.asarray(numbers, "f32"),
        "numpy_array": lambda: np.array(numbers, np.float32),
        "copy": lambda: rt.asarray(source),
        "numpy_copy": source.copy,
        "write": lambda: array.write(source),
        "numpy_write": lambda: np.copyto(target, source),
        "to_numpy": array.to_numpy,
        "numpy_read": target.copy,
        "fill": lambda: array.fill(1.0),
        "numpy_fill": lambda: target.fill(1.0),
    }
    return {name: times(run) for name, run in runs.items()}


def transfers(rt: taichi_aot.Runtime, elements: int) -> dict[str, Run]:
    """Return transfers of an array: `part` is a sixteenth, `fresh` uses new memory each time, `reused` the same."""
    array, other, source = rt.zeros(elements), rt.zeros(elements), np.ones(elements, np.float32)
    target, size, move = np.zeros_like(source), source.nbytes, ctypes.memmove
    start, end = source.ctypes.data, target.ctypes.data

    def map_and_unmap() -> None:
        with array.map():
            pass

    def memcpy_fresh() -> None:
        fresh = np.empty(elements, np.float32)
        move(fresh.ctypes.data, start, size)

    runs: dict[str, Callable[[], Any]] = {
        "map": map_and_unmap,
        "to_numpy": array.to_numpy,
        "write": lambda: array.write(source),
        "memcpy_fresh": memcpy_fresh,
        "memcpy_reused": lambda: move(end, start, size),
        "numpy_fresh": source.copy,
        "numpy_reused": lambda: np.copyto(target, source),
    }

    def copy() -> None:
        array.copy_from(other)
        rt.wait()

    part = max(elements // 16, 1)
    middle, piece, out = array[elements // 2 : elements // 2 + part], source[:part], target[:part]
    runs |= {
        "copy_from": copy,
        "write_part": lambda: middle.write(piece),
        "to_numpy_part": lambda: middle.to_numpy(out),
    }
    if rt.arch is taichi_aot.Arch.VULKAN:
        runs |= image_transfers(rt, source)
    return {name: times(run) for name, run in runs.items()}


def image_transfers(rt: taichi_aot.Runtime, source: np.ndarray[Any, Any]) -> dict[str, Callable[[], Any]]:
    """Return transfers of the same bytes as a square image, and as memory that the host cannot map."""
    side = math.isqrt(source.size)
    image, memory = rt.allocate_image((side, side), "rgba8"), rt.allocate(source.nbytes)
    texels, out = source.view(np.uint8).reshape(side, side, 4), np.empty((side, side, 4), np.uint8)

    def write_image() -> None:
        image.write(texels)
        rt.wait()

    def write_staged() -> None:
        memory.write(texels)
        rt.wait()

    return {
        "image_write": write_image,
        "image_to_numpy": lambda: image.to_numpy(out),
        "staged_write": write_staged,
        "staged_read": lambda: memory._handle.read(out, 0),
    }


def main() -> None:
    descriptor = answers()
    rt = taichi_aot.Runtime(sys.argv[1])
    if sys.argv[3] == "small":
        serve(small(rt), descriptor)
        return
    elements = int(sys.argv[3]) // 4
    serve(transfers(rt, elements) | allocations(rt, elements), descriptor)


if __name__ == "__main__":
    main()
