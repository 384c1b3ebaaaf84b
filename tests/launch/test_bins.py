"""Additions to elements that the data choose, on Vulkan by group first: the same numbers as numpy's."""

import numpy as np
import pytest
from helpers.archs import needs_taichi
from helpers.carry import WIDE_TYPES

from taichi_aot.build import build

pytestmark = needs_taichi

BINS = """
import taichi as ti

from taichi_aot.build import export

I = ti.types.ndarray(dtype=ti.i32, ndim=1)
I2 = ti.types.ndarray(dtype=ti.i32, ndim=2)
U = ti.types.ndarray(dtype=ti.u32, ndim=1)


@export
@ti.kernel
def histogram(x: I, bins: I):
    for i in x:
        bins[x[i]] += 1


@export
@ti.kernel
def under_condition(x: I, bins: I2, sums: I):
    for i in range(x.shape[0]):
        if x[i] > 3:
            for k in range(3):
                bins[x[i] // 4, k] += k - 1
        sums[0] += x[i]


@export
@ti.kernel
def extremes(x: I, least: I, most: U):
    for i in x:
        ti.atomic_min(least[x[i]], i)
        if x[i] % 2 == 0:
            ti.atomic_max(most[x[i]], ti.cast(i, ti.u32))


@export
@ti.kernel
def bits(x: I, found: U):
    for i in x:
        found[x[i]] |= ti.cast(1, ti.u32) << ti.cast(i % 32, ti.u32)


@export
@ti.kernel
def looked_at(x: I, bins: I, before: I):
    for i in x:
        before[i] = ti.atomic_add(bins[x[i]], 1)


@export
@ti.kernel
def lower(starts: I, edges: I, label: I) -> ti.i32:
    changed = 0
    for i in range(starts.shape[0] - 1):
        for k in range(starts[i], starts[i + 1]):
            if ti.atomic_min(label[edges[k]], label[i]) > label[i]:
                changed += 1
    return changed
"""


@pytest.fixture(scope="session")
def bins(made_once):
    def build_into(folder):
        (folder / "bins.py").write_text(BINS, encoding="utf-8")
        build(folder / "bins.py", folder / "bins.tib", archs=["x64", "vulkan"], caps=WIDE_TYPES, native=False)

    return made_once.folder("bins", build_into) / "bins.tib"


@pytest.fixture(params=["x64", "vulkan"])
def kernels(request, bins, shared_runtime):
    return shared_runtime(request.param).load_module(bins)


@pytest.mark.parametrize("size", [32, 4096, 5000])  # words, of which a group has room for 4096
@pytest.mark.parametrize("length", [0, 1, 129, 40_000])
def test_bins(kernels, length, size):
    rt = kernels.runtime
    x = np.random.default_rng(length).integers(0, 32, length, dtype=np.int32)
    given = rt.asarray(x)

    bins = rt.full(size, 5, "i32")
    kernels.kernels[np.str_("histogram")](given, bins)  # a name of another class of strings
    np.testing.assert_array_equal(bins, 5 + np.bincount(x, minlength=size))

    planes, sums = rt.zeros((size // 4, 4), "i32"), rt.full(1, 7, "i32")
    kernels.under_condition(given, planes, sums)
    counted = np.bincount(x[x > 3] // 4, minlength=size // 4)
    np.testing.assert_array_equal(planes, counted[:, None] * [-1, 0, 1, 0])
    assert sums.to_numpy() == 7 + x.sum()

    least, most = rt.full(size, 9, "i32"), rt.full(size, 3, "u32")
    kernels.extremes(given, least, most)
    wanted, largest = np.full(size, 9), np.full(size, 3)
    np.minimum.at(wanted, x, np.arange(length))
    np.maximum.at(largest, x[x % 2 == 0], np.flatnonzero(x % 2 == 0))
    np.testing.assert_array_equal(least, wanted)
    np.testing.assert_array_equal(most, largest)

    found, masks = rt.full(size, 64, "u32"), np.full(size, 64, np.uint32)
    kernels.bits(given, found)
    np.bitwise_or.at(masks, x, np.uint32(1) << (np.arange(length) % 32).astype(np.uint32))
    np.testing.assert_array_equal(found, masks)


def test_bins_that_overlap(kernels):
    """An array that the loop reads, and whose elements it adds to: each is read as it was, or with what was added."""
    x = kernels.runtime.zeros(1000, "i32")
    kernels.histogram(x, x)
    assert x.to_numpy()[0] + x.to_numpy()[1:].sum() == 1000


def test_bins_that_are_looked_at(kernels):
    rt = kernels.runtime
    x, before = np.arange(600, dtype=np.int32) % 3, rt.zeros(600, "i32")
    kernels.looked_at(rt.asarray(x), bins := rt.zeros(3, "i32"), before)
    assert list(bins.to_numpy()) == [200] * 3
    for i in range(3):
        assert sorted(before.to_numpy()[x == i]) == list(range(200))


def test_thread_with_more_atomic_operations_than_the_others_does_all(kernels):
    rt = kernels.runtime
    label = rt.asarray(np.arange(8, dtype=np.int32))
    starts, edges = np.int32([0, 7, 7]), np.arange(1, 8, dtype=np.int32)
    assert kernels.lower(rt.asarray(starts), rt.asarray(edges), label) == 7
    assert not label.to_numpy().any()
