"""Kernels that read small numbers at limited indices of a loop; LLVM 15 repeats the first ones after its vectors."""

import taichi as ti

from taichi_aot.build import export

ti.init(arch=ti.cpu)

BYTES = ti.types.ndarray(ti.u8, ndim=2)
WORDS = ti.types.ndarray(ti.i16, ndim=2)
LINE = ti.types.ndarray(ti.u8, ndim=1)
HALVES = ti.types.ndarray(ti.f16, ndim=2)
SUMS = ti.types.ndarray(ti.i32, ndim=1)


@ti.func
def sum_of_row(x: ti.template(), dtype: ti.template(), i, first):
    sum = ti.cast(0, dtype)
    for k in range(x.shape[1]):
        sum += x[i, ti.max(k, first)]
    return ti.cast(sum, ti.i32)


@export
@ti.kernel
def of_bytes(x: BYTES, first: ti.i32, y: SUMS):
    for i in y:
        y[i] = sum_of_row(x, ti.u8, i, first)


@export
@ti.kernel
def of_words(x: WORDS, first: ti.i32, y: SUMS):
    for i in y:
        y[i] = sum_of_row(x, ti.i16, i, first)


@export
@ti.kernel
def atomic(x: WORDS, first: ti.i32, y: SUMS):
    for i in range(x.shape[0]):
        y[ti.max(i, 0)] += sum_of_row(x, ti.i16, i, first)


@export
@ti.kernel
def serial(x: WORDS, first: ti.i32, y: SUMS):
    ti.loop_config(serialize=True)
    for i in range(x.shape[0]):
        y[i] = sum_of_row(x, ti.i16, i, first)


@export
@ti.kernel
def shifted(x: HALVES, by: ti.i32, y: HALVES):
    for i, j in y:
        y[i, j] = x[i, ti.max(ti.min(j - 17, x.shape[1] - 1), by)]


@export
@ti.kernel
def moved(x: LINE, y: LINE):
    for i in x:
        y[i] = x[ti.max(ti.min(i - 1, x.shape[0] - 1), 0)]


@export
@ti.kernel
def largest(x: HALVES, y: HALVES):
    for i in range(x.shape[0]):
        found = ti.cast(0, ti.f16)
        for k in range(x.shape[1]):
            found = ti.max(found, x[i, ti.max(k, 1)])
        y[0, 0] += found
