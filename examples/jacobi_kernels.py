"""The kernel of jacobi.py."""

import taichi as ti

from taichi_aot.build import export

GRID = ti.types.ndarray(dtype=ti.f32, ndim=2)


@export(shapes={"now": ("n", "n"), "later": ("n", "n"), "change": (1,)})
@ti.kernel
def relax(now: GRID, later: GRID, change: ti.types.ndarray(dtype=ti.f32, ndim=1)):
    """Set each inner cell to the mean of its neighbours; `change` gets the largest change."""
    change[0] = 0.0
    for i, j in now:
        if 0 < i < now.shape[0] - 1 and 0 < j < now.shape[1] - 1:
            mean = 0.25 * (now[i - 1, j] + now[i + 1, j] + now[i, j - 1] + now[i, j + 1])
            ti.atomic_max(change[0], ti.abs(mean - now[i, j]))
            later[i, j] = mean
