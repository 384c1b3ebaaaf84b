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
from taichi_aot.distributed import Part, Parts, decompose

ROWS_AT_ONCE = 1024  # of random numbers that are made at a time


class Grid:
    """Two grids in parts, of which the stencil fills one from the other in turn."""

    def __init__(self, rows: int, columns: int, runtimes: Sequence[Runtime], bundle: Path, in_threads: bool) -> None:
        self.fields = [decompose((rows, columns), runtimes) for _ in range(2)]
        self._kernels = [runtime.load_module(bundle).kernels["diffuse"] for runtime in runtimes]
        # Each turn has the launches of all parts: of whole parts, of what needs no halo, and of the edges.
        self._whole, self._inner, self._edges = ([self._bind(turn, each) for turn in (0, 1)] for each in RANGES)
        # Launches on a CPU return when they have finished.
        self._threads = ThreadPoolExecutor(len(runtimes)) if in_threads and len(runtimes) > 1 else None

    def _bind(self, turn: int, ranges: Callable[[Part], list[tuple[int, int]]]) -> list[list[Launch]]:
        source, target = self.fields[turn], self.fields[1 - turn]
        return [
            [kernel.bind(part.array, other.array, *each) for each in ranges(part)]
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
        self._launch(self._whole[turn])

    def step_overlapped(self, turn: int) -> None:
        """Compute what needs no halo while the halos are filled."""
        with self.fields[turn].exchange_begin():
            self._launch(self._inner[turn])
        self._launch(self._edges[turn])

    def _launch(self, launches: list[list[Launch]]) -> None:
        if self._threads:
            list(self._threads.map(_call_all, launches))
            return
        for each in launches:
            _call_all(each)

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


def _call_all(launches: list[Launch]) -> None:
    for launch in launches:
        launch()


def _whole(part: Part) -> list[tuple[int, int]]:
    return [part.interior[2:]]


def _inner(part: Part) -> list[tuple[int, int]]:
    begin, stop = part.interior[2:]
    return [(begin + 1, stop - 1)]


def _outer(part: Part) -> list[tuple[int, int]]:
    begin, stop = part.interior[2:]
    return [(begin, begin + 1), (stop - 1, stop)]


RANGES = (_whole, _inner, _outer)
STEPS: dict[str, Callable[[Grid, int], None]] = {
    "step": Grid.step,
    "overlapped": Grid.step_overlapped,
    "exchange": Grid.exchange,
}


def runtimes(arch: str, indices: Sequence[int]) -> list[Runtime]:
    """Return a runtime for each index of a device."""
    return [Runtime(arch, index) for index in indices]


__all__ = ["STEPS", "Grid", "Parts", "runtimes"]
