"""A filter that removes the grain from a picture of hills in the evening, and keeps its edges.

    python examples/gallery/filter.py filter.png

Numpy writes an array of colours, a kernel smooths it in passes, and numpy reads it back.
"""

from __future__ import annotations

import numpy as np
import program

from taichi_aot import AotModule

RADIUS = 4  # pixels
CONTRAST = 0.15  # above it, colours do not mix
GRAIN = 0.07  # strength of the noise
SKY = [(0.0, 0x16204A), (0.35, 0x57427F), (0.6, 0xD9767A), (0.75, 0xFFC48A), (1.0, 0xFFE9B8)]
RIDGES = [0xA9688F, 0x6B4584, 0x3A2C66, 0x12142E]  # from far to near


def run(module: AotModule, size: int, steps: int) -> np.ndarray:
    """Return the colours before and after, side by side."""
    generator = np.random.default_rng(11)
    clean = landscape(generator, size * 3 // 4, size)
    grainy = np.clip(clean + GRAIN * generator.standard_normal(clean.shape), 0, 1).astype(np.float32)
    pixels = module.runtime.asarray(grainy, elem_shape=3)
    target = module.runtime.zeros(pixels.shape, np.float32, 3)
    for _ in range(steps):
        module.kernels["smooth"](radius=RADIUS, contrast=CONTRAST, source=pixels, target=target)
        pixels, target = target, pixels
    return np.concatenate([grainy, pixels.to_numpy()], axis=1)


def draw(pages: np.ndarray) -> np.ndarray:
    return (255 * np.clip(pages, 0, 1) + 0.5).astype(np.uint8)


def landscape(generator: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    """Return colours from 0 to 1 of a sky with a low sun behind ridges."""
    y, x = np.mgrid[:rows, :columns] / rows
    picture = program.colours(y / 0.72, SKY) / 255.0
    sun = np.hypot(x - 0.88, y - 0.5)
    picture += np.exp(-((sun / 0.22) ** 2))[..., None] * (0.25, 0.18, 0.08)
    picture[sun < 0.075] = (1.0, 0.95, 0.8)
    for i, colour in enumerate(RIDGES):
        top = 0.5 + 0.11 * i + 0.13 * ridge(generator, columns)
        below = y > top
        mist = 0.22 * np.clip((y - top) / 0.35, 0, 1)[..., None]
        shade = np.array([colour >> shift & 255 for shift in (16, 8, 0)]) / 255
        picture[below] = (shade + mist * (1 - shade))[below]
    return picture


def ridge(generator: np.random.Generator, columns: int) -> np.ndarray:
    """Return heights from about -0.5 to 0.5: sums of waves, each half as high and twice as dense as the last."""
    x = np.linspace(0, 1, columns)
    height = np.zeros(columns)
    for octave in range(7):
        phase, dense = generator.random() * 2 * np.pi, 1.5 * 2**octave * (0.8 + 0.4 * generator.random())
        height += 0.5**octave * np.abs(np.sin(np.pi * dense * x + phase))
    height -= height.mean()
    return height


if __name__ == "__main__":
    program.main(__doc__, "filter_kernels.py", run, draw, size=480, steps=3)
