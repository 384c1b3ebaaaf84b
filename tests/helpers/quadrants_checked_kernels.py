"""Kernels of Quadrants whose checks can fail, and one that prints."""

import quadrants as qd

from taichi_aot.build import export, export_field

Line = qd.types.ndarray(dtype=qd.f32, ndim=1)
grid = qd.field(qd.f32, shape=(4, 5))
wind = qd.Vector.field(3, qd.f32, shape=7)
export_field("grid", grid)
export_field("wind", wind)


@export
@qd.kernel
def shift(x: Line, n: qd.i32):
    for i in x:
        assert x[i] > 0, "positive"
        x[i] = x[i + n]


@export
@qd.kernel
def write(i: qd.i32, j: qd.i32):
    grid[i, j] = 1.0


@export
@qd.kernel
def blow(i: qd.i32):
    wind[i][1] = 1.0


@export
@qd.kernel
def limit(x: Line, n: qd.i32):
    for _ in range(1):
        assert n > 3, f"n is {n}"
    for i in x:
        x[i] = 5.0


@export
@qd.kernel
def tell(x: Line, n: qd.i32):
    for _ in range(1):
        print("x is", x[0], n)
    print(n + 2147483647)
