"""Kernels with loops, drawn from a number: their source, and arguments to call them with.

The arrays of a kernel are as large as the first one, so that its indices are within them. Some have longer rows.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

FLOATS = ("f32", "f32", "f32", "f64", "f16")
INTEGERS = ("i32", "i32", "u32", "i64", "u8", "i16", "u64", "i8")
NUMPY = {"f16": "f2", "f32": "f4", "f64": "f8", **{f"{s}{b}": f"{s}{b // 8}" for s in "iu" for b in (8, 16, 32, 64)}}
FIELD_SHAPES: dict[int, list[tuple[int, ...]]] = {
    1: [(1,), (5,), (64,), (1000,), (1031,)],
    2: [(3, 5), (16, 16), (7, 33), (40, 64)],
    3: [(3, 4, 5), (2, 9, 17), (8, 8, 8)],
    4: [(2, 3, 4, 9), (2, 2, 4, 16)],
}
SIZES: dict[int, list[tuple[int, ...]]] = {
    1: [(0,), (1,), (7,), (31,), (32,), (33,), (100,), (513,), (1031,), (5000,)],
    2: [(0, 3), (3, 0), (1, 1), (1, 50), (50, 1), (5, 7), (17, 33), (40, 64), (33, 100), (3, 1000)],
    3: [(0, 2, 3), (1, 1, 1), (2, 3, 5), (4, 5, 17), (3, 1, 40), (9, 8, 16)],
    4: [(1, 1, 1, 1), (2, 3, 4, 5), (3, 2, 5, 33), (2, 1, 2, 64), (2, 2, 0, 3)],
}
INDICES = "ijkl"
T = TypeVar("T")


@dataclass
class LoopModel:
    """A kernel."""

    name: str
    source: str  # its lines, with those of its fields
    parameters: list[tuple[str, int, int]]  # dtype, number of dimensions (0 for a number), and of components
    ndim: int  # of all arrays
    is_sum: bool  # whether it adds floats over the loop, or finds the least or largest, in any order

    def arguments(self, number: int) -> list[Any]:
        """Arguments for a call, which follow from a number."""
        random_numbers, longer = random.Random(number), random.Random(1000 + number)
        generator = np.random.default_rng(number)
        shape = random_numbers.choice(SIZES[self.ndim])
        made: list[Any] = []
        arrays: list[tuple[str, int, npt.NDArray[Any]]] = []
        for dtype, ndim, components in self.parameters:
            if ndim == 0:
                made.append(
                    _numbers(generator, dtype, ())[()] if dtype != "i32" else np.int32(_bound(random_numbers, shape))
                )
                continue
            full = shape + ((components,) if components else ())
            if arrays and longer.random() < 0.1:
                larger = tuple(length + longer.randint(0, 1) for length in shape)
                made.append(_numbers(generator, dtype, larger + full[ndim:]))
                continue
            same = [array for kind, own, array in arrays if (kind, own) == (dtype, components)]
            how = random_numbers.random()
            if same and how < 0.15:
                array = same[0]
            elif same and how < 0.3 and same[0].base is not None and same[0].base.size:
                base, size = same[0].base, int(np.prod(full))
                shift = random_numbers.choice([s for s in (1, 2, 3, 4, 8, 16) if s + size <= base.size] or [0])
                array = base[shift : shift + size].reshape(full)
            else:
                size = int(np.prod(full))
                array = _numbers(generator, dtype, (size + 16,))[:size].reshape(full)
            arrays.append((dtype, components, array))
            made.append(array)
        return made


def _bound(random_numbers: random.Random, shape: tuple[int, ...]) -> int:
    return random_numbers.choice([shape[0], max(0, shape[0] - 1), shape[0] // 2, -3, 0])


def _numbers(generator: np.random.Generator, dtype: str, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    kind = np.dtype(NUMPY[dtype])
    if kind.kind == "f":
        found = generator.normal(0, 2, shape).astype(kind)
        special = generator.random(shape) < 0.01
        return np.where(special, generator.choice([0.0, -0.0, 1e3, -1.0], shape), found).astype(kind)
    info = np.iinfo(kind)
    wide = generator.integers(info.min, info.max, shape, dtype=kind, endpoint=True)
    return np.where(generator.random(shape) < 0.5, generator.integers(0, 100, shape).astype(kind), wide)


class _Writer:
    def __init__(self, number: int) -> None:
        self.random = random.Random(number)
        self.name = f"loop_{number}"
        self.ndim = self.random.choice([1, 1, 1, 2, 2, 2, 3, 4])
        self.is_float = self.random.random() < 0.7
        self.dtype = self.random.choice(FLOATS if self.is_float else INTEGERS)
        self.uses_fields = self.random.random() < 0.3
        self.shape = self.random.choice(FIELD_SHAPES[self.ndim])
        self.components = self.random.choice([0, 0, 0, 0, 2, 3, 4]) if self.is_float else 0
        self.arrays = ["x", "y", "z"][: self.random.randint(1, 3)]
        self.margin = self.random.choice([0, 0, 1, 2])
        self.is_sum = False
        self.inner: list[str] = []

    def pick(self, *choices: T) -> T:
        return self.random.choice(choices)

    def model(self) -> LoopModel:
        kind = f"ti.{self.dtype}"
        element = f"ti.types.vector({self.components}, {kind})" if self.components else kind
        parameters: list[tuple[str, int, int]] = [("i32", 0, 0), (self.dtype, 0, 0)]
        signature = ["n: ti.i32", f"a: {kind}"]
        before = ""
        if self.uses_fields:
            for name in self.arrays:
                made = f"ti.Vector.field({self.components}, {kind}" if self.components else f"ti.field({kind}"
                field = self.of(name)
                before += f"{field} = {made}, shape={self.shape})\nexport_field({field!r}, {field})\n"
        else:
            for name in self.arrays:
                signature.append(f"{name}: ti.types.ndarray({element}, ndim={self.ndim})")
                parameters.append((self.dtype, self.ndim, self.components))
        head, indices = self.loop()
        self.indices = indices
        can_return = not self.components and self.dtype in ("f32", "f64", "i32", "i64", "u32", "u64")
        returned = self.pick(None, None, None, "sum", "min", "max", "count") if can_return else None
        lines = [f"def {self.name}({', '.join(signature)}){self.return_type(returned)}:"]
        if returned:
            first = {"sum": "0", "count": "0", "min": "100", "max": "-100"}[returned]
            result = "ti.i32" if returned == "count" else kind
            lines.append(f"    s = ti.cast({first}, {result})")
        lines.append(f"    {head}")
        body = self.body(returned)
        lines += [f"        {line}" for line in body]
        if returned:
            lines.append("    return s")
        text = before + "@export\n@ti.kernel\n" + "\n".join(lines) + "\n"
        return LoopModel(self.name, text, parameters, self.ndim, self.is_sum)

    def return_type(self, returned: str | None) -> str:
        if returned is None:
            return ""
        self.is_sum = returned in ("sum", "min", "max") and self.is_float
        return " -> ti.i32" if returned == "count" else f" -> ti.{self.dtype}"

    def of(self, name: str) -> str:
        return f"{name}_{self.name}" if self.uses_fields else name

    def extent(self, axis: int) -> str:
        return str(self.shape[axis]) if self.uses_fields else f"{self.of('x')}.shape[{axis}]"

    def loop(self) -> tuple[str, list[str]]:
        names = list(INDICES[: self.ndim])
        kind = self.pick("struct", "struct", "ndrange", "grouped", "range")
        if kind == "range" and self.ndim > 1:
            kind = "ndrange"
        if kind == "struct":
            self.is_inside = False
            return f"for {', '.join(names)} in {self.of('x')}:", names
        if kind == "grouped":
            self.is_inside = False
            return f"for I in ti.grouped({self.of('x')}):", [f"I[{axis}]" for axis in range(self.ndim)]
        self.is_inside = True
        margin = self.margin
        if kind == "range":
            return self.pick(
                f"for i in range({margin}, {self.extent(0)} - {margin}):",
                f"for i in range({margin}, ti.min(n, {self.extent(0)} - {margin})):",
            ), names
        ranges = ", ".join(f"({margin}, {self.extent(axis)} - {margin})" for axis in range(self.ndim))
        return f"for {', '.join(names)} in ti.ndrange({ranges}):", names

    def at(self, name: str) -> str:
        """An element at the place of the loop, or one near it."""
        parts = []
        for index in self.indices:
            shift = self.random.randint(-self.margin, self.margin) if self.random.random() < 0.5 else 0
            parts.append(f"{index} + {shift}" if shift > 0 else f"{index} - {-shift}" if shift else index)
        return f"{self.of(name)}[{', '.join(parts)}]"

    def elsewhere(self, name: str) -> str:
        """An element at a place that follows from the loop's in another way, or from an array of integers."""
        parts = [self.other(index, self.extent(axis)) for axis, index in enumerate(self.indices)]
        if not self.is_float and self.random.random() < 0.5:
            parts[-1] = f"ti.cast({self.here(name)} & 63, ti.i32) % {self.extent(self.ndim - 1)}"
        return f"{self.of(name)}[{', '.join(parts)}]"

    def other(self, index: str, extent: str) -> str:
        """Another index of an axis: elsewhere, or near but limited by the edges, or around them."""
        shift = self.pick(-17, -2, -1, 1, 2, 17)
        return self.pick(
            f"({index} * 3 + 1) % {extent}",
            f"ti.max(ti.min({index} + {shift}, {extent} - 1), 0)",
            f"({index} + {shift}{f' + {extent} * {-shift}' if shift < 0 else ''}) % {extent}",
        )

    def function(self, one: str, other: str) -> str:
        return self.pick(
            f"ti.sin({one})",
            f"ti.cos({one})",
            f"ti.tan({one})",
            f"ti.asin({one})",
            f"ti.acos({one})",
            f"ti.atan2({one}, {other})",
            f"ti.tanh({one})",
            f"ti.exp({one})",
            f"ti.log(ti.abs({one}))",
            f"ti.pow(ti.abs({one}), {other})",
            f"ti.rsqrt(ti.abs({one}))",
        )

    def here(self, name: str) -> str:
        return f"{self.of(name)}[{', '.join(self.indices)}]"

    def within(self) -> str:
        checks = [
            f"{self.margin} <= {index} < {self.extent(axis)} - {self.margin}" for axis, index in enumerate(self.indices)
        ]
        return " and ".join(checks)

    def value(self, depth: int) -> str:
        if depth == 0 or self.random.random() < 0.2:
            index, divisor = self.pick(*self.indices), self.pick(3, 8, 16, 10)
            leaves: list[Callable[[], str]] = [
                lambda: self.at(self.pick(*self.arrays)),
                lambda: self.at(self.pick(*self.arrays)),
                lambda: "a",
                self.constant,
                lambda: f"ti.cast({index}, ti.{self.dtype})",
                lambda: f"ti.cast({index} % {divisor}, ti.{self.dtype})",
                lambda: f"ti.cast({index} // {divisor}, ti.{self.dtype})",
                lambda: f"ti.cast(n, ti.{self.dtype})",
                lambda: self.elsewhere(self.pick(*self.arrays)),
            ]
            return self.pick(*leaves)()
        left, right = self.value(depth - 1), self.value(depth - 1)
        if self.dtype in ("f32", "f64") and not self.components and self.random.random() < 0.15:
            return self.function(left, right)
        if self.is_float:
            return self.pick(
                f"({left} + {right})",
                f"({left} - {right})",
                f"({left} * {right})",
                f"({left} * {right})",
                f"({left} / (2.0 + ti.abs({right})))",
                f"ti.max({left}, {right})",
                f"ti.min({left}, {right})",
                f"ti.abs({left})",
                f"ti.sqrt(ti.abs({left}))",
                f"ti.floor({left})",
                f"ti.select({self.condition(depth - 1)}, {left}, {right})" if not self.components else f"(-{left})",
            )
        extremes = [f"ti.{name}({left}, {right})" for name in ("max", "min")]
        return self.pick(
            *(extremes if self.dtype[1:] in ("32", "64") else []),  # the compiler has none of small integers
            f"({left} + {right})",
            f"({left} - {right})",
            f"({left} * {right})",
            f"({left} ^ {right})",
            f"({left} & {right})",
            f"({left} | {right})",
            f"({left} << 3)",
            f"({left} >> 2)",
            f"({left} // 7)",
            f"({left} % 5)",
            f"ti.select({self.condition(depth - 1)}, {left}, {right})",
        )

    def constant(self) -> str:
        if self.is_float:
            return self.pick("0.5", "1.25", "3.0", "-2.0", "0.1")
        return f"ti.cast({self.pick(1, 3, 7, 100)}, ti.{self.dtype})"

    def condition(self, depth: int) -> str:
        axis = self.random.randrange(self.ndim)
        index = self.indices[axis]
        bound = self.pick("0", "4", "n", f"{self.extent(axis)} - 1", f"{self.extent(axis)} // 2")
        with_index = f"{index} {self.pick('<', '<=', '>', '>=', '==', '!=')} {bound}"
        conditions = [f"{index} % 2 == 0", "n > 3", with_index, with_index]
        if not self.components:
            conditions += [f"{self.value(depth)} > {self.value(0)}", "a > 0"]
        return self.pick(*conditions)

    def body(self, returned: str | None) -> list[str]:
        lines: list[str] = []
        if self.margin and not self.is_inside:
            lines.append(f"if {self.within()}:")
        first = f"{self.at(self.arrays[0])} + " if self.components else ""
        lines.append(f"{'    ' * len(lines)}v = {first}{self.value(self.random.randint(1, 3))}")
        indent = "    " * (len(lines) - 1)
        how = self.random.random()
        if how < 0.15:
            steps = self.pick(2, 3, 5, 16)
            lines += [f"{indent}for step in range({steps}):", f"{indent}    v = {self.step()}"]
        elif how < 0.25:
            lines += [
                f"{indent}if {self.condition(1)}:",
                f"{indent}    v = {first}{self.value(1)}",
                f"{indent}else:",
                f"{indent}    v = v + {self.value(1)}",
            ]
        elif how < 0.3:
            lines += [f"{indent}{line}" for line in self.varying_loop()]
        elif how < 0.34 and self.dtype[1:] in ("32", "64"):  # the compiler takes some small numbers twice
            place = ", ".join([*self.indices[:-1], "ti.max(lap, 0)"])
            lines.append(f"{indent}for lap in range(n, {self.extent(self.ndim - 1)}):")
            value = f"{self.of(self.arrays[0])}[{place}]"
            # The compiler may add floats in another order.
            lines.append(f"{indent}    v = {f'ti.max(v, {value})' if self.is_float else f'v + {value}'}")
        if returned:
            update = {
                "sum": "s += v",
                "count": f"if v > {self.constant()}: s += 1",
                "min": "ti.atomic_min(s, v)",
                "max": "ti.atomic_max(s, v)",
            }[returned]
            lines.append(f"{indent}{update}")
            if self.random.random() < 0.8:
                return lines
        target = self.pick(*self.arrays)
        if self.random.random() < 0.3:
            lines += [f"{indent}if {self.condition(1)}:", f"{indent}    {self.here(target)} = v"]
        elif self.random.random() < 0.1:
            lines.append(f"{indent}{self.at(target)} += v")
        else:
            lines.append(f"{indent}{self.here(target)} = v")
        if len(self.arrays) > 1 and self.random.random() < 0.3:
            other = self.pick(*[each for each in self.arrays if each != target])
            lines.append(f"{indent}{self.here(other)} = {self.value(1)}")
        return lines

    def varying_loop(self) -> list[str]:
        """A loop inside an element, whose number of iterations mostly differs between elements."""
        index, value = self.pick(*self.indices), self.at(self.pick(*self.arrays))
        count = f"ti.cast(ti.abs({value}), ti.i32) % 7" if self.is_float else f"ti.cast({value} & 7, ti.i32)"
        count = f"{index} * 5 % 7" if self.components else count
        until = f"v{'[0]' if self.components else ''} > {self.pick(1, 3, 20)}"
        more = ["v * 0.5 * a + 0.25", "(v + 1.0) * a", "v * (1.5 - 0.1 * a * v * v)", "v - (v * v - a) * 0.1", "v - a"]
        steps = [f"    v = {self.pick(self.step(), *(more if self.is_float else []))}"]
        if self.random.random() < 0.3:
            steps.append(f"    if {self.condition(0)}: v = {self.step()}")
        loops = [
            ["for lap in range(n % 4):", *steps],
            [f"for lap in range({count}):", *steps],
            [f"for lap in range({count}):", *steps, f"    if {until}: break"],
            ["lap = 0", f"while lap < {count} and not {until}:", *steps, "    lap += 1"],
            ["lap = 0", "while True:", f"    if lap > {count}: break", *steps, "    lap += 1"],
        ]
        loop = self.pick(*loops)
        return ["if n > 3:", *(f"    {line}" for line in loop)] if self.random.random() < 0.1 else loop

    def step(self) -> str:
        if self.is_float:
            return self.pick("v * 0.9 + a", "v * v * 0.1 - a", f"v + {self.at(self.arrays[0])}", "0.5 * (v + a)")
        return self.pick("v * 3 + a", "v ^ (v << 1)", f"v + {self.at(self.arrays[0])}")


def draw_loop(number: int) -> LoopModel:
    """Return the kernel of a number."""
    return _Writer(number).model()


def source_of_loops(models: list[LoopModel]) -> str:
    """Return the source of a file with these kernels."""
    head = "import taichi as ti\nfrom taichi_aot.build import export, export_field\n\nti.init(arch=ti.cpu)\n\n"
    return head + "\n".join(model.source for model in models)
