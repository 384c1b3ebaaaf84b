"""Poisson's equation by conjugate gradients: the host decides from the kernels' return values."""

import taichi as ti

from taichi_aot.build import export

NUMBERS = ti.types.ndarray(dtype=ti.f32, ndim=2)
PAIR = {"x": ("n", "n"), "y": ("n", "n")}


@export(shapes=PAIR)
@ti.kernel
def dot(x: NUMBERS, y: NUMBERS) -> ti.f32:
    total = 0.0
    for i, j in x:
        total += x[i, j] * y[i, j]
    return total


@export(shapes=PAIR)
@ti.kernel
def laplacian(x: NUMBERS, y: NUMBERS):
    n = x.shape[0]
    for i, j in x:
        total = 4.0 * x[i, j]
        if i > 0:
            total -= x[i - 1, j]
        if i < n - 1:
            total -= x[i + 1, j]
        if j > 0:
            total -= x[i, j - 1]
        if j < n - 1:
            total -= x[i, j + 1]
        y[i, j] = total


@export("add", shapes=PAIR)
@ti.kernel
def scaled_sum(a: ti.f32, b: ti.f32, x: NUMBERS, y: NUMBERS):
    """Set y to a * x + b * y."""
    for i, j in x:
        y[i, j] = a * x[i, j] + b * y[i, j]
