"""Heat diffusion in a plate whose rim keeps its temperature."""

import taichi as ti

from taichi_aot.build import export

PLATE = ti.types.ndarray(dtype=ti.f32, ndim=2)


@export(shapes={"now": ("rows", "columns"), "after": ("rows", "columns")})
@ti.kernel
def spread(rate: ti.f32, now: PLATE, after: PLATE):
    for i, j in now:
        after[i, j] = now[i, j]
        if 0 < i < now.shape[0] - 1 and 0 < j < now.shape[1] - 1:
            around = now[i - 1, j] + now[i + 1, j] + now[i, j - 1] + now[i, j + 1]
            after[i, j] += rate * (around - 4 * now[i, j])


@export
@ti.kernel
def hottest(plate: PLATE) -> ti.f32:
    temperature = -1e9
    for i, j in plate:
        ti.atomic_max(temperature, plate[i, j])
    return temperature
