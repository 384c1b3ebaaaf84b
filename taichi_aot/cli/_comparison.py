"""Comparison of a kernel's results with expected values."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Comparison", "compare"]

CHUNK = 1 << 22  # numbers that are compared at a time
SHOWN = 5  # differences


class Comparison(NamedTuple):
    """The result of a comparison.

    Attributes
    ----------
    name : str
        The parameter.
    equal : bool
        Whether all numbers are equal within the tolerances.
    size, differing : int
        The number of values, and how many of them differ beyond the tolerances.
    largest : float
        Largest absolute difference of two values, also within the tolerances; infinite if only one of them is finite.
    first : list
        The first differences: index, number and expected number.
    """

    name: str
    equal: bool
    size: int
    differing: int
    largest: float
    first: list[tuple[list[int], Any, Any]]

    def __str__(self) -> str:
        if self.equal:
            return f"{self.name}: PASS, largest difference {self.largest:.4g}"
        lines = [f"{self.name}: FAIL, {self.differing:,} of {self.size:,} differ, by up to {self.largest:.4g}"]
        lines += [f"    {index} is {found}, expected {wanted}" for index, found, wanted in self.first]
        return "\n".join(lines)


def compare(name: str, found: npt.NDArray[Any], expected: npt.NDArray[Any], rtol: float, atol: float) -> Comparison:
    """Compare two arrays of the same shape and dtype; NaN is equal to NaN.

    Numbers are equal if they differ by at most ``atol + rtol * abs(expected)``, integers by at most `atol`.
    """
    flat, wanted = found.reshape(-1), expected.reshape(-1)
    differing, largest = 0, 0.0
    first: list[tuple[list[int], Any, Any]] = []
    for begin in range(0, flat.size, CHUNK):
        a, b = flat[begin : begin + CHUNK], wanted[begin : begin + CHUNK]
        difference, allowed = _differences(a, b, rtol, atol)
        wrong = np.flatnonzero(difference > allowed)
        differing += len(wrong)
        largest = max(largest, float(difference.max()))
        for place in wrong[: SHOWN - len(first)]:
            index = [int(i) for i in np.unravel_index(begin + int(place), found.shape)]
            first.append((index, a[place].item(), b[place].item()))
    return Comparison(name, not differing, flat.size, differing, largest, first)


def _differences(
    a: npt.NDArray[Any], b: npt.NDArray[Any], rtol: float, atol: float
) -> tuple[npt.NDArray[Any], npt.NDArray[Any] | float]:
    """Return the absolute differences, and the largest allowed difference."""
    if a.dtype.kind == "b":
        return (a != b).astype(np.uint8), atol
    if a.dtype.kind in "iu":
        with np.errstate(over="ignore"):
            steps = np.where(a > b, a - b, b - a)  # modulo 2^bits, which is right for unsigned integers
        return steps.view(f"u{steps.dtype.itemsize}"), atol
    a, b = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(all="ignore"):
        difference = np.abs(a - b)
        difference[np.isnan(difference)] = np.inf
        difference[(a == b) | (np.isnan(a) & np.isnan(b))] = 0
        allowed = atol + rtol * np.abs(b)
        allowed[~np.isfinite(allowed)] = atol  # infinite numbers must be equal
    return difference, allowed
