"""The Mandelbrot set in fixed point, with 12 fractional bits."""

import taichi as ti

from taichi_aot.build import export

ONE = 1 << 12
MOST = 200


@ti.func
def steps(x0: ti.i32, y0: ti.i32) -> ti.i32:
    x, y, count = 0, 0, 0
    while count < MOST and x * x + y * y <= 4 * ONE * ONE:
        x, y = ((x * x - y * y) >> 12) + x0, ((x * y) >> 11) + y0
        count += 1
    return count


@export
@ti.kernel
def draw(left: ti.i32, top: ti.i32, spacing: ti.i32, picture: ti.types.ndarray(dtype=ti.i32, ndim=2)):
    for i, j in picture:
        picture[i, j] = steps(left + j * spacing, top + i * spacing)
