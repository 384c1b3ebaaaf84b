"""A program with instances of kernels: for fields, numbers and objects."""

import taichi as ti

ti.init(arch=ti.cpu)
density = ti.field(ti.f32, 4)
speed = ti.field(ti.f32, 4)


@ti.kernel
def shift(f: ti.template(), by: ti.f32, n: ti.template()):
    """Add to a field."""
    for i in f:
        f[i] += by * n


@ti.data_oriented
class Solver:
    def __init__(self, scale):
        self.scale = scale
        self.x = ti.field(ti.f32, 3)

    @ti.kernel
    def step(self, dt: ti.f32):
        for i in self.x:
            self.x[i] += self.scale * dt


def solve(*solvers):
    for each in solvers:
        each.step(1.0)


a, b = Solver(1), Solver(10)
shift(density, 1.0, 2)
shift(speed, 1.0, 2)
shift(speed, 1.0, 3)
a.step(1.0)
b.step(1.0)
solve(Solver(3), Solver(5))
