"""Histogram equalization of a picture."""

import taichi as ti

from taichi_aot.build import export

LEVELS = 256
PICTURE = ti.types.ndarray(dtype=ti.i32, ndim=2)
COUNTS = ti.types.ndarray(dtype=ti.i32, ndim=1)


@export(shapes={"counts": LEVELS})
@ti.kernel
def count(picture: PICTURE, counts: COUNTS):
    for level in counts:
        counts[level] = 0
    for i, j in picture:
        counts[picture[i, j]] += 1


@export(shapes={"counts": LEVELS, "sums": LEVELS})
@ti.kernel
def add_up(counts: COUNTS, sums: COUNTS) -> ti.i32:
    ti.loop_config(serialize=True)
    for level in range(LEVELS):
        below = 0
        if level > 0:
            below = sums[level - 1]
        sums[level] = below + counts[level]
    return sums[LEVELS - 1]


@export(shapes={"sums": LEVELS})
@ti.kernel
def equalize(sums: COUNTS, picture: PICTURE):
    for i, j in picture:
        picture[i, j] = sums[picture[i, j]] * (LEVELS - 1) // sums[LEVELS - 1]
