"""A simulation with two fields, for examples and scenarios."""

import taichi as ti

v = ti.Vector.field(3, ti.f32, (4, 4))
steps = ti.field(ti.i32, ())


@ti.kernel
def accelerate(dt: ti.f32):
    for i, j in v:
        v[i, j].y -= dt
    steps[None] += 1


def build(module):
    module.add_field("v", v)
    module.add_field("steps", steps)
    module.add_kernel(accelerate)
