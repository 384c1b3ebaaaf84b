"""Kernels with loops in many forms, each with what its tasks state of its loop in the docstring."""

import taichi as ti

from helpers.exports import export_kernels
from taichi_aot.build import export_field

ti.init(arch=ti.cpu)

FLOATS = ti.types.ndarray(ti.f32, ndim=1)
PLANE = ti.types.ndarray(ti.f32, ndim=2)
VOLUME = ti.types.ndarray(ti.f32, ndim=3)
VECTORS = ti.types.ndarray(ti.types.vector(3, ti.f32), ndim=1)
MATRICES = ti.types.ndarray(ti.types.matrix(3, 3, ti.f32), ndim=1)

line_field = ti.field(ti.f32, shape=1000)
plane_field = ti.field(ti.f32, shape=(30, 64))
volume_field = ti.Vector.field(3, ti.f32, shape=(5, 20, 30))
sum_field = ti.field(ti.f32, shape=())
for name in ("line_field", "plane_field", "volume_field", "sum_field"):
    export_field(name, globals()[name])


@ti.kernel
def line(a: ti.f32, x: FLOATS, y: FLOATS):
    """vectors"""
    for i in x:
        y[i] = a * x[i] + y[i]


@ti.kernel
def numbers(n: ti.i32, a: ti.f32, x: FLOATS):
    """vectors"""
    for i in range(3, n):
        x[i] = a * x[i - 3 + 3] + ti.cast(2 * i + 1, ti.f32)


@ti.kernel
def plane(x: PLANE, y: PLANE):
    """vectors"""
    for i, j in x:
        y[i, j] = 2.0 * x[i, j] + y[i, j]


@ti.kernel
def volume(x: VOLUME, y: VOLUME):
    """vectors"""
    for index in ti.grouped(x):
        y[index] = 2.0 * x[index] + y[index]


@ti.kernel
def stencil(x: PLANE, y: PLANE):
    """vectors"""
    for i, j in ti.ndrange((1, x.shape[0] - 1), (1, x.shape[1] - 1)):
        y[i, j] = 0.25 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])


@ti.kernel
def edges(x: PLANE, y: PLANE):
    """vectors"""
    for i, j in x:
        if 0 < i < x.shape[0] - 1 and 0 < j < x.shape[1] - 1:
            y[i, j] = ti.abs(x[i, j + 1] - x[i, j - 1]) + ti.abs(x[i + 1, j] - x[i - 1, j])


@ti.kernel
def scaled(x: VECTORS, y: VECTORS):
    """vectors"""
    for i in x:
        y[i] = x[i].normalized()


@ti.kernel
def products(x: MATRICES, y: VECTORS, z: VECTORS):
    """vectors"""
    for i in x:
        z[i] = x[i] @ y[i]


@ti.kernel
def steps(x: FLOATS, y: FLOATS):
    """vectors"""
    for i in x:
        root = x[i]
        for _ in range(8):
            root = root * (1.5 - 0.5 * x[i] * root * root)
        y[i] = root


@ti.kernel
def total(x: FLOATS) -> ti.f32:
    """vectors"""
    s = 0.0
    for i in x:
        s += x[i]
    return s


@ti.kernel
def largest(x: FLOATS) -> ti.f32:
    """vectors"""
    m = -1e9
    for i in x:
        ti.atomic_max(m, x[i])
    return m


@ti.kernel
def positive(x: PLANE) -> ti.i32:
    """vectors"""
    n = 0
    for i, j in x:
        if x[i, j] > 0.0:
            n += 1
    return n


@ti.kernel
def temporaries(a: ti.f32, x: FLOATS, y: FLOATS):
    """vectors"""
    b = a * 2.0 + x[0]
    c = a * 3.0
    for i in y:
        if x[i] > 0.0:
            y[i] = x[i] * b * c


@ti.kernel
def xorshift(x: ti.types.ndarray(ti.u32, ndim=1)):
    """vectors"""
    for i in x:
        v = x[i]
        v = v ^ (v << 13)
        v = v ^ (v >> 17)
        x[i] = v ^ (v << 5)


@ti.kernel
def of_line_field():
    """vectors"""
    for i in line_field:
        line_field[i] = line_field[i] * 2.0


@ti.kernel
def of_two_fields():
    """vectors"""
    for i, j in plane_field:
        plane_field[i, j] = plane_field[i, j] * 0.5 + line_field[i]


@ti.kernel
def of_volume_field():
    """vectors"""
    for index in ti.grouped(volume_field):
        volume_field[index] = volume_field[index] * 2.0


@ti.kernel
def of_looked_up_field():
    """vectors"""
    for i, j in plane_field:
        place = ti.cast(plane_field[i, j] * 100.0, ti.i32)
        own = i * 64 + j  # each element is written once, in whatever order
        volume_field[own // 600, own // 30 % 20, own % 30][1] = (
            line_field[ti.max(0, ti.min(place, 999))] + line_field[i * 7 + j]
        )


@ti.kernel
def cleared():
    """vectors"""
    for i, j in plane_field:
        plane_field[i, j] = 0.0


@ti.kernel
def damped_volume_field():
    """vectors"""
    for index in ti.grouped(volume_field):
        vector = volume_field[index]
        volume_field[index] = vector - 0.1 * vector.norm() * vector


