"""Kernels with fields in three trees of different layouts."""

import taichi as ti

from helpers.graphs import graph, scalar
from taichi_aot.build import export, export_field

first = ti.field(ti.f32, 4)

second = ti.FieldsBuilder()
soa, aos = ti.field(ti.i32), ti.Vector.field(3, ti.f32)
matrix = ti.Matrix.field(2, 2, ti.f32)
second.dense(ti.ij, (3, 5)).place(soa, offset=(-1, 2))
second.dense(ti.i, 6).place(aos)
second.dense(ti.i, 2).dense(ti.j, 2).place(matrix)
second.finalize()

third = ti.FieldsBuilder()
Body = ti.types.struct(mass=ti.f32, place=ti.math.vec2)
bodies = Body.field()
third.dense(ti.i, 8).place(bodies)
third.finalize()

for name, field in {"first": first, "soa": soa, "aos": aos, "matrix": matrix, "bodies": bodies}.items():
    export_field(name, field)


@export
@ti.kernel
def mix(k: ti.i32):
    for i, j in soa:
        soa[i, j] += k + 10 * i + j
    for i in aos:
        aos[i][1] = first[i % 4] + i
    for i in bodies:
        bodies[i].place = [bodies[i].mass * k, aos[i % 6][1]]
    for i, j in matrix:
        matrix[i, j][1, 0] = i * 10 + j + first[1]


@export
@ti.kernel
def total() -> ti.f32:
    result = 0.0
    for i in bodies:
        result += bodies[i].place[0]
    return result


def build(module):
    module.add_graph("twice", graph((mix, scalar("k", ti.i32))))
