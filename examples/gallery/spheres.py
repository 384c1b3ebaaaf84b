"""Spheres in the evening: rays follow light from the eye to the sky, over mirrors and matt surfaces.

    python examples/gallery/spheres.py spheres.png

One launch computes the picture: the scene is three small arrays, the picture one large array.
"""

from __future__ import annotations

import numpy as np
import program

from taichi_aot import AotModule

SPHERES = [  # centre, radius; colour; share of light that is mirrored
    ((0.0, 1.0, 0.0, 1.0), (0.95, 0.93, 0.9), 0.9),
    ((-1.75, 0.65, 0.5, 0.65), (0.9, 0.25, 0.2), 0.12),
    ((1.65, 0.75, 0.1, 0.75), (0.15, 0.45, 0.75), 0.25),
    ((-0.75, 0.32, 1.5, 0.32), (0.98, 0.7, 0.2), 0.6),
    ((0.55, 0.28, 1.6, 0.28), (0.3, 0.75, 0.4), 0.05),
    ((1.2, 0.2, 1.9, 0.2), (0.95, 0.9, 0.95), 0.95),
    ((-1.5, 0.22, 2.0, 0.22), (0.55, 0.3, 0.8), 0.3),
    ((-2.9, 0.9, -1.6, 0.9), (0.92, 0.86, 0.75), 0.05),
    ((3.1, 1.1, -1.9, 1.1), (0.95, 0.75, 0.5), 0.85),
]


def run(module: AotModule, size: int, samples: int) -> np.ndarray:
    """Return the light in each pixel of a picture `size` pixels wide."""
    runtime = module.runtime
    spheres, colours, shine = (np.array(column, np.float32) for column in zip(*SPHERES, strict=True))
    picture = runtime.zeros((max(1, size * 5 // 8), size), np.float32, 3)
    module.kernels["trace"](
        samples=samples,
        spheres=runtime.asarray(spheres, elem_shape=4),
        colours=runtime.asarray(colours, elem_shape=3),
        shine=runtime.asarray(shine),
        picture=picture,
    )
    return picture.to_numpy()


def draw(light: np.ndarray) -> np.ndarray:
    shown = 1.15 * light / (1 + 0.35 * light)  # film saturates
    return (255 * np.clip(shown, 0, 1) ** (1 / 2.2)).astype(np.uint8)


if __name__ == "__main__":
    program.main(__doc__, "spheres_kernels.py", run, draw, size=480, steps=64)
