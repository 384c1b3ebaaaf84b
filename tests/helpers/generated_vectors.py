"""Kernels whose bodies assign vectors and their elements, drawn from a number, with what Python computes for them.

All numbers are small integers, so every order of operations gives the same bits.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import numpy.typing as npt

LENGTH, RESULTS = 4, 5  # of the arrays, and numbers for each element
HEAD = """\
import taichi as ti
from taichi_aot.build import export

VECTORS = ti.types.ndarray(ti.types.vector(2, ti.f32), 1)
NUMBERS = ti.types.ndarray(ti.f32, 1)
"""
KERNEL = """

@export
@ti.kernel
def vectors_{number}(v: VECTORS, push: VECTORS, out: NUMBERS):
    for i in v:
        {body}
        v[i] = u
"""
BEGIN = ["u = v[i]", "w = push[i]", "p, q, s = 1.0, 2.0, 0.0"]
END = [f"out[i * {RESULTS} + {place}] = {value}" for place, value in enumerate(["p", "q", "s", "w.x", "w.y"])]
VECTORS = ("u", "v[i]", "push[i]", "u + push[i]", "w - u", "u + w", "u * 2.0", "ti.Vector([p, q])", "u + q")
NUMBERS = ("u.x", "u.y", "u[0]", "w.y", "w[0]", "u.x + w.y", "p", "q + s", "v[i].x", "push[i][1]", "u.max()")


def body_of(number: int) -> list[str]:
    """Return the lines of a kernel's loop."""
    dice = random.Random(number)
    return [*BEGIN, *_block(dice, dice.randint(4, 10), 0), *END]


def _block(dice: random.Random, count: int, depth: int) -> list[str]:
    lines: list[str] = []
    for _ in range(count):
        vector, scalar, value = dice.choice("uw"), dice.choice("pqs"), dice.choice(NUMBERS)
        kind = dice.randrange(12 if depth < 2 else 9)
        if kind < 4:
            lines.append(f"{scalar} = {value}")
        elif kind < 8:
            lines.append(f"{vector} = {dice.choice(VECTORS)}")
        elif kind < 9:
            lines.append(f"{vector}[{dice.randrange(2)}] = {value}")
        else:
            lines.append(dice.choice([f"if {value} > 1.0:", f"for lap_{depth} in range(2):"]))
            lines += [f"    {line}" for line in _block(dice, 2, depth + 1)]
    return lines


def source_of_vectors(numbers: range) -> str:
    """Return the source of a file with the kernels of these numbers."""
    bodies = {number: "\n        ".join(body_of(number)) for number in numbers}
    return HEAD + "".join(KERNEL.format(number=number, body=body) for number, body in bodies.items())


class _Vector(np.ndarray[Any, np.dtype[np.float32]]):
    """A vector in the text of a kernel that Python runs."""

    x = property(lambda self: self[0])
    y = property(lambda self: self[1])


class _Taichi:
    @staticmethod
    def Vector(numbers: Any) -> _Vector:  # noqa: N802
        return np.array(numbers, np.float32).view(_Vector)


class _Variables(dict[str, Any]):
    """The variables of a kernel: assigning a vector copies it."""

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(name, np.copy(value, subok=True))


def arguments_of(number: int) -> list[npt.NDArray[np.float32]]:
    """Return ``v``, ``push`` and ``out``."""
    dice = np.random.default_rng(number)
    v, push = (dice.integers(-3, 4, (LENGTH, 2)).astype(np.float32) for _ in range(2))
    return [v, push, np.zeros(LENGTH * RESULTS, np.float32)]


def run_in_python(number: int, v: Any, push: Any, out: Any) -> None:
    """Change the arguments as the kernel does."""
    code = compile("\n".join(body_of(number)), f"vectors_{number}", "exec")
    for i in range(LENGTH):
        variables = _Variables()
        exec(code, {"ti": _Taichi, "v": v.view(_Vector), "push": push.view(_Vector), "out": out, "i": i}, variables)
        v[i] = variables["u"]
