"""Kernels with textures for the command ``run``; compiled by `taichi_aot.build` for Vulkan."""

import taichi as ti

from helpers.graphs import array, graph, texture
from taichi_aot.build import export

RGBA8 = ti.types.rw_texture(num_dimensions=2, fmt=ti.Format.rgba8, lod=0)


@export
@ti.kernel
def invert(source: ti.types.texture(num_dimensions=2), target: RGBA8, width: ti.i32, height: ti.i32):
    for x, y in ti.ndrange(width, height):
        colour = source.fetch(ti.Vector([x, y]), 0)
        target.store(ti.Vector([x, y]), ti.Vector([1.0 - colour[0], 1.0 - colour[1], 1.0 - colour[2], 1.0]))


@ti.kernel
def blacken(target: RGBA8):
    for x, y in target:
        target.store(ti.Vector([x, y]), ti.Vector([0.0, 0.0, 0.0, 1.0]))


@ti.kernel
def brightest(source: ti.types.texture(num_dimensions=2), out: ti.types.ndarray(ti.f32, ndim=0)):
    for x, y in ti.ndrange(4, 4):
        ti.atomic_max(out[None], source.fetch(ti.Vector([x, y]), 0)[0])


_image = texture("image")
darken = graph((brightest, _image, array("out", ndim=0)), (blacken, _image))
