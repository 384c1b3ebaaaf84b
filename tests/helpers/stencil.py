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
        for each, axis in enumerate(self.now.axes):
            ranges[axis] = self.bounds(part, each, left)
        self.kernels[number](part.array, self.next[number].array, *ranges[0], *ranges[1])

    def bounds(self, part: Part, number: int, left: int) -> tuple[int, int]:
        """Return the range along one of the split axes."""
        inside, parts = part.interiors[number], self.now
        begins = inside.begin > 0 or parts.periodic[number]
        ends = inside.stop < parts.shape[parts.axes[number]] or parts.periodic[number]
        return inside.local_begin - left * begins, inside.local_stop + left * ends

    def swap(self) -> None:
        self.now, self.next = self.next, self.now


def relaxed(grid: Grid, steps: int, axes: int | tuple[int, ...], periodic: bool) -> Grid:
    """Compute with numpy what `Relaxation` computes."""
    split = axes if isinstance(axes, tuple) else (axes,)
    computed = tuple(slice(None) if axis in split else slice(1, -1) for axis in (0, 1))
    for _ in range(steps):
        p = np.pad(grid, 1, "wrap") if periodic else np.pad(grid, 1)
        new = np.float32(0.25) * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:])
        grid = grid.copy()
        grid[computed] = new[computed]
    return grid


def exact_grid(*shape: int, seed: int = 1) -> Grid:
    """Return small integers: the first steps on them do not round, so their order does not matter."""
    return np.random.default_rng(seed).integers(0, 64, shape).astype(np.float32)
