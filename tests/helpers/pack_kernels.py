"""Kernels with argument packs as parameters."""

import taichi as ti

from taichi_aot.build import export

F32_1D = ti.types.ndarray(ti.f32, 1)
SHAPE = ti.types.struct(a=ti.f32, m=ti.types.matrix(2, 2, ti.f32))
MATERIAL = ti.types.argpack(stiffness=ti.f32, count=ti.i32)
LAYER = ti.types.argpack(material=MATERIAL, depth=ti.f32)
PARTICLE = ti.types.argpack(mass=ti.f32, pos=ti.math.vec3, layer=LAYER, shape=SHAPE)


FLAGS = ti.types.argpack(up=bool, n=ti.i32)
EDGE = ti.types.argpack(y=ti.types.ndarray(ti.math.vec2, 1), material=MATERIAL)
GRID = ti.types.argpack(edge=EDGE, x=F32_1D, flags=FLAGS)
FLUID = ti.types.argpack(mass=ti.f32, x=F32_1D, grid=GRID, pos=ti.math.vec3, shape=SHAPE)
OTHER = ti.types.argpack(x=F32_1D)
BLOCK = ti.types.argpack(cells=ti.types.ndarray(ti.math.vec3, 2), n=ti.i32, material=MATERIAL)


@ti.func
def scaled(fluid: ti.template(), i):
    return fluid.x[i] * fluid.mass


@export(shapes={"fluid.x": "n", "fluid.grid.x": "n", "out": "n"})
@ti.kernel
def flow(fluid: FLUID, n: ti.i32, other: OTHER, out: F32_1D):
    for i in fluid.x:
        total = scaled(fluid, i) + 10 * fluid.grid.x[i] + 100 * other.x[0] + fluid.pos[2] * 1000
        total += fluid.grid.edge.y[i][1] * fluid.grid.edge.material.count + fluid.shape.m[1, 0] + fluid.grid.flags.n
        if fluid.grid.flags.up:
            out[i] = total
        fluid.grid.x[i] = -fluid.grid.x[i]


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


@export
@ti.kernel
def cell_of(block: BLOCK) -> ti.math.vec3:
    return block.cells[1, 2]


@export
@ti.kernel
def count_of(block: BLOCK) -> ti.i32:
    return block.n + block.material.count


@ti.data_oriented
class Solver:
    @staticmethod
    @ti.kernel
    def product(material: MATERIAL) -> ti.f32:
        return material.stiffness * material.count

    @ti.kernel
    def scaled(self, material: MATERIAL) -> ti.f32:
        return material.stiffness * material.count


def build(module):
    module.add_kernel(Solver().scaled)
    module.add_kernel(Solver().product)
    module.add_kernel(Solver.product, name="of_class")
