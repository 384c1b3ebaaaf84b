"""Kernels whose indices the build simplifies: what they compute shows each index that they visit."""

import taichi as ti

from helpers.exports import export_kernels
from taichi_aot.build import export_field

I32_0D = ti.types.ndarray(dtype=ti.i32, ndim=0)
I32_1D = ti.types.ndarray(dtype=ti.i32, ndim=1)
I32_2D = ti.types.ndarray(dtype=ti.i32, ndim=2)
I32_3D = ti.types.ndarray(dtype=ti.i32, ndim=3)
F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)

table = ti.field(ti.i32, shape=(37, 91))
export_field("table", table)


@ti.kernel
def line(x: I32_1D, y: I32_1D):
    for i in y:
        y[i] = 3 * x[i] + i


@ti.kernel
def plane(x: I32_2D, y: I32_2D):
    for i, j in y:
        y[i, j] = x[i, j] + 1000 * i + j


@ti.kernel
def space(y: I32_3D):
    for i, j, k in y:
        y[i, j, k] += 10000 * i + 100 * j + k


@ti.kernel
def inner(a: ti.i32, y: I32_2D):
    for i, j in ti.ndrange((1, y.shape[0] - 1), (a, y.shape[1] - a)):
        y[i, j] += 1000 * i + j


@ti.kernel
def below_zero(a: ti.i32, y: I32_2D):
    """The offsets are negative, and indices of y are not."""
    for i, j in ti.ndrange((-a, 9), (-3, a)):
        y[i + a, j + 3] += 100 * i + j


@ti.kernel
def floors(a: ti.i32, y: I32_1D):
    """Quotients and remainders of numbers of both signs."""
    for i in range(-a, y.shape[0] - a):
        y[i + a] = 1000 * (i // 7) + i % 7 + 10 * (i // a)


@ti.kernel
def field_plane(a: ti.i32):
    for i, j in table:
        table[i, j] += a * i + j


@ti.kernel
def chosen(a: ti.i32, x: I32_1D, y: I32_1D):
    for i in x:
        y[i] = x[i] * a if (x[i] > 3 and i % 2 == 0) or a > 7 else i - a


@ti.kernel
def stopping(a: ti.i32, y: I32_1D):
    """An inner loop with several ends, whose bound does not depend on it."""
    for i in y:
        n = 0
        for k in range(a * 2 + 1):
            n += k * a
            if n > i:
                break
            if n % 3 == 1:
                continue
            n += 1
        y[i] = n


@ti.kernel
def shifted(x: I32_1D, y: I32_1D):
    """Reads and writes in several steps."""
    for i in y:
        y[i] += x[i]
        x[i] = y[i] + i
        y[i] -= x[i] // 3


@ti.kernel
def after_serial(x: I32_1D, y: I32_2D):
    """A serial task computes the bounds."""
    first = x[0]
    for i, j in ti.ndrange(y.shape[0] - 1, y.shape[1]):
        y[i, j] += i * first + j
    for i in x:
        x[i] += first


@ti.kernel
def counted(begin: ti.i32, end: ti.i32, visits: I32_1D):
    for i in range(begin, end):
        ti.atomic_add(visits[(i - begin) & 4095], 1)


@ti.kernel
def up_to_the_last(visits: I32_1D):
    for i in range(2**31 - 1000, 2**31 - 1):
        ti.atomic_add(visits[2**31 - 1 - i], 1)


@ti.kernel
def guarded(a: ti.i32, b: ti.i32, y: I32_1D):
    """A division that no iteration reaches if the divisor is 0."""
    for i in y:
        if b != 0:
            y[i] = i + a // b


@ti.kernel
def pairs(x: F32_1D, y: F32_1D):
    for i in x:
        y[i] = ti.sin(x[i]) * 2.0 + 1.0
        total = 0.0
        for j in range(x.shape[0] // 64):
            total += x[j] * y[i]
        y[i] += total


@ti.kernel
def steps(n: ti.i32, x: I32_1D) -> ti.i32:
    """A sum over loops of many iterations."""
    total = 0
    for i in x:
        done = 0
        for k in range(n):
            done += k & 1
        total += done + x[i]
    return total


export_kernels(vars())
