"""Kernels with loops in the loops of an element, drawn from a number: their source, and arguments to call them with.

Numbers are small integers, so that sums have the same bits in any order. The arrays of a kernel are as large as the
first one.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from helpers.generated_loops import NUMPY, LoopModel

DTYPES = ("f32", "f32", "f32", "f64", "i32", "i32", "i64")
SIZES: dict[int, list[tuple[int, ...]]] = {
    1: [(0,), (1,), (15,), (16,), (17,), (50,), (100,)],
    2: [(0, 5), (1, 1), (3, 15), (2, 16), (5, 33), (20, 40), (1, 100), (40, 7)],
    3: [(1, 1, 1), (2, 3, 17), (3, 2, 32), (4, 5, 40)],
}
MARGIN = 2  # of kernels that read near their element
INDICES = "ijk"
T = TypeVar("T")


@dataclass
class NestModel(LoopModel):
    """A kernel."""

    def arguments(self, number: int) -> list[Any]:
        """Arguments for a call, which follow from a number."""
        numbers, generator = random.Random(number), np.random.default_rng(number)
        shape = numbers.choice(SIZES[self.ndim])
        made: list[Any] = []
        arrays: list[npt.NDArray[Any]] = []
        for dtype, ndim, components in self.parameters:
            if ndim == 0:
                made.append(np.int32(numbers.choice([0, 1, 1, 2, 3, -1])))
                continue
            full = shape + ((components,) if components else ())
            size = int(np.prod(full))
            # Floats that follow from those of other elements would grow until sums are rounded.
            same = arrays if dtype[0] == "i" else []
            how = numbers.random()
            if same and how < 0.15:
                array = same[0]
            elif same and how < 0.25:
                base, shift = same[0].base, numbers.choice([1, 3, 16])
                assert base is not None
                array = base[shift : shift + size].reshape(full)
            else:
                base = generator.integers(-3, 4, size + 16).astype(NUMPY[dtype])
                array = base[:size].reshape(full)
            arrays.append(array)
            made.append(array)
        return made


class _Writer:
    def __init__(self, number: int) -> None:
        self.random = random.Random(number)
        self.name = f"nest_{number}"
        self.ndim = self.pick(1, 1, 2, 2, 2, 3)
        self.dtype = self.pick(*DTYPES)
        self.components = self.pick(0, 0, 0, 0, 2, 3)
        self.is_inside = self.random.random() < 0.4  # whether elements have neighbours
        self.indices = list(INDICES[: self.ndim])
        self.values = ["s", "t", "u"][: self.random.randint(1, 3)]
        self.laps: list[str] = []  # the counters of loops around
        self.budget = self.pick(1, 2, 2, 2, 3, 4)  # loops

    def pick(self, *choices: T) -> T:
        return self.random.choice(choices)

    def model(self) -> NestModel:
        kind = f"ti.{self.dtype}"
        element = f"ti.types.vector({self.components}, {kind})" if self.components else kind
        arrays = [f"{name}: ti.types.ndarray({element}, ndim={self.ndim})" for name in "xyz"]
        parameters = [("i32", 0, 0), *[(self.dtype, self.ndim, self.components)] * 3]
        lines = [f"def {self.name}(n: ti.i32, {', '.join(arrays)}):", f"    {self.head()}"]
        body = [f"{value} = {self.start()}" for value in self.values]
        body += [*self.statements(0), *self.ending()]
        lines += [f"        {line}" for line in body]
        text = "@export\n@ti.kernel\n" + "\n".join(lines) + "\n"
        return NestModel(self.name, text, parameters, self.ndim, False)

    def head(self) -> str:
        if not self.is_inside:
            return f"for {', '.join(self.indices)} in y:"
        ranges = ", ".join(f"({MARGIN}, y.shape[{axis}] - {MARGIN})" for axis in range(self.ndim))
        return f"for {', '.join(self.indices)} in ti.ndrange({ranges}):"

    def start(self) -> str:
        return f"x[{', '.join(self.indices)}]" if self.random.random() < 0.3 else self.constant()

    def constant(self) -> str:
        number = f"ti.cast({self.pick(0, 1, -2, 100)}, ti.{self.dtype})"
        return f"ti.Vector([{', '.join([number] * self.components)}])" if self.components else number

    def statements(self, depth: int) -> list[str]:
        """Some statements, at least one of which is a loop outside all loops."""
        count = self.pick(1, 1, 2, 3)
        makers: list[Callable[[int], list[str]]] = [self.update, self.update, self.condition]
        if depth < 3 and self.budget > 0:
            makers += [self.loop] * 4
        found = self.loop(depth) if depth == 0 else self.update(depth)
        for _ in range(count):
            found += self.pick(*makers)(depth)
        return found

    def loop(self, depth: int) -> list[str]:
        if self.budget <= 0:
            return self.update(depth)
        self.budget -= 1
        lap = f"lap_{self.budget}"
        self.laps.append(lap)
        body = self.statements(depth + 1)
        self.laps.remove(lap)
        indented = [f"    {line}" for line in body]
        row, last = self.indices[0], self.indices[-1]
        same = ["range(3)", "range(-1, 2)", "range(n)", "range(-n, n + 1)", "range(n, 3)", "range(7)"]
        same += [f"range({row} % 4)", f"range(n + {row} % 2)"] if self.ndim > 1 else ["range(2, n + 4)"]
        same += [f"range({self.laps[-1]})", f"range({self.laps[-1]}, 3)"] if self.laps else []
        own = [f"range({last} % 4)", f"range({last} % 2, n)", f"range({last} - 1, {last} + 2)"]
        own += [f"range({last} % 3 + {self.laps[-1]})"] if self.laps else []
        how = self.random.random()
        if how < 0.7:
            return [f"for {lap} in {self.pick(*same)}:", *indented]
        if how < 0.8:
            return [f"for {lap} in {self.pick(*own)}:", *indented]
        limit = self.pick("4", "n", f"{last} % 4", f"{row} % 3")
        if how < 0.9:
            return [f"for {lap} in {self.pick(*same)}:", *indented, f"    if {self.test()}: break"]
        return [f"{lap} = 0", f"while {lap} < {limit}:", *indented, f"    {lap} += 1"]

    def condition(self, depth: int) -> list[str]:
        inner = self.loop(depth) if depth < 3 and self.random.random() < 0.3 else self.update(depth)
        lines = [f"if {self.test()}:", *(f"    {line}" for line in inner)]
        if self.random.random() < 0.3:
            lines += ["else:", *(f"    {line}" for line in self.update(depth))]
        return lines

    def test(self) -> str:
        numbers = [*self.indices, *self.laps, "n"]
        one, other = self.pick(*numbers), self.pick("0", "1", "3", *numbers)
        value = f"{self.pick(*self.values)}{'[0]' if self.components else ''}"
        return self.pick(
            f"{one} {self.pick('<', '<=', '>', '!=', '==')} {other}",
            f"({one} + {other}) % 3 == 1",
            f"{value} > {self.pick(-3, 5, 40)}",
            "n > 1",
        )

    def update(self, depth: int) -> list[str]:
        value, other = self.pick(*self.values), self.pick(*self.values)
        read = self.read()
        if self.dtype[0] == "i":
            more = [f"{value} * 3 + {read}", f"{value} ^ {read}", f"{other} - {value}"]
        else:
            more = [f"{value} + {read} * {self.read()}", f"{value} - {read} * 2"]
        if self.laps and not self.components:
            more.append(f"{value} + ti.cast({self.pick(*self.laps)}, ti.{self.dtype}) * {read}")
        new = self.pick(
            f"{value} + {read}",
            f"{value} + {read}",
            f"ti.max({value}, {read})",
            f"ti.min({other}, {read})",
            read,
            *more,
        )
        if self.random.random() < 0.2 and self.components == 0:
            return [f"if {read} > {value}:", f"    {value} = {read}"]
        return [f"{value} = {new}"]

    def read(self) -> str:
        """An element that is read: near this one, or somewhere."""
        array = self.pick("x", "x", "z", "y" if self.random.random() < 0.2 and self.dtype[0] == "i" else "x")
        return f"{array}[{', '.join(self.at(axis, index) for axis, index in enumerate(self.indices))}]"

    def at(self, axis: int, index: str) -> str:
        """An index of an axis that is within the array."""
        lap, extent = self.pick(*self.laps, "0"), f"y.shape[{axis}]"
        limited = self.pick(
            f"ti.max(ti.min({index} + {lap}, {extent} - 1), 0)",
            f"ti.min(ti.max({index} + {lap} - 1, 0), {extent} - 1)",
            f"ti.max(ti.min({lap}, {extent} - 1), 0)",
            f"ti.abs({index} + {lap}) % {extent}",
            f"ti.abs({index} * 3 + {lap}) % {extent}",
        )
        if not self.is_inside:
            return self.pick(index, limited, limited)
        near = f"{index} + ti.max(ti.min({lap}, {MARGIN}), -{MARGIN})"
        return self.pick(index, f"{index} + {self.pick(1, 2)}", f"{index} - {self.pick(1, 2)}", near, near, limited)

    def ending(self) -> list[str]:
        here = ", ".join(self.indices)
        result = self.pick(*self.values, " + ".join(self.values), f"{self.values[0]} + x[{here}]")
        store = [f"y[{here}] = {result}"]
        if self.random.random() < 0.2:
            store = [f"if {self.test()}:", f"    {store[0]}"]
        if self.random.random() < 0.15 and self.dtype[0] == "i":
            store += [f"z[{here}] = {self.values[-1]}"]
        return store


def draw_nest(number: int) -> LoopModel:
    """Return the kernel of a number."""
    return _Writer(number).model()
