"""The game of life on a torus: a random field whose four quarters are equal, and stay equal.

    python examples/gallery/life.py life.gif

The cells are in two arrays of integers that swap after each round.
"""

from __future__ import annotations

import numpy as np
import program

from taichi_aot import AotModule

LONG_DEAD = -1000
PIXELS = 3  # per side of a cell
# By rounds since the cell was born, or since it died.
STOPS = [(-40.0, 0x0A0B16), (-12.0, 0x1B1440), (-1.0, 0x5B2A86), (0.0, 0xFFFFFF), (4.0, 0xFFD166), (40.0, 0xEF476F)]


class Life:
    """The ages of cells."""

    def __init__(self, module: AotModule, size: int) -> None:
        quarter = np.random.default_rng(3).random(((size + 1) // 2,) * 2) < 0.28
        quarter |= quarter.T
        half = np.concatenate([quarter, quarter[::-1][size % 2 :]])
        lives = np.concatenate([half, half[:, ::-1][:, size % 2 :]], axis=1)
        self.age = module.runtime.asarray(np.where(lives, 1, LONG_DEAD), np.int32)
        self._older = module.runtime.zeros((size, size), np.int32)
        live = module.kernels["live"]
        self._rounds = [live.bind(age=self.age, older=self._older), live.bind(age=self._older, older=self.age)]

    def advance(self, steps: int) -> None:
        for _ in range(steps):
            self._rounds[0]()
            self._rounds.reverse()
            self.age, self._older = self._older, self.age

    def draw(self) -> np.ndarray:
        return program.colours(self.age.to_numpy(), STOPS).repeat(PIXELS, axis=0).repeat(PIXELS, axis=1)


if __name__ == "__main__":
    program.animate(__doc__, "life_kernels.py", Life, size=144, steps=160)
