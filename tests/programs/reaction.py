"""Reaction and diffusion of two substances, in two vector fields that one kernel takes as templates."""

import taichi as ti

from taichi_aot.build import export_field

SIZE = 64

ti.init()

first = ti.Vector.field(2, ti.f32, shape=(SIZE, SIZE))
second = ti.Vector.field(2, ti.f32, shape=(SIZE, SIZE))
export_field("first", first)
export_field("second", second)


@ti.kernel
def react(feed: ti.f32, kill: ti.f32, now: ti.template(), after: ti.template()):
    for i, j in now:
        u = now[i, j]
        around = (
            now[(i + 1) % SIZE, j]
            + now[(i + SIZE - 1) % SIZE, j]
            + now[i, (j + 1) % SIZE]
            + now[i, (j + SIZE - 1) % SIZE]
            - 4.0 * u
        )
        reaction = u.x * u.y * u.y
        after[i, j] = u + ti.Vector([0.16, 0.08]) * around
        after[i, j] += ti.Vector([feed * (1.0 - u.x) - reaction, reaction - (feed + kill) * u.y])


def build(module):
    module.add_kernel(react, template_args={"now": first, "after": second}, name="forth")
    module.add_kernel(react, template_args={"now": second, "after": first}, name="back")
