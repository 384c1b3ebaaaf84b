"""Stencil kernels for tests of clusters and of several devices: a cell's value depends on its neighbours."""

import taichi as ti

from taichi_aot.build import export

GRID = ti.types.ndarray(dtype=ti.f32, ndim=2)


@export(shapes={"x": ("rows", "columns"), "y": ("rows", "columns")})
@ti.kernel
def smooth(x: GRID, y: GRID):
    """Replace each cell by the mean of its four neighbours; keep cells at the edge."""
    for i, j in y:
        y[i, j] = x[i, j]
        if 0 < i < y.shape[0] - 1 and 0 < j < y.shape[1] - 1:
            y[i, j] = 0.25 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])


@export
@ti.kernel
def relax(x: GRID, y: GRID, top: ti.i32, bottom: ti.i32, left: ti.i32, right: ti.i32):
    """Replace the cells of a rectangle by the mean of their four neighbours."""
    for i, j in ti.ndrange((top, bottom), (left, right)):
        y[i, j] = 0.25 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])
