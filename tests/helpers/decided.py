"""Kernels whose conditions, indices and ranges the compiler partly decides, drawn at random by number.

A check that always holds, a constant index, an empty loop or an operand of an atomic operation that changes nothing
leaves other code behind than the source shows. Kernels compute with small integers, so results are equal bit by bit on
every device. Parallel loops write only in ways whose order does not matter.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

SIZE, ROWS, COLUMNS, PARTS = 16, 3, 5, 3
# Shapes and dtypes by name: `x` is not written.
ARRAYS = {"x": ((SIZE,), "i4"), "o": ((SIZE,), "i4"), "c": ((SIZE,), "i4"), "p": ((ROWS, COLUMNS), "i4")}
ARRAYS["y"] = (SIZE,), "f4"
FIELDS = {"f": ((SIZE,), "i4"), "h": ((ROWS, COLUMNS), "i4"), "w": ((4, PARTS), "i4")}
SHAPES = {name: shape for name, (shape, _) in (ARRAYS | FIELDS).items()}
WRITTEN = ["o", "c", "p", "y", "f", "h", "w"]
CALLS = ((0, 1), (5, -3), (16, 7))  # the scalars `n` and `m`
CONSTANTS = (-8, -1, 0, 0, 1, 1, 2, 3, 5, 7, 8, 15, 16)
ATOMICS = ("add", "sub", "max", "min", "or", "and", "xor")
WITHIN = ("0", "1", "3", "16", "7, 8", "o.shape[0]", "3, o.shape[0] - 13")  # ranges of indices of arrays
RANGES = (*WITHIN, "20", "5, 2", "-2, 3", "n", "2, n", "n, m", "n & 7")
# Ranges of inner loops, and what they are below if they begin at 0 or above.
INNER = {"0": 1, "1": 1, "3": 3, "2, 2": 3, "4, 1": 5, "-1, 2": 0, "n & 3": 4, "a & 3": 4, "ti.min(b, 3)": 3}
STATIC = {"0": 1, "2": 2, "1, 2": 2}

HEADER = f"""\
import taichi as ti
from taichi_aot.build import export, export_field

I1, I2 = ti.types.ndarray(dtype=ti.i32, ndim=1), ti.types.ndarray(dtype=ti.i32, ndim=2)
F1 = ti.types.ndarray(dtype=ti.f32, ndim=1)
before = ti.field(ti.i32, 64)  # the compiler's runtime writes beyond a field after a check that has failed
f = ti.field(ti.i32, {SIZE})
h = ti.field(ti.i32, ({ROWS}, {COLUMNS}))
w = ti.Vector.field({PARTS}, ti.i32, 4)
after = ti.field(ti.i32, 64)
export_field("f", f)
export_field("h", h)
export_field("w", w)


@ti.func
def fold(a, b):
    assert b & 3 < 4, "fold"
    return (a + b * 2) & 63


@ti.func
def bounded(a, b):
    assert a >= b or a < b, "bounded"
    r = a
    if a > 40:
        r = b & 31
    return r


@ti.func
def positive(a):
    assert a >= 0, "positive"
    return a & 127
