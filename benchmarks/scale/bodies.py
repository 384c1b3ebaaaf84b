"""The kernel of gpus.py: bodies attract each other, and each process moves a part of them."""

import taichi as ti

from taichi_aot.build import export

VECTORS = ti.types.ndarray(dtype=ti.types.vector(3, ti.f32), ndim=1)


@export(shapes={"mass": "n", "x": "n", "v": "part", "moved": "part"})
@ti.kernel
def pull(
    dt: ti.f32,
    softness: ti.f32,
    first: ti.i32,
    mass: ti.types.ndarray(dtype=ti.f32, ndim=1),
    x: VECTORS,
    v: VECTORS,
    moved: VECTORS,
):
    """Apply the attraction of all bodies to the velocities of those from `first` on, and store their new positions."""
    for i in v:
        here = x[first + i]
        change = ti.Vector([0.0, 0.0, 0.0])
        for j in range(x.shape[0]):
            away = x[j] - here
            inverse = 1.0 / ti.sqrt(away.norm_sqr() + softness * softness)
            change += mass[j] * inverse * inverse * inverse * away
        v[i] += dt * change
        moved[i] = here + dt * v[i]
