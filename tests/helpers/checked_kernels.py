"""Kernels whose checks of indices and asserts can fail."""

import taichi as ti

from helpers.exports import export_kernels
from helpers.graphs import array, graph, scalar

ti.init(debug=True)

F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)
F32_2D = ti.types.ndarray(dtype=ti.f32, ndim=2)
VECTORS = ti.types.ndarray(dtype=ti.types.vector(3, ti.f32), ndim=1)

line = ti.field(ti.f32, 8)
table = ti.field(ti.f32, (5, 7))
vectors = ti.Vector.field(3, ti.f32, shape=6)


def build(module):
    module.add_field("table", table)
    module.add_graph("set_both", graph(*((set_1d, array(name), scalar(f"i_{name}", ti.i32)) for name in "xy")))


@ti.kernel
def set_1d(x: F32_1D, i: ti.i32):
    x[i] = 1.0


@ti.kernel
def set_2d(x: F32_2D, i: ti.i32, j: ti.i32):
    x[i, j] = 1.0


@ti.kernel
def set_after(scale: ti.types.matrix(6, 6, ti.f32), big: ti.i64, x: F32_1D, v: VECTORS, i: ti.i32, j: ti.i32):
    x[i] = scale[0, 0]
    v[j] = ti.Vector([big, 0.0, 0.0])


@ti.kernel
def set_line(i: ti.i32):
    line[i] = 1.0


@ti.kernel
def set_table(i: ti.i32, j: ti.i32):
    table[i, j] = 1.0


@ti.kernel
def set_vector(i: ti.i32):
    vectors[i] = ti.Vector([1.0, 1.0, 1.0])


@ti.kernel
def shift(x: F32_1D, distance: ti.i32):
    for i in x:
        x[i + distance] = 1.0


@ti.kernel
def sum_until(x: F32_1D, n: ti.i32) -> ti.f32:
    total = 0.0
    for i in range(n):
        total += x[i]
    return total


@ti.kernel
def at_least(n: ti.i32):
    assert n > 3


@ti.kernel
def describe(x: F32_1D, whole: ti.i64, real: ti.f64, half: ti.f16):
    for i in range(1):
        assert x[i] < 0, f"x is {x[i]} at {i}: {whole}, {real}, {half}, 100% wrong"


@ti.real_func
def root(x: ti.f32) -> ti.f32:
    assert x >= 0, "a negative number has no root"
    return ti.sqrt(x)


@ti.kernel
def root_of(x: ti.f32) -> ti.f32:
    return root(x)


@ti.kernel
def pick(i: ti.i32) -> ti.f32:
    numbers = ti.Vector([1.0, 2.0, 3.0])
    for _ in range(1):
        numbers[i] += 1.0
    return numbers[0]


@ti.kernel
def decided(o: ti.types.ndarray(ti.i32, 1), n: ti.i32):
    for i in o:
        assert i & 7 < 8  # LLVM finds this true
        table[i & 3, 0] += 1.0
        assert i < n
        o[i] = i


@ti.kernel
def never(o: ti.types.ndarray(ti.i32, 1)):
    for i in o:
        assert i & 7 > 8
        o[i] = i


@ti.kernel
def power(base: ti.i32, exponent: ti.i32) -> ti.i32:
    return base**exponent


export_kernels(vars())
