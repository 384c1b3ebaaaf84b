"""A kernel that Taichi runs itself. No ``from __future__``: Taichi reads the annotations."""

import taichi as ti


@ti.kernel
def triple(x: ti.types.ndarray(dtype=ti.f32, ndim=1)):
    for i in x:
        x[i] *= 3
