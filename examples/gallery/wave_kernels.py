"""The kernel of waves in a medium."""

import taichi as ti

from taichi_aot.build import export

ti.init(fast_math=False)

HEIGHTS = ti.types.ndarray(dtype=ti.f32, ndim=2)
SHAPE = ("rows", "columns")


@export(shapes={"speed": SHAPE, "friction": SHAPE, "now": SHAPE, "before": SHAPE})
@ti.kernel
def ripple(speed: HEIGHTS, friction: HEIGHTS, now: HEIGHTS, before: HEIGHTS):
    """Replace the heights one step before by those one step later; what is beyond the edges is still."""
    rows, columns = now.shape[0], now.shape[1]
    for i, j in now:
        around = -4.0 * now[i, j]
        if i > 0:
            around += now[i - 1, j]
        if i < rows - 1:
            around += now[i + 1, j]
        if j > 0:
            around += now[i, j - 1]
        if j < columns - 1:
            around += now[i, j + 1]
        kept = 1.0 - friction[i, j]
        before[i, j] = now[i, j] + kept * (now[i, j] - before[i, j]) + speed[i, j] * speed[i, j] * around
