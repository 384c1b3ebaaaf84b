"""Kernels without fields, one of which has no PTX. No ``from __future__``: Taichi reads the annotations."""

import taichi as ti

from taichi_aot.build import export

Floats = ti.types.ndarray(ti.f32, 1)


@export(shapes={"x": "n", "y": "n"})
@ti.kernel
def saxpy(a: ti.f32, x: Floats, y: Floats):
    for i in x:
        y[i] = a * x[i] + y[i]


@export
@ti.kernel
def show(i: ti.i32):
    print("number", i)
