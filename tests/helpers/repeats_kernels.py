"""A kernel of tasks, of which tests let a plan repeat some."""

import taichi as ti

from taichi_aot.build import export

Line = ti.types.ndarray(dtype=ti.i32, ndim=1)
Number = ti.types.ndarray(dtype=ti.i32, ndim=0)


@export
@ti.kernel
def count(x: Line, outer: Number, inner: Number, step: ti.i32):
    for i in range(4):
        x[i] += 1000
    for _ in range(1):
        inner[None] = 3
    for i in range(4):
        x[i] += step
    for _ in range(1):
        inner[None] -= 1
    for _ in range(1):
        outer[None] -= 1
    for i in range(4):
        x[i] += 10000
