"""Functions of f64 numbers. Those rounded numbers that decide the last bit come with what rounding dropped of them."""

from __future__ import annotations

import math
from collections.abc import Callable

from ._coefficients import (
    ASIN_F64,
    ATAN_F64,
    COS_F64,
    EXP_F64,
    HALF_PI,
    LN2_PARTS,
    LOG_F64,
    POW_F64,
    QUARTER_PI,
    SIN_F64,
    TURN,
    TWO_THIRDS,
)
from ._functions_f32 import log_or_special, power_or_special, split, turn_bits
from ._numbers import (
    MAGIC,
    Value,
    constant,
    divided,
    halves_of,
    less_product,
    polynomial,
    power_of_two,
    rounded,
    small_sum,
    two_product,
    two_sum,
)

LARGE = 2.0**20  # angles above it, also of f32, are reduced by `reduced_large`
# Zeros, and the bits of 1 / (2 pi), 26 in each number; scaled, because the last ones would be too small.
PIECES = [0.0, 0.0, *(turn_bits(26 * i, 26 * i + 26, 200) for i in range(46))]
TABLE = f"@taichi_aot.turns = internal constant [{len(PIECES)} x double] " + (
    f"[{', '.join(f'double {constant(each)}' for each in PIECES)}]\n"
)
Reduced = tuple[Value, Value, Value]
Reduce = Callable[[Value], Reduced]


def exp(x: Value, error: Value | float = 0.0) -> Value:
    """Return the exponential of x + error, where `error` is small."""
    whole, high, low = _exp(x.within(-750.0, 712.0), error)
    result, more = small_sum(high.same(1.0), high)
    half, half_bits = rounded(whole * 0.5)  # the power of two for the whole may be too large, or too small
    return (result + (more + low)) * power_of_two(half_bits) * power_of_two(rounded(whole - half)[1])


def tanh(x: Value) -> Value:
    whole, high, low = _exp((x.absolute() * 2.0).within(0.0, 45.0))
    scale = power_of_two(rounded(whole)[1])
    above_one, error = small_sum(scale - 1.0, scale * high)  # the exponential of 2 |x|, less 1
    above_one, error = small_sum(above_one, error + scale * low)
    divisor, divisor_error = two_sum(above_one, 2.0)
    high, low = divided(above_one, error, divisor, divisor_error + error)
    return (high + low).with_sign(x)


def _exp(x: Value, error: Value | float = 0.0) -> Reduced:
    """Return an integer and two numbers, so that the exponential of x + error is 2^integer (1 + number + number)."""
    whole, _ = rounded(x * (1 / math.log(2)))
    high, low = less_product(x, whole, LN2_PARTS[0]), whole * LN2_PARTS[1] - error
    rest = high - low
    return whole, high, rest * rest * polynomial(EXP_F64, rest) - low


def log(x: Value) -> Value:
    exponent, rest = _split(x)
    above_one = rest - 1.0
    t = above_one / (rest + 1.0)
    square, half = t * t, above_one * above_one * 0.5
    low = t * (half + square * polynomial(LOG_F64, square)) + exponent * LN2_PARTS[1]
    return log_or_special(x, exponent * LN2_PARTS[0] - ((half - low) - above_one))


def pow_(x: Value, y: Value) -> Value:
    size, limited = x.absolute(), y.within(-(2.0**66), 2.0**66)
    high, low = _log(size)
    product, error = two_product(limited, high)
    result = exp(product, (error + limited * low).within(-1.0, 1.0))
    of_special = (y > 0.0).then(size, (y < 0.0).then(1.0 / size, y))  # where |x| is 0, infinite or NaN
    is_special = size.equals(0.0) | (size - size).differs(0.0)
    return power_or_special(x, y, is_special.then(of_special, result))


