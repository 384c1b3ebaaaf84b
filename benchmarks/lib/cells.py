"""A kernel on a field, for `soak.py`."""

import taichi as ti

cells = ti.field(ti.i32, (4, 256))


@ti.kernel
def add(row: ti.i32, by: ti.i32):
    for i in range(256):
        cells[row, i] += by * i


def build(module):
    module.add_field("cells", cells)
    module.add_kernel(add)
