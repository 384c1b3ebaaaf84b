"""Kernels with PTX, and some that have none. No ``from __future__``: Taichi reads the annotations."""

import taichi as ti

from taichi_aot.build import export, export_field

Halves, Floats = ti.types.ndarray(ti.f16, 1), ti.types.ndarray(ti.f32, 1)
Doubles = ti.types.ndarray(ti.f64, 1)
Matrices = ti.types.ndarray(ti.types.matrix(2, 2, ti.f32), 2)

grid = ti.field(ti.f32, 100)
export_field("grid", grid)


@export(shapes={"x": "n", "y": "n"})
@ti.kernel
def saxpy(a: ti.f32, x: Floats, y: Floats):
    for i in x:
        y[i] = a * x[i] + y[i]


@export
@ti.kernel
def total(x: Floats) -> ti.f32:
    sum = 0.0
    for i in x:
        sum += ti.sin(x[i])
    return sum


@export
@ti.kernel
def turn(matrix: ti.types.matrix(2, 2, ti.f32), x: Matrices):
    for i, j in x:
        x[i, j] = matrix @ x[i, j]


@export(shapes={"x": "n", "y": "n"})
@ti.kernel
def narrow(x: Floats, y: Halves):
    for i in x:
        y[i] = ti.cast(x[i], ti.f16)


@export
@ti.kernel
def staged(x: Floats):
    ti.loop_config(block_dim=64)
    for i in x:
        pad = ti.simt.block.SharedArray((64,), ti.f32)
        pad[i % 64] = x[i]
        ti.simt.block.sync()
        x[i] = pad[63 - i % 64]


@export
@ti.kernel
def noise(x: Floats):
    for i in x:
        x[i] = ti.random()


@export
@ti.kernel
def store(value: ti.f32):
    for i in grid:
        grid[i] = value


@export
@ti.kernel
def precise(x: Doubles):
    for i in x:
        x[i] = ti.sin(x[i])


@export
@ti.kernel
def größe(x: Floats):
    for i in x:
        x[i] += 1.0


@export
@ti.kernel
def show(i: ti.i32):
    print("number", i)
