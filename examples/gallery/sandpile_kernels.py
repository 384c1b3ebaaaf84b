"""The kernels of a sand pile: cells with four or more grains give grains to their neighbours."""

import taichi as ti

from taichi_aot.build import export

GRAINS = ti.types.ndarray(dtype=ti.i32, ndim=2)


@export(shapes={"grains": ("rows", "columns"), "later": ("rows", "columns")})
@ti.kernel
def topple(grains: GRAINS, later: GRAINS):
    """Topple all cells at once; grains that fall over the edges are lost."""
    rows, columns = grains.shape[0], grains.shape[1]
    for i, j in grains:
        kept = grains[i, j] % 4
        if i > 0:
            kept += grains[i - 1, j] // 4
        if i < rows - 1:
            kept += grains[i + 1, j] // 4
        if j > 0:
            kept += grains[i, j - 1] // 4
        if j < columns - 1:
            kept += grains[i, j + 1] // 4
        later[i, j] = kept


@export
@ti.kernel
def unstable(grains: GRAINS) -> ti.i32:
    """Count the cells that will topple."""
    count = 0
    for i, j in grains:
        if grains[i, j] > 3:
            count += 1
    return count