def _log(x: Value) -> tuple[Value, Value]:
    """Return the logarithm of a positive finite number as a sum, with an error below 2^-64 of it.

    That of the part without the exponent is 2 t + t^3 (2/3 + t^2 polynomial(t^2)), where t is a quotient.
    """
    exponent, rest = _split(x)
    high, low = divided(rest - 1.0, 0.0, *two_sum(rest, 1.0))
    square, square_low = two_product(high, high)
    square_low += high * low * 2.0
    more = polynomial(POW_F64, square)
    factor, factor_low = small_sum(square.same(TWO_THIRDS[0]), square * more)
    factor_low += square_low * more + TWO_THIRDS[1]
    product, product_low = two_product(square, factor)
    product_low += square * factor_low + square_low * factor
    cubic, cubic_low = two_product(high, product)
    cubic_low += high * product_low + low * product
    total, error = small_sum(exponent * LN2_PARTS[0], high * 2.0)
    total, other_error = small_sum(total, cubic)
    return small_sum(total, error + other_error + (low * 2.0 + cubic_low + exponent * LN2_PARTS[1]))


def _split(x: Value) -> tuple[Value, Value]:
    """Return the same as `split`, also for numbers below 2^-1022."""
    is_small = x < 2.0**-1022
    exponent, rest = split(is_small.then(x * 2.0**54, x))
    return is_small.then(exponent - 54.0, exponent), rest


def sin(x: Value, reduce: Reduce) -> Value:
    return x.equals(0.0).then(x, _wave(*reduce(x)))


def cos(x: Value, reduce: Reduce) -> Value:
    bits, high, low = reduce(x)
    return _wave(bits + 1, high, low)


def tan(x: Value, reduce: Reduce) -> Value:
    bits, high, low = reduce(x)
    sine, cosine, is_odd = small_sum(*_sine(high, low)), small_sum(*_cosine(high, low)), bits.is_odd()
    high, low = divided(*_either(is_odd, cosine, sine), *_either(is_odd, sine, cosine))
    return x.equals(0.0).then(x, ((high + low).bits() ^ bits << 63).number())


def _wave(bits: Value, high: Value, low: Value) -> Value:
    """Return the sine of a number of quarter turns plus two numbers."""
    high, low = _either(bits.is_odd(), _cosine(high, low), _sine(high, low))
    return ((high + low).bits() ^ bits >> 1 << 63).number()


def _sine(high: Value, low: Value) -> tuple[Value, Value]:
    square, error = two_product(high, high)
    return high, high * (square * polynomial(SIN_F64, square)) + (low - (low * square * 0.5 + high * error * (1 / 6)))


def _cosine(high: Value, low: Value) -> tuple[Value, Value]:
    square, error = two_product(high, high)
    result, more = small_sum(square.same(1.0), square * -0.5)
    return result, more + (square * square * polynomial(COS_F64, square) - (high * low + error * 0.5))


def _either(condition: Value, one: tuple[Value, Value], other: tuple[Value, Value]) -> tuple[Value, Value]:
    return condition.then(one[0], other[0]), condition.then(one[1], other[1])


def reduced(x: Value) -> Reduced:
    """Return bits whose lowest ones count quarters of a turn in an angle, and two numbers for the rest.

    |x| is not above `LARGE`.
    """
    whole, bits = rounded(x * (2 / math.pi))
    first, second, third, fourth = HALF_PI
    high, error = two_sum(less_product(x, whole, first), -(whole * second))
    high, other_error = two_sum(high, -(whole * third))
    return bits, *two_sum(high, error + other_error - whole * fourth)


def reduced_large(x: Value) -> Reduced:
    """Return the same as `reduced` of an angle above `LARGE`.

    The products of both halves of the number and 26 bits of 1 / (2 pi) are exact. The first bits are left out whose
    products are whole turns.
    """
    start = (((x.bits() >> 52) & 0x7FF) - 1023) // 26
    halves = halves_of(x * 2.0**-200)
    products = [half * _piece(start + i) for i in range(8) for half in halves]
    first, *others = [product - product.nearest() for product in products]
    total = first
    for turns in others:
        total += turns
    quarters = total + MAGIC / 4
    high, low = two_sum(first, -(quarters - MAGIC / 4))
    for turns in others:
        high, error = two_sum(high, turns)
        low += error
    high, low = two_sum(high, low)
    product, error = two_product(high, high.same(TURN[0]))
    return quarters.bits(), *two_sum(product, error + (high * TURN[1] + low * TURN[0]))