@ti.kernel
def field_total():
    """vectors"""
    for i, j in plane_field:
        sum_field[None] += plane_field[i, j]


@ti.kernel
def rows(x: PLANE, y: FLOATS):
    """adds numbers of an element in blocks"""
    for i in y:
        s = 0.0
        for j in range(x.shape[1]):
            s += x[i, j]
        y[i] = s


@ti.kernel
def uneven(x: FLOATS, y: FLOATS):
    """vectors"""
    for i in x:
        root = x[i]
        for _ in range(64 * i // x.shape[0]):
            root = root * (1.5 - 0.5 * x[i] * root * root)
        y[i] = root


@ti.kernel
def escapes(x: ti.types.ndarray(ti.i32, ndim=2)):
    """vectors"""
    for i, j in x:
        step = ti.math.vec2(j, i) / 64.0 - 1.0
        place = step
        count = 0
        while place.norm_sqr() < 4.0 and count < 100:
            place = ti.math.vec2(place.x**2 - place.y**2, 2.0 * place.x * place.y) + step
            count += 1
        x[i, j] = count


@ti.kernel
def found(x: FLOATS, y: FLOATS):
    """vectors"""
    for i in y:
        s = 0.0
        k = 0
        while s < 10.0 and k < x.shape[0]:
            s = ti.max(s, x[k] * y[i])
            k += 1
        y[i] = s


@ti.kernel
def windows(radius: ti.i32, x: PLANE, y: PLANE):
    """vectors"""
    for i, j in x:
        total, weight = 0.0, 0.0
        for k in range(-radius, radius + 1):
            for m in range(-radius, radius + 1):
                here = x[ti.max(0, ti.min(i + k, x.shape[0] - 1)), ti.max(0, ti.min(j + m, x.shape[1] - 1))]
                own = ti.exp(-k * k - m * m - (here - x[i, j]) ** 2)
                total += own * here
                weight += own
        y[i, j] = total / weight


@ti.kernel
def boxes(x: VOLUME, y: VOLUME):
    """vectors"""
    for i, j, k in ti.ndrange((1, x.shape[0] - 1), (1, x.shape[1] - 1), (1, x.shape[2] - 1)):
        s = 0.0
        for p in range(-1, 2):
            for q in range(-1, 2):
                for r in range(-1, 2):
                    s += x[i + p, j + q, k + r]
        y[i, j, k] = s


@ti.kernel
def convolved(x: PLANE, weights: PLANE, y: PLANE):
    """vectors"""
    for i, j in ti.ndrange((3, x.shape[0] - 3), (3, x.shape[1] - 3)):
        s = 0.0
        for k in range(7):
            for m in range(7):
                s += x[i + k - 3, j + m - 3] * weights[k, m]
        y[i, j] = s


@ti.kernel
def multiplied(x: PLANE, y: PLANE, z: PLANE):
    """vectors"""
    for i, j in z:
        s = 0.0
        for k in range(x.shape[1]):
            s += x[i, k] * y[k, j]
        z[i, j] = s


@ti.kernel
def chosen(x: PLANE, y: PLANE):
    """vectors"""
    for i, j in y:
        s = 0.0
        if y[i, j] > 0.0:
            for k in range(i):
                m = 0
                while m < j % 5 and s < 9.0:
                    s = ti.max(s, x[k, m])
                    m += 1
        y[i, j] = s


@ti.kernel
def prefixes(x: PLANE, y: PLANE):
    """has an inner loop whose numbers follow from those before"""
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            s = ti.max(s, x[i, j])
            y[i, j] = s


@ti.kernel
def waves(x: FLOATS, y: FLOATS):
    """vectors"""
    for i in x:
        y[i] = ti.sin(x[i])


@ti.kernel
def scattered(x: ti.types.ndarray(ti.i32, ndim=1), y: FLOATS):
    """changes elements that the index does not choose"""
    for i in x:
        y[x[i]] += 1.0


@ti.kernel
def shifted(x: FLOATS):
    """has sums whose terms would be in another order"""
    for i in range(1, x.shape[0]):
        x[i] = x[i - 1] * 0.5 + x[i]


@ti.kernel
def bordered(x: ti.types.ndarray(ti.types.vector(2, ti.f32), ndim=2)):
    """vectors"""
    for i, j in x:
        if i <= 0 or j <= 0:
            x[i, j] = ti.Vector([0.0, 0.0])


@ti.kernel
def drawn(x: FLOATS):
    """has a loop of which LLVM makes no vectors"""
    for i in x:
        x[i] = ti.random()


@ti.kernel
def largest_halves(x: ti.types.ndarray(ti.f16, ndim=1), y: ti.types.ndarray(ti.f16, ndim=1)):
    """vectors"""
    for i in x:
        y[i] = ti.max(x[i], y[i])


@ti.kernel
def between(x: ti.types.ndarray(ti.f32, ndim=2), y: ti.types.ndarray(ti.f32, ndim=2), top: ti.i32, bottom: ti.i32):
    """vectors"""
    for i, j in ti.ndrange((top, bottom), (1, x.shape[1] - 1)):
        y[i, j] = x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1]


@ti.kernel
def alone(x: FLOATS):
    """"""
    x[0] = 1.0


export_kernels(vars())
