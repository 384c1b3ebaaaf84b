"""The stencil ``relax`` of stencil_kernels.py on the parts of an array, and with numpy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from taichi_aot import Kernel, Runtime
from taichi_aot.distributed import Part, Parts, decompose

Grid = npt.NDArray[np.float32]


class Relaxation:
    """Steps on parts. The cells at the ends of the other axis, and beyond those of a bounded axis, keep their values.

    Each exchange is followed by as many steps as the halo is wide, on a rectangle that shrinks.
    """

    def __init__(self, grid: Grid, runtimes: Sequence[Runtime], modules: Sequence[Path | str], **options: Any) -> None:
        shape = options.pop("shape", grid.shape)
        self.now: Parts = decompose(shape, runtimes, "f32", **options)
        self.next: Parts = decompose(shape, runtimes, "f32", **options)
        self.kernels: list[Kernel] = [
            runtime.load_module(module).kernels["relax"] for runtime, module in zip(runtimes, modules, strict=True)
        ]
        self.now.write(grid)
        self.next.write(grid)
        self.next.exchange()

    def run(self, rounds: int) -> Grid:
        for _ in range(rounds):
            self.now.exchange()
            for left in reversed(range(self.now.halo)):
                for number in range(len(self.now)):
                    self.step(number, left)
                self.swap()
        return self.now.to_numpy()

    def step(self, number: int, left: int) -> None:
        """Compute a part, with so many cells of its halos, which `left` later steps read."""
        part = self.now[number]
        ranges = [(1, size - 1) for size in part.array.shape]
        ranges[self.now.axis] = self.rows(part, left)
        self.kernels[number](part.array, self.next[number].array, *ranges[0], *ranges[1])

    def rows(self, part: Part, left: int) -> tuple[int, int]:
        inside, parts = part.interior, self.now
        begins = inside.begin > 0 or parts.periodic
        ends = inside.stop < parts.shape[parts.axis] or parts.periodic
        return inside.local_begin - left * begins, inside.local_stop + left * ends

    def swap(self) -> None:
        self.now, self.next = self.next, self.now


def relaxed(grid: Grid, steps: int, axis: int, periodic: bool) -> Grid:
    """Compute with numpy what `Relaxation` computes."""
    grid = np.moveaxis(grid, axis, 0)
    for _ in range(steps):
        p = np.pad(grid, ((1, 1), (0, 0)), "wrap") if periodic else np.pad(grid, ((1, 1), (0, 0)))
        grid = grid.copy()
        grid[:, 1:-1] = np.float32(0.25) * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:])
    return np.moveaxis(grid, 0, axis)


def exact_grid(*shape: int, seed: int = 1) -> Grid:
    """Return small integers: the first steps on them do not round, so their order does not matter."""
    return np.random.default_rng(seed).integers(0, 64, shape).astype(np.float32)
