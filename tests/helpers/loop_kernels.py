"""Kernels with all kinds of loop lengths, for tests of recorded launches."""

import taichi as ti

from helpers.exports import export_kernels

I32_0D = ti.types.ndarray(dtype=ti.i32, ndim=0)
I32_1D = ti.types.ndarray(dtype=ti.i32, ndim=1)
I32_2D = ti.types.ndarray(dtype=ti.i32, ndim=2)
VECTORS = ti.types.ndarray(dtype=ti.types.vector(3, ti.i32), ndim=1)


@ti.kernel
def array(x: I32_1D):
    for i in x:
        x[i] = x[i] * 3 + i


@ti.kernel
def grid(m: I32_2D):
    for i, j in m:
        m[i, j] = m[i, j] * 3 + i * 100 + j


@ti.kernel
def vectors(v: VECTORS):
    for i in v:
        v[i] = v[i] * 3 + i


@ti.kernel
def scalar(n: ti.i32, x: I32_1D):
    for i in range(n):
        x[i] = x[i] * 3 + i


@ti.kernel
def part(begin: ti.i32, end: ti.i32, x: I32_1D):
    for i in range(begin, end):
        x[i - begin] = x[i - begin] * 3 + i


@ti.kernel
def sampled(begin: ti.i32, end: ti.i32, x: I32_1D):
    for i in range(begin, end):
        if i % 1_048_576 == 5:
            x[i // 1_048_576] += 1


@ti.kernel
def product(n: ti.i32, m: ti.i32, x: I32_1D):
    for i in range(n * m + 1):
        x[i] = x[i] * 3 + i


@ti.kernel
def smaller(n: ti.i32, x: I32_1D):
    for i in range(ti.min(n, x.shape[0])):
        x[i] = x[i] * 3 + i


@ti.kernel
def plane(n: ti.i32, m: ti.i32, x: I32_1D):
    for i, j in ti.ndrange(n, m):
        x[i * m + j] += i - j


@ti.kernel
def constant(x: I32_1D):
    for i in range(200):
        x[i] = x[i] * 3 + i


@ti.kernel
def empty(x: I32_1D):
    for i in range(10, 5):
        x[i] = 7
    for i in range(3, -3000):
        x[i] = 7
    for i in range(4, 4):
        x[i] = 7
    for i in x:
        x[i] = x[i] * 3 + i


@ti.kernel
def negative(x: I32_1D):
    for i in range(-100, 100):
        x[i + 100] = x[i + 100] * 3 + i


@ti.kernel
def cell(z: I32_0D, x: I32_1D):
    for i in x:
        x[i] = x[i] * 3 + z[None]
    z[None] += 1


@ti.kernel
def read(counts: I32_1D, x: I32_1D):
    for i in range(counts[0]):
        x[i] = x[i] * 3 + i


@ti.kernel
def counted(counts: I32_1D, x: I32_1D):
    """The first loop changes the number that is the second loop's length."""
    for _ in range(1):
        counts[0] = counts[0] % 300 + 1
    for i in range(counts[0]):
        x[i] = x[i] * 3 + i


@ti.kernel
def several(n: ti.i32, x: I32_1D, m: I32_2D):
    for i in range(n):
        x[i] = x[i] * 3 + i
    for i, j in m:
        m[i, j] = m[i, j] * 3 + x[0]
    x[0] += 1
    for i in range(n * 2):
        x[i % n] += i


@ti.kernel
def conditional(n: ti.i32, x: I32_1D):
    """Loop over a length that depends on a branch."""
    length = n
    if x[0] > 1000:
        length = n // 2
    for i in range(length):
        x[i] = (x[i] * 3 + i) % 2000


@ti.kernel
def total(x: I32_1D, sum: I32_1D):
    for i in x:
        ti.atomic_add(sum[0], x[i])


@ti.kernel
def blocks(x: I32_1D):
    ti.loop_config(block_dim=64)
    for i in x:
        x[i] = x[i] * 3 + i


@ti.kernel
def serial(n: ti.i32, x: I32_1D):
    ti.loop_config(serialize=True)
    for i in range(n):
        x[i] = x[i] * 3 + i


@ti.kernel
def returned(n: ti.i32, x: I32_1D) -> ti.i32:
    result = 0
    for i in range(n):
        result += x[i]
    x[0] += 1
    return result


@ti.kernel
def wide(a: ti.f64, b: ti.i64, v: ti.types.vector(3, ti.i32), c: ti.i8, x: I32_1D):
    for i in x:
        x[i] = x[i] * 3 + ti.cast(a, ti.i32) + ti.cast(b, ti.i32) + v[0] - v[1] * v[2] + c


@ti.kernel
def power(n: ti.i32, x: I32_1D):
    """Loop over a length whose expression doubles with each step."""
    length = n
    for _ in ti.static(range(40)):
        length *= length
    for i in range(length):
        x[i] = x[i] * 3 + i


export_kernels(vars())
