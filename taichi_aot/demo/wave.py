"""Waves through a lens: two arrays of heights swap at each step, in a sequence of two bound launches."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from .. import NdArray, Runtime
from .program import Program, colours, load_kernels

if TYPE_CHECKING:
    from PIL.Image import Image as PilImage

__all__ = ["Wave"]

SPEED = 0.5  # cells per step; 0.7 is the limit
GLASS = SPEED / 1.6
WAVELENGTH = 14.0  # cells
SPONGE = 0.1  # of the width, at each edge, where waves fade
STOPS = [(-1.0, 0x9BE8FF), (-0.35, 0x1976B8), (0.0, 0x07101F), (0.35, 0xC2571A), (1.0, 0xFFF0B8)]
TINT = np.array([18, 34, 40], np.uint8)  # of the lens


class Wave(Program):
    """A packet of waves that a lens focuses."""

    summary = "waves that a lens focuses"
    out = "wave.gif"
    size = 400
    size_of = "cells a side"
    sizes: ClassVar[range] = range(32, 4097)
    steps = 640
    steps_per_frame = 10

    def __init__(self, runtime: Runtime, size: int = size) -> None:
        self.require_size(size)
        self.runtime = runtime
        y, x = (np.mgrid[:size, :size] + 0.5) / size
        self.lens: npt.NDArray[np.bool_] = (np.hypot(x - 0.02, y - 0.5) < 0.46) & (np.hypot(x - 0.78, y - 0.5) < 0.46)
        edge = np.minimum.reduce([x, y, 1 - x, 1 - y])
        packet = [self._packet(x * size - moved, y, size) for moved in (0.0, -SPEED)]
        arrays = {
            "speed": runtime.asarray(np.where(self.lens, GLASS, SPEED), np.float32),
            "friction": runtime.asarray(0.15 * np.clip(1 - edge / SPONGE, 0, 1) ** 2, np.float32),
        }
        self.height: NdArray = runtime.asarray(packet[0], np.float32)
        self.before: NdArray = runtime.asarray(packet[1], np.float32)
        ripple = load_kernels(runtime).kernels["ripple"]
        self._steps = [
            ripple.bind(now=self.height, before=self.before, **arrays),
            ripple.bind(now=self.before, before=self.height, **arrays),
        ]

    @staticmethod
    def _packet(x: np.ndarray, y: np.ndarray, size: int) -> np.ndarray:
        """Return plane waves at the left that move to the right."""
        far = (x - 0.2 * size) / (2.2 * WAVELENGTH)
        return np.cos(2 * np.pi * x / WAVELENGTH) * np.exp(-(far**2) - ((y - 0.5) / 0.22) ** 4)

    def advance(self, steps: int) -> None:
        self.runtime.sequence(self._steps)(repeat=steps // 2)
        if steps % 2:
            self._steps[0]()
            self._steps.reverse()
            self.height, self.before = self.before, self.height
        self.runtime.wait()

    def picture(self) -> PilImage:
        import PIL.Image

        picture = colours(self.height.to_numpy(), STOPS)
        picture[self.lens] += np.minimum(TINT, 255 - picture[self.lens])
        return PIL.Image.fromarray(picture)
