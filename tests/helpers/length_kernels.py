"""Kernels whose loops have known lengths, for tests of plans; they are never launched."""

import taichi as ti

from helpers.exports import export_kernels
from taichi_aot.build import export_field

I32_1D = ti.types.ndarray(dtype=ti.i32, ndim=1)
F32_3D = ti.types.ndarray(dtype=ti.f32, ndim=3)

numbers = ti.field(ti.i32, shape=(6, 100))
sums = ti.field(ti.f32, shape=())
export_field("numbers", numbers)


@ti.kernel
def static(x: I32_1D):
    for k in ti.static(range(3)):
        for i in range(x.shape[0] - k):
            x[i] += k


@ti.kernel
def inner(n: ti.i32, x: I32_1D):
    for i in range(1, x.shape[0] - 1):
        x[i] += n


@ti.kernel
def square(n: ti.i32, m: ti.i32, x: I32_1D):
    for i in range(n * n - m):
        x[i] += i


@ti.kernel
def volume(v: F32_3D):
    for i, j, k in v:
        v[i, j, k] += 1.0


@ti.kernel
def ranges(n: ti.i32, v: F32_3D):
    for i, j in ti.ndrange((1, n), (2, v.shape[1])):
        v[i, j, 0] += 1.0


@ti.kernel
def choices(n: ti.i32, m: ti.i32, x: I32_1D):
    for i in range(ti.max(n, m)):
        x[i] += 1
    for i in range(ti.min(n, m, x.shape[0])):
        x[i] += 2


@ti.kernel
def halves(n: ti.i32, x: I32_1D):
    for i in range(n // 2):
        x[i] += x[i + n // 2]


@ti.kernel
def clipped(n: ti.i32, x: I32_1D):
    for i in range(ti.min(x[0], n)):
        x[i] += 1


@ti.kernel
def small(n: ti.u8, x: I32_1D):
    for i in range(n):
        x[i] += 1


@ti.kernel
def behind(a: ti.f64, v: ti.types.vector(3, ti.i16), c: ti.i8, n: ti.i32, k: ti.u32, x: I32_1D):
    for i in range(n):
        x[i] += ti.cast(a, ti.i32) + v[0] + c
    for i in range(k):
        x[i] += 1


@ti.kernel
def of_vector(v: ti.types.vector(3, ti.i32), x: I32_1D):
    for i in range(v[1], v[2]):
        x[i] += v[0]


@ti.kernel
def drawn(n: ti.i32, x: I32_1D):
    for i in range(n):
        x[i] = ti.cast(ti.random() * 100, ti.i32)


@ti.kernel
def summed(x: I32_1D, y: I32_1D) -> ti.i32:
    result = 0
    for i in x:
        result += x[i]
    for i in y:
        y[i] += result
    return result


@ti.kernel
def computed(n: ti.i32, x: I32_1D):
    """The first loop computes the range of the second one."""
    length = n
    for i in range(n):
        length += x[i]
    for i in range(length):
        x[i] += 1


@ti.kernel
def chosen(n: ti.i32, x: I32_1D):
    """A branch stores the range."""
    length = 3
    if n > 10:
        length = n
    for i in range(length):
        x[i] += 1


@ti.kernel
def between(n: ti.i32, x: I32_1D):
    """A branch precedes the range, which does not depend on it."""
    if n > 10:
        x[0] = n
    for i in range(n + 1):
        x[i] += 1


@ti.kernel
def thrice(n: ti.i32, x: I32_1D):
    for i in range(n):
        x[i] += 1
    x[0] = 3
    for i in range(x.shape[0]):
        x[i] += 2
    x[1] = 4
    for i in range(n + n):
        x[i] += 3


@ti.kernel
def shared(n: ti.i32, x: I32_1D):
    ti.loop_config(block_dim=64)
    for i in range(n):
        pad = ti.simt.block.SharedArray((64,), ti.i32)
        pad[i % 64] = x[i]
        ti.simt.block.sync()
        x[i] = pad[63 - i % 64]


@ti.kernel
def fields():
    for i, k in numbers:
        numbers[i, k] += 1
    for i in range(100):
        sums[None] += ti.cast(numbers[0, i], ti.f32)


export_kernels(vars())
