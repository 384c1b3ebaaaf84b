"""Kernels with machine code, and some that have none. No ``from __future__``: Taichi reads the annotations."""

import taichi as ti

from taichi_aot.build import export, export_field

Halves, Floats, Doubles = ti.types.ndarray(ti.f16, 1), ti.types.ndarray(ti.f32, 1), ti.types.ndarray(ti.f64, 1)

grid = ti.field(ti.f32, 100)
export_field("grid", grid)
tree = ti.FieldsBuilder()
cells = ti.field(ti.i32)
tree.pointer(ti.i, 8).dense(ti.i, 4).place(cells)
tree.finalize()
export_field("cells", cells)
other_tree = ti.FieldsBuilder()
level = ti.field(ti.i32)
other_tree.dense(ti.i, 4).place(level)
other_tree.finalize()
export_field("level", level)


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


@export(shapes={"x": "n", "y": "n"})
@ti.kernel
def widen(x: Halves, y: Floats):
    for i in x:
        y[i] = x[i]


@export(shapes={"x": "n", "y": "n"})
@ti.kernel
def narrow(x: Floats, y: Halves):
    for i in x:
        y[i] = ti.cast(x[i], ti.f16)


@export(shapes={"x": "n", "y": "n"})
@ti.kernel
def narrow_double(x: Doubles, y: Halves):
    for i in x:
        y[i] = ti.cast(x[i], ti.f16)


@export
@ti.kernel
def noise(x: Floats):
    for i in x:
        x[i] = ti.random()


@export
@ti.kernel
def require_positive(x: Floats):
    for i in x:
        assert ti.atomic_add(x[i], 1) > 0, "not positive"


@export
@ti.kernel
def store(value: ti.f32):
    for i in grid:
        grid[i] = value


@export
@ti.kernel
def activate(i: ti.i32):
    cells[i] = 1


@export
@ti.kernel
def show(i: ti.i32):
    print("level is", level[i])
