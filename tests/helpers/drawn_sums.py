"""Kernels that add to places, few or chosen by the index, drawn from a number: their source, and arguments for them.

Their results do not depend on the order of the additions: floats are small whole numbers. Places that are only read are
in the second half of an array, so arrays may overlap.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

NUMPY = {"i32": "i4", "u32": "u4", "i64": "i8", "u64": "u8", "f32": "f4", "f64": "f8"}
LENGTHS = (0, 1, 2, 3, 31, 127, 128, 129, 255, 1000, 4097, 16384, 40000)
LONG = 1_000_003
PLACES = 16  # of the arrays that kernels add to
HEAD = "import taichi as ti\n\nfrom taichi_aot.build import export\n\n"


@dataclass
class SumModel:
    """A kernel; its arrays by name are x and y, of the loop's length, and those that it adds to."""

    name: str
    source: str
    dtype: str
    targets: list[str]
    one_operation: bool  # whether all additions are of one kind, so that its targets may be one array
    returns: bool
    stores: bool  # whether it stores to y
    numbers: list[str] = field(default_factory=list[str])


class Drawer:
    def __init__(self, number: int) -> None:
        self.draw = random.Random(number)
        self.name = f"sum_{number}"
        self.dtype = self.draw.choice(("i32", "i32", "u32", "i64", "f32", "f32", "f32", "f64"))
        self.is_float = self.dtype[0] == "f"
        self.targets = ["t", "u", "v"][: self.draw.choice((1, 1, 2, 3))]
        self.operations = {target: self._operation() for target in self.targets}  # of each place in them
        if self.draw.random() < 0.5:
            self.operations = dict.fromkeys(self.targets, self.operations["t"])
        self.binned = [target for target in self.targets if self.draw.random() < 0.25]  # by what the index chooses
        self.numbers = ["k"] if self.draw.random() < 0.3 else []
        self.variables: list[str] = []
        self.stores = False

    def _operation(self) -> str:
        kinds = ["+", "+", "+", "+", "min", "max"]
        return self.draw.choice(kinds if self.is_float else [*kinds, "and", "or", "xor"])

    def value(self) -> str:
        choices = ["x[i]", "x[i]", "y[i]", "1", "x[i] + y[i]", f"{self.draw.choice(self.targets)}[{PLACES - 1}]"]
        if self.dtype != "u32":
            choices += ["x[i] * y[i]", "x[i] - y[i]"]
        return f"ti.cast({self.draw.choice(choices)}, ti.{self.dtype})"

    def place(self, target: str) -> str:
        index = self.draw.choice(["0", "0", "1", "2", "3", *self.numbers, *(f"{n} + 1" for n in self.numbers)])
        if target in self.binned:
            index = self.draw.choice(("i % 4", "(i * 7) % 13", "i % 3 + 2"))
        return f"{target}[{index}]"

    def addition(self) -> str:
        target = self.draw.choice(self.targets)
        operation = self.operations[target]
        if operation == "+":
            is_variable = self.variables and self.draw.random() < 0.4
            target = self.draw.choice(self.variables) if is_variable else self.place(target)
            sign = self.draw.choice("++" if self.dtype == "u32" else "+-")  # Vulkan has no subtraction of those
            return f"{target} {sign}= {self.value()}"
        return f"ti.atomic_{operation}({self.place(target)}, {self.value()})"

    def block(self, indent: int, depth: int = 0) -> list[str]:
        lines: list[str] = []
        for _ in range(self.draw.choice((1, 1, 2, 3))):
            chance = self.draw.random()
            if chance < 0.15 and depth < 2:
                lines += [self._line(indent, f"if {self.condition()}:"), *self.block(indent + 1, depth + 1)]
                if self.draw.random() < 0.4:
                    lines += [self._line(indent, "else:"), *self.block(indent + 1, depth + 1)]
            elif chance < 0.22 and depth < 2:
                lines += [self._line(indent, f"for j{depth} in range(3):"), *self.block(indent + 1, depth + 1)]
            elif chance < 0.28 and depth == 0:
                self.stores = True
                lines.append(self._line(indent, "y[i] = x[i]"))
            elif chance < 0.32 and depth == 0:
                lines += [self._line(indent, f"if {self.condition()}:"), self._line(indent + 1, "continue")]
            else:
                lines.append(self._line(indent, self.addition()))
        return lines

    def condition(self) -> str:
        return self.draw.choice(("x[i] > 2", "y[i] < 1", "i % 3 == 0", "i == 5", "x[i] == y[i]", "i < 0"))

    @staticmethod
    def _line(indent: int, text: str) -> str:
        return f"{'    ' * indent}{text}"

    def model(self) -> SumModel:
        kind = f"ti.types.ndarray(dtype=ti.{self.dtype}, ndim=1)"
        if self.operations["t"] == "+" and self.draw.random() < 0.5:
            self.variables = ["s", "r"][: self.draw.choice((1, 2))]
        returns = bool(self.variables) and self.draw.random() < 0.5
        before = [f"    {each} = ti.cast(0, ti.{self.dtype})" for each in self.variables]
        loop = self.draw.choice(("for i in x:", "for i in range(x.shape[0]):", "for i in range(2, x.shape[0]):"))
        body = [f"    {loop}", *self.block(2)]
        end = [f"    t[{8 + n}] += {each}" for n, each in enumerate(self.variables)]
        end += [f"    return {each}" for each in self.variables[:returns]]
        parameters = [f"{each}: {kind}" for each in ("x", "y", *self.targets)] + [f"{n}: ti.i32" for n in self.numbers]
        answer = f" -> ti.{self.dtype}" * returns
        head = ["@export", "@ti.kernel", f"def {self.name}({', '.join(parameters)}){answer}:"]
        one = len(set(self.operations.values())) == 1
        source = "\n".join([*head, *before, *body, *end])
        return SumModel(self.name, source, self.dtype, self.targets, one, returns, self.stores, self.numbers)


def draw_sum(number: int) -> SumModel:
    return Drawer(number).model()


def source_of_sums(models: Iterable[SumModel]) -> str:
    return HEAD + "\n\n\n".join(each.source for each in models) + "\n"


def arguments_of(model: SumModel, number: int, length: int) -> tuple[dict[str, np.ndarray], list[int]]:
    """Return the arrays by name, of which two are the same if they may be, and the other arguments."""
    made = np.random.default_rng([number, length])
    largest = 4 if length < LONG else 1
    low = 0 if model.dtype[0] == "u" else -largest
    data = {name: made.integers(low, largest + 1, length).astype(NUMPY[model.dtype]) for name in ("x", "y")}
    for name in model.targets:
        data[name] = made.integers(0, 2 * largest + 1, PLACES).astype(NUMPY[model.dtype])
    if model.one_operation and len(model.targets) > 1 and made.random() < 0.5:
        data[model.targets[1]] = data["t"]
    if not model.stores and made.random() < 0.3:
        data["y"] = data["x"]
    return data, [4] * len(model.numbers)
