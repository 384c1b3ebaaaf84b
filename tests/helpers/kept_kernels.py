"""Kernels that use state kept between launches, or that a device may refuse, and some that do not."""

import taichi as ti

from helpers.exports import export_kernels

I32_1D = ti.types.ndarray(dtype=ti.i32, ndim=1)
F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)
F64_1D = ti.types.ndarray(dtype=ti.f64, ndim=1)


@ti.kernel
def drawn(x: F32_1D):
    """Use one thread, so that the numbers do not depend on thread order."""
    x[0] = ti.random()


@ti.kernel
def filled(x: F32_1D):
    for i in x:
        x[i] = ti.random()


@ti.kernel
def looked_up(n: ti.i32, x: I32_1D):
    """Read a matrix at indices known only at the launch."""
    table = ti.Matrix([[0] * 4 for _ in range(4)], ti.i32)
    for i in ti.static(range(4)):
        table[i, i] = n
    for i in x:
        x[i] += table[i % 4, 1]
    x[0] += table[n % 4, 0]


@ti.kernel
def carried(n: ti.i32, x: I32_1D, y: F64_1D):
    """Pass numbers of two types to later tasks; a branch overwrites one of them."""
    count = 2
    total = ti.cast(0.5, ti.f64)
    if n > 3:
        count = n
    for i in x:
        total += y[i]
        count += x[i] % 2
    y[0] = ti.min(total, 1.0)
    for i in range(ti.min(count, x.shape[0])):
        x[i] += 1


@ti.kernel
def doubled(n: ti.i32, x: I32_1D, y: F64_1D):
    """Store loop lengths next to numbers of another type."""
    count = n
    factor = ti.cast(0.5, ti.f64)
    for i in range(count):
        x[i] += 1
    factor = factor + y[0]
    count = count * 2 + 1
    for i in range(count):
        x[i] += 1
    factor = factor + y[0]
    count = count * 2 + 1
    for i in range(count):
        x[i] += 1
    y[0] = factor


@ti.kernel
def scattered(x: I32_1D):
    """Use one group per iteration: more than 65,535, the limit that each Vulkan device must support."""
    ti.loop_config(block_dim=1)
    for i in range(200_000):
        x[i] += 1


export_kernels(vars())
