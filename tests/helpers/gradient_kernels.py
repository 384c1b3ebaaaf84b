"""Kernels with adjoints, of many kinds; run as a program, it computes their gradients by Taichi's JIT."""

import sys

import numpy as np
import taichi as ti

from taichi_aot.build import export

A = ti.types.ndarray(ti.f32, 1)
B = ti.types.ndarray(ti.f32, 2)
D = ti.types.ndarray(ti.f64, 1)
V = ti.types.ndarray(ti.types.vector(3, ti.f32), 1)
M = ti.types.ndarray(ti.types.matrix(2, 2, ti.f32), 1)
N = ti.types.ndarray(ti.i32, 1)


@ti.func
def smooth(x):
    return x * x * (3.0 - 2.0 * x)


@ti.kernel
def scale(a: ti.f32, x: A, y: A):
    for i in y:
        y[i] = a * x[i]


@ti.kernel
def trigonometry(x: A, y: A):
    for i in y:
        y[i] = ti.sin(x[i]) * ti.cos(x[i]) + ti.tanh(x[i])


@ti.kernel
def exponentials(x: A, y: A):
    for i in y:
        y[i] = ti.exp(x[i]) + ti.log(x[i] + 2.0)


@ti.kernel
def roots(x: A, y: A):
    for i in y:
        y[i] = ti.sqrt(x[i] + 1.0) / (x[i] + 3.0)


@ti.kernel
def powers(x: A, y: A):
    for i in y:
        y[i] = ti.pow(x[i] + 1.0, 2.5) + x[i] ** 3


@ti.kernel
def total(x: A, y: A):
    for i in x:
        y[0] += x[i] * x[i]


@ti.kernel
def dot(x: A, z: A, y: A):
    for i in x:
        y[0] += x[i] * z[i]


@ti.kernel
def doubles(a: ti.f64, x: D, y: D):
    for i in y:
        y[i] = a * ti.exp(x[i]) * ti.sin(x[i])


@ti.kernel
def mixed(x: A, y: D):
    for i in y:
        y[i] = ti.cast(x[i], ti.f64) * x[i]


@ti.kernel
def lengths(x: V, y: A):
    for i in y:
        y[i] = x[i].norm() + x[i].dot(x[i])


@ti.kernel
def crosses(x: V, z: V, y: V):
    for i in y:
        y[i] = x[i].cross(z[i])


@ti.kernel
def determinants(x: M, y: A):
    for i in y:
        y[i] = (x[i] @ x[i]).determinant() + x[i].trace()


@ti.kernel
def static_loop(x: A, y: A):
    for i in y:
        for j in ti.static(range(3)):
            y[i] += x[i] * x[i] * (j + 1)


@ti.kernel
def inner_loop(n: ti.i32, x: A, y: A):
    for i in y:
        s = x[i]
        for _ in range(n):
            s = s * s + 0.1
        y[i] = s


@ti.kernel
def branches(x: A, y: A):
    for i in y:
        if x[i] > 0.5:
            y[i] = x[i] * x[i]
        else:
            y[i] = -2.0 * x[i]


@ti.kernel
def bounds(x: A, y: A):
    for i in y:
        y[i] = ti.max(x[i], 0.4) + ti.min(x[i] * x[i], 0.3) + ti.abs(x[i] - 0.5)


@ti.kernel
def stencil(x: B, y: B):
    for i, j in y:
        if 0 < i < y.shape[0] - 1 and 0 < j < y.shape[1] - 1:
            y[i, j] = x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1] - 4.0 * x[i, j]


@ti.kernel
def functions(x: A, y: A):
    for i in y:
        y[i] = smooth(x[i]) + smooth(1.0 - x[i])


@ti.kernel
def gather(x: A, n: N, y: A):
    for i in y:
        y[i] = x[n[i]] * x[i]


@ti.kernel
def matrix_parameter(m: ti.types.matrix(3, 3, ti.f32), x: V, y: V):
    for i in y:
        y[i] = m @ x[i]


@ti.kernel
def two_loops(x: A, z: A, y: A):
    for i in z:
        z[i] = x[i] * x[i]
    for i in y:
        y[i] = x[i] * 3.0


KERNELS = [each for each in list(vars().values()) if hasattr(each, "_adjoint")]
for kernel in KERNELS:
    export(grad=True)(kernel)
SIZE = 12


def made(annotation, rng):
    """Numbers for a parameter: a scalar, a matrix, or an array and its gradient."""
    if not isinstance(annotation, ti.types.ndarray):
        if annotation is ti.i32:
            return 3, None
        return (np.float32(rng.random((3, 3))), None) if hasattr(annotation, "n") else (0.75, None)
    if annotation is N:
        return rng.integers(0, SIZE, SIZE, np.int32), None
    elements = {V: (3,), M: (2, 2)}.get(annotation, ())
    dtype = np.float64 if annotation is D else np.float32
    shape = (*[SIZE] * annotation.ndim, *elements)
    return rng.random(shape).astype(dtype), rng.random(shape).astype(dtype)


def arguments(name, annotations):
    rng = np.random.default_rng(sum(name.encode()))
    return [made(each, rng) for each in annotations]


def by_jit(folder):
    """Write the arguments, and each array and gradient after the adjoint."""
    for kernel in KERNELS:
        name, annotations = kernel.__name__, [each.annotation for each in kernel._primal.arguments]
        given, passed, found = arguments(name, annotations), [], {}
        for i, ((value, grad), annotation) in enumerate(zip(given, annotations, strict=True)):
            found[f"value{i}"] = np.asarray(value)
            array = value
            if isinstance(annotation, ti.types.ndarray):
                array = ti.ndarray(annotation.dtype, (SIZE,) * annotation.ndim, needs_grad=grad is not None)
                array.from_numpy(value)
            elif hasattr(annotation, "n"):
                array = ti.Matrix(value)
            if grad is not None:
                found[f"grad{i}"] = grad
                array.grad.from_numpy(grad)
            passed.append(array)
        kernel.grad(*passed)
        for i, array in enumerate(passed):
            if isinstance(annotations[i], ti.types.ndarray):
                found[f"value_after{i}"] = array.to_numpy()
            if f"grad{i}" in found:
                found[f"grad_after{i}"] = array.grad.to_numpy()
        np.savez(f"{folder}/{name}.npz", **found)


if __name__ == "__main__":
    arch = {"x64": ti.cpu, "cuda": ti.cuda}[sys.argv[1]]
    # Builds scalarize matrices too, which decides the order of additions to a gradient.
    ti.init(arch=arch, offline_cache=False, cpu_max_num_threads=1, log_level=ti.ERROR, force_scalarize_matrix=True)
    by_jit(sys.argv[2])
