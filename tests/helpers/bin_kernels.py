"""Kernels that add to elements of arrays that the loop's index does not choose by itself."""

import taichi as ti

from taichi_aot.build import export

I32 = ti.types.ndarray(dtype=ti.i32, ndim=1)
I64 = ti.types.ndarray(dtype=ti.i64, ndim=1)
F32 = ti.types.ndarray(dtype=ti.f32, ndim=1)
F64 = ti.types.ndarray(dtype=ti.f64, ndim=1)
PLANE = ti.types.ndarray(dtype=ti.i32, ndim=2)
POINTS = ti.types.ndarray(dtype=ti.types.vector(3, ti.f32), ndim=1)


@export
@ti.kernel
def count(x: I32, h: I32):
    for i in x:
        h[x[i]] += 1


@export
@ti.kernel
def weigh(x: I32, w: F32, h: F32):
    for i in x:
        h[x[i]] += w[i]


@export
@ti.kernel
def weigh_double(x: I32, w: F32, h: F64):
    for i in x:
        h[x[i]] += ti.f64(w[i])


@export
@ti.kernel
def count_long(x: I32, h: I64):
    for i in x:
        h[x[i]] -= ti.i64(i)


@export
@ti.kernel
def two(x: I32, w: F32, h: I32, g: F32):
    for i in x:
        if x[i] % 3 > 0:
            h[x[i]] += x[i]
            if w[i] > 0.5:
                g[x[i]] += w[i]
        else:
            h[x[i]] += 7


@export
@ti.kernel
def extremes(x: I32, h: I32, g: I32):
    for i in x:
        ti.atomic_max(h[x[i]], i * 7 % 1000)
        ti.atomic_min(g[x[i]], i * 5 % 1000)


@export
@ti.kernel
def bits(x: I32, h: I32, g: I32):
    for i in x:
        ti.atomic_or(h[x[i]], i)
        ti.atomic_and(g[x[i]], i | 3)


@export
@ti.kernel
def points(x: I32, w: F32, h: POINTS):
    for i in x:
        h[x[i]] += ti.Vector([w[i], 1.0, 2.0 * w[i]])


@export
@ti.kernel
def plane(x: PLANE, h: PLANE):
    for i, j in x:
        h[x[i, j], (i + j) % h.shape[1]] += i - j


@export
@ti.kernel
def around(x: I32, h: I32):
    for i in x:
        for k in range(-1, 2):
            if x[i] + k >= 0 and x[i] + k < h.shape[0]:
                h[x[i] + k] += k + 2


@export
@ti.kernel
def store_too(x: I32, y: I32, h: I32):
    for i in range(2, x.shape[0]):
        y[i] = x[i] * 2
        h[x[i]] += i


@export
@ti.kernel
def old(x: I32, y: I32, h: I32):
    for i in x:
        y[i] = ti.atomic_add(h[x[i]], 1)


@export
@ti.kernel
def with_sum(x: I32, h: I32, total: I32):
    for i in x:
        h[x[i]] += 1
        total[0] += x[i]


@export
@ti.kernel
def two_ways(x: I32, h: I32):
    for i in x:
        h[x[i]] += 2
        ti.atomic_or(h[0], 1)
