"""Points rotated by a matrix, and their bounding box: arguments and return values of several types."""

import taichi as ti

from taichi_aot.build import export

VECTOR = ti.types.vector(3, ti.f32)
POINTS = ti.types.ndarray(dtype=VECTOR, ndim=1)


@export
@ti.kernel
def turn(matrix: ti.types.matrix(3, 3, ti.f32), centre: VECTOR, points: POINTS):
    for i in points:
        points[i] = matrix @ (points[i] - centre) + centre


@export
@ti.kernel
def box(points: POINTS) -> (VECTOR, VECTOR, ti.i32):
    low, high = points[0], points[0]
    for i in range(points.shape[0]):
        ti.atomic_min(low, points[i])
        ti.atomic_max(high, points[i])
    return low, high, points.shape[0]


@export
@ti.kernel
def moments(points: POINTS) -> ti.types.matrix(3, 3, ti.f32):
    total = ti.Matrix.zero(ti.f32, 3, 3)
    for i in range(points.shape[0]):
        total += points[i].outer_product(points[i])
    return total
