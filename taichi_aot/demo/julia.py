"""Julia sets: each frame updates the constant of a bound launch."""

from __future__ import annotations

import cmath
import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import NdArray, Runtime
from .program import Program, colours, load_kernels

if TYPE_CHECKING:
    from PIL.Image import Image as PilImage

__all__ = ["Julia"]

ITERATIONS = 240
FRAMES = 72  # for one way around the Mandelbrot set
OUTSIDE = 1.04  # times the edge of its largest part: there, the sets are about to fall apart
STOPS = [(0.0, 0x050714), (0.25, 0x1B2A6B), (0.45, 0x8E2A7E), (0.65, 0xF2683C), (0.85, 0xFFD479), (1.0, 0xFFFFF0)]


class Julia(Program):
    """The Julia sets of constants along the edge of the largest part of the Mandelbrot set."""

    summary = "Julia sets along the edge of the Mandelbrot set"
    out = "julia.gif"
    size = 360
    size_of = "pixels a side"
    sizes: ClassVar[range] = range(8, 4097)
    steps = FRAMES

    def __init__(self, runtime: Runtime, size: int = size) -> None:
        self.require_size(size)
        self.runtime = runtime
        self.frame: int = 0
        self.counts: NdArray = runtime.zeros((2 * size, 2 * size), np.float32)  # four samples in a pixel
        kernel = load_kernels(runtime).kernels["julia"]
        self._launch = kernel.bind(real=0.0, imaginary=0.0, iterations=ITERATIONS, count=self.counts)

    def advance(self, steps: int) -> None:
        self.frame += steps
        turn = cmath.exp(2j * math.pi * self.frame / FRAMES)
        constant = OUTSIDE * (turn / 2 - turn**2 / 4)
        self._launch.update(real=constant.real, imaginary=constant.imag)
        self._launch()
        self.runtime.wait()

    def picture(self) -> PilImage:
        import PIL.Image

        counts = self.counts.to_numpy()
        share = np.log1p(counts) / math.log1p(ITERATIONS)
        share[counts == 0] = 1.0
        return PIL.Image.fromarray(colours(1.25 * share - 0.2, STOPS)).reduce(2)
