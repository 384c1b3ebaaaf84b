"""A texture written by one kernel and blurred by another."""

import taichi as ti

from taichi_aot.build import export

PICTURE = ti.types.ndarray(dtype=ti.f32, ndim=2)
WRITABLE = ti.types.rw_texture(num_dimensions=2, fmt=ti.Format.r32f, lod=0)


@export
@ti.kernel
def paint(picture: PICTURE, texture: WRITABLE):
    for i, j in picture:
        texture.store(ti.Vector([i, j]), ti.Vector([picture[i, j], 0.0, 0.0, 0.0]))


@export
@ti.kernel
def blur(texture: ti.types.texture(num_dimensions=2), picture: PICTURE):
    """Average a texel with the three after it; the last row and column repeat."""
    for i, j in picture:
        below, right = ti.min(i + 1, picture.shape[0] - 1), ti.min(j + 1, picture.shape[1] - 1)
        total = texture.fetch(ti.Vector([i, j]), 0).x + texture.fetch(ti.Vector([below, j]), 0).x
        total += texture.fetch(ti.Vector([i, right]), 0).x + texture.fetch(ti.Vector([below, right]), 0).x
        picture[i, j] = 0.25 * total
