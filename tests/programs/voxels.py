"""Points sorted into a sparse grid, which allocates only the blocks that contain points."""

import taichi as ti

from taichi_aot.build import export, export_field

SIZE, BLOCK = 64, 8

ti.init()

count = ti.field(ti.i32)
_blocks = ti.root.pointer(ti.ij, SIZE // BLOCK)
_blocks.bitmasked(ti.ij, BLOCK).place(count)
export_field("count", count)


@export
@ti.kernel
def sort_in(points: ti.types.ndarray(dtype=ti.types.vector(2, ti.i32), ndim=1)):
    for n in points:
        count[points[n]] += 1


@export
@ti.kernel
def occupied() -> ti.types.vector(2, ti.i32):
    """Count active cells and the points in them."""
    cells, total = 0, 0
    for i, j in count:
        cells += 1
        total += count[i, j]
    return ti.Vector([cells, total])