def _piece(index: Value) -> Value:
    """Return a number of the table."""
    array = f"[{len(PIECES)} x double]"
    address = index.add(f"getelementptr {array}, {array}* @taichi_aot.turns, i64 0, i64 {index.name}")
    return index.add(f"load double, double* {address.name}")


def asin(x: Value) -> Value:
    is_large, high, low = _arc(x)
    scale = is_large.then(-2.0, 1.0)
    return _angle(is_large.then(2.0, 0.0), high * scale, low * scale).with_sign(x)


def acos(x: Value) -> Value:
    is_large, high, low = _arc(x)
    is_below = x < 0.0
    scale = is_large.then(is_below.then(-2.0, 2.0), is_below.then(1.0, -1.0))
    return _angle(is_large.then(is_below.then(4.0, 0.0), 2.0), high * scale, low * scale)


def _arc(x: Value) -> Reduced:
    """Return whether |x| is above 1/2, and half the arc cosine of |x| if so, else the arc sine, as a sum."""
    size = x.absolute()
    is_large = size > 0.5
    square = is_large.then((1.0 - size) * 0.5, size * size)
    root = square.square_root()
    product, error = two_product(root, root)
    more = (is_large & (square > 0.0)).then((square - product - error) / (root * 2.0), 0.0)
    high = is_large.then(root, size)
    return is_large, high, high * (square * polynomial(ASIN_F64, square)) + more


def atan2(y: Value, x: Value) -> Value:
    width, height = x.absolute(), y.absolute()
    is_steep = height > width
    short, long = is_steep.then(width, height), is_steep.then(height, width)
    is_infinite = long.equals(math.inf)
    short = is_infinite.then(short.equals(math.inf).then(1.0, short * 0.0), short)
    long = (is_infinite | long.equals(0.0)).then(1.0, long)
    scale = (long < 2.0**400).then(2.0**500, 2.0**-200)  # no product below is too large, or loses bits
    short, long = short * scale, long * scale
    is_wide = short > long * (math.sqrt(2) - 1)  # the angle to the diagonal is smaller
    difference, total = small_sum(is_wide.then(-long, 0.0), short), small_sum(long, is_wide.then(short, 0.0))
    high, low = divided(*difference, *total)
    square = high * high
    low += high * (square * polynomial(ATAN_F64, square)) - low * square
    quarters, sign = is_wide.then(1.0, 0.0), is_steep.then(-1.0, 1.0)
    quarters, is_left = is_steep.then(2.0 - quarters, quarters), x.is_negative()
    quarters, sign = is_left.then(4.0 - quarters, quarters), is_left.then(-sign, sign)
    return _angle(quarters, high * sign, low * sign).with_sign(y)


def _angle(quarters: Value, high: Value, low: Value) -> Value:
    """Return an angle: a multiple of pi / 4 plus two numbers."""
    result, error = small_sum(quarters * QUARTER_PI[0], high)
    return result + (error + (quarters * QUARTER_PI[1] + low))


def rsqrt(x: Value) -> Value:
    is_small = x < 1.0
    scaled = x * is_small.then(2.0**600, 2.0**-600)
    root = scaled.square_root()
    inverse = 1.0 / root
    square, square_error = two_product(root, root)
    one, one_error = two_product(inverse, root)
    more = (1.0 - one) - one_error - (scaled - square - square_error) * (inverse * inverse * 0.5)
    result = (scaled > 0.0).then((scaled < math.inf).then(inverse + inverse * more, 0.0), inverse)
    return result * is_small.then(2.0**300, 2.0**-300)
