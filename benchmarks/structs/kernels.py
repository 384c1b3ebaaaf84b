"""Kernels that take 12 numbers and an array: each by itself, as a struct, and as an argument pack."""

import taichi as ti

from taichi_aot.build import export

NAMES = "abcdefghijkl"
TYPES = {name: ti.f32 if i % 2 else ti.i32 for i, name in enumerate(NAMES)}
F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)
STRUCT = ti.types.struct(**TYPES)
PACK = ti.types.argpack(x=F32_1D, **TYPES)


@export
@ti.kernel
def scalars(
    a: ti.i32,
    b: ti.f32,
    c: ti.i32,
    d: ti.f32,
    e: ti.i32,
    f: ti.f32,
    g: ti.i32,
    h: ti.f32,
    i: ti.i32,
    j: ti.f32,
    k: ti.i32,
    l: ti.f32,  # noqa: E741
    x: F32_1D,
):
    x[0] = a + b + c + d + e + f + g + h + i + j + k + l


@export
@ti.kernel
def struct(s: STRUCT, x: F32_1D):
    x[0] = s.a + s.b + s.c + s.d + s.e + s.f + s.g + s.h + s.i + s.j + s.k + s.l


@export
@ti.kernel
def pack(s: PACK):
    s.x[0] = s.a + s.b + s.c + s.d + s.e + s.f + s.g + s.h + s.i + s.j + s.k + s.l
