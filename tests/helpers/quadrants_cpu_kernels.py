"""Kernels of Quadrants that are built for CPUs alone: functions of f64, which SPIR-V lacks."""

import quadrants as qd

from taichi_aot.build import export

Numbers = qd.types.ndarray(dtype=qd.f64, ndim=2)


@export
@qd.kernel
def wide(y: Numbers):
    for i, j in y:
        y[i, j] = qd.atan2(y[i, j], 0.5) + qd.exp(-y[i, j]) + qd.pow(y[i, j], 1.7)
