"""Comparisons: of arrays, for ``run --expect``, and of two results of ``bench``."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taichi_aot.cli._change import compare_records
from taichi_aot.cli._comparison import compare

F32 = np.float32


@pytest.mark.parametrize(
    ("found", "expected", "rtol", "atol", "equal"),
    [
        (np.array([1.0], F32), np.array([1.0000005], F32), 1e-6, 0, True),
        (np.array([1.0], F32), np.array([1.00001], F32), 1e-6, 0, False),
        (np.array([0.0], F32), np.array([1e-9], F32), 1e-6, 0, False),
        (np.array([0.0], F32), np.array([1e-9], F32), 0, 1e-8, True),
        (np.array([np.nan, np.inf, -np.inf], F32), np.array([np.nan, np.inf, -np.inf], F32), 0, 0, True),
        (np.array([np.nan], F32), np.array([1], F32), 1, 1, False),
        (np.array([1], F32), np.array([np.inf], F32), 1, 1, False),
        (np.array([-np.inf], F32), np.array([np.inf], F32), 1, 1, False),
        (np.array([2**24], np.int32), np.array([2**24 + 1], np.int32), 1, 0, False),
        (np.array([2**63 - 1], np.int64), np.array([-(2**63)], np.int64), 0, 2.0**63, False),
        (np.array([2**63 - 1], np.int64), np.array([2**63 - 2], np.int64), 0, 0, False),
        (np.array([2**64 - 1], np.uint64), np.array([2**64 - 2], np.uint64), 0, 1, True),
        (np.array([0], np.uint8), np.array([255], np.uint8), 0, 1, False),
        (np.array([True]), np.array([False]), 0, 0, False),
        (np.zeros(0, F32), np.zeros(0, F32), 0, 0, True),
        (np.float16(2), np.float16(2), 0, 0, True),
    ],
)
def test_comparison_respects_tolerances(found, expected, rtol, atol, equal):
    assert compare("y", np.asarray(found), np.asarray(expected), rtol, atol).equal is equal


def test_first_differences_have_indices():
    found, expected = np.zeros((2, 3), F32), np.zeros((2, 3), F32)
    found[1, 2], found[0, 1] = np.inf, 2
    result = compare("y", found, expected, 0, 0)
    assert result.first == [([0, 1], 2.0, 0.0), ([1, 2], math.inf, 0.0)]
    assert (result.differing, result.largest) == (2, math.inf)


def test_large_arrays_are_compared_in_parts():
    found = np.zeros(5_000_000, np.uint8)
    found[4_999_999] = 3
    assert compare("y", found, np.zeros_like(found), 0, 0).first == [([4_999_999], 3, 0)]


def record(**rows):
    return {"path": "a.json", "kernel": "saxpy", "arguments": [], "rows": rows}


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ([10, 10.1, 9.9, 10, 10.05], [12, 12.1, 11.9, 12, 12.05], "slower"),
        ([12, 12.1, 11.9, 12, 12.05], [10, 10.1, 9.9, 10, 10.05], "faster"),
        ([10, 10.1, 9.9, 10, 10.05], [10.1, 10.2, 10, 10.1, 10.1], "same"),
        ([10, 15, 8, 12, 9], [12, 9, 16, 11, 14], "undecided"),
        ([10], [20], "undecided"),
        ([10, 10], [20, 20], "slower"),
        ([10, 10], [10, 10], "same"),
    ],
)
def test_compare_records_gives_the_verdict(before, after, verdict):
    (change,) = compare_records(record(x64=before), record(x64=after), 5.0)
    assert change.verdict == verdict
    if change.interval is not None:
        low, high = change.interval
        assert low <= change.ratio <= high


def test_interval_is_welchs():
    (change,) = compare_records(record(x64=[1.0, 2.0, 4.0]), record(x64=[2.0, 4.0, 8.0]), 5.0)
    # Base-2 logarithms: means 1 and 2, variances 1, 4 degrees of freedom with t = 2.776.
    half = 2.776 * math.sqrt(2 / 3)
    assert math.isclose(change.ratio, 2)
    assert change.interval == pytest.approx((2 ** (1 - half), 2 ** (1 + half)))


@given(st.lists(st.floats(1e-3, 1e9), min_size=1, max_size=20), st.lists(st.floats(1e-3, 1e9), min_size=1, max_size=20))
def test_interval_contains_the_ratio_and_inverts(before, after):
    (change,) = compare_records(record(x64=before), record(x64=after), 5.0)
    (inverse,) = compare_records(record(x64=after), record(x64=before), 5.0)
    assert math.isclose(change.ratio * inverse.ratio, 1)
    if change.interval is not None and inverse.interval is not None:
        assert change.interval[0] <= change.ratio * (1 + 1e-9)
        assert change.interval[0] == pytest.approx(1 / inverse.interval[1])
    opposite = {"slower": "faster", "faster": "slower"}
    assert inverse.verdict == opposite.get(change.verdict, change.verdict)
