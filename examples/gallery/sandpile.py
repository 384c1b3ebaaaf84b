"""A sand pile: grains are put on one cell, and topple until all cells have at most three.

    python examples/gallery/sandpile.py sandpile.png

A kernel returns how many cells are unstable. All numbers are integers, so every arch draws the same picture.
"""

from __future__ import annotations

import numpy as np
import program

from taichi_aot import AotModule

COLOURS = np.array([[16, 20, 44], [34, 104, 150], [244, 196, 92], [214, 64, 78]], np.uint8)  # by the number of grains
ROUNDS = 100  # between two counts of unstable cells


def run(module: AotModule, size: int, grains: int) -> np.ndarray:
    """Return the grains on each cell once all are stable."""
    heap = np.zeros((size, size), np.int32)
    heap[size // 2, size // 2] = grains
    now = module.runtime.asarray(heap)
    later = module.runtime.zeros(heap.shape, np.int32)
    topple, unstable = module.kernels["topple"], module.kernels["unstable"]
    pair = module.runtime.sequence([topple.bind(grains=now, later=later), topple.bind(grains=later, later=now)])
    while unstable(grains=now):
        pair(repeat=ROUNDS)
    return now.to_numpy()


def draw(grains: np.ndarray) -> np.ndarray:
    return COLOURS[grains].repeat(3, axis=0).repeat(3, axis=1)


if __name__ == "__main__":
    program.main(__doc__, "sandpile_kernels.py", run, draw, size=133, steps=24_000)
