"""Mathematical functions as LLVM IR, of which LLVM makes vectors: at most 1 ulp from the right result, for all numbers.

The bits are the same on every CPU and with every C library. A module that calls functions of C gets them in steps:
`declare_functions` before any pass; for each kind of CPU, `inline_functions` before the passes that make vectors; and
`define_functions` at the end, before unused functions are removed. No pass may contract multiplications and additions
of theirs, or change their order.

Other libraries do not fit. glibc's libmvec is up to 4 ulp off, and systems with musl lack it. SLEEF is C with
intrinsics for each kind of CPU, so each bundle would carry it. These functions have no branches or tables, except for
sines, cosines and tangents of angles above 2^20. ``benchmarks/coefficients.py`` prints the constants.

The largest errors that were found, in units of the last place, for f32 and f64:

    sin    0.610  0.77
    cos    0.631  0.77
    tan    0.680  0.88
    asin   0.505  0.67
    acos   0.505  0.67
    atan2  0.508  0.76
    tanh   0.678  0.84
    exp    0.560  0.78
    log    0.512  0.86
    pow    0.570  0.78
    rsqrt  0.501  0.51
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from ._coefficients import (
    ASIN,
    ASIN_F64,
    ATAN,
    ATAN_F64,
    COS_F64,
    EXP2,
    EXP_F64,
    HALF_PI,
    LN2_PARTS,
    LOG,
    LOG2,
    LOG_F64,
    POW_F64,
    QUARTER_PI,
    SIN,
    SIN_F64,
    TURN,
    TWO_THIRDS,
)
from ._numbers import (
    MAGIC,
    Body,
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

# f32: computed in f64, so that the error is decided by rounding to f32, which the caller does.


LN2 = math.log(2)
ReduceF32 = Callable[[Value, float], tuple[Value, Value]]
SQRT_HALF = 0x3FE6A09E667F3BCD  # the bits of the square root of 1/2


def exp_f32(x: Value) -> Value:
    return _power_of_two((x * (1 / LN2)).within(-160.0, 130.0))


def tanh_f32(x: Value) -> Value:
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


def log_f32(x: Value) -> Value:
    return log_or_special(x, _log_f32(x, LN2, LOG))


def pow_f32(x: Value, y: Value) -> Value:
    size = x.absolute()
    log2 = (size < math.inf).then(size.equals(0.0).then(-math.inf, _log_f32(size, 1.0, LOG2)), size)
    return power_or_special(x, y, _power_of_two((y * log2).within(-160.0, 130.0)))


def _log_f32(x: Value, scale: float, coefficients: Sequence[float]) -> Value:
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


def sin_f32(x: Value, reduce: ReduceF32) -> Value:
    return _sine_f32(*reduce(x, 0.0))


def cos_f32(x: Value, reduce: ReduceF32) -> Value:
    return _sine_f32(*reduce(x, 0.5))


def tan_f32(x: Value, reduce: ReduceF32) -> Value:
    return sin_f32(x, reduce) / cos_f32(x, reduce)


def _sine_f32(bits: Value, rest: Value) -> Value:
    """Return the sine of a number of half turns plus `rest`."""
    return ((rest * polynomial(SIN, rest * rest)).bits() ^ bits << 63).number()


def is_large_f32(x: Value) -> Value:
    """Return whether an angle of f32 is above 2^20, without a number of f64 for each."""
    return (x.cast("bitcast", "i32") & 0x7FFFFFFF).cast("bitcast", "float") > 2.0**20


def reduced_f32(x: Value, shift: float) -> tuple[Value, Value]:
    """Return bits whose lowest one counts half turns in an angle plus `shift` half turns, and the rest of this sum.

    |x| is not above 2^20, so that the product with the first part of pi is exact.
    """
    whole, bits = rounded(x * (1 / math.pi) + shift if shift else x * (1 / math.pi))
    whole = whole - shift if shift else whole
    return bits, less_product(x, whole, 2 * HALF_PI[0]) - whole * (2 * (HALF_PI[1] + HALF_PI[2]))


def reduced_large_f32(x: Value, shift: float) -> tuple[Value, Value]:
    """Do as `reduced_f32` for an angle above 2^20, from numbers whose sum is `x` in turns, less whole turns.

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


def asin_f32(x: Value) -> Value:
    is_large, part = _arc_f32(x)
    return is_large.then(math.pi / 2 - part * 2.0, part).with_sign(x)


