"""The kernel of bodies that attract each other."""

import taichi as ti

from taichi_aot.build import export

ti.init(fast_math=False)

VECTORS = ti.types.ndarray(dtype=ti.types.vector(3, ti.f32), ndim=1)


@export(shapes={"x": "n", "v": "n", "mass": "n", "moved": "n"})
@ti.kernel
def pull(
    dt: ti.f32, softness: ti.f32, mass: ti.types.ndarray(dtype=ti.f32, ndim=1), x: VECTORS, v: VECTORS, moved: VECTORS
):
    """Change the velocities by the attraction of all bodies, and store where the bodies move."""
    for i in x:
        here = x[i]
        change = ti.Vector([0.0, 0.0, 0.0])
        for j in range(x.shape[0]):
            away = x[j] - here
            inverse = 1.0 / ti.sqrt(away.norm_sqr() + softness * softness)
            change += mass[j] * inverse * inverse * inverse * away
        v[i] += dt * change
        moved[i] = here + dt * v[i]
