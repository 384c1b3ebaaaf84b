"""Conway's game of life on a torus; a graph runs two steps."""

import taichi as ti

from taichi_aot.build import export

CELLS = ti.types.ndarray(dtype=ti.i32, ndim=2)


@export(shapes={"now": ("rows", "columns"), "after": ("rows", "columns")})
@ti.kernel
def step(now: CELLS, after: CELLS):
    rows, columns = now.shape
    for i, j in now:
        neighbours = 0
        for di, dj in ti.static(ti.ndrange((-1, 2), (-1, 2))):
            if ti.static(di != 0 or dj != 0):
                neighbours += now[(i + di + rows) % rows, (j + dj + columns) % columns]
        after[i, j] = int(neighbours == 3 or (neighbours == 2 and now[i, j] == 1))


@export
@ti.kernel
def alive(cells: CELLS) -> ti.i32:
    count = 0
    for i, j in cells:
        count += cells[i, j]
    return count


_now, _after = (ti.graph.Arg(ti.graph.ArgKind.NDARRAY, name, ti.i32, ndim=2) for name in ("now", "after"))
_builder = ti.graph.GraphBuilder()
_builder.dispatch(step, _now, _after)
_builder.dispatch(step, _after, _now)
two_steps = _builder.compile()