def acos_f32(x: Value) -> Value:
    is_large, part = _arc_f32(x)
    small = math.pi / 2 - part.with_sign(x)
    return is_large.then((x < 0.0).then(math.pi - part * 2.0, part * 2.0), small)


def _arc_f32(x: Value) -> tuple[Value, Value]:
    """Return whether |x| is above 1/2, and half the arc cosine of |x| if so, else the arc sine."""
    size = x.absolute()
    is_large = size > 0.5
    square = is_large.then((1.0 - size) * 0.5, size * size)
    return is_large, is_large.then(square.square_root(), size) * polynomial(ASIN, square)


def atan2_f32(y: Value, x: Value) -> Value:
    width, height = x.absolute(), y.absolute()
    is_steep = height > width
    short, long = is_steep.then(width, height), is_steep.then(height, width)
    ratio = long.equals(0.0).then(short, long.equals(short).then(1.0, short / long))
    angle = ratio * polynomial(ATAN, ratio * ratio)
    angle = is_steep.then(math.pi / 2 - angle, angle)
    return x.is_negative().then(math.pi - angle, angle).with_sign(y)


def rsqrt_f32(x: Value) -> Value:
    return 1.0 / x.square_root()


# f64: those rounded numbers that decide the last bit come with what rounding dropped of them.


LARGE = 2.0**20  # angles above it, also of f32, are reduced by `reduced_large_f64`
# Zeros, and the bits of 1 / (2 pi), 26 in each number; scaled, because the last ones would be too small.
PIECES = [0.0, 0.0, *(turn_bits(26 * i, 26 * i + 26, 200) for i in range(46))]
TABLE = f"@taichi_aot.turns = internal constant [{len(PIECES)} x double] " + (
    f"[{', '.join(f'double {constant(each)}' for each in PIECES)}]\n"
)
Reduced = tuple[Value, Value, Value]
ReduceF64 = Callable[[Value], Reduced]


def exp_f64(x: Value, error: Value | float = 0.0) -> Value:
    """Return the exponential of x + error, where `error` is small."""
    whole, high, low = _exp(x.within(-750.0, 712.0), error)
    result, more = small_sum(high.same(1.0), high)
    half, half_bits = rounded(whole * 0.5)  # the power of two for the whole may be too large, or too small
    return (result + (more + low)) * power_of_two(half_bits) * power_of_two(rounded(whole - half)[1])


def tanh_f64(x: Value) -> Value:
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


def log_f64(x: Value) -> Value:
    exponent, rest = _split(x)
    above_one = rest - 1.0
    t = above_one / (rest + 1.0)
    square, half = t * t, above_one * above_one * 0.5
    low = t * (half + square * polynomial(LOG_F64, square)) + exponent * LN2_PARTS[1]
    return log_or_special(x, exponent * LN2_PARTS[0] - ((half - low) - above_one))


def pow_f64(x: Value, y: Value) -> Value:
    size, limited = x.absolute(), y.within(-(2.0**66), 2.0**66)
    high, low = _log_f64(size)
    product, error = two_product(limited, high)
    result = exp_f64(product, (error + limited * low).within(-1.0, 1.0))
    of_special = (y > 0.0).then(size, (y < 0.0).then(1.0 / size, y))  # where |x| is 0, infinite or NaN
    is_special = size.equals(0.0) | (size - size).differs(0.0)
    return power_or_special(x, y, is_special.then(of_special, result))


def _log_f64(x: Value) -> tuple[Value, Value]:
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


def sin_f64(x: Value, reduce: ReduceF64) -> Value:
    return x.equals(0.0).then(x, _wave(*reduce(x)))


def cos_f64(x: Value, reduce: ReduceF64) -> Value:
    bits, high, low = reduce(x)
    return _wave(bits + 1, high, low)


def tan_f64(x: Value, reduce: ReduceF64) -> Value:
    bits, high, low = reduce(x)
    sine, cosine, is_odd = small_sum(*_sine_f64(high, low)), small_sum(*_cosine(high, low)), bits.is_odd()
    high, low = divided(*_either(is_odd, cosine, sine), *_either(is_odd, sine, cosine))
    return x.equals(0.0).then(x, ((high + low).bits() ^ bits << 63).number())


