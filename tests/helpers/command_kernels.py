"""Kernels for the commands ``run`` and ``bench``; compiled by `taichi_aot.build`."""

import taichi as ti

from helpers.graphs import array, graph, scalar
from taichi_aot.build import export

F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)
I32_1D = ti.types.ndarray(dtype=ti.i32, ndim=1)
PICTURE = ti.types.ndarray(dtype=ti.types.vector(3, ti.u8), ndim=2)
MATRIX = ti.types.matrix(2, 3, ti.f32)


@export(shapes={"x": "n", "y": "n"})
@ti.kernel
def saxpy(a: ti.f32, x: F32_1D, y: F32_1D):
    for i in y:
        y[i] = a * x[i] + y[i]


@export(shapes={"out": "n"})
@ti.kernel
def count(n: ti.i32, out: I32_1D):
    for i in range(n):
        out[i] = i


@export
@ti.kernel
def total(x: F32_1D) -> ti.f32:
    result = 0.0
    for i in x:
        result += x[i]
    return result


@export
@ti.kernel
def double(m: MATRIX) -> MATRIX:
    return 2.0 * m


@export
@ti.kernel
def both(i: ti.i32) -> (ti.i32, ti.f32):
    return i + 1, i * 0.5


@export
@ti.kernel
def invert(picture: PICTURE):
    for i, j in picture:
        for k in ti.static(range(3)):
            picture[i, j][k] = ti.u8(255 - ti.i32(picture[i, j][k]))


@export
@ti.kernel
def poke(i: ti.i32, out: I32_1D):
    for _ in range(1):
        out[i] = 1


@export
@ti.kernel
def forever(n: ti.i32, out: I32_1D):
    for i in out:
        value = i
        for _j in range(n):
            for _k in range(1000000):
                value = value * 1664525 + 1013904223
        out[i] = value


twice = graph(*[(saxpy, scalar("a"), array("x"), array("y"))] * 2)
