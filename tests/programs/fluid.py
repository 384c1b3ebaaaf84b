"""Particles of an elastic fluid on a grid, both in fields: the material point method."""

import taichi as ti

from taichi_aot.build import export, export_field

GRID, PARTICLES = 32, 512
VOLUME = (0.5 / GRID) ** 2

ti.init()

x = ti.Vector.field(2, ti.f32, shape=PARTICLES)
v = ti.Vector.field(2, ti.f32, shape=PARTICLES)
affine = ti.Matrix.field(2, 2, ti.f32, shape=PARTICLES)
stretch = ti.field(ti.f32, shape=PARTICLES)
momentum = ti.Vector.field(2, ti.f32, shape=(GRID, GRID))
mass = ti.field(ti.f32, shape=(GRID, GRID))
for _name, _field in (("x", x), ("v", v), ("affine", affine), ("stretch", stretch), ("mass", mass)):
    export_field(_name, _field)


@ti.func
def weights(offset):
    return [0.5 * (1.5 - offset) ** 2, 0.75 - (offset - 1.0) ** 2, 0.5 * (offset - 0.5) ** 2]


@export
@ti.kernel
def substep(dt: ti.f32, stiffness: ti.f32):
    for cell in ti.grouped(mass):
        momentum[cell] = [0.0, 0.0]
        mass[cell] = 0.0
    for p in x:
        base = int(x[p] * GRID - 0.5)
        offset = x[p] * GRID - base
        w = weights(offset)
        pressure = -dt * 4.0 * stiffness * VOLUME * (stretch[p] - 1.0) * GRID * GRID
        change = ti.Matrix([[pressure, 0.0], [0.0, pressure]]) + VOLUME * affine[p]
        for i, j in ti.static(ti.ndrange(3, 3)):
            distance = (ti.Vector([i, j]) - offset) / GRID
            weight = w[i].x * w[j].y
            momentum[base + ti.Vector([i, j])] += weight * (VOLUME * v[p] + change @ distance)
            mass[base + ti.Vector([i, j])] += weight * VOLUME
    for i, j in mass:
        velocity = ti.Vector([0.0, 0.0])
        if mass[i, j] > 0.0:
            velocity = momentum[i, j] / mass[i, j]
        velocity.y -= dt * 9.8
        if (i < 3 and velocity.x < 0.0) or (i > GRID - 3 and velocity.x > 0.0):
            velocity.x = 0.0
        if (j < 3 and velocity.y < 0.0) or (j > GRID - 3 and velocity.y > 0.0):
            velocity.y = 0.0
        momentum[i, j] = velocity
    for p in x:
        base = int(x[p] * GRID - 0.5)
        offset = x[p] * GRID - base
        w = weights(offset)
        velocity = ti.Vector([0.0, 0.0])
        gradient = ti.Matrix([[0.0, 0.0], [0.0, 0.0]])
        for i, j in ti.static(ti.ndrange(3, 3)):
            distance = (ti.Vector([i, j]) - offset) / GRID
            weight = w[i].x * w[j].y
            velocity += weight * momentum[base + ti.Vector([i, j])]
            gradient += 4.0 * weight * momentum[base + ti.Vector([i, j])].outer_product(distance) * GRID * GRID
        v[p] = velocity
        x[p] += dt * velocity
        stretch[p] *= 1.0 + dt * gradient.trace()
        affine[p] = gradient
