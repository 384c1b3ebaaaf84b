"""The Julia sets of constants along the edge of the largest part of the Mandelbrot set.

    python examples/gallery/julia.py julia.gif

Each frame updates the constant of a bound launch.
"""

from __future__ import annotations

import cmath
import math

import numpy as np
import PIL.Image
import program

from taichi_aot import AotModule

ITERATIONS = 240
FRAMES = 72  # for one way around the Mandelbrot set
OUTSIDE = 1.04  # times the edge of its largest part: there, the sets are about to fall apart
STOPS = [(0.0, 0x050714), (0.25, 0x1B2A6B), (0.45, 0x8E2A7E), (0.65, 0xF2683C), (0.85, 0xFFD479), (1.0, 0xFFFFF0)]


class Julia:
    """A frame after the other."""

    def __init__(self, module: AotModule, size: int) -> None:
        self.frame = 0
        self.counts = module.runtime.zeros((2 * size, 2 * size), np.float32)  # four samples in a pixel
        kernel = module.kernels["julia"]
        self._launch = kernel.bind(real=0.0, imaginary=0.0, iterations=ITERATIONS, count=self.counts)

    def advance(self, steps: int) -> None:
        self.frame += steps
        turn = cmath.exp(2j * math.pi * self.frame / FRAMES)
        constant = OUTSIDE * (turn / 2 - turn**2 / 4)
        self._launch.update(real=constant.real, imaginary=constant.imag)
        self._launch()

    def draw(self) -> np.ndarray:
        counts = self.counts.to_numpy()
        share = np.log1p(counts) / math.log1p(ITERATIONS)
        share[counts == 0] = 1.0
        return np.asarray(PIL.Image.fromarray(program.colours(1.25 * share - 0.2, STOPS)).reduce(2))


if __name__ == "__main__":
    program.animate(__doc__, "julia_kernels.py", Julia, size=360, steps=FRAMES)
