"""Kernels of Quadrants that are built for CPUs alone: functions of f64, and quantized fields, which SPIR-V lacks."""

import quadrants as qd

from taichi_aot.build import export, export_field

Numbers = qd.types.ndarray(dtype=qd.f64, ndim=2)

bits = qd.BitpackedFields(max_num_bits=32)
small = qd.field(qd.types.quant.int(bits=5))
real = qd.field(qd.types.quant.fixed(bits=10, max_value=4.0))
bits.place(small, real)
qd.root.dense(qd.i, 8).place(bits)
export_field("small", small)
export_field("real", real)


@qd.real_func
def square(x: qd.f64) -> qd.f64:
    return x * x


@export
@qd.kernel
def wide(y: Numbers):
    for i in range(8):
        small[i] = i - 4
        real[i] = y[0, 0] * i / 3
    for i, j in y:
        y[i, j] = qd.atan2(y[i, j], 0.5) + square(qd.exp(-y[i, j])) + qd.pow(y[i, j], 1.7)
        if i < 8:
            y[i, j] += small[i] + real[i]
