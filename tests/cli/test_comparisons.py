"""Comparisons of arrays, for ``run --expect``."""

import math

import numpy as np
import pytest

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
