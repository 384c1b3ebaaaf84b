"""Kernels that cast floats to all integers."""

import taichi as ti

from helpers.exports import export_kernels

F16, F32, F64 = (ti.types.ndarray(dtype, 1) for dtype in (ti.f16, ti.f32, ti.f64))
I8, I16, I32, I64 = (ti.types.ndarray(dtype, 1) for dtype in (ti.i8, ti.i16, ti.i32, ti.i64))
U8, U16, U32, U64 = (ti.types.ndarray(dtype, 1) for dtype in (ti.u8, ti.u16, ti.u32, ti.u64))


@ti.func
def cast(
    number,
    i,
    i8: ti.template(),
    i16: ti.template(),
    i32: ti.template(),
    i64: ti.template(),
    u8: ti.template(),
    u16: ti.template(),
    u32: ti.template(),
    u64: ti.template(),
):
    i8[i] = ti.cast(number, ti.i8)
    i16[i] = ti.cast(number, ti.i16)
    i32[i] = ti.cast(number, ti.i32)
    i64[i] = ti.cast(number, ti.i64)
    u8[i] = ti.cast(number, ti.u8)
    u16[i] = ti.cast(number, ti.u16)
    u32[i] = ti.cast(number, ti.u32)
    u64[i] = ti.cast(number, ti.u64)


@ti.kernel
def cast_f16(x: F16, i8: I8, i16: I16, i32: I32, i64: I64, u8: U8, u16: U16, u32: U32, u64: U64):
    for i in x:
        cast(x[i], i, i8, i16, i32, i64, u8, u16, u32, u64)


@ti.kernel
def cast_f32(x: F32, i8: I8, i16: I16, i32: I32, i64: I64, u8: U8, u16: U16, u32: U32, u64: U64):
    for i in x:
        cast(x[i], i, i8, i16, i32, i64, u8, u16, u32, u64)


@ti.kernel
def cast_f64(x: F64, i8: I8, i16: I16, i32: I32, i64: I64, u8: U8, u16: U16, u32: U32, u64: U64):
    ti.loop_config(serialize=True)
    for i in range(x.shape[0]):
        cast(x[i], i, i8, i16, i32, i64, u8, u16, u32, u64)


export_kernels(vars())
