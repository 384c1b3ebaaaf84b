"""A kernel with textures in an argument pack, for Vulkan."""

import taichi as ti

from taichi_aot.build import export

IMAGES = ti.types.argpack(source=ti.types.texture(2), target=ti.types.rw_texture(2, fmt=ti.Format.r32f))
BLEND = ti.types.argpack(images=IMAGES, factor=ti.f32)


@export
@ti.kernel
def blend(p: BLEND):
    for i, j in ti.ndrange(4, 4):
        color = p.images.source.fetch(ti.Vector([i, j]), 0)
        p.images.target.store(ti.Vector([i, j]), color * p.factor)
