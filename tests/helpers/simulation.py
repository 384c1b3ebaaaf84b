"""A simulation with two fields, for examples and scenarios."""

import taichi as ti

from helpers.graphs import array, graph, scalar

I32_1D = ti.types.ndarray(dtype=ti.i32, ndim=1)

v = ti.Vector.field(3, ti.f32, (4, 4))
steps = ti.field(ti.i32, ())
cells = ti.field(ti.i32, 1000)


@ti.kernel
def accelerate(dt: ti.f32):
    for i, j in v:
        v[i, j].y -= dt
    steps[None] += 1


@ti.kernel
def mark(x: I32_1D):
    """Use an array, and a field without accessors in several workgroups."""
    for i in cells:
        cells[i] += i * steps[None]
        x[i % x.shape[0]] += cells[i]


@ti.kernel
def visit(n: ti.i32, x: I32_1D) -> ti.i32:
    """Take the length of a loop from a field, and pass a sum to later tasks."""
    total = 0
    steps[None] = (steps[None] + n) % 100
    for i in range(steps[None]):
        total += i + cells[i]
        x[i % x.shape[0]] += 1
    for i, j in v:
        v[i, j].x += total
    return total


def build(module):
    module.add_field("v", v)
    module.add_field("steps", steps)
    for kernel in (accelerate, mark, visit):
        module.add_kernel(kernel)
    module.add_graph("both", graph((accelerate, scalar("dt")), (mark, array("x", ti.i32))))
