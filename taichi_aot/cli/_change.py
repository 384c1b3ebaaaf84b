"""Comparison of two results of ``bench``: the ratio of their times, and its confidence interval."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from ..values._wording import short

__all__ = ["THRESHOLD", "Change", "Record", "RecordError", "compare_records", "read_record"]

Record: TypeAlias = dict[str, Any]

THRESHOLD = 5.0  # percent
MAX_BYTES = 64 << 20  # of a file
# Student's t for 95 %, by degrees of freedom from 1.
T95 = (12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120)
T95_BEYOND = 2.110  # for 17 degrees of freedom; it is lower for more


class RecordError(ValueError):
    """A file that is not from ``bench --json``, or that cannot be compared with another."""


class Change(NamedTuple):
    """The change of a kernel's time on an arch.

    Attributes
    ----------
    arch : str
        The arch.
    before, after : float
        Geometric means over the processes of their medians, in microseconds.
    ratio : float
        ``after / before``.
    interval : tuple of float or None
        95 % confidence interval of the ratio; None if one of the times is from a single process.
    verdict : str
        ``"slower"`` or ``"faster"`` if the whole interval is beyond the threshold, ``"same"`` if it is entirely within
        the threshold, else ``"undecided"``.
    """

    arch: str
    before: float
    after: float
    ratio: float
    interval: tuple[float, float] | None
    verdict: str

    def to_dict(self) -> dict[str, Any]:
        """Return the change for JSON."""
        return self._asdict()


def read_record(path: str) -> Record:
    """Read a file from ``bench --json``.

    Raises
    ------
    OSError
        If the file cannot be read.
    RecordError
        If the file is not a result of ``bench --json``.
    """
    with open(path, "rb") as file:
        text = file.read(MAX_BYTES + 1)
    what = f"{path} is not a result of bench --json"
    if len(text) > MAX_BYTES:
        raise RecordError(f"{what}: it has more than {MAX_BYTES:,} bytes")
    try:
        record: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise RecordError(f"{what}: it is not JSON") from None
    try:
        return {
            "path": path,
            **{name: record[name] for name in ("kernel", "arguments")},
            "rows": {str(row["arch"]): [_median(start["us"]) for start in row["starts"]] for row in record["rows"]},
        }
    except (ValueError, TypeError, KeyError, IndexError, OverflowError):
        raise RecordError(f"{what}: it needs a kernel, its arguments, and rows with the times for each arch") from None


def _median(times: Any) -> float:
    numbers = [float(time) for time in times]
    if not numbers or not all(0 < number < math.inf for number in numbers):
        raise ValueError("times must be positive numbers")
    return statistics.median(numbers)


def compare_records(before: Record, after: Record, threshold: float) -> list[Change]:
    """Return the changes on the archs in both records; `threshold` is in percent.

    Raises
    ------
    RecordError
        If their kernels or arguments differ, or they have no common arch.
    """
    for name in ("kernel", "arguments"):
        if before[name] != after[name]:
            raise RecordError(
                f"the results do not compare: {name} is {short(before[name])} in {before['path']}, "
                f"{short(after[name])} in {after['path']}"
            )
    archs = [each for each, row in before["rows"].items() if row and after["rows"].get(each)]
    if not archs:
        raise RecordError(f"{before['path']} and {after['path']} have no common arch")
    return [_change(each, before["rows"][each], after["rows"][each], threshold / 100) for each in archs]


def _change(arch: str, before: Sequence[float], after: Sequence[float], threshold: float) -> Change:
    a, b = [math.log(x) for x in before], [math.log(x) for x in after]
    mean_a, mean_b = statistics.fmean(a), statistics.fmean(b)
    interval = _interval(a, b)
    return Change(
        arch, math.exp(mean_a), math.exp(mean_b), math.exp(mean_b - mean_a), interval, _verdict(interval, threshold)
    )


def _interval(a: Sequence[float], b: Sequence[float]) -> tuple[float, float] | None:
    """Return Welch's interval of the difference of means, as a ratio; each sample is one process."""
    if min(len(a), len(b)) < 2:
        return None
    parts = [statistics.variance(x) / len(x) for x in (a, b)]
    spread = sum(parts)
    freedom = spread**2 / sum(p**2 / (len(x) - 1) for p, x in zip(parts, (a, b), strict=True)) if spread else math.inf
    t = T95[int(freedom) - 1] if freedom < len(T95) + 1 else T95_BEYOND
    middle, half = statistics.fmean(b) - statistics.fmean(a), t * math.sqrt(spread)
    return math.exp(middle - half), math.exp(middle + half)


def _verdict(interval: tuple[float, float] | None, threshold: float) -> str:
    if interval is None:
        return "undecided"
    low, high = interval
    slower, faster = 1 + threshold, 1 / (1 + threshold)
    if low > slower:
        return "slower"
    if high < faster:
        return "faster"
    return "same" if faster <= low and high <= slower else "undecided"