"""


Lines = list[str]


def _nested(head: Lines, inside: Lines) -> Lines:
    return [*head, *(f"    {line}" for line in inside)]


def _renamed(lines: Lines) -> Lines:
    """Return a statement outside of parallel loops, whose variables those must not share."""
    return [re.sub(r"\b([abv])\b", r"\1_", line) for line in lines]


@dataclass(frozen=True)
class DecidedModel:
    """A kernel.

    Attributes
    ----------
    seed : int
        Of its arguments.
    """

    number: int
    name: str
    seed: int
    returns: bool
    body: Lines


def numbers_of(seed: int) -> dict[str, npt.NDArray[np.generic]]:
    """Return what the arrays and fields have before a call."""
    dice = np.random.default_rng(seed)
    return {name: dice.integers(-20, 20, shape).astype(dtype) for name, (shape, dtype) in (ARRAYS | FIELDS).items()}


def draw(numbers: Sequence[int], *, with_checks: bool) -> list[DecidedModel]:
    """Draw the kernels of these numbers.

    With checks, those of every other one may fail, and the compiler decides all checks of every fourth one. Without
    them, asserts may be wrong, but indices are not.
    """
    return [_Drawing(number, with_checks=with_checks).kernel() for number in numbers]


def source_of(models: Sequence[DecidedModel]) -> str:
    return HEADER + "".join(map(_kernel_source, models))


def _kernel_source(model: DecidedModel) -> str:
    lines = [
        "a_, b_ = n, m",
        "v_ = ti.Vector([n, 2, m])",
        *model.body,
        *(["return a_ + b_ * 3 + v_[1]"] * model.returns),
    ]
    body = "".join(f"    {line}\n" for line in lines)
    head = "x: I1, o: I1, c: I1, p: I2, y: F1, n: ti.i32, m: ti.i32"
    return f"\n\n@export\n@ti.kernel\ndef {model.name}({head}){' -> ti.i32' * model.returns}:\n{body}"


@dataclass
class _Scope:
    """What statements may use where they are.

    Attributes
    ----------
    numbers : list of str
        Integers.
    below : dict of str to int
        Variables of loops that are at least 0 and below a constant.
    modes : dict of str to str
        In a parallel loop, what it does with each array: reads it (``""``), writes a constant or the element of its own
        iteration, or one kind of atomic operation.
    own : dict of str to str
        The index of the element of the iteration by array, if each iteration has one.
    """

    numbers: list[str] = field(default_factory=lambda: ["n", "m", "a", "b"])
    below: dict[str, int] = field(default_factory=dict[str, int])
    modes: dict[str, str] | None = None
    own: dict[str, str] = field(default_factory=dict[str, str])
    depth: int = 0


class _Drawing:
    def __init__(self, number: int, *, with_checks: bool) -> None:
        self.number = number
        self.is_faulty = with_checks and number % 2 == 1
        self.has_wrong_asserts = self.is_faulty or not with_checks
        self.is_decided = with_checks and number % 4 == 0  # sizes of ndarrays are not
        self.written = [*FIELDS] if self.is_decided else WRITTEN
        self.dice = random.Random(number)
        self.count = 0

    def kernel(self) -> DecidedModel:
        body: Lines = []
        for _ in range(self.dice.randint(1, 4)):
            body += self.outer_loop() if self.chance(2) else _renamed(self.statement(_Scope()))
        return DecidedModel(self.number, f"k_{self.number}", self.number, self.chance(3), body)

    def chance(self, of: int) -> bool:
        return self.dice.randrange(of) == 0

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def outer_loop(self) -> Lines:
        i, j = self.fresh("i"), self.fresh("j")
        scope = _Scope(numbers=["n", "m", "a", "b", i], depth=1)
        kind = self.dice.randrange(8)
        if kind < 4:
            text = self.dice.choice(RANGES)
            head = f"for {i} in range({text}):"
            if text in WITHIN:
                scope.below[i] = SIZE
        elif kind < 6:
            name = self.dice.choice(["x", "o", "f"])
            head = f"for {i} in {name}:"
            scope.below[i] = SIZE
        else:
            name = self.dice.choice(["p", "h"])
            over = f"ti.ndrange({self.dice.choice(['3, 5', '3, 0', '1, 1', '(1, 3), 5', 'n & 3, 5'])})"
            head = f"for {i}, {j} in {self.dice.choice([name, over])}:"
            scope.numbers.append(j)
            scope.below |= {i: ROWS, j: COLUMNS}
            scope.own = dict.fromkeys(["p", "h"], f"{i}, {j}")
        if kind < 6 and i in scope.below:
            scope.own = dict.fromkeys(["o", "c", "y", "f"], i)
        lines = [head, f"    a, b = {i}, n", f"    v = ti.Vector([{i}, m, 1])"]
        if self.chance(4):
            lines.insert(0, "ti.loop_config(serialize=True)")
        else:
            modes = ["", "constant", "own", *ATOMICS]
            scope.modes = {name: self.dice.choice(modes) for name in WRITTEN}
            scope.modes["w"] = self.dice.choice(["", "constant"])
            for name in scope.modes:
                if scope.modes[name] == "own" and name not in scope.own:
                    scope.modes[name] = ""
                if name == "y" and scope.modes[name] in ATOMICS:
                    scope.modes[name] = "constant"
        return _nested(lines, self.statements(scope))

    def statements(self, scope: _Scope) -> Lines:
        return [line for _ in range(self.dice.randint(1, 4)) for line in self.statement(scope)]

    def statement(self, scope: _Scope) -> Lines:
        kinds = [self.assign, self.store, self.store, self.store, self.check, self.check, self.vector, self.special]
        if scope.depth < 3:
            kinds += [self.choose, self.while_loop]
        if 0 < scope.depth < 3:  # the outermost loop is parallel
            kinds.append(self.inner_loop)
        return self.dice.choice(kinds)(scope)

    def assign(self, scope: _Scope) -> Lines:
        return [f"{self.dice.choice('ab')} = ({self.integer(scope)}) & 1023"]

    def store(self, scope: _Scope) -> Lines:
        name = self.dice.choice(self.written)
        mode = self.dice.choice(["own", "constant", *ATOMICS]) if scope.modes is None else scope.modes[name]
        if name == "w":
            constant, at = self.dice.choice(CONSTANTS), self.dice.choice([0, 1, 2])
            return [f"w[{self.index(scope, 4)}][{at}] = {constant}" if mode else "a += 0"]
        value = f"({self.integer(scope)}) & 1023"
        place = f"{name}[{self.place(scope, name)}]"
        if mode == "own":
            place = place if scope.modes is None else f"{name}[{scope.own[name]}]"
            return [f"{place} = {value if name != 'y' else f'ti.cast({value}, ti.f32) * 0.5'}"]
        if mode == "constant" or (mode and name == "y"):
            return [f"{place} = {self.constant_of(name)}"]
        if not mode:
            return [f"a += {self.read(scope, name)}"]
        operand = self.dice.choice([value, value, "0", "1", "-1"])
        result = "a = " if scope.modes is None and self.chance(2) else ""
        return [f"{result}ti.atomic_{mode}({place}, {operand})"]

    def constant_of(self, name: str) -> str:
        """Return the number that all stores of a constant into an array write."""
        number = CONSTANTS[(self.number + ord(name)) % len(CONSTANTS)]
        return f"{number}.5" if name == "y" else str(number)

    def check(self, scope: _Scope) -> Lines:
        condition = self.condition(scope) if self.has_wrong_asserts and self.chance(2) else self.true(scope)
        own = f"check {self.fresh('')}"
        message = self.dice.choice(['"same"', f'"{own}"', 'f"a is {a}"', f'f"{own}: {{b}}"', ""])
        if not message and "%" in condition:  # the compiler's runtime takes it for a place of a number
            message = '"remainder"'
        return [f"assert {condition}{', ' * bool(message)}{message}"]

    def vector(self, scope: _Scope) -> Lines:
        return [f"v[{self.index(scope, PARTS, sound=True)}] = ({self.integer(scope)}) & 63"]

    def special(self, scope: _Scope) -> Lines:
        """A statement with a check of the compiler's own."""
        width = self.dice.choice(["4", "31", "a & 31", "b & 7"])
        if self.is_faulty and self.chance(3):
            width = self.dice.choice(["(a & 63)", "33", "40", "(b & 3) + 30"])
        exponent = self.dice.choice(["0", "2", "(b & 3)"])
        if self.is_faulty and self.chance(3):
            exponent = self.dice.choice(["((n & 3) - 1)", "(b & 1)"])
        text = self.dice.choice([f"ti.bit_shr(a, {width})", f"ti.bit_shr(b & 63, {width})", f"(b & 7) ** {exponent}"])
        return [f"a = ({text}) & 1023"]

    def choose(self, scope: _Scope) -> Lines:
        head = f"if {self.condition(scope)}:"
        if self.chance(3):
            inside = _nested([head], self.statements(self.deeper(scope)))
            return _nested([*inside, "else:"], self.statements(self.deeper(scope)))
        return _nested([head], self.statements(self.deeper(scope)))

    def deeper(self, scope: _Scope, name: str = "", below: int = 0) -> _Scope:
        numbers = [*scope.numbers, *([name] if name else [])]
        limits = scope.below | ({name: below} if below else {})
        return replace(scope, numbers=numbers, below=limits, depth=scope.depth + 1)

    def inner_loop(self, scope: _Scope) -> Lines:
        j = self.fresh("j")
        is_static = self.chance(3)
        end, below = self.dice.choice([*(STATIC if is_static else INNER).items()])
        text = f"ti.static(range({end}))" if is_static else f"range({end})"
        return _nested([f"for {j} in {text}:"], self.statements(self.deeper(scope, j, below)))

    def while_loop(self, scope: _Scope) -> Lines:
        k = self.fresh("k")
        end = self.dice.choice(["0", "1", "3", "(a & 3)", "ti.min(n, 3)"])
        leave = self.dice.choice([f"{k} > 2", self.condition(scope), "True"])
        leaving = self.dice.choice(["break", "continue", "break"])
        head = [f"{k} = 0", f"while {k} < {end}:", f"    {k} += 1", f"    if {leave}:", f"        {leaving}"]
        return _nested(head, self.statements(self.deeper(scope, k)))

    def place(self, scope: _Scope, name: str, depth: int = 2) -> str:
        return ", ".join(self.index(scope, size, depth) for size in SHAPES[name])

    def index(self, scope: _Scope, size: int, depth: int = 2, *, sound: bool = False) -> str:
        """Return an index below a size; maybe one that is out of range by a few, if the kernel is faulty."""
        e = self.integer(scope, depth - 1)
        if self.is_faulty and not sound and self.chance(7):
            wrong = [f"({e}) % {size} + {self.dice.choice([-2, -1, 0, 1, 3])}", f"({e}) % {size + 2}", f"{size}"]
            return self.dice.choice(wrong)
        mask = 2 ** (size.bit_length() - 1) - 1
        choices = [str(self.dice.randrange(size)), f"({e}) & {mask}", f"({e}) & {mask}"]
        if self.is_decided:
            return self.dice.choice(choices)
        choices += [f"({e}) % {size}", f"ti.min(ti.max({e}, 0), {size - 1})", f"ti.abs({e}) % {size}"]
        choices += [name for name, below in scope.below.items() if below <= size] * 2
        return self.dice.choice(choices + [f"({e}) % o.shape[0]"] * (size == SIZE))

    def read(self, scope: _Scope, name: str = "", depth: int = 2) -> str:
        """Return the number of an element, of an array that this loop does not write."""
        modes = scope.modes or {}
        name = name or self.dice.choice(
            ["v", *["x"] * (not self.is_decided), *(n for n in self.written if not modes.get(n))]
        )
        if name == "v":
            return f"v[{self.index(scope, PARTS, depth, sound=not self.chance(4))}]"
        if name == "w":
            return f"(w[{self.index(scope, 4, depth)}][{self.dice.choice([0, 1, 2])}] & 63)"
        element = f"{name}[{self.place(scope, name, depth)}]"
        return f"ti.cast({element} * 2, ti.i32)" if name == "y" else f"({element} & 255)" if name != "x" else element

    def integer(self, scope: _Scope, depth: int = 3) -> str:
        if depth <= 0 or self.chance(4):
            if depth > 0 and self.chance(3):
                return self.read(scope, depth=depth - 1)
            return self.dice.choice([str(self.dice.choice(CONSTANTS)), *[self.dice.choice(scope.numbers)] * 2])
        e, other = self.integer(scope, depth - 1), self.integer(scope, depth - 1)
        if self.chance(10):
            return f"ti.select({self.condition(scope, depth - 1)}, {e}, {other})"
        return self.dice.choice(
            [
                f"(({e}) & {self.dice.choice([0, 1, 7, 15, -1])})",
                f"(({e}) % {self.dice.choice([1, 2, 7, 8])})",
                f"(({e}) // {self.dice.choice([1, 2, 3, 8])})",
                f"({e} + {other})",
                f"({e} - {other})",
                f"({e} - {e})",
                f"({e}) * {self.dice.choice([0, 1, 2, 3, 5])}",
                f"(({e}) | {self.dice.choice([0, 1, 8, -1])})",
                f"(({e}) ^ ({other}))",
                f"(({e}) << {self.dice.choice([0, 1, 3])})",
                f"(({e}) >> {self.dice.choice([0, 1, 4, 31])})",
                f"ti.{self.dice.choice(['min', 'max'])}({e}, {other})",
                f"{self.dice.choice(['fold', 'bounded'])}({e}, {other})",
                f"positive({e})" if self.has_wrong_asserts and self.chance(3) else f"positive(({e}) & 255)",
            ]
        )

    def true(self, scope: _Scope, depth: int = 1) -> str:
        """Return a condition that holds; the compiler finds out some of them."""
        e = self.integer(scope, depth)
        known = [text for name, below in scope.below.items() for text in (f"{name} < {below}", f"{name} >= 0")]
        known += ["o.shape[0] > 0", "x.shape[0] < 100 and o.shape[0] == 16"]
        return self.dice.choice(
            [
                f"({e}) & 7 < 8",
                f"({e}) * 0 == 0",
                f"(({e}) | 1) != 0",
                f"ti.max({e}, 3) > 2",
                "1 < 2",
                "n == n",
                *([] if self.is_decided else [*known, f"({e}) % 4 >= 0"]),
            ]
        )

    def condition(self, scope: _Scope, depth: int = 1) -> str:
        e, other, true = self.integer(scope, depth), self.integer(scope, depth), self.true(scope, depth)
        return self.dice.choice(
            [
                true,
                f"not ({true})",
                "1 > 2",
                f"({e}) & 3 > 3",
                *[f"{e} {self.dice.choice(['<', '<=', '==', '!=', '>', '>='])} {other}"] * 2,
                f"{e} < {other} and {true}",
                f"{e} == {other} or n > 3",
                "n > 3",
                "m == 7",
            ]
        )
