"""The game of life: cells on a torus, in two arrays of integers that swap after each round."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import NdArray, Runtime
from .program import Program, colours, load_kernels

if TYPE_CHECKING:
    from PIL.Image import Image as PilImage

__all__ = ["Life"]

LONG_DEAD = -1000
PIXELS = 3  # per side of a cell
# By rounds since the cell was born, or since it died.
STOPS = [(-40.0, 0x0A0B16), (-12.0, 0x1B1440), (-1.0, 0x5B2A86), (0.0, 0xFFFFFF), (4.0, 0xFFD166), (40.0, 0xEF476F)]


class Life(Program):
    """A random field whose four quarters are equal, and stay equal."""

    summary = "the game of life on a torus, with the ages of cells"
    out = "life.gif"
    size = 144
    size_of = "cells a side"
    sizes: ClassVar[range] = range(8, 4097)
    steps = 160

    def __init__(self, runtime: Runtime, size: int = size) -> None:
        self.require_size(size)
        self.runtime = runtime
        quarter = np.random.default_rng(3).random(((size + 1) // 2,) * 2) < 0.28
        quarter |= quarter.T
        half = np.concatenate([quarter, quarter[::-1][size % 2 :]])
        lives = np.concatenate([half, half[:, ::-1][:, size % 2 :]], axis=1)
        self.age: NdArray = runtime.asarray(np.where(lives, 1, LONG_DEAD), np.int32)
        self._older = runtime.zeros((size, size), np.int32)
        live = load_kernels(runtime).kernels["live"]
        self._rounds = [live.bind(age=self.age, older=self._older), live.bind(age=self._older, older=self.age)]

    def advance(self, steps: int) -> None:
        for _ in range(steps):
            self._rounds[0]()
            self._rounds.reverse()
            self.age, self._older = self._older, self.age
        self.runtime.wait()

    def picture(self) -> PilImage:
        import PIL.Image

        cells = colours(self.age.to_numpy(), STOPS)
        return PIL.Image.fromarray(cells.repeat(PIXELS, axis=0).repeat(PIXELS, axis=1))
