"""Functions of f32 numbers in f64 arithmetic, so that the error is decided by rounding to f32, and parts for f64.

The values are in f64 already, and the result is rounded by the caller.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ._coefficients import ASIN, ATAN, EXP2, HALF_PI, LOG, LOG2, SIN
from ._numbers import MAGIC, Value, less_product, polynomial, power_of_two, rounded

LN2 = math.log(2)
Reduce = Callable[[Value, float], tuple[Value, Value]]
SQRT_HALF = 0x3FE6A09E667F3BCD  # the bits of the square root of 1/2


def exp(x: Value) -> Value:
    return _power_of_two((x * (1 / LN2)).within(-160.0, 130.0))


def tanh(x: Value) -> Value:
    bits, more = _exp2((x.absolute() * (2 / LN2)).within(0.0, 60.0))
    scale = power_of_two(bits)
    above_one = scale * more + (scale - 1.0)  # the exponential of 2 |x|, less 1
    return (above_one / (above_one + 2.0)).with_sign(x)


def _exp2(z: Value) -> tuple[Value, Value]:
    """Return bits of the nearest integer, and how much 2 to `z` exceeds 2 to this integer, relative to it."""
    whole, bits = rounded(z)
    rest = z - whole
    return bits, rest * polynomial(EXP2, rest)


def _power_of_two(z: Value) -> Value:
    bits, more = _exp2(z)
    return ((more + 1.0).bits() + (bits << 52)).number()  # the exponent is added


def log(x: Value) -> Value:
    return log_or_special(x, _log(x, LN2, LOG))


def pow_(x: Value, y: Value) -> Value:
    size = x.absolute()
    log2 = (size < math.inf).then(size.equals(0.0).then(-math.inf, _log(size, 1.0, LOG2)), size)
    return power_or_special(x, y, _power_of_two((y * log2).within(-160.0, 130.0)))


def _log(x: Value, scale: float, coefficients: Sequence[float]) -> Value:
    """Return a logarithm of a positive number, where `scale` is that of 2."""
    exponent, rest = split(x)
    t = (rest - 1.0) / (rest + 1.0)
    return exponent * scale + t * polynomial(coefficients, t * t)


def split(x: Value) -> tuple[Value, Value]:
    """Return an exponent, and the quotient of `x` (finite, at least 2^-1022) and 2 to it, from sqrt(1/2) to sqrt(2)."""
    shifted = x.bits() - (SQRT_HALF - (1024 << 52))
    exponent = ((shifted >> 52) | 0x433 << 52).number() - float(2**52 + 1024)
    return exponent, ((shifted & (1 << 52) - 1) + SQRT_HALF).number()


def log_or_special(x: Value, result: Value) -> Value:
    """Return the logarithm of `x`, given that of positive finite numbers."""
    return (x > 0.0).then((x < math.inf).then(result, x), x.equals(0.0).then(-math.inf, math.nan))


def power_or_special(x: Value, y: Value, of_size: Value) -> Value:
    """Return `x` to the power of `y`, given that of |x|, which may be wrong if the result is 1."""
    size, half = x.absolute(), y * 0.5
    result = (size.equals(1.0) | y.equals(0.0)).then(1.0, of_size)
    is_odd = y.nearest().equals(y) & half.nearest().differs(half)
    result = is_odd.then(result.with_sign(x), result)
    return (y.nearest().differs(y) & (x < 0.0) & (size < math.inf)).then(math.nan, result)


def sin(x: Value, reduce: Reduce) -> Value:
    return _sine(*reduce(x, 0.0))


def cos(x: Value, reduce: Reduce) -> Value:
    return _sine(*reduce(x, 0.5))


def tan(x: Value, reduce: Reduce) -> Value:
    return sin(x, reduce) / cos(x, reduce)


def _sine(bits: Value, rest: Value) -> Value:
    """Return the sine of a number of half turns plus `rest`."""
    return ((rest * polynomial(SIN, rest * rest)).bits() ^ bits << 63).number()


def is_large(x: Value) -> Value:
    """Return whether an angle of f32 is above 2^20, without a number of f64 for each."""
    return (x.cast("bitcast", "i32") & 0x7FFFFFFF).cast("bitcast", "float") > 2.0**20


def reduced(x: Value, shift: float) -> tuple[Value, Value]:
    """Return bits whose lowest one counts half turns in an angle plus `shift` half turns, and the rest of this sum.

    |x| is not above 2^20, so that the product with the first part of pi is exact.
    """
    whole, bits = rounded(x * (1 / math.pi) + shift if shift else x * (1 / math.pi))
    whole = whole - shift if shift else whole
    return bits, less_product(x, whole, 2 * HALF_PI[0]) - whole * (2 * (HALF_PI[1] + HALF_PI[2]))


def reduced_large(x: Value, shift: float) -> tuple[Value, Value]:
    """Return the same as `reduced` of an angle above 2^20, from numbers whose sum is `x` in turns, less whole turns.

    The product of a number of f32 and 29 bits is exact in f64. The products of a large number and the first bits of
    1 / (2 pi) are whole turns, so it is multiplied with later bits.
    """
    is_near = x.absolute() < 2.0**80
    near, far = (0, 31, 60, 89, 142), (57, 86, 115, 144, 197)
    products = [x * is_near.then(turn_bits(*near[i : i + 2]), turn_bits(*far[i : i + 2])) for i in range(4)]
    first, second, third = (product - product.nearest() for product in products[:3])
    halves = first + second + third + shift / 2 + MAGIC / 2  # rounds to halves of a turn
    rest = first - (halves - MAGIC / 2) + shift / 2 + second + third + products[3]
    return halves.bits(), rest * (2 * math.pi)


def turn_bits(start: int, end: int, scale: int = 0) -> float:
    """Return the bits of 1 / (2 pi) from one place after the point to another, times 2^scale."""
    return math.ldexp(_INVERSE_TURN >> _PLACES - end & (1 << end - start) - 1, scale - end)


def _inverse_turn(places: int) -> int:
    """Return 2^places / (2 pi), by Machin's formula for pi."""

    def arctan_of_inverse(number: int) -> int:
        power, total, divisor = (1 << 2 * places) // number, 0, 1
        while power:
            total += power // divisor
            power, divisor = -(power // number**2), divisor + 2
        return total

    return (1 << 3 * places) // (8 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239)))


_PLACES = 1280
_INVERSE_TURN = _inverse_turn(_PLACES)


def asin(x: Value) -> Value:
    is_large, part = _arc(x)
    return is_large.then(math.pi / 2 - part * 2.0, part).with_sign(x)


def acos(x: Value) -> Value:
    is_large, part = _arc(x)
    small = math.pi / 2 - part.with_sign(x)
    return is_large.then((x < 0.0).then(math.pi - part * 2.0, part * 2.0), small)


def _arc(x: Value) -> tuple[Value, Value]:
    """Return whether |x| is above 1/2, and half the arc cosine of |x| if so, else the arc sine."""
    size = x.absolute()
    is_large = size > 0.5
    square = is_large.then((1.0 - size) * 0.5, size * size)
    return is_large, is_large.then(square.square_root(), size) * polynomial(ASIN, square)


def atan2(y: Value, x: Value) -> Value:
    width, height = x.absolute(), y.absolute()
    is_steep = height > width
    short, long = is_steep.then(width, height), is_steep.then(height, width)
    ratio = long.equals(0.0).then(short, long.equals(short).then(1.0, short / long))
    angle = ratio * polynomial(ATAN, ratio * ratio)
    angle = is_steep.then(math.pi / 2 - angle, angle)
    return x.is_negative().then(math.pi - angle, angle).with_sign(y)


def rsqrt(x: Value) -> Value:
    return 1.0 / x.square_root()
