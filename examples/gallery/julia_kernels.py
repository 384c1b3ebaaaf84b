"""The kernel of a Julia set."""

import taichi as ti

from taichi_aot.build import export

ti.init(fast_math=False)

FAR = 64.0  # beyond it the counts of two iterations meet without a step
WIDTH = 3.2  # of the plane that the picture shows


@export
@ti.kernel
def julia(real: ti.f32, imaginary: ti.f32, iterations: ti.i32, count: ti.types.ndarray(dtype=ti.f32, ndim=2)):
    """Count how many times z becomes z^2 + c before it leaves, as a smooth number; 0 if it stays."""
    rows, columns = count.shape[0], count.shape[1]
    c = ti.Vector([real, imaginary])
    for i, j in count:
        z = ti.Vector([j + 0.5 - 0.5 * columns, 0.5 * rows - i - 0.5]) * (WIDTH / ti.min(rows, columns))
        steps = 0
        while steps < iterations and z.norm_sqr() < FAR * FAR:
            z = ti.Vector([z.x * z.x - z.y * z.y, 2.0 * z.x * z.y]) + c
            steps += 1
        count[i, j] = 0.0
        if steps < iterations:
            count[i, j] = steps + 1.0 - ti.log(ti.log(z.norm()) / ti.log(FAR)) / ti.log(2.0)
