"""A grid in parts, and steps of a stencil on it, for halo.py."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from taichi_aot import Launch, Runtime
from taichi_aot.distributed import Parts, decompose

ROWS_AT_ONCE = 1024  # of random numbers that are made at a time


class Grid:
    """Two grids in parts, of which the stencil fills one from the other in turn."""

    def __init__(self, rows: int, columns: int, runtimes: Sequence[Runtime], bundle: Path, in_threads: bool) -> None:
        self.fields = [decompose((rows, columns), runtimes) for _ in range(2)]
        self._kernels = [runtime.load_module(bundle).kernels["diffuse"] for runtime in runtimes]
        self._turns = [self._bind(turn) for turn in (0, 1)]  # the launches of all parts
        # Launches on a CPU return when they have finished.
        self._threads = ThreadPoolExecutor(len(runtimes)) if in_threads and len(runtimes) > 1 else None

    def _bind(self, turn: int) -> list[Launch]:
        source, target = self.fields[turn], self.fields[1 - turn]
        return [
            kernel.bind(part.array, other.array, *part.interior[2:])
            for kernel, part, other in zip(self._kernels, source, target, strict=True)
        ]

    def fill(self) -> None:
        """Write the same numbers, however many parts there are."""
        for field in self.fields:
            for part in field:
                part.array.fill(0)
                for begin in range(part.interior.begin, part.interior.stop):
                    row = np.random.default_rng(begin % ROWS_AT_ONCE).random(field.shape[1], np.float32)
                    part.array[begin - part.interior.begin + part.interior.local_begin].write(row)

    def step(self, turn: int) -> None:
        """Fill the halos, then compute."""
        self.fields[turn].exchange()
        if self._threads:
            list(self._threads.map(Launch.__call__, self._turns[turn]))
            return
        for launch in self._turns[turn]:
            launch()

    def run(self, way: str, steps: int) -> None:
        """Make steps in one of `STEPS`; `steps` is even, so that the same grid is the last one."""
        for number in range(steps):
            STEPS[way](self, number % 2)

    def microseconds(self, way: str, steps: int) -> float:
        """Return the time of a step."""
        self.wait()
        begin = time.perf_counter_ns()
        self.run(way, steps)
        self.wait()
        return (time.perf_counter_ns() - begin) / steps / 1000

    def exchange(self, turn: int) -> None:
        self.fields[turn].exchange()

    def wait(self) -> None:
        for part in self.fields[0]:
            part.runtime.wait()

    def numbers(self) -> npt.NDArray[np.float32]:
        found: Any = self.fields[0].to_numpy()
        return found


STEPS: dict[str, Callable[[Grid, int], None]] = {
    "step": Grid.step,
    "exchange": Grid.exchange,
}


def runtimes(arch: str, indices: Sequence[int]) -> list[Runtime]:
    """Return a runtime for each index of a device."""
    return [Runtime(arch, index) for index in indices]


__all__ = ["STEPS", "Grid", "Parts", "runtimes"]