def _wave(bits: Value, high: Value, low: Value) -> Value:
    """Return the sine of a number of quarter turns plus two numbers."""
    high, low = _either(bits.is_odd(), _cosine(high, low), _sine_f64(high, low))
    return ((high + low).bits() ^ bits >> 1 << 63).number()


def _sine_f64(high: Value, low: Value) -> tuple[Value, Value]:
    square, error = two_product(high, high)
    return high, high * (square * polynomial(SIN_F64, square)) + (low - (low * square * 0.5 + high * error * (1 / 6)))


def _cosine(high: Value, low: Value) -> tuple[Value, Value]:
    square, error = two_product(high, high)
    result, more = small_sum(square.same(1.0), square * -0.5)
    return result, more + (square * square * polynomial(COS_F64, square) - (high * low + error * 0.5))


def _either(condition: Value, one: tuple[Value, Value], other: tuple[Value, Value]) -> tuple[Value, Value]:
    return condition.then(one[0], other[0]), condition.then(one[1], other[1])


def reduced_f64(x: Value) -> Reduced:
    """Return bits whose lowest ones count quarters of a turn in an angle, and two numbers for the rest.

    |x| is not above `LARGE`.
    """
    whole, bits = rounded(x * (2 / math.pi))
    first, second, third, fourth = HALF_PI
    high, error = two_sum(less_product(x, whole, first), -(whole * second))
    high, other_error = two_sum(high, -(whole * third))
    return bits, *two_sum(high, error + other_error - whole * fourth)


