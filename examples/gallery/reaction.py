"""Corals that grow from a few cells: two substances react and diffuse.

    python examples/gallery/reaction.py reaction.png

Two bound launches write from one array to the other and back, and a sequence loops over them in C.
"""

from __future__ import annotations

import numpy as np
import PIL.Image
import program

from taichi_aot import AotModule

FEED, KILL = 0.0545, 0.062


def run(module: AotModule, size: int, steps: int) -> np.ndarray:
    """Return the amounts of both substances after `steps`, an even number."""
    amounts = np.zeros((size, size, 2), np.float32)
    amounts[..., 0] = 1.0
    for y, x in np.random.default_rng(5).integers(0, size - 5, (max(2, size // 5), 2)):
        amounts[y : y + 5, x : x + 5] = (0.5, 0.6)
    now = module.runtime.asarray(amounts, elem_shape=2)
    later = module.runtime.zeros(now.shape, np.float32, 2)
    react = module.kernels["react"]
    there = react.bind(feed=FEED, kill=KILL, now=now, later=later)
    back = react.bind(feed=FEED, kill=KILL, now=later, later=now)
    module.runtime.sequence([there, back])(repeat=-(-steps // 2))
    return now.to_numpy()


def draw(amounts: np.ndarray) -> np.ndarray:
    """Return the eaters as a relief, lit from the upper left."""
    rows, columns = amounts.shape[:2]
    eaters = PIL.Image.fromarray(np.ascontiguousarray(amounts[..., 1]))
    height = np.clip(np.asarray(eaters.resize((2 * columns, 2 * rows), PIL.Image.Resampling.BICUBIC)) / 0.35, 0, 1)
    slope_y, slope_x = np.gradient(height)
    light = np.clip(0.8 + 4.0 * (slope_x + slope_y), 0.2, 1.5)[..., None]
    stops = np.array([[8, 32, 50], [14, 66, 84], [226, 98, 84], [255, 206, 160]])
    channels = [np.interp(height, [0, 0.25, 0.6, 1], stops[:, i]) for i in range(3)]
    return np.clip(np.stack(channels, axis=-1) * light, 0, 255).astype(np.uint8)


if __name__ == "__main__":
    program.main(__doc__, "reaction_kernels.py", run, draw, size=200, steps=2200)
