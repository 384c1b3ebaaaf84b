"""Bitonic sort of 2^n numbers, with one launch per distance of each stage."""

import taichi as ti

from taichi_aot.build import export


@export(shapes={"keys": "n", "values": "n"})
@ti.kernel
def exchange(
    size: ti.i32,
    distance: ti.i32,
    keys: ti.types.ndarray(dtype=ti.u32, ndim=1),
    values: ti.types.ndarray(dtype=ti.i32, ndim=1),
):
    for i in keys:
        other = i ^ distance
        if other > i and (keys[i] > keys[other]) == (i & size == 0):
            keys[i], keys[other] = keys[other], keys[i]
            values[i], values[other] = values[other], values[i]
