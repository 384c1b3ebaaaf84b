"""Edge detection in a picture of bytes."""

import taichi as ti

from taichi_aot.build import export

PICTURE = ti.types.ndarray(dtype=ti.u8, ndim=2)


@export(shapes={"picture": ("rows", "columns"), "edges": ("rows", "columns")})
@ti.kernel
def find(picture: PICTURE, edges: PICTURE):
    rows, columns = picture.shape
    for i, j in picture:
        down, right = 0, 0
        for k in ti.static(range(-1, 2)):
            weight = ti.static(2 - abs(k))
            row, column = ti.min(ti.max(i + k, 0), rows - 1), ti.min(ti.max(j + k, 0), columns - 1)
            above, below = ti.max(i - 1, 0), ti.min(i + 1, rows - 1)
            before, behind = ti.max(j - 1, 0), ti.min(j + 1, columns - 1)
            down += weight * (ti.i32(picture[below, column]) - ti.i32(picture[above, column]))
            right += weight * (ti.i32(picture[row, behind]) - ti.i32(picture[row, before]))
        edges[i, j] = ti.cast(ti.min(ti.abs(down) + ti.abs(right), 255), ti.u8)
