"""A program that writes into fields before and between kernels."""

import numpy as np
import taichi as ti

ti.init(arch=ti.cpu)
table = ti.field(ti.i32, 4)
table.from_numpy(np.array([1, 2, 3, 4], np.int32))
flow = ti.Vector.field(2, ti.f32, shape=(3, 2))
flow.fill(ti.Vector([1.5, -2]))
flow[1, 1] = [7, 8]
gravity = ti.Vector.field(2, ti.f32, shape=())
gravity[None] = [0, -9.5]
Cell = ti.types.struct(mass=ti.f32, place=ti.types.vector(3, ti.i32))
cells = Cell.field(shape=5)
cells.mass.fill(3)
cells[2].place = [4, 5, 6]
steps = int(table[2])
shifted = ti.field(ti.i32, shape=3, offset=-1)
shifted[-1] = -5
copied = ti.field(ti.i32, 4)
copied.copy_from(table)
later = ti.field(ti.f32, 7)
plain = ti.field(ti.f32, 3)


@ti.kernel
def use(out: ti.types.ndarray(ti.f32, 1)):
    for i in range(4):
        out[i] = table[i] + copied[i] + shifted[-1] + cells[2].place[1] + cells[i].mass
        out[i] += gravity[None][1] + flow[1, 1][0]
    later[3] = steps


@ti.kernel
def advance():
    for i in later:
        later[i] += plain[0]


use(ti.ndarray(ti.f32, 4))
gravity[None] = [1, 1]
flow.fill(0)
plain.from_numpy(np.ones(3, np.float32))
advance()
later[0] = 5
