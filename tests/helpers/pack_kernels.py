"""Kernels with argument packs as parameters."""

import taichi as ti

from taichi_aot.build import export

F32_1D = ti.types.ndarray(ti.f32, 1)
SHAPE = ti.types.struct(a=ti.f32, m=ti.types.matrix(2, 2, ti.f32))
MATERIAL = ti.types.argpack(stiffness=ti.f32, count=ti.i32)
LAYER = ti.types.argpack(material=MATERIAL, depth=ti.f32)
PARTICLE = ti.types.argpack(mass=ti.f32, pos=ti.math.vec3, layer=LAYER, shape=SHAPE)


@export
@ti.kernel
def weigh(n: ti.i32, particle: PARTICLE, more: MATERIAL, out: F32_1D):
    for i in out:
        out[i] = (
            n
            + particle.mass
            + particle.pos[1]
            + particle.layer.depth
            + particle.layer.material.stiffness * particle.layer.material.count
            + particle.shape.a
            + particle.shape.m[1, 0]
            + more.stiffness * more.count
        )


@ti.data_oriented
class Solver:
    @ti.kernel
    def scaled(self, material: MATERIAL) -> ti.f32:
        return material.stiffness * material.count


def build(module):
    module.add_kernel(Solver().scaled)
