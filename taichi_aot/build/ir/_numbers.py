"""Expressions of f64 numbers that become LLVM IR, one instruction for each operator.

No instruction has a flag that lets LLVM round in another way. So all CPUs compute the same bits.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import NamedTuple

MAGIC = 1.5 * 2**52  # plus a number: rounds to an integer, which the lowest bits of the sum have
BIAS = 1023  # of the exponent in the bits of a number
FLOATS = ("double", "float")
INTRINSICS = {"fabs": 1, "rint": 1, "sqrt": 1, "copysign": 2, "fma": 3}  # with their numbers of parameters


class Body(NamedTuple):
    """The instructions of a function so far."""

    lines: list[str]
    has_fma: bool  # whether the CPU has an instruction that multiplies, adds, and then rounds
    lanes: int = 0  # the number of elements if values are vectors, else 0
    prefix: str = "v"  # of the names of values

    def type(self, element: str) -> str:
        return f"<{self.lanes} x {element}>" if self.lanes else element

    def add(self, text: str) -> str:
        """Add an instruction; return the name of its value."""
        name = f"%{self.prefix}{len(self.lines)}"
        self.lines.append(f"  {name} = {text}\n")
        return name

    def intrinsic(self, name: str) -> str:
        return f"@llvm.{name}.{f'v{self.lanes}' if self.lanes else ''}f64"

    def declarations(self) -> str:
        """Return the declarations of the functions that values call."""
        double = self.type("double")
        return "".join(
            f"declare {double} {self.intrinsic(name)}({', '.join([double] * count)})\n"
            for name, count in INTRINSICS.items()
        )


def constant(number: float) -> str:
    """Return a number of f64 in LLVM IR, to the last bit."""
    return f"0x{struct.pack('>d', number).hex().upper()}"


def _operator(opcode: str) -> Callable[[Value, Value | float], Value]:
    def operate(one: Value, other: Value | float) -> Value:
        prefix = "f" if one.element in FLOATS and opcode in ("add", "sub", "mul", "div") else ""
        return one.add(f"{prefix}{opcode} {one.type} {one.name}, {one.named(other)}", one.element)

    return operate


def _comparison(condition: str) -> Callable[[Value, Value | float], Value]:
    return lambda one, other: one.add(f"fcmp {condition} {one.type} {one.name}, {one.named(other)}", "i1")


class Value:
    """A value in a function, or a vector of values: a number (``double``), its bits (``i64``), a condition (``i1``).

    Casts also have numbers of ``float`` and ``i32``.
    """

    def __init__(self, body: Body, name: str, element: str = "double") -> None:
        self.body, self.name, self.element, self.type = body, name, element, body.type(element)

    __add__ = _operator("add")
    __sub__ = _operator("sub")
    __mul__ = _operator("mul")
    __truediv__ = _operator("div")
    __floordiv__ = _operator("udiv")  # of bits, as an integer
    __and__ = _operator("and")
    __or__ = _operator("or")
    __xor__ = _operator("xor")
    __lshift__ = _operator("shl")
    __rshift__ = _operator("lshr")
    __lt__ = _comparison("olt")
    __gt__ = _comparison("ogt")
    __ge__ = _comparison("oge")
    equals = _comparison("oeq")
    differs = _comparison("une")  # NaN differs from all

    def __rsub__(self, other: float) -> Value:
        return self.same(other) - self

    def __rtruediv__(self, other: float) -> Value:
        return self.same(other) / self

    def __neg__(self) -> Value:
        return self.add(f"fneg {self.type} {self.name}")

    def then(self, one: Value | float, other: Value | float) -> Value:
        """Return one number if this condition holds, else the other."""
        element = next((each.element for each in (one, other) if isinstance(each, Value)), "double")
        type_, of_type = self.body.type(element), Value(self.body, "", element)
        text = f"select {self.type} {self.name}, {type_} {of_type.named(one)}, {type_} {of_type.named(other)}"
        return self.add(text, element)

    def bits(self) -> Value:
        return self.cast("bitcast", "i64")

    def number(self) -> Value:
        """Return the number that has these bits."""
        return self.cast("bitcast", "double")

    def signs(self) -> Value:
        """Return bits that are all the highest one of these."""
        return self.add(f"ashr {self.type} {self.name}, {self.named(63)}", self.element)

    def is_odd(self) -> Value:
        """Return whether the lowest of these bits is 1."""
        return self.cast("trunc", "i1")

    def is_negative(self) -> Value:
        """Return whether the sign is negative; that of -0.0 is."""
        return (self.bits() >> 63).is_odd()

    def absolute(self) -> Value:
        return self.call("fabs")

    def nearest(self) -> Value:
        """Return the nearest integer, the even one of two."""
        return self.call("rint")

    def square_root(self) -> Value:
        return self.call("sqrt")

    def with_sign(self, other: Value) -> Value:
        return self.call("copysign", other)

    def within(self, low: float, high: float) -> Value:
        """Return the number, or the nearest of these limits; NaN stays."""
        low_or_more = (self < low).then(low, self)
        return (low_or_more > high).then(high, low_or_more)

    def same(self, number: float) -> Value:
        return Value(self.body, self.named(number))

    def add(self, text: str, element: str = "double") -> Value:
        return Value(self.body, self.body.add(text), element)

    def call(self, function: str, *others: Value | float) -> Value:
        arguments = ", ".join(f"{self.type} {self.named(each)}" for each in (self, *others))
        return self.add(f"call {self.type} {self.body.intrinsic(function)}({arguments})")

    def cast(self, opcode: str, element: str) -> Value:
        return self.add(f"{opcode} {self.type} {self.name} to {self.body.type(element)}", element)

    def named(self, value: Value | float) -> str:
        """Return the name of another operand in an instruction with this one."""
        if isinstance(value, Value):
            return value.name
        text = constant(value) if self.element in FLOATS else str(value)
        return f"<{', '.join([f'{self.element} {text}'] * self.body.lanes)}>" if self.body.lanes else text


def polynomial(coefficients: Sequence[float], x: Value) -> Value:
    """Return the value of a polynomial, whose constant term is the first coefficient.

    Pairs of terms are computed side by side, because in a chain each addition waits for the one before. The constant
    term, which is the largest, is added last, so that only one number of its size is rounded.
    """
    first, *others = coefficients
    terms: list[Value | float] = [*others]
    power = x
    while len(terms) > 1:
        pairs = [power * terms[i + 1] + terms[i] for i in range(0, len(terms) - 1, 2)]
        terms = [*pairs, *terms[2 * len(pairs) :]]
        power *= power
    return x * terms[0] + first


def rounded(x: Value) -> tuple[Value, Value]:
    """Return the nearest integer to a number below 2^51, and bits whose lowest ones are those of the integer."""
    shifted = x + MAGIC
    return shifted - MAGIC, shifted.bits()


def power_of_two(bits: Value) -> Value:
    """Return 2 to the power of an integer from -1022 to 1023, whose bits `rounded` returned."""
    return ((bits + BIAS) << 52).number()


def two_sum(x: Value, y: Value | float) -> tuple[Value, Value]:
    """Return a sum, and exactly what its rounding dropped."""
    result = x + y
    part = result - x
    return result, (x - (result - part)) + (y - part)


def small_sum(large: Value, small: Value) -> tuple[Value, Value]:
    """Return the same as `two_sum`, where the first number is 0, or the absolute value of the second is not larger."""
    result = large + small
    return result, small - (result - large)


def two_product(x: Value, y: Value) -> tuple[Value, Value]:
    """Return a product, and exactly what its rounding dropped.

    Neither number may be above 2^995. The product has to be above 2^-960, or what is dropped is less than 2^-1074.
    """
    result = x * y
    if x.body.has_fma:
        return result, x.call("fma", y, -result)
    (high, low), (other, other_low) = halves_of(x), halves_of(y)
    return result, ((high * other - result) + high * other_low + low * other) + low * other_low


def less_product(x: Value, y: Value, factor: float) -> Value:
    """Return x - y * factor, where the product is exact, so that one instruction rounds as two do."""
    return y.call("fma", -factor, x) if x.body.has_fma else x - y * factor


def halves_of(x: Value) -> tuple[Value, Value]:
    """Return two numbers of at most 26 bits whose sum is `x`."""
    scaled = x * (2.0**27 + 1)
    high = scaled - (scaled - x)
    return high, x - high


def divided(high: Value, low: Value | float, divisor: Value, divisor_low: Value) -> tuple[Value, Value]:
    """Return the quotient of two sums as the nearest number and one for the rest."""
    inverse = 1.0 / divisor
    result = high * inverse
    product, error = two_product(result, divisor)
    more = ((high - product) - error + low - result * divisor_low) * inverse
    return small_sum(result, more)
