"""The kernels of loops.py."""

import taichi as ti

from taichi_aot.build import export, export_field

SIDE = 1024

LINE = ti.types.ndarray(dtype=ti.f32, ndim=1)
DOUBLES = ti.types.ndarray(dtype=ti.f64, ndim=1)
NUMBERS = ti.types.ndarray(dtype=ti.i32, ndim=1)
PLANE = ti.types.ndarray(dtype=ti.f32, ndim=2)
VOLUME = ti.types.ndarray(dtype=ti.f32, ndim=3)
VECTORS = ti.types.ndarray(dtype=ti.types.vector(3, ti.f32), ndim=1)
MATRICES = ti.types.ndarray(dtype=ti.types.matrix(3, 3, ti.f32), ndim=1)


@export
@ti.kernel
def line(x: LINE, y: LINE):
    for i in x:
        y[i] = 0.5 * x[i] + y[i]


@export
@ti.kernel
def newton(x: LINE, y: LINE):
    for i in x:
        root = x[i]
        for _ in range(32):
            root = root * (1.5 - 0.5 * x[i] * root * root)
        y[i] = root


@export
@ti.kernel
def steps(x: LINE, y: LINE):
    for i in x:
        v = x[i]
        for _ in range(100):
            v = v - (v * v - 2.0) / (2.0 * v + 1e-3)
        y[i] = v


@export
@ti.kernel
def uneven(x: LINE, y: LINE):
    for i in x:
        root = x[i]
        for _ in range(64 * i // x.shape[0]):
            root = root * (1.5 - 0.5 * x[i] * root * root)
        y[i] = root


@export
@ti.kernel
def plane(x: PLANE, y: PLANE):
    for i, j in x:
        y[i, j] = 0.5 * x[i, j] + y[i, j]


@export
@ti.kernel
def volume(x: VOLUME, y: VOLUME):
    for i, j, k in x:
        y[i, j, k] = 0.5 * x[i, j, k] + y[i, j, k]


@export
@ti.kernel
def stencil(x: PLANE, y: PLANE):
    for i, j in ti.ndrange((1, x.shape[0] - 1), (1, x.shape[1] - 1)):
        y[i, j] = 0.25 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])


@export
@ti.kernel
def edges(x: PLANE, y: PLANE):
    for i, j in x:
        if 0 < i < x.shape[0] - 1 and 0 < j < x.shape[1] - 1:
            across = x[i, j + 1] - x[i, j - 1]
            along = x[i + 1, j] - x[i - 1, j]
            y[i, j] = ti.sqrt(across * across + along * along)


@export
@ti.kernel
def total(x: LINE) -> ti.f32:
    sum = 0.0
    for i in x:
        sum += x[i]
    return sum


@export
@ti.kernel
def integers(x: NUMBERS, y: NUMBERS):
    for i in x:
        v = x[i]
        v = v ^ (v << 13)
        v = v ^ (v >> 17)
        v = v ^ (v << 5)
        y[i] = v * 7 + (v & 255)


@export
@ti.kernel
def doubles(x: DOUBLES, y: DOUBLES):
    for i in x:
        y[i] = 0.5 * x[i] * x[i] + y[i]


@export
@ti.kernel
def vectors(x: VECTORS, y: VECTORS):
    for i in x:
        y[i] = 0.5 * x[i] + y[i]


@export
@ti.kernel
def colours(x: VOLUME, y: VOLUME):
    for i, j in ti.ndrange(x.shape[0], x.shape[1]):
        for k in ti.static(range(3)):
            y[i, j, k] = 0.5 * x[i, j, k] + y[i, j, k]


@export
@ti.kernel
def norms(x: VECTORS, y: VECTORS):
    for i in x:
        y[i] = x[i].normalized()


@export
@ti.kernel
def products(a: MATRICES, x: VECTORS, y: VECTORS):
    for i in x:
        y[i] = a[i] @ x[i]


@export
@ti.kernel
def condition(x: LINE, y: LINE):
    for i in x:
        if x[i] > 0.5:
            y[i] = x[i] * x[i]
        else:
            y[i] = -x[i]


@export
@ti.kernel
def gather(p: NUMBERS, x: LINE, y: LINE):
    for i in p:
        y[i] = 2.0 * x[p[i]]


@export
@ti.kernel
def bilateral(weights: PLANE, x: PLANE, y: PLANE):
    radius = weights.shape[0] // 2
    for i, j in x:
        total, weight = 0.0, 0.0
        for k in range(-radius, radius + 1):
            for m in range(-radius, radius + 1):
                here = x[ti.max(0, ti.min(i + k, x.shape[0] - 1)), ti.max(0, ti.min(j + m, x.shape[1] - 1))]
                difference = here - x[i, j]
                own = weights[radius + k, radius + m] * ti.exp(-difference * difference)
                total += own * here
                weight += own
        y[i, j] = total / weight


@export
@ti.kernel
def box(x: PLANE, y: PLANE):
    for i, j in ti.ndrange((3, x.shape[0] - 3), (3, x.shape[1] - 3)):
        total = 0.0
        for k in range(-3, 4):
            for m in range(-3, 4):
                total += x[i + k, j + m]
        y[i, j] = total


@export
@ti.kernel
def convolution(weights: PLANE, x: PLANE, y: PLANE):
    for i, j in ti.ndrange((3, x.shape[0] - 3), (3, x.shape[1] - 3)):
        total = 0.0
        for k in range(7):
            for m in range(7):
                total += weights[k, m] * x[i + k - 3, j + m - 3]
        y[i, j] = total


@export
@ti.kernel
def matmul(a: PLANE, b: PLANE, c: PLANE):
    for i, j in c:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total


@export
@ti.kernel
def sobel(x: PLANE, y: PLANE):
    for i, j in x:
        across, along = 0.0, 0.0
        for k in range(-1, 2):
            for m in range(-1, 2):
                here = x[ti.max(0, ti.min(i + k, x.shape[0] - 1)), ti.max(0, ti.min(j + m, x.shape[1] - 1))]
                across += here * (m * (2 - k * k))
                along += here * (k * (2 - m * m))
        y[i, j] = ti.sqrt(across * across + along * along)


@export
@ti.kernel
def sines(x: LINE, y: LINE):
    for i in x:
        y[i] = ti.sin(x[i])


@export
@ti.kernel
def exponentials(x: LINE, y: LINE):
    for i in x:
        y[i] = 1.0 / (1.0 + ti.exp(-x[i]))


@export
@ti.kernel
def powers(x: LINE, y: LINE):
    for i in x:
        y[i] = x[i] ** 1.7


@export
@ti.kernel
def angles(x: DOUBLES, y: DOUBLES):
    for i in x:
        y[i] = ti.atan2(x[i], 0.5)


heat = ti.field(ti.f32, (SIDE, SIDE))
cooled = ti.field(ti.f32, (SIDE, SIDE))
export_field("heat", heat)
export_field("cooled", cooled)


@export
@ti.kernel
def field():
    for i, j in ti.ndrange((1, SIDE - 1), (1, SIDE - 1)):
        cooled[i, j] = 0.25 * (heat[i - 1, j] + heat[i + 1, j] + heat[i, j - 1] + heat[i, j + 1])
