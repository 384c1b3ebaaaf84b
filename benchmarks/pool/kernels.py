"""The loops of cpu_pool.py."""

import taichi as ti

from taichi_aot.build import export

F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)
STEPS = 100


@ti.func
def worked(x: ti.f32, steps: ti.i32) -> ti.f32:
    for _ in range(steps):
        x = x * x * 0.25 + 0.5
    return x


@export
@ti.kernel
def light(x: F32_1D):
    for i in x:
        x[i] = x[i] * x[i] * 0.25 + 0.5


@export
@ti.kernel
def heavy(x: F32_1D):
    for i in x:
        x[i] = worked(x[i], STEPS)


@export
@ti.kernel
def ramp(x: F32_1D):
    for i in x:
        x[i] = worked(x[i], ti.cast(ti.f32(i) / x.shape[0] * STEPS * 2, ti.i32))


@export
@ti.kernel
def front(x: F32_1D):
    for i in x:
        x[i] = worked(x[i], STEPS * 16 if i < x.shape[0] // 16 else 1)
