"""Numbers to cast to integers, in and out of range, and what machine code makes of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
INTEGERS = {f"{kind}{bits}": np.dtype(f"{kind}{bits // 8}") for kind in "iu" for bits in (8, 16, 32, 64)}
COUNT = 512  # of numbers, which vectors of every width divide


def numbers(dtype: str) -> npt.NDArray[Any]:
    """Return NaN, infinities, denormal numbers, those at the ends of all ranges, and random ones."""
    special = [math.nan, -math.nan, math.inf, -math.inf, 1e-310, -1e-40, 6e-8, 0.5, -0.0, -0.5, -0.99, 1.5, -1.0, -2.5]
    ends = np.array([sign * 2.0**bits for bits in (7, 8, 15, 16, 31, 32, 63, 64, 70) for sign in (1, -1)])
    dice = np.random.default_rng(5)
    near = [np.nextafter(ends.astype(np.float32), np.float32(to)) for to in (-math.inf, math.inf)]
    whole = np.concatenate([special, ends, ends - 1, ends + 0.5, *near])
    noise = dice.normal(size=COUNT - whole.size) * 2.0 ** dice.integers(0, 70, COUNT - whole.size)
    with np.errstate(over="ignore", under="ignore"):
        return np.concatenate([whole, noise]).astype(FLOATS[dtype])


def cast_on_cpu(number: float, dtype: str) -> int:
    """Return what machine code gives for a cast."""
    bits, is_unsigned = int(dtype[1:]), dtype[0] == "u"
    if is_unsigned and bits == 64 and 2.0**63 <= number < 2.0**64:
        return int(number)
    wide = 32 if bits + is_unsigned <= 32 else 64
    is_within = math.isfinite(number) and -(2 ** (wide - 1)) <= int(number) < 2 ** (wide - 1)
    lowest: int = (int(number) if is_within else 2 ** (wide - 1)) % 2**bits
    return lowest if is_unsigned or lowest < 2 ** (bits - 1) else lowest - 2**bits
