"""Kernels of floating-point arithmetic, whose bits depend on contraction, vectors and the functions of libm."""

import taichi as ti

from helpers.exports import export_kernels

F16 = ti.types.ndarray(dtype=ti.f16, ndim=1)
F32 = ti.types.ndarray(dtype=ti.f32, ndim=1)
F64 = ti.types.ndarray(dtype=ti.f64, ndim=1)


@ti.kernel
def multiply_add(x: F32, y: F32, z: F32):
    for i in z:
        z[i] = x[i] * y[i] + z[i]


@ti.kernel
def multiply_add_double(x: F64, y: F64, z: F64):
    for i in z:
        z[i] = x[i] * y[i] + z[i]


@ti.kernel
def multiply_add_half(x: F16, y: F16, z: F16):
    for i in z:
        z[i] = x[i] * y[i] + z[i]


@ti.kernel
def polynomial(x: F32, y: F32, z: F32):
    for i in z:
        z[i] = ((y[i] * x[i] + 0.3) * x[i] - 1.7) * x[i] + y[i] * y[i] - x[i] * z[i]


@ti.kernel
def quotients(x: F32, y: F32, z: F32):
    for i in z:
        z[i] = x[i] / y[i] + x[i] / 3.0 + ti.rsqrt(ti.abs(z[i])) + ti.sqrt(ti.abs(x[i]))


@ti.kernel
def functions(x: F32, y: F32, z: F32):
    for i in z:
        z[i] = ti.sin(x[i]) * ti.exp(y[i]) + ti.cos(z[i]) * ti.tan(x[i]) + ti.atan2(x[i], y[i]) + ti.abs(z[i]) ** 0.7


@ti.kernel
def functions_double(x: F64, y: F64, z: F64):
    for i in z:
        z[i] = ti.sin(x[i]) * ti.exp(y[i]) + ti.log(ti.abs(z[i])) + ti.tanh(x[i]) + ti.acos(0.5 * ti.sin(y[i]))


@ti.kernel
def matrices(x: F32, y: F32, z: F32):
    for i in z:
        a = ti.Matrix([[x[i], y[i], 1.0], [y[i], z[i], x[i]], [0.5, x[i], z[i]]])
        z[i] = (a @ a.transpose() @ ti.Vector([x[i], y[i], z[i]])).norm() + a.determinant()


@ti.kernel
def serial_sum(x: F32, y: F32, z: F32):
    """Sum in order: the additions of a serial loop might be made in vectors."""
    ti.loop_config(serialize=True)
    for i in range(z.shape[0]):
        z[0] += x[i] * y[i]


@ti.kernel
def inner_sums(x: F32, y: F32, z: F32):
    for i in z:
        total = 0.0
        for j in range(x.shape[0]):
            total += x[j] * y[i] - z[i]
        z[i] = total


@ti.kernel
def conversions(x: F64, y: F32, z: F64):
    for i in z:
        z[i] = ti.cast(y[i], ti.f64) * x[i] + ti.cast(ti.cast(x[i] * 1e6, ti.i32), ti.f32) * 0.1 + ti.floor(y[i] * 7.3)


export_kernels(vars())
