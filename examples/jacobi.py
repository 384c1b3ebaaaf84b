"""The steady temperatures of a plate whose upper edge is hot: Laplace's equation by Jacobi's method.

    python examples/jacobi.py --size 64 --below 1e-5

The sequence ends as soon as no cell changes by more than a bound. C reads the number every 50 iterations;
`solve_by_host` does the same in Python.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

import taichi_aot
from taichi_aot import AotModule, Iterations, LaunchSequence, NdArray, TaichiError
from taichi_aot.build import BuildError, build

KERNELS = Path(__file__).with_name("jacobi_kernels.py")
MOST = 100_000  # iterations


def plate(size: int) -> np.ndarray:
    """Return the first temperatures."""
    cells = np.zeros((size, size), np.float32)
    cells[0] = 1
    return cells


class Plate:
    """The arrays of a plate, and the sequence of two steps: there and back."""

    def __init__(self, module: AotModule, size: int) -> None:
        rt = module.runtime
        self.now, self.later = rt.asarray(plate(size)), rt.asarray(plate(size))
        self.change: NdArray = rt.zeros(1)
        relax = module.kernels["relax"]
        steps = [relax.bind(self.now, self.later, self.change), relax.bind(self.later, self.now, self.change)]
        self.sequence: LaunchSequence = rt.sequence(steps)

    def solve(self, below: float, check_every: int = 50) -> Iterations:
        return self.sequence.until(self.change, below=below, check_every=check_every)(repeat=MOST)

    def solve_by_host(self, below: float, check_every: int = 50) -> int:
        made = 0
        while made < MOST:
            self.sequence(repeat=check_every)
            made += check_every
            if self.change.item() < below:
                break
        return made


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("it must be at least 1")
    return number


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--arch", help="default: the best device")
    parser.add_argument("--module", type=Path, help="a bundle of the kernel; by default, taichi compiles it")
    parser.add_argument("--size", type=positive, default=64, help="cells along an edge (default: %(default)s)")
    parser.add_argument(
        "--below", type=float, default=1e-5, help="the largest change at the end (default: %(default)s)"
    )
    options = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = options.module or build(KERNELS, Path(folder) / "jacobi.tib").path
            with taichi_aot.load(path, options.arch) as module:
                square = Plate(module, options.size)
                made = square.solve(options.below)
                end = "converged" if made.converged else "did not converge"
                print(f"{end} after {made} iterations of two steps; the last change is {made.value:.3g}")
                print(f"mean temperature {square.now.to_numpy().mean():.4f}")
    except (BuildError, TaichiError, ImportError, OSError, ValueError, MemoryError) as error:
        raise SystemExit(f"error: {error}") from error


if __name__ == "__main__":
    main()
