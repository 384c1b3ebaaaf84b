"""The work of throughput.py: its data, and the numpy variant."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from lib.serve import Run

Array = np.ndarray[Any, np.dtype[np.float32]]

LENGTH = 2**24  # of saxpy and reduction, as in bandwidth.c; 64 MiB
SIDE = 4096  # of the stencil; 64 MiB
BODIES = 8192
MATRIX, PICTURE, BINS = 1024, 2048, 256
REDUCTIONS = ("reduction", "reduction_variable", "reduction_parts", "reduction_returned")  # the same in four ways
BY_LIBRARY = ("copy", "saxpy", "stencil", "nbody", "mpm")  # whose sums may take a minute
ROWS = 256  # of bodies that numpy computes at once, so that it stays in the cache

GRID = 128  # the simulation of examples/mpm88.py
SPACING = 1.0 / GRID
VOLUME = (SPACING * 0.5) ** 2
STIFFNESS = 400.0
WALL = 3
PARTICLES = 16_384
TIME_STEP, GRAVITY = 2e-4, 9.8


class Work(NamedTuple):
    """One way of doing the work: functions that repeat it, and that return the result."""

    run: Run
    result: Callable[[], Array]


def times(call: Callable[[], Any], wait: Callable[[], Any] = lambda: None) -> Run:
    def run(count: int) -> None:
        for _ in repeat(None, count):
            call()
        wait()

    return run


class Inputs(NamedTuple):
    """What a kernel takes: a number, and arrays of which the last receives the result."""

    numbers: tuple[float, ...]
    arrays: tuple[Any, ...]


def data() -> dict[str, Inputs]:
    generator = np.random.default_rng(0)
    x, y = generator.random((2, LENGTH), np.float32)
    # Sums of zeros and ones are exact in any order.
    bits = generator.integers(0, 2, LENGTH).astype(np.float32)
    old = generator.random((SIDE, SIDE), np.float32)
    bodies = generator.random((BODIES, 3), np.float32)
    a, b = generator.random((2, MATRIX, MATRIX), np.float32)
    bins = generator.integers(0, BINS, LENGTH).astype(np.int32)
    arrays: dict[str, tuple[Any, ...]] = {
        "copy": (x, np.zeros_like(x)),
        "saxpy": (x, y),
        "sines": (x, np.zeros_like(x)),
        "stencil": (old, np.zeros_like(old)),
        "transpose": (old, np.zeros_like(old)),
        "matmul": (a, b, np.zeros_like(a)),
        "julia": (np.zeros((PICTURE, PICTURE), np.float32),),
        "nbody": (bodies, np.zeros_like(bodies)),
        "histogram": (bins, np.zeros(BINS, np.int32)),
        **{name: (bits, np.zeros(1, np.float32)) for name in REDUCTIONS},
        "least": (x, np.ones(1, np.float32)),
        "most": (x, np.zeros(1, np.float32)),
        "counted": (x, np.zeros(1, np.int32)),
    }
    numbers = {"saxpy": (2.0,), "julia": (0.156,)}
    return {name: Inputs(numbers.get(name, ()), each) for name, each in arrays.items()}


def numpy_works() -> dict[str, Work]:
    """Return numpy's work; of kernels that differ in how they add, of one."""
    scratch, fluid = np.empty(LENGTH, np.float32), Fluid()

    def saxpy(x: Array, y: Array) -> None:
        np.add(y, np.multiply(x, np.float32(2), out=scratch), out=y)

    def sines(x: Array, y: Array) -> None:
        np.exp(np.negative(x, out=y), out=y)
        np.add(y, np.sin(x, out=scratch), out=y)

    def add(x: Array, total: Any) -> None:
        total += x

    def stencil(old: Array, new: Array) -> None:
        inner = new[1:-1, 1:-1]
        np.add(old[:-2, 1:-1], old[2:, 1:-1], out=inner)
        inner += old[1:-1, :-2]
        inner += old[1:-1, 2:]
        inner *= np.float32(0.25)

    functions: dict[str, Callable[..., Any]] = {
        "copy": lambda x, y: np.copyto(y, x),
        "saxpy": saxpy,
        "sines": sines,
        "stencil": stencil,
        "transpose": lambda x, y: np.copyto(y, x.T),
        "matmul": lambda a, b, c: np.matmul(a, b, out=c),
        "julia": julia,
        "nbody": gravity,
        "histogram": lambda x, counts: add(np.bincount(x, minlength=BINS), counts),
        "reduction": lambda x, total: add(x.sum(), total),
        "least": lambda x, found: np.copyto(found, x.min()),
        "most": lambda x, found: np.copyto(found, x.max()),
        "counted": lambda x, found: add(np.count_nonzero(x > 0.5), found),
    }
    given = {name: data()[name].arrays for name in functions}
    works = {
        name: Work(times(partial(function, *given[name])), partial(_last, given[name]))
        for name, function in functions.items()
    }
    return {**works, "mpm": Work(times(fluid.step), lambda: fluid.x)}


