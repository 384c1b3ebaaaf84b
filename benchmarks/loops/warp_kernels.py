"""Some loops of loops.py for Warp."""

from __future__ import annotations

import warp as wp

Line = wp.array(dtype=wp.float32)
Numbers = wp.array(dtype=wp.int32)
Plane = wp.array2d(dtype=wp.float32)


@wp.kernel
def line(x: Line, y: Line):
    i = wp.tid()
    y[i] = 0.5 * x[i] + y[i]


@wp.kernel
def newton(x: Line, y: Line):
    i = wp.tid()
    root = x[i]
    for _ in range(32):
        root = root * (1.5 - 0.5 * x[i] * root * root)
    y[i] = root


@wp.kernel
def uneven(x: Line, y: Line):
    i = wp.tid()
    root = x[i]
    for _ in range(64 * i // x.shape[0]):
        root = root * (1.5 - 0.5 * x[i] * root * root)
    y[i] = root


@wp.kernel
def stencil(x: Plane, y: Plane):
    i, j = wp.tid()
    if i > 0 and i < x.shape[0] - 1 and j > 0 and j < x.shape[1] - 1:
        y[i, j] = 0.25 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])


@wp.kernel
def exponentials(x: Line, y: Line):
    i = wp.tid()
    y[i] = 1.0 / (1.0 + wp.exp(-x[i]))


@wp.kernel
def gather(p: Numbers, x: Line, y: Line):
    i = wp.tid()
    y[i] = 2.0 * x[p[i]]
