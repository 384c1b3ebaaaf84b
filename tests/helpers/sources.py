"""Sources for `taichi_aot.build` that several tests build."""

FILL = """
import taichi as ti
from taichi_aot.build import export

@export
@ti.kernel
def fill(x: ti.types.ndarray(dtype=ti.f32, ndim=1)):
    for i in x:
        x[i] = 1
"""