def reduced_large_f64(x: Value) -> Reduced:
    """Do as `reduced_f64` for an angle above `LARGE`.

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


def asin_f64(x: Value) -> Value:
    is_large, high, low = _arc_f64(x)
    scale = is_large.then(-2.0, 1.0)
    return _angle(is_large.then(2.0, 0.0), high * scale, low * scale).with_sign(x)


def acos_f64(x: Value) -> Value:
    is_large, high, low = _arc_f64(x)
    is_below = x < 0.0
    scale = is_large.then(is_below.then(-2.0, 2.0), is_below.then(1.0, -1.0))
    return _angle(is_large.then(is_below.then(4.0, 0.0), 2.0), high * scale, low * scale)


def _arc_f64(x: Value) -> Reduced:
    """Return whether |x| is above 1/2, and half the arc cosine of |x| if so, else the arc sine, as a sum."""
    size = x.absolute()
    is_large = size > 0.5
    square = is_large.then((1.0 - size) * 0.5, size * size)
    root = square.square_root()
    product, error = two_product(root, root)
    more = (is_large & (square > 0.0)).then((square - product - error) / (root * 2.0), 0.0)
    high = is_large.then(root, size)
    return is_large, high, high * (square * polynomial(ASIN_F64, square)) + more


def atan2_f64(y: Value, x: Value) -> Value:
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


def rsqrt_f64(x: Value) -> Value:
    is_small = x < 1.0
    scaled = x * is_small.then(2.0**600, 2.0**-600)
    root = scaled.square_root()
    inverse = 1.0 / root
    square, square_error = two_product(root, root)
    one, one_error = two_product(inverse, root)
    more = (1.0 - one) - one_error - (scaled - square - square_error) * (inverse * inverse * 0.5)
    result = (scaled > 0.0).then((scaled < math.inf).then(inverse + inverse * more, 0.0), inverse)
    return result * is_small.then(2.0**300, 2.0**-300)


# The functions in a module.


class _Function(NamedTuple):
    """What computes a function, in f64: from its arguments, or from an angle and a function that reduces it."""

    type: str
    compute: Callable[..., Value]
    parameters: int = 1
    is_of_angle: bool = False


# For f32 and f64 by the names in C, with the numbers of parameters; C has no rsqrt.
COMPUTED: dict[str, tuple[Callable[..., Value], Callable[..., Value], int]] = {
    "sin": (sin_f32, sin_f64, 1),
    "cos": (cos_f32, cos_f64, 1),
    "tan": (tan_f32, tan_f64, 1),
    "asin": (asin_f32, asin_f64, 1),
    "acos": (acos_f32, acos_f64, 1),
    "atan2": (atan2_f32, atan2_f64, 2),
    "tanh": (tanh_f32, tanh_f64, 1),
    "exp": (exp_f32, exp_f64, 1),
    "log": (log_f32, log_f64, 1),
    "pow": (pow_f32, pow_f64, 2),
    "rsqrt": (rsqrt_f32, rsqrt_f64, 1),
}
FUNCTIONS = {
    name + suffix: _Function(type_, computes[place], count, name in ("sin", "cos", "tan"))
    for place, (type_, suffix) in enumerate((("float", "f"), ("double", "")))
    for name, (*computes, count) in COMPUTED.items()
}
PREFIX = "taichi_aot.math."  # LLVM computes functions of constants with the machine's libm, where it knows their names
LANES = (2, 4, 8, 16)
EACH = ".each"  # after the name of a function of one angle; those of vectors have the number of lanes
PURE = "nounwind readnone willreturn"


def declare_functions(llvm: Any, module: Any) -> None:
    """Let a module call ours, which have no effects, in place of the functions of C that it declares."""
    names = [each.name for each in module.functions if each.is_declaration and each.name in FUNCTIONS]
    module.link_in(llvm.parse_assembly("".join(map(_calling_ours, names))))
    for name in names:
        module.get_function(name).linkage = "internal"


def inline_functions(llvm: Any, module: Any, *, has_fma: bool) -> None:
    """Define the functions that `declare_functions` found, so that passes inline them.

    Sines, cosines and tangents become calls, of which LLVM makes calls of functions of vectors. The results are
    the same with and without `has_fma`.
    """
    names = [name for name, variants in _declared(module).items() if "" in variants]
    if not names:
        return
    texts = [_inlined(name, has_fma=has_fma) for name in names]
    module.link_in(llvm.parse_assembly(Body([], has_fma).declarations() + "".join(texts)))
    for name in names:
        module.get_function(f"{PREFIX}{name}").linkage = "internal"


def define_functions(llvm: Any, module: Any, *, has_fma: bool) -> None:
    """Define the other functions: those that no pass may inline, and callees of `inline_functions`."""
    found = _declared(module)
    if not found:
        return
    texts = [TABLE, *(Body([], has_fma, lanes).declarations() for lanes in (0, *LANES))]
    for name, variants in found.items():
        if "" in variants:
            texts.append(_plain(name, has_fma=has_fma))
        if FUNCTIONS[name].is_of_angle:
            texts.append(_of_vectors(name, has_fma=has_fma))
    module.link_in(llvm.parse_assembly("".join(texts)))
    for function in module.functions:
        if function.name.startswith(PREFIX):
            function.linkage = "internal"


def _declared(module: Any) -> dict[str, set[str]]:
    """Find the functions that a module declares, with their variants: "" for itself, `EACH`, and numbers of lanes."""
    found: dict[str, set[str]] = {}
    for function in module.functions:
        if function.is_declaration and function.name.startswith(PREFIX):
            name, _, variant = function.name.removeprefix(PREFIX).partition(".")
            found.setdefault(name, set()).add(variant)
    return found


def _calling_ours(name: str) -> str:
    function, body = FUNCTIONS[name], Body([], has_fma=False)
    declared = ", ".join(f"{function.type} %x{i}" for i in range(function.parameters))
    call = f"{function.type} @{PREFIX}{name}({declared})"
    result = Value(body, body.add(f"call {call}"), function.type)
    return f"declare {call} {PURE}\n" + _definition(f"{function.type} @{name}({declared}) alwaysinline", body, result)


@cache
def _inlined(name: str, *, has_fma: bool) -> str:
    if FUNCTIONS[name].is_of_angle:
        return _calling(f"{PREFIX}{name}", FUNCTIONS[name].type)
    return _computing(name, "alwaysinline", has_fma=has_fma)


@cache
def _plain(name: str, *, has_fma: bool) -> str:
    function = FUNCTIONS[name]
    if not function.is_of_angle:
        return _computing(name, "noinline", has_fma=has_fma)
    body = Body([], has_fma)
    result = Value(body, "%x").add(f"call {function.type} @{PREFIX}{name}{EACH}({function.type} %x)", function.type)
    return _definition(f"{function.type} @{PREFIX}{name}({function.type} %x)", body, result)


@cache
def _of_vectors(name: str, *, has_fma: bool) -> str:
    own, function = f"{PREFIX}{name}", FUNCTIONS[name]
    of = _of_single_angle if function.type == "float" else _of_angle
    texts = [of(own, function.compute, Body([], has_fma, lanes)) for lanes in (0, *LANES)]
    large = "" if function.type == "float" else _of_large_angle(own, function.compute, has_fma=has_fma)
    return large + "".join(texts)


def _computing(name: str, attribute: str, *, has_fma: bool) -> str:
    function, body = FUNCTIONS[name], Body([], has_fma)
    parameters = [Value(body, f"%x{i}", function.type) for i in range(function.parameters)]
    if function.type == "float":
        result = function.compute(*(each.cast("fpext", "double") for each in parameters)).cast("fptrunc", "float")
    else:
        result = function.compute(*parameters)
    declared = ", ".join(f"{each.type} {each.name}" for each in parameters)
    return _definition(f"{result.type} @{PREFIX}{name}({declared}) {attribute}", body, result)


def _calling(name: str, type_: str) -> str:
    """Define a function of an angle by a call, with declarations of those for vectors.

    LLVM only uses functions that are in the module. So each is called once, by a function that is not internal yet.
    """
    variants = ",".join(f"_ZGV_LLVM_N{lanes}v_{name}{EACH}({name}.{lanes})" for lanes in LANES)
    texts = [f'declare {type_} @{name}{EACH}({type_}) {PURE} "vector-function-abi-variant"="{variants}"\n']
    calls = [(name, f"{name}{EACH}", 0), *((f"{name}.{lanes}.kept", f"{name}.{lanes}", lanes) for lanes in LANES)]
    for caller, called, lanes in calls:
        body = Body([], has_fma=False, lanes=lanes)
        number = body.type(type_)
        result = Value(body, "%x").add(f"call {number} @{called}({number} %x)", type_)
        if lanes:
            texts.append(f"declare {number} @{called}({number}) {PURE}\n")
        texts.append(_definition(f"{number} @{caller}({number} %x) alwaysinline", body, result))
    return "".join(texts)


def _of_large_angle(name: str, compute: Callable[..., Value], *, has_fma: bool) -> str:
    body = Body([], has_fma)
    x = Value(body, "%x")
    return _definition(f"double @{name}.large(double %x) noinline", body, compute(x, reduced_large_f64))


def _of_angle(name: str, compute: Callable[..., Value], body: Body) -> str:
    """Define a function of an angle or a vector of angles, which calls that of large ones if one is."""
    x, double, lanes = Value(body, "%x"), body.type("double"), body.lanes
    result, is_large = compute(x, reduced_f64), x.absolute() > LARGE
    large = is_large.then(x, 2 * LARGE) if lanes else x
    _branch(is_large)
    results = result
    for i in range(lanes):
        element = body.add(f"extractelement {double} {large.name}, i32 {i}")
        of_element = body.add(f"call double @{name}.large(double {element})")
        results = results.add(f"insertelement {double} {results.name}, double {of_element}, i32 {i}")
    results = is_large.then(results, result) if lanes else x.add(f"call double @{name}.large(double %x)")
    body.lines.append("  br label %end\nend:\n")
    both = x.add(f"phi {double} [{result.name}, %entry], [{results.name}, %large]")
    return _definition(f"{double} @{name}{f'.{lanes}' if lanes else EACH}({double} %x)", body, both)


def _of_single_angle(name: str, compute: Callable[..., Value], body: Body) -> str:
    """Do the same for angles of f32: large ones are computed in vectors too."""
    x = Value(body, "%x", "float")
    angle = x.cast("fpext", "double")
    result, is_large = compute(angle, reduced_f32), is_large_f32(x)
    _branch(is_large)
    results = is_large.then(compute(angle, reduced_large_f32), result)
    body.lines.append("  br label %end\nend:\n")
    both = results.add(f"phi {results.type} [{result.name}, %entry], [{results.name}, %large]").cast("fptrunc", "float")
    return _definition(f"{x.type} @{name}{f'.{body.lanes}' if body.lanes else EACH}({x.type} %x)", body, both)


def _branch(is_large: Value) -> None:
    """End the first block of a function of an angle; begin that for vectors with large ones."""
    body, condition = is_large.body, is_large.name
    if body.lanes:
        bits = body.add(f"bitcast {is_large.type} {condition} to i{body.lanes}")
        condition = body.add(f"icmp ne i{body.lanes} {bits}, 0")
    body.lines.append(f"  br i1 {condition}, label %large, label %end\nlarge:\n")


def _definition(head: str, body: Body, result: Value) -> str:
    return f"define {head} {PURE} {{\nentry:\n{''.join(body.lines)}  ret {result.type} {result.name}\n}}\n"