def _last(arrays: tuple[Any, ...]) -> Any:
    return arrays[-1]


def julia(steps: Array) -> None:
    x, y = np.meshgrid(
        *[np.arange(PICTURE, dtype=np.float32) * np.float32(3 / PICTURE) - np.float32(1.5)] * 2, indexing="ij"
    )
    places, x, y = np.arange(x.size), x.ravel(), y.ravel()
    for n in range(201):
        inside = (x * x + y * y < 4) if n < 200 else np.zeros(x.size, bool)
        steps.ravel()[places[~inside]] = n
        places, x, y = places[inside], x[inside], y[inside]
        x, y = x * x - y * y - np.float32(0.8), 2 * x * y + np.float32(0.156)


def gravity(position: Array, acceleration: Array) -> None:
    for i in range(0, BODIES, ROWS):
        away = position - position[i : i + ROWS, None]
        inverse = 1 / np.sqrt(np.einsum("ijk,ijk->ij", away, away) + np.float32(1e-4))
        acceleration[i : i + ROWS] = np.einsum("ijk,ij->ik", away, inverse**3)


class Fluid:
    """The simulation of examples/mpm88.py in numpy."""

    def __init__(self) -> None:
        self.x = dam()
        self.v = np.zeros_like(self.x)
        self.affine = np.zeros((PARTICLES, 2, 2), np.float32)
        self.stretch = np.ones(PARTICLES, np.float32)

    def step(self) -> None:
        base = (self.x * np.float32(GRID) - np.float32(0.5)).astype(np.int32)
        offset = self.x * np.float32(GRID) - base
        w = [0.5 * (1.5 - offset) ** 2, 0.75 - (offset - 1.0) ** 2, 0.5 * (offset - 0.5) ** 2]
        neighbours = [(np.array([i, j]), w[i][:, 0] * w[j][:, 1]) for i in range(3) for j in range(3)]
        velocity = self._move_grid(*self._to_grid(base, offset, neighbours))
        self._from_grid(base, offset, neighbours, velocity)

    def _to_grid(self, base: Any, offset: Any, neighbours: Any) -> tuple[Any, Any]:
        pressure = -TIME_STEP * 4.0 * STIFFNESS * VOLUME * (self.stretch - 1.0) * GRID * GRID
        change = VOLUME * self.affine + pressure[:, None, None] * np.eye(2, dtype=np.float32)
        momentum, mass = np.zeros((GRID * GRID, 2), np.float32), np.zeros(GRID * GRID, np.float32)
        for step, weight in neighbours:
            cell = (base[:, 0] + step[0]) * GRID + base[:, 1] + step[1]
            distance = (step - offset) * SPACING
            moved = weight[:, None] * (VOLUME * self.v + np.einsum("pij,pj->pi", change, distance))
            mass += np.bincount(cell, weight * VOLUME, GRID * GRID)
            for k in range(2):
                momentum[:, k] += np.bincount(cell, moved[:, k], GRID * GRID)
        return momentum, mass

    def _move_grid(self, momentum: Any, mass: Any) -> Any:
        full = mass > 0
        velocity = np.zeros_like(momentum)
        velocity[full] = momentum[full] / mass[full, None]
        velocity[:, 1] -= TIME_STEP * GRAVITY
        field, index = velocity.reshape(GRID, GRID, 2), np.arange(GRID)
        low, high = index < WALL, index > GRID - WALL
        for part in (field[..., 0], field[..., 1].T):
            part[low] = np.maximum(part[low], 0)
            part[high] = np.minimum(part[high], 0)
        return velocity

    def _from_grid(self, base: Any, offset: Any, neighbours: Any, grid: Any) -> None:
        velocity, gradient = np.zeros_like(self.v), np.zeros_like(self.affine)
        for step, weight in neighbours:
            here = grid[(base[:, 0] + step[0]) * GRID + base[:, 1] + step[1]]
            distance = (step - offset) * SPACING
            velocity += weight[:, None] * here
            gradient += 4.0 * GRID * GRID * weight[:, None, None] * here[:, :, None] * distance[:, None, :]
        self.v = velocity
        self.x = self.x + np.float32(TIME_STEP) * velocity
        self.stretch = self.stretch * (1.0 + np.float32(TIME_STEP) * np.trace(gradient, axis1=1, axis2=2))
        self.affine = gradient


def dam() -> Array:
    """Return the initial particles: a dam at the left wall, four particles in each cell."""
    size = np.array([0.38, PARTICLES / (4 * GRID**2) / 0.38], np.float32)
    return np.float32(0.03) + size * np.random.default_rng(88).random((PARTICLES, 2), np.float32)
