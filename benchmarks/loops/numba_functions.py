"""The kernels of loops.py for Numba, which compiles the same loops."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
HALF, THREE_HALVES, TWO, SMALL, QUARTER, POWER, ONE, ZERO = map(np.float32, (0.5, 1.5, 2, 1e-3, 0.25, 1.7, 1, 0))


def line(x: Array, y: Array) -> None:
    for i in numba.prange(len(x)):
        y[i] = HALF * x[i] + y[i]


def newton(x: Array, y: Array) -> None:
    for i in numba.prange(len(x)):
        here = root = x[i]
        for _ in range(32):
            root = root * (THREE_HALVES - HALF * here * root * root)
        y[i] = root


def steps(x: Array, y: Array) -> None:
    for i in numba.prange(len(x)):
        v = x[i]
        for _ in range(100):
            v = v - (v * v - TWO) / (TWO * v + SMALL)
        y[i] = v


def uneven(x: Array, y: Array) -> None:
    for i in numba.prange(len(x)):
        here = root = x[i]
        for _ in range(64 * i // len(x)):
            root = root * (THREE_HALVES - HALF * here * root * root)
        y[i] = root


def plane(x: Array, y: Array) -> None:
    for i in numba.prange(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = HALF * x[i, j] + y[i, j]


def volume(x: Array, y: Array) -> None:
    for i in numba.prange(x.shape[0]):
        for j in range(x.shape[1]):
            for k in range(x.shape[2]):
                y[i, j, k] = HALF * x[i, j, k] + y[i, j, k]


def stencil(x: Array, y: Array) -> None:
    for i in numba.prange(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            y[i, j] = QUARTER * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])


def edges(x: Array, y: Array) -> None:
    for i in numba.prange(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            across = x[i, j + 1] - x[i, j - 1]
            along = x[i + 1, j] - x[i - 1, j]
            y[i, j] = np.sqrt(across * across + along * along)


def total(x: Array) -> Any:
    found = np.float32(0)
    for i in numba.prange(len(x)):
        found += x[i]
    return found


def integers(x: Array, y: Array) -> None:
    for i in numba.prange(len(x)):
        v = x[i]
        v = v ^ (v << np.int32(13))
        v = v ^ (v >> np.int32(17))
        v = v ^ (v << np.int32(5))
        y[i] = v * np.int32(7) + (v & np.int32(255))


def doubles(x: Array, y: Array) -> None:
    for i in numba.prange(len(x)):
        y[i] = 0.5 * x[i] * x[i] + y[i]


def vectors(x: Array, y: Array) -> None:
    for i in numba.prange(len(x)):
        for k in range(3):
            y[i, k] = HALF * x[i, k] + y[i, k]


def colours(x: Array, y: Array) -> None:
    for i in numba.prange(x.shape[0]):
        for j in range(x.shape[1]):
            for k in range(3):
                y[i, j, k] = HALF * x[i, j, k] + y[i, j, k]


def norms(x: Array, y: Array) -> None:
    for i in numba.prange(len(x)):
        length = np.sqrt(x[i, 0] * x[i, 0] + x[i, 1] * x[i, 1] + x[i, 2] * x[i, 2])
        for k in range(3):
            y[i, k] = x[i, k] / length


def products(a: Array, x: Array, y: Array) -> None:
    for i in numba.prange(len(x)):
        for k in range(3):
            y[i, k] = a[i, k, 0] * x[i, 0] + a[i, k, 1] * x[i, 1] + a[i, k, 2] * x[i, 2]


def condition(x: Array, y: Array) -> None:
    for i in numba.prange(len(x)):
        if x[i] > HALF:
            y[i] = x[i] * x[i]
        else:
            y[i] = -x[i]


def gather(p: Array, x: Array, y: Array) -> None:
    for i in numba.prange(len(p)):
        y[i] = TWO * x[p[i]]


def bilateral(weights: Array, x: Array, y: Array) -> None:
    radius = weights.shape[0] // 2
    for i in numba.prange(x.shape[0]):
        for j in range(x.shape[1]):
            total = weight = ZERO
            for k in range(-radius, radius + 1):
                for m in range(-radius, radius + 1):
                    here = x[max(0, min(i + k, x.shape[0] - 1)), max(0, min(j + m, x.shape[1] - 1))]
                    difference = here - x[i, j]
                    own = weights[radius + k, radius + m] * np.exp(-difference * difference)
                    total += own * here
                    weight += own
            y[i, j] = total / weight


def box(x: Array, y: Array) -> None:
    for i in numba.prange(3, x.shape[0] - 3):
        for j in range(3, x.shape[1] - 3):
            total = ZERO
            for k in range(-3, 4):
                for m in range(-3, 4):
                    total += x[i + k, j + m]
            y[i, j] = total


def convolution(weights: Array, x: Array, y: Array) -> None:
    for i in numba.prange(3, x.shape[0] - 3):
        for j in range(3, x.shape[1] - 3):
            total = ZERO
            for k in range(7):
                for m in range(7):
                    total += weights[k, m] * x[i + k - 3, j + m - 3]
            y[i, j] = total


def matmul(a: Array, b: Array, c: Array) -> None:
    for i in numba.prange(c.shape[0]):
        for j in range(c.shape[1]):
            total = ZERO
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def sobel(x: Array, y: Array) -> None:
    for i in numba.prange(x.shape[0]):
        for j in range(x.shape[1]):
            across = along = ZERO
            for k in range(-1, 2):
                for m in range(-1, 2):
                    here = x[max(0, min(i + k, x.shape[0] - 1)), max(0, min(j + m, x.shape[1] - 1))]
                    across += here * np.float32(m * (2 - k * k))
                    along += here * np.float32(k * (2 - m * m))
            y[i, j] = np.sqrt(across * across + along * along)


def sines(x: Array, y: Array) -> None:
    for i in numba.prange(len(x)):
        y[i] = np.sin(x[i])


def exponentials(x: Array, y: Array) -> None:
    for i in numba.prange(len(x)):
        y[i] = ONE / (ONE + np.exp(-x[i]))


def powers(x: Array, y: Array) -> None:
    for i in numba.prange(len(x)):
        y[i] = x[i] ** POWER


def angles(x: Array, y: Array) -> None:
    for i in numba.prange(len(x)):
        y[i] = np.arctan2(x[i], 0.5)


field = stencil
