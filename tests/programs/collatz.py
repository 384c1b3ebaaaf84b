"""The steps that numbers take to reach 1 in the Collatz sequence, in 64-bit integers."""

import taichi as ti

from taichi_aot.build import export


@export
@ti.kernel
def count(first: ti.i64, steps: ti.types.ndarray(dtype=ti.i32, ndim=1), peaks: ti.types.ndarray(dtype=ti.i64, ndim=1)):
    for i in steps:
        number = first + i
        peak, taken = number, 0
        while number != 1:
            if number & 1:
                number = 3 * number + 1
            else:
                number >>= 1
            peak = ti.max(peak, number)
            taken += 1
        steps[i] = taken
        peaks[i] = peak


@export
@ti.kernel
def longest(steps: ti.types.ndarray(dtype=ti.i32, ndim=1)) -> ti.i32:
    most = 0
    for i in steps:
        ti.atomic_max(most, steps[i])
    return most
