"""A step of the wave equation, on a block of a grid with one cell of its neighbours on each side."""

import taichi as ti

from taichi_aot.build import export

GRID = ti.types.ndarray(dtype=ti.f32, ndim=2)


@export(shapes=dict.fromkeys(("before", "now", "then"), ("rows", "columns")))
@ti.kernel
def advance(before: GRID, now: GRID, then: GRID):
    """Compute the heights of the inner cells after a step from those before and now."""
    for i, j in ti.ndrange((1, now.shape[0] - 1), (1, now.shape[1] - 1)):
        around = now[i - 1, j] + now[i + 1, j] + now[i, j - 1] + now[i, j + 1]
        then[i, j] = 2.0 * now[i, j] - before[i, j] + 0.25 * (around - 4.0 * now[i, j])
