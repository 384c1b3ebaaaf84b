"""Kernels with loops over several dimensions, whose rows are short, of a known length, or one row."""

import taichi as ti

from taichi_aot.build import export, export_field

ti.init(arch=ti.cpu)

LINE = ti.types.ndarray(ti.i32, ndim=1)
PLANE = ti.types.ndarray(ti.i32, ndim=2)
VOLUME = ti.types.ndarray(ti.i32, ndim=3)
VOLUMES = ti.types.ndarray(ti.i32, ndim=4)
VECTORS = ti.types.ndarray(ti.types.vector(3, ti.i32), ndim=2)

short = ti.field(ti.i32, shape=(6, 7, 3))
other = ti.field(ti.i32, shape=(6, 7, 3))
export_field("short", short)
export_field("other", other)


@export
@ti.kernel
def over_array(x: VOLUME, y: VOLUME):
    for i, j, k in x:
        y[i, j, k] = 2 * x[i, j, k] + y[i, j, k]


@export
@ti.kernel
def grouped(x: VOLUME, y: VOLUME):
    for index in ti.grouped(x):
        y[index] = 2 * x[index] + y[index]


@export
@ti.kernel
def over_ranges(x: VOLUME, y: VOLUME):
    for i, j, k in ti.ndrange(x.shape[0], x.shape[1], x.shape[2]):
        y[i, j, k] = 2 * x[i, j, k] + y[i, j, k]


@export
@ti.kernel
def over_four_ranges(x: VOLUMES, y: VOLUMES):
    for h, i, j, k in ti.ndrange(x.shape[0], x.shape[1], x.shape[2], x.shape[3]):
        y[h, i, j, k] = 2 * x[h, i, j, k] + y[h, i, j, k]


@export
@ti.kernel
def over_colours(x: VOLUME, y: VOLUME):
    for i, j, k in ti.ndrange(x.shape[0], x.shape[1], 3):
        y[i, j, k] = 2 * x[i, j, k] + y[i, j, k]


@export
@ti.kernel
def colours(x: VOLUME, y: VOLUME):
    for i, j in ti.ndrange(x.shape[0], x.shape[1]):
        for k in ti.static(range(3)):
            y[i, j, k] = 2 * x[i, j, k] + y[i, j, k]


@export
@ti.kernel
def grey(x: VOLUME, y: PLANE):
    for i, j in y:
        y[i, j] = 3 * x[i, j, 0] + 6 * x[i, j, 1] + x[i, j, 2]


@export
@ti.kernel
def sum_of_colours(x: VOLUME) -> ti.i32:
    total = 0
    for i, j in ti.ndrange(x.shape[0], x.shape[1]):
        total += 3 * x[i, j, 0] + 6 * x[i, j, 1] + x[i, j, 2]
    return total


@export
@ti.kernel
def sum_of_all(x: VOLUME, y: VOLUME) -> ti.i32:
    total = 0
    for i, j, k in x:
        total += x[i, j, k] * y[i, j, k]
    return total


@export
@ti.kernel
def with_place(x: VOLUME, y: VOLUME):
    for i, j, k in x:
        y[i, j, k] = x[i, j, k] + 100 * i + 10 * j + k


@export
@ti.kernel
def in_turn(count: ti.i32, x: VOLUME, y: LINE):
    for number in range(count):
        row = ti.raw_div(number, x.shape[2])
        i, j = ti.raw_mod(ti.raw_div(row, x.shape[1]), x.shape[0]), ti.raw_mod(row, x.shape[1])
        y[number] = x[i, j, ti.raw_mod(number, x.shape[2])]


@export
@ti.kernel
def in_tiles(size: ti.i32, x: PLANE, y: PLANE):
    for i, j in x:
        y[i, j] = x[i, j // size] + j % size


@export
@ti.kernel
def vectors(x: VECTORS, y: VECTORS):
    for i, j in x:
        y[i, j] = 2 * x[i, j] + y[i, j]


@export
@ti.kernel
def over_field():
    for i, j, k in short:
        other[i, j, k] = 2 * short[i, j, k] + other[i, j, k]


@export
@ti.kernel
def inside(x: VOLUME, y: VOLUME):
    for i, j, k in x:
        if 0 < k < x.shape[2] - 1:
            y[i, j, k] = 2 * x[i, j, k + 1] - x[i, j, k - 1]


@export
@ti.kernel
def to_the_edge(x: VOLUME, y: VOLUME):
    for i, j, k in x:
        y[i, j, k] = 2 * x[i, j, ti.min(k + 2, x.shape[2] - 1)] - x[i, j, ti.max(0, k - 1)]


@export
@ti.kernel
def around(x: VOLUME, y: VOLUME):
    for i, j, k in x:
        after = k + 1
        if after >= x.shape[2]:
            after = 0
        before = k - 1
        if before < 0:
            before = x.shape[2] - 1
        y[i, j, k] = 2 * x[i, j, after] - x[i, j, before]


@export
@ti.kernel
def compared(bound: ti.i32, x: LINE, y: LINE):
    for i in x:
        found = x[i]
        if i < bound:
            found += 1
        if i <= bound:
            found += 2
        if i > bound:
            found += 4
        if bound >= i:
            found += 8
        if i == bound:
            found += 16
        if bound != i:
            found += 32
        if i + 3 < bound - 2:
            found += 64
        if i - 2 >= bound * 2:
            found += 128
        if i > 20:
            found += 256
        y[i] = found
