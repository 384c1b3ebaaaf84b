"""Kernels and their adjoints for operators of frameworks. No ``from __future__``: Taichi reads the annotations."""

import taichi as ti

from taichi_aot.build import export

Floats, Doubles = ti.types.ndarray(ti.f32, 1), ti.types.ndarray(ti.f64, 1)
Integers = ti.types.ndarray(ti.i32, 1)
Vectors = ti.types.ndarray(ti.types.vector(2, ti.f32), 1)


@export(shapes={"x": "n", "y": "n"})
@ti.kernel
def saxpy(a: ti.f32, x: Floats, y: Floats):
    for i in x:
        y[i] += a * x[i]


@export(grad=True, shapes={"x": "n", "y": "n"})
@ti.kernel
def scale(x: Doubles, w: Doubles, y: Doubles):
    for i in x:
        y[i] = w[0] * x[i] * x[i] + y[i]


@export(shapes={"x": "n", "y_grad": "n", "x_grad": "n"})
@ti.kernel
def scale_backward(x: Doubles, w: Doubles, y_grad: Doubles, x_grad: Doubles, w_grad: Doubles):
    for i in x:
        x_grad[i] += 2 * w[0] * x[i] * y_grad[i]
        w_grad[0] += x[i] * x[i] * y_grad[i]


@export(grad=True, shapes={"x": "n", "y": "n"})
@ti.kernel
def wave(a: ti.f64, x: Doubles, w: Doubles, y: Doubles):
    for i in x:
        y[i] += a * ti.sin(w[0] * x[i])


@export(grad=True, shapes={"x": "n", "signs": "n", "y": "n"})
@ti.kernel
def rectify(x: Doubles, signs: Integers, y: Doubles):
    for i in x:
        signs[i] = 1 if x[i] > 0 else -1
        y[i] = signs[i] * x[i] * x[i]


@export(shapes={"y": "count"})
@ti.kernel
def ramp(count: ti.i32, flip: ti.u1, y: Floats):
    for i in y:
        y[i] = -i if flip else i


@export(shapes={"v": "n", "x": "n", "y": "n"})
@ti.kernel
def split(v: Vectors, m: ti.types.matrix(2, 2, ti.f32), x: Floats, y: Floats) -> ti.f32:
    total = 0.0
    for i in v:
        x[i] = (m @ v[i])[0]
        y[i] = (m @ v[i])[1]
        total += x[i]
    return total
