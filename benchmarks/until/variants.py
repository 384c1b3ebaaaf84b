"""The variants of until.py, as a child process: until.variants ARCH FOLDER."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import numpy as np

from lib.serve import Run, answers, serve
from taichi_aot import NdArray, Runtime
from taichi_aot.kernels._sequence import LaunchSequence

SIZES = (16, 64)  # cells along an edge
EVERY = (1, 10, 50)  # iterations from check to check
BELOW, MOST = 1e-4, 100_000  # of a run that converges
NEVER = -1.0  # a bound that no change is below
WAYS = [f"{name}_{every}" for every in EVERY for name in ("until", "host")]


class Plate:
    """A plate whose upper edge is hot, and an iteration of two steps."""

    def __init__(self, rt: Runtime, folder: Path, size: int) -> None:
        cells = np.zeros((size, size), np.float32)
        cells[0] = 1
        self.now, later = rt.asarray(cells), rt.asarray(cells)
        self.change: NdArray = rt.zeros(1)
        relax = rt.load_module(folder / "jacobi.tcm").kernels["relax"]
        steps = [relax.bind(self.now, later, self.change), relax.bind(later, self.now, self.change)]
        self.sequence: LaunchSequence = rt.sequence(steps)

    def until(self, every: int, below: float, repeat: int) -> int:
        return self.sequence.until(self.change, below=below, check_every=every)(repeat)

    def host(self, every: int, below: float, repeat: int) -> int:
        made = 0
        while made < repeat:
            part = min(every, repeat - made)
            self.sequence(repeat=part)
            made += part
            if self.change.item() < below:
                break
        return made


def variants(rt: Runtime, folder: Path) -> dict[str, Run]:
    runs: dict[str, Run] = {}
    for size in SIZES:
        plate = Plate(rt, folder, size)

        def unchecked(count: int, plate: Plate = plate) -> None:
            plate.sequence(repeat=count)
            rt.wait()

        runs[f"{size}/unchecked"] = unchecked
        for way in WAYS:
            name, every = way.split("_")
            runs[f"{size}/{way}"] = partial(getattr(plate, name), int(every), NEVER)
    return runs


def converge(arch: str, folder: str) -> str:
    """Let plates of each size converge both ways; return the numbers of iterations, which are the same."""
    found: list[str] = []
    with Runtime(arch) as rt:
        for size in SIZES:
            for every in EVERY:
                by_until, by_host = Plate(rt, Path(folder), size), Plate(rt, Path(folder), size)
                made = by_until.until(every, BELOW, MOST), by_host.host(every, BELOW, MOST)
                same = by_until.now.tobytes() == by_host.now.tobytes() and made[0] == made[1]
                found.append(f"{size}, checked every {every}: {made[0]}{'' if same else f', but the loop {made[1]}'}")
    return "; ".join(found)


def main() -> None:
    descriptor = answers()
    serve(variants(Runtime(sys.argv[1]), Path(sys.argv[2])), descriptor)


if __name__ == "__main__":
    main()
