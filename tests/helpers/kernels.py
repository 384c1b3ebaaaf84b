"""A kernel that the compiler runs itself; it has no ``from __future__``, for the compiler reads the annotations."""

import taichi as ti


@ti.kernel
def triple(x: ti.types.ndarray(dtype=ti.f32, ndim=1)):
    for i in x:
        x[i] *= 3
