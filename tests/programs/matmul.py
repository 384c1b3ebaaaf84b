"""Matrix products with matching sizes, of small integers, which f32 represents exactly."""

import taichi as ti

from taichi_aot.build import export

MATRIX = ti.types.ndarray(dtype=ti.f32, ndim=2)


@export(shapes={"a": ("rows", "inner"), "b": ("inner", "columns"), "out": ("rows", "columns")})
@ti.kernel
def multiply(a: MATRIX, b: MATRIX, out: MATRIX):
    for i, j in out:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        out[i, j] = total


@export(shapes={"a": ("n", "n")})
@ti.kernel
def trace(a: MATRIX) -> ti.f32:
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i, i]
    return total
