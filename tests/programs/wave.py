"""Waves on a string stored in fields, in a class whose methods are kernels."""

import taichi as ti

ti.init()


@ti.data_oriented
class String:
    def __init__(self, size):
        self.size = size
        self.height = ti.field(ti.f32, shape=size)
        self.speed = ti.field(ti.f32, shape=size)

    @ti.kernel
    def pluck(self, place: ti.i32, width: ti.i32):
        for i in self.height:
            self.height[i] = ti.max(0.0, 1.0 - ti.abs(i - place) / width)
            self.speed[i] = 0.0

    @ti.kernel
    def step(self, dt: ti.f32):
        for i in self.height:
            if 0 < i < self.size - 1:
                self.speed[i] += dt * (self.height[i - 1] - 2.0 * self.height[i] + self.height[i + 1])
        for i in self.height:
            self.height[i] += dt * self.speed[i]


string = String(512)


def build(module):
    module.add_field("height", string.height)
    module.add_field("speed", string.speed)
    module.add_kernel(string.pluck)
    module.add_kernel(string.step)
