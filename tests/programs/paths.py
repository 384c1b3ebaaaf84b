"""Shortest paths between all places of a map, with one launch per intermediate place."""

import taichi as ti

from taichi_aot.build import export


@export(shapes={"distance": ("n", "n"), "via": ("n", "n")})
@ti.kernel
def relax(k: ti.i32, distance: ti.types.ndarray(dtype=ti.i32, ndim=2), via: ti.types.ndarray(dtype=ti.i32, ndim=2)):
    for i, j in distance:
        length = distance[i, k] + distance[k, j]
        if length < distance[i, j]:
            distance[i, j] = length
            via[i, j] = k
