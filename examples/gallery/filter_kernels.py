"""The kernel of a filter that smooths a picture and keeps its edges."""

import taichi as ti

from taichi_aot.build import export

ti.init(fast_math=False)

PICTURE = ti.types.ndarray(dtype=ti.types.vector(3, ti.f32), ndim=2)


@export(shapes={"source": ("rows", "columns"), "target": ("rows", "columns")})
@ti.kernel
def smooth(radius: ti.i32, contrast: ti.f32, source: PICTURE, target: PICTURE):
    """Store means of the pixels around each, which count the less the farther and the more different they are."""
    rows, columns = source.shape[0], source.shape[1]
    for i, j in source:
        total, weights = ti.Vector([0.0, 0.0, 0.0]), 0.0
        for di in range(-radius, radius + 1):
            for dj in range(-radius, radius + 1):
                pixel = source[ti.min(ti.max(i + di, 0), rows - 1), ti.min(ti.max(j + dj, 0), columns - 1)]
                near = (di * di + dj * dj) / (0.5 * radius * radius)
                like = (pixel - source[i, j]).norm_sqr() / (contrast * contrast)
                weight = ti.exp(-near - like)
                total += weight * pixel
                weights += weight
        target[i, j] = total / weights
