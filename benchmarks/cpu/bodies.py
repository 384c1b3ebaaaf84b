"""The kernels of cpu_launch.py, as a source for ``taichi-aot build``.

In the code of the library, ``for i in y`` divides each index by the length: 6 ns an element, which would hide the rest.
"""

import taichi as ti

from taichi_aot.build import export

F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)
STEPS = 32  # as in `cpu.variants`


@export
@ti.kernel
def light(a: ti.f32, x: F32_1D, y: F32_1D):
    for i in range(y.shape[0]):
        y[i] = a * x[i] + y[i]


@export
@ti.kernel
def heavy(x: F32_1D, y: F32_1D):
    for i in range(y.shape[0]):
        root = x[i]
        for _ in range(STEPS):
            root = root * (1.5 - 0.5 * x[i] * root * root)
        y[i] = root


@export
@ti.kernel
def uneven(x: F32_1D, y: F32_1D):
    """Make more steps the further back an element is."""
    for i in range(y.shape[0]):
        root = x[i]
        for _ in range(2 * STEPS * i // y.shape[0]):
            root = root * (1.5 - 0.5 * x[i] * root * root)
        y[i] = root
