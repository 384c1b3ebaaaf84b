"""Random points of a square that lie in its circle, from the program's own generator."""

import taichi as ti

from taichi_aot.build import export


@ti.func
def scrambled(state: ti.u32) -> ti.u32:
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    return state


@export
@ti.kernel
def inside(rounds: ti.i32, states: ti.types.ndarray(dtype=ti.u32, ndim=1)) -> ti.i32:
    count = 0
    for i in states:
        state, hits = states[i], 0
        for _ in range(rounds):
            state = scrambled(state)
            x, y = state & ti.u32(0x7FFF), state >> ti.u32(17)
            hits += ti.cast(x * x + y * y < ti.u32(1 << 30), ti.i32)
        states[i] = state
        count += hits
    return count
