"""A program that is not written for a build: it launches kernels, draws, and reads its arguments and fields."""

import sys
import time

import numpy as np
import taichi as ti

ti.init(arch=ti.gpu)

N = 8
height = ti.field(ti.f32, shape=N)


Ball = ti.types.argpack(x=ti.f32, y=ti.types.ndarray(ti.f32, 1))


@ti.kernel
def advance(dt: ti.f32):
    for i in height:
        height[i] += dt


@ti.kernel
def fill(x: ti.types.ndarray(), value: ti.template()):
    for i in ti.grouped(x):
        x[i] = value


@ti.kernel
def highest() -> ti.f32:
    result = -1e9
    for i in height:
        ti.atomic_max(result, height[i])
    return result


@ti.kernel
def roll(ball: Ball, x: ti.types.ndarray(ti.f32, 1)):
    x[0] = ball.x


@ti.kernel
def typed(x: ti.types.ndarray(ti.i32, 1)):
    for i in x:
        x[i] = i


@ti.kernel
def untyped(x: ti.types.ndarray()):
    x[0] = 1


@ti.kernel
def wrong():
    for i in height:
        height[i] = nothing  # noqa: F821


@ti.data_oriented
class Solver:
    def __init__(self):
        self.speed = ti.Vector.field(2, ti.f32, shape=N)

    @ti.kernel
    def step(self, factor: ti.f32):
        for i in self.speed:
            self.speed[i] += factor

    @ti.kernel
    def reset(self):
        self.speed.fill(0)


def main():
    advance(float(sys.argv[1]) if len(sys.argv) > 1 else 0.1)
    solver = Solver()  # its field is not in the tree of the first call
    height.from_numpy(np.ones(N, np.float32))
    for _ in range(3):
        solver.step(1 / highest())
    fill(np.zeros(4, np.float32), 1)
    fill(ti.Vector.ndarray(3, ti.i32, (2, 2)), 2)
    fill(np.zeros(5, np.float32), 1)
    assert highest() > 0
    gui = ti.GUI("Heights", res=64)
    while gui.running:
        advance(height[0] + solver.speed[0].x)
        gui.circles(np.stack([height.to_numpy()] * 2, axis=1))
        gui.show()
        time.sleep(100)
    window = ti.ui.Window("Heights", (64, 64))
    while window.running and not window.is_pressed(ti.ui.ESCAPE):
        window.get_canvas().set_image(height)
        window.show()
    wrong()
    while True:
        advance(0)


if __name__ == "__main__":
    main()
