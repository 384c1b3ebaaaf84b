"""Kernels that add to places which are the same for all elements, and others beside them."""

import taichi as ti

from taichi_aot.build import export

F32_1D = ti.types.ndarray(ti.f32, 1)
F32_2D = ti.types.ndarray(ti.f32, 2)
I32_1D = ti.types.ndarray(ti.i32, 1)
I64_1D = ti.types.ndarray(ti.i64, 1)
U32_1D = ti.types.ndarray(ti.u32, 1)


@export
@ti.kernel
def total(x: F32_1D, sums: F32_1D):
    for i in x:
        sums[0] += x[i]


@export
@ti.kernel
def by_variable(x: F32_1D, sums: F32_1D):
    s = 0.0
    for i in x:
        s += x[i]
    sums[0] += s


@export
@ti.kernel
def returned(x: F32_2D) -> ti.f32:
    s = 1.0
    for i, j in x:
        s += x[i, j]
    return s


@export
@ti.kernel
def several(x: I64_1D, found: I64_1D, y: U32_1D, bits: U32_1D, k: ti.i32):
    for i in x:
        ti.atomic_min(found[0], x[i])
        ti.atomic_max(found[1], x[i])
        found[2] -= x[i]
        ti.atomic_max(bits[0], y[i])
        if y[i] > 3:
            ti.atomic_xor(bits[k], y[i])
        for j in range(2):
            ti.atomic_or(bits[1], y[i] + j)


@export
@ti.kernel
def extremes(x: F32_1D, found: F32_1D):
    for i in range(1, x.shape[0]):
        ti.atomic_min(found[0], x[i])
        ti.atomic_max(found[1], x[i])


@export
@ti.kernel
def mixed(x: F32_1D, sums: F32_1D):  # the order of operations on one element matters
    for i in x:
        sums[0] += x[i]
        ti.atomic_max(sums[0], x[i])


@export
@ti.kernel
def numbered(x: F32_1D, count: F32_1D):  # the old value is used
    for i in x:
        x[i] = ti.atomic_add(count[0], 1.0)


@export
@ti.kernel
def shifted(x: F32_1D, y: F32_1D):
    for i in range(x.shape[0] - 1):
        y[i] = x[i + 1]


@export
@ti.kernel
def remainders(x: F32_2D, y: F32_2D):
    for i, j in x:
        y[i, j] = x[i, j] + 10.0 * i + j


@export
@ti.kernel
def products(x: F32_2D, y: F32_2D, z: F32_2D, n: ti.i32):
    for i, j in z:
        s = 0.0
        for k in range(n):
            s += x[i, k] * y[k, j] + x[k, 0] - x[0, k]
        z[i, j] += s


@export
@ti.kernel
def stages(x: F32_1D, sums: F32_1D, n: ti.i32):
    for i in range(n, 2 * n):
        x[i] = 1.0
    for i in x:
        sums[0] += x[i]
    for i in range(3, x.shape[0]):
        x[i] += sums[0]


@export
@ti.kernel
def binned(x: I32_1D, weights: F32_1D, bins: F32_2D, sums: F32_1D):
    for i in x:
        if weights[i] > 0.0:
            bins[x[i] // 8, x[i] % 8] += weights[i]
            sums[0] += weights[i]


@export
@ti.kernel
def least(x: I32_1D, bins: I32_1D):
    for i in x:
        ti.atomic_min(bins[x[i]], i)
        ti.atomic_min(bins[x[i] // 2], i // 2)


@export
@ti.kernel
def counted_before(x: I32_1D, bins: I32_1D, before: I32_1D):  # bins that elements look at
    for i in x:
        before[i] = ti.atomic_add(bins[x[i]], 1)


@export
@ti.kernel
def nothing(x: F32_1D):
    pass


@export
@ti.kernel
def both_ways(x: F32_1D) -> ti.f32:  # the compiler has a number for additions, and one for subtractions
    s = 4.0
    for i in x:
        if x[i] > 2:
            s -= 2 * x[i]
        s += x[i]
    return s
