"""The kernel of two substances that react and diffuse, by the model of Gray and Scott."""

import taichi as ti

from taichi_aot.build import export

ti.init(fast_math=False)

AMOUNTS = ti.types.ndarray(dtype=ti.types.vector(2, ti.f32), ndim=2)  # of food and of its eaters


@export(shapes={"now": ("rows", "columns"), "later": ("rows", "columns")})
@ti.kernel
def react(feed: ti.f32, kill: ti.f32, now: AMOUNTS, later: AMOUNTS):
    """Store the amounts one step later, on a torus."""
    rows, columns = now.shape[0], now.shape[1]
    for i, j in now:
        up, down, left, right = (i + rows - 1) % rows, (i + 1) % rows, (j + columns - 1) % columns, (j + 1) % columns
        sides = now[up, j] + now[down, j] + now[i, left] + now[i, right]
        corners = now[up, left] + now[up, right] + now[down, left] + now[down, right]
        here = now[i, j]
        spread = 0.2 * sides + 0.05 * corners - here
        eaten = here[0] * here[1] * here[1]
        food = here[0] + 1.0 * spread[0] - eaten + feed * (1.0 - here[0])
        eater = here[1] + 0.5 * spread[1] + eaten - (feed + kill) * here[1]
        later[i, j] = ti.Vector([food, eater])
