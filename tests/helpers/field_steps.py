"""Kernels that change dense fields step by step, for tests of recorded launches; all sums are of integers."""

import taichi as ti

from helpers.exports import export_kernels
from taichi_aot.build import export_field

I32_1D = ti.types.ndarray(dtype=ti.i32, ndim=1)

grid = ti.field(ti.i32, (6, 100))
speeds = ti.Vector.field(2, ti.f32, 300, offset=-7)
total = ti.field(ti.i32, ())
nested = ti.field(ti.i32)
ti.root.dense(ti.ij, (4, 3)).dense(ti.ij, (2, 5)).place(nested)

for name in ("grid", "speeds", "total", "nested"):
    export_field(name, globals()[name])


@ti.kernel
def advance(n: ti.i32):
    for i, j in grid:
        grid[i, j] = grid[i, j] * 3 + i * 100 + j + n
    total[None] += n


@ti.kernel
def spread():
    for i, j in nested:
        nested[i, j] += grid[i % 6, 5 * j] + total[None]


@ti.kernel
def slow(dt: ti.f32):
    for i in speeds:
        speeds[i] = speeds[i] * (1 - dt) + i


@ti.kernel
def collect(n: ti.i32, x: I32_1D):
    for i in range(n):
        grid[i % 6, i % 100] += x[i % x.shape[0]]
    for i, j in grid:
        total[None] += grid[i, j]


@ti.kernel
def give(x: I32_1D):
    for i in x:
        x[i] += total[None] + nested[i % 8, i % 15]


@ti.kernel
def repeat_total():
    for i in range(total[None] % 300):
        grid[i % 6, i // 6] += 1


@ti.kernel
def sum_row(row: ti.i32) -> ti.i32:
    result = total[None]
    for j in range(100):
        result += grid[row, j]
    return result


export_kernels(vars())
