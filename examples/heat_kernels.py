"""The kernel of heat.py.

taichi-aot build examples/heat_kernels.py -o heat.tib
"""

import taichi as ti

from taichi_aot.build import export

PLATE = ti.types.ndarray(dtype=ti.f32, ndim=2)


@export(shapes={"now": ("rows", "columns"), "then": ("rows", "columns")})
@ti.kernel
def spread(now: PLATE, then: PLATE, top: ti.i32, bottom: ti.i32):
    """Compute some rows of a plate after a step; the first and last column keep their temperature."""
    for i, j in ti.ndrange((top, bottom), (1, now.shape[1] - 1)):
        then[i, j] = 0.25 * (now[i - 1, j] + now[i + 1, j] + now[i, j - 1] + now[i, j + 1])
