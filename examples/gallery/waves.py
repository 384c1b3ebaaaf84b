"""Waves that a lens focuses.

    python examples/gallery/waves.py waves.gif

Two arrays of heights swap at each step, in a sequence of two bound launches.
"""

from __future__ import annotations

import numpy as np
import program

from taichi_aot import AotModule

SPEED = 0.5  # cells per step; 0.7 is the limit
GLASS = SPEED / 1.6
WAVELENGTH = 14.0  # cells
SPONGE = 0.1  # of the width, at each edge, where waves fade
STOPS = [(-1.0, 0x9BE8FF), (-0.35, 0x1976B8), (0.0, 0x07101F), (0.35, 0xC2571A), (1.0, 0xFFF0B8)]
TINT = np.array([18, 34, 40], np.uint8)  # of the lens


class Wave:
    """A packet of waves that a lens focuses."""

    def __init__(self, module: AotModule, size: int) -> None:
        self.runtime = runtime = module.runtime
        y, x = (np.mgrid[:size, :size] + 0.5) / size
        self.lens = (np.hypot(x - 0.02, y - 0.5) < 0.46) & (np.hypot(x - 0.78, y - 0.5) < 0.46)
        edge = np.minimum.reduce([x, y, 1 - x, 1 - y])
        packet = [self._packet(x * size - moved, y, size) for moved in (0.0, -SPEED)]
        arrays = {
            "speed": runtime.asarray(np.where(self.lens, GLASS, SPEED), np.float32),
            "friction": runtime.asarray(0.15 * np.clip(1 - edge / SPONGE, 0, 1) ** 2, np.float32),
        }
        self.height = runtime.asarray(packet[0], np.float32)
        self.before = runtime.asarray(packet[1], np.float32)
        ripple = module.kernels["ripple"]
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

    def draw(self) -> np.ndarray:
        picture = program.colours(self.height.to_numpy(), STOPS)
        picture[self.lens] += np.minimum(TINT, 255 - picture[self.lens])
        return picture


if __name__ == "__main__":
    program.animate(__doc__, "wave_kernels.py", Wave, size=400, steps=640, every=10)
