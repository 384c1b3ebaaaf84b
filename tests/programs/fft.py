"""Radix-2 Fourier transform of complex numbers, stored as vectors of two."""

import math

import taichi as ti

from taichi_aot.build import export

COMPLEX = ti.types.ndarray(dtype=ti.types.vector(2, ti.f32), ndim=1)


@ti.func
def times(a, b):
    return ti.Vector([a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x])


@export(shapes={"x": "n", "y": "n"})
@ti.kernel
def reverse(bits: ti.i32, x: COMPLEX, y: COMPLEX):
    for i in x:
        place, rest = 0, i
        for _ in range(bits):
            place = (place << 1) | (rest & 1)
            rest >>= 1
        y[place] = x[i]


@export
@ti.kernel
def butterflies(half: ti.i32, x: COMPLEX):
    for i in x:
        if i & half == 0:
            angle = ti.cast(i & (half - 1), ti.f32) * (-math.pi / ti.cast(half, ti.f32))
            even, odd = x[i], times(x[i + half], ti.Vector([ti.cos(angle), ti.sin(angle)]))
            x[i] = even + odd
            x[i + half] = even - odd
