"""Kernels whose parameters are named `read` where the code only reads them, and `written` where it may write."""

import taichi as ti

from taichi_aot.build import export

F32 = ti.types.ndarray(ti.f32, 1)
VECTORS = ti.types.ndarray(ti.types.vector(3, ti.f32), 1)
ZERO = ti.types.ndarray(ti.f32, 0)


@export
@ti.kernel
def store(read: F32, scale: ti.types.matrix(2, 2, ti.f32), read_rows: ti.types.ndarray(ti.f32, 2), written: F32):
    for i in read:
        written[i] = read[i] * scale[0, 1] + read_rows[i, 0]


@export
@ti.kernel
def add(read: VECTORS, written: VECTORS) -> ti.f32:
    for i in read:
        written[0] += read[i]
    return read[0].x


@export
@ti.kernel
def largest(read: F32, written: F32):
    for i in read:
        ti.atomic_max(written[0], read[i])


@export
@ti.kernel
def either(n: ti.i32, read: F32, written: F32, written_too: F32):
    for i in range(n):
        if read[i] > 0:
            written[i] = 1
        else:
            written_too[i] = 1


@export
@ti.kernel
def one(read: ZERO, written: ZERO):
    written[None] = read[None]


@ti.real_func
def put(x: F32, i: ti.i32) -> ti.f32:
    x[i] = 1
    return x[0]


@export
@ti.kernel
def by_function(read: F32, written: F32):
    written[1] = read[0] + put(written, 2)


@export(grad=True)
@ti.kernel
def square(read: F32, written: F32):
    for i in read:
        written[i] += read[i] * read[i]
