"""Compute the constants of the mathematical functions in machine code.

    pip install mpmath
    python benchmarks/coefficients.py > taichi_aot/build/ir/_coefficients.py

Each polynomial interpolates a smooth function at Chebyshev nodes, so that its error is nearly the smallest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
from mpmath import mp, mpf

Function = Callable[[Any], Any]


def odd(function: Function) -> Function:
    """Return f(x) / x as a function of x * x."""
    return lambda square: function(mpmath.sqrt(square)) / mpmath.sqrt(square)


def cubic(function: Function) -> Function:
    """Return (f(x) / x - 1) / (x * x) as a function of x * x."""
    return lambda square: (odd(function)(square) - 1) / square


mp.prec = 300
TINY = mpf(10) ** -30
SQUARE = mpf("0.0296")  # of the largest (m - 1) / (m + 1), where m is from sqrt(1/2) to sqrt(2)
# What the polynomial is of, the ends of its range, and the number of coefficients.
POLYNOMIALS: dict[str, tuple[Function, float, float, int]] = {
    "EXP2": (lambda x: mpmath.expm1(x * mpmath.ln2) / x, -0.5, 0.5001, 6),
    "LOG": (odd(lambda t: 2 * mpmath.atanh(t)), TINY, SQUARE, 4),
    "LOG2": (odd(lambda t: 2 * mpmath.atanh(t) / mpmath.ln2), TINY, SQUARE, 5),
    "SIN": (odd(mpmath.sin), TINY, 2.4675, 5),
    "ATAN": (odd(mpmath.atan), TINY, 1, 11),
    "ASIN": (odd(mpmath.asin), TINY, 0.25, 7),
    "EXP_F64": (lambda x: (mpmath.expm1(x) - x) / (x * x), -0.3466, 0.3467, 11),
    "POW_F64": (lambda square: (2 * cubic(mpmath.atanh)(square) - mpf(2) / 3) / square, TINY, SQUARE, 8),
    "LOG_F64": (lambda square: 2 * cubic(mpmath.atanh)(square), TINY, SQUARE, 7),
    "SIN_F64": (cubic(mpmath.sin), TINY, 0.617, 7),
    "COS_F64": (lambda square: (mpmath.cos(mpmath.sqrt(square)) - 1 + square / 2) / square**2, TINY, 0.617, 6),
    "ATAN_F64": (cubic(mpmath.atan), TINY, 0.1716, 11),
    "ASIN_F64": (cubic(mpmath.asin), TINY, 0.25, 13),
}
# Numbers, and the bits of each part but the last. The product of a part and a counter is exact.
SUMS = {
    "LN2_PARTS": (mpmath.ln2, (41,)),
    "HALF_PI": (mpmath.pi / 2, (33, 33, 33)),
    "QUARTER_PI": (mpmath.pi / 4, (50,)),
    "TURN": (2 * mpmath.pi, (53,)),
    "TWO_THIRDS": (mpf(2) / 3, (53,)),
}


def parts(number: Any, bits: tuple[int, ...]) -> list[float]:
    """Return a number as a sum, whose parts but the last have so many bits."""
    found: list[float] = []
    for count in bits:
        unit = mpf(2) ** (mpmath.floor(mpmath.log(number, 2)) + 1 - count)
        found.append(float(mpmath.floor(number / unit) * unit))
        number -= found[-1]
    return [*found, float(number)]


def main() -> None:
    print('"""The constants of mathematical functions: the output of ``benchmarks/coefficients.py``."""\n\n# fmt: off')
    for name, (function, low, high, count) in POLYNOMIALS.items():
        coefficients = mpmath.chebyfit(function, [low, high], count)
        print_tuple(name, [float(each) for each in reversed(coefficients)])
    print("# Numbers as sums.")
    for name, (number, bits) in SUMS.items():
        print_tuple(name, parts(number, bits))


def print_tuple(name: str, numbers: list[float]) -> None:
    print(f"{name} = (")
    for i in range(0, len(numbers), 4):
        print(f"    {', '.join(map(repr, numbers[i : i + 4]))},")
    print(")")


if __name__ == "__main__":
    main()
