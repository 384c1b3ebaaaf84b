"""The kernel of the game of life."""

import taichi as ti

from taichi_aot.build import export

CELLS = ti.types.ndarray(dtype=ti.i32, ndim=2)


@export(shapes={"age": ("rows", "columns"), "older": ("rows", "columns")})
@ti.kernel
def live(age: CELLS, older: CELLS):
    """Play a round on a torus: cells count the rounds since they were born, from 1, or since they died, from -1."""
    rows, columns = age.shape[0], age.shape[1]
    for i, j in age:
        neighbours = 0
        for k in range(9):
            if k != 4 and age[(i + k // 3 + rows - 1) % rows, (j + k % 3 + columns - 1) % columns] > 0:
                neighbours += 1
        lives = neighbours == 3 or (neighbours == 2 and age[i, j] > 0)
        if lives:
            older[i, j] = ti.max(age[i, j], 0) + 1
        else:
            older[i, j] = ti.min(age[i, j], 0) - 1
