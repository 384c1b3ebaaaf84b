"""Additions to elements that the loop's index does not choose: the numbers of numpy, the same bits in each run."""

import warnings

import numpy as np
import pytest
from helpers.archs import needs_taichi
from helpers.child import run_in_child

from taichi_aot import Runtime

pytestmark = needs_taichi
LENGTHS = (0, 1, 63, 511, 512, 513, 5_000, 70_000, 300_000)  # of loops
SIZES = (1, 3, 256, 4096, 16_384, 16_385, 40_000)  # of destinations: copies are of 65,536 bytes at most


def added(h, x, values):
    """A destination to which values are added; in double precision, for floats."""
    made = h.astype(np.float64) if h.dtype.kind == "f" else h.copy()
    np.add.at(made, x, values)
    return made


def two(x, w, h, g):
    some = x % 3 > 0
    heavy = some & (w > np.float32(0.5))
    return added(h, x, np.where(some, x, 7)), added(g, x[heavy], w[heavy])


def extremes(x, h, g):
    i = np.arange(len(x), dtype=np.int32)
    h, g = h.copy(), g.copy()
    np.maximum.at(h, x, i * 7 % 1000)
    np.minimum.at(g, x, i * 5 % 1000)
    return h, g


def bits(x, h, g):
    i = np.arange(len(x), dtype=np.int32)
    h, g = h.copy(), g.copy()
    np.bitwise_or.at(h, x, i)
    np.bitwise_and.at(g, x, i | 3)
    return h, g


def around(x, h):
    for k in (-1, 0, 1):
        own = x[(x + k >= 0) & (x + k < len(h))] + k
        h = added(h, own, k + 2)
    return (h,)


def store_too(x, y, h):
    i = np.arange(len(x), dtype=np.int32)
    return np.where(i >= 2, x * 2, y), added(h, x[2:], i[2:])


# What kernels of one index change, the last arrays of each, given all of them.
CASES = {
    "count": ("xi", lambda x, h: (added(h, x, 1),)),
    "weigh": ("xwf", lambda x, w, h: (added(h, x, w),)),
    "weigh_double": ("xwd", lambda x, w, h: (added(h, x, w),)),
    "count_long": ("xl", lambda x, h: (added(h, x, -np.arange(len(x))),)),
    "two": ("xwif", two),
    "extremes": ("xii", extremes),
    "bits": ("xii", bits),
    "points": ("xwp", lambda x, w, h: (added(h, x, np.stack([w, w * 0 + 1, 2 * w], 1)),)),
    "around": ("xi", around),
    "store_too": ("xyi", store_too),
    "with_sum": ("xi1", lambda x, h, total: (added(h, x, 1), total + x.sum(dtype=np.int32))),
    "two_ways": ("xi", lambda x, h: (np.where(np.arange(len(h)) == 0, 0, added(h, x, 2)),)),
}
DTYPES = {"i": np.int32, "l": np.int64, "f": np.float32, "d": np.float64, "p": np.float32}


def draw(dice, kinds, length, size):
    """The arrays of a call: x, weights, an array as long, a number, and destinations."""
    made = []
    for kind in kinds:
        if kind == "x":
            made.append(dice.integers(0, size, length, dtype=np.int32))
        elif kind == "w":
            made.append(dice.random(length, np.float32))
        elif kind == "y":
            made.append(np.zeros(length, np.int32))
        elif kind == "1":
            made.append(np.zeros(1, np.int32))
        else:
            shape = (size, 3) if kind == "p" else (size,)
            made.append(dice.integers(-50, 50, shape).astype(DTYPES[kind]))
    return made


def check_case(module, name, dice, length, size):
    kinds, expected = CASES[name]
    arrays = draw(dice, kinds, length, size)
    if name == "two_ways" and length:
        arrays[0][:] = np.maximum(arrays[0], 1) % size  # the order of two operations on one element matters
        arrays[1][0] = 0
    wanted = expected(*arrays)
    first = [each.copy() for each in arrays]
    getattr(module, name)(*first)
    for found, right in zip(first[-len(wanted) :], wanted, strict=True):
        if name == "two_ways":
            found[0] = 0
        scale = max(1, length / size) * 1e-6
        np.testing.assert_allclose(found, right, rtol=scale, atol=50 * scale if found.dtype.kind == "f" else 0)
    has_copies = length >= 12 * size and sum(each.nbytes for each in arrays[-2:] if len(each) == size) <= 65_536
    if has_copies and name != "two_ways":
        for _ in range(3):
            again = [each.copy() for each in arrays]
            getattr(module, name)(*again)
            assert all(map(np.array_equal, again, first))


@pytest.fixture(scope="module")
def module(build_source):
    with Runtime("x64") as runtime:
        yield runtime.load_module(build_source("bin_kernels", "x64"))


@pytest.mark.parametrize("name", CASES)
def test_bins_have_the_numbers_of_numpy(module, name):
    dice = np.random.default_rng(5)
    for length, size in [(0, 3), (1, 1), (512, 256), (513, 4096), (70_000, 256), (70_000, 16_384), (70_000, 16_385)]:
        check_case(module, name, dice, length, size)


@pytest.mark.slow
def test_drawn_bins_have_the_numbers_of_numpy(module):
    dice = np.random.default_rng(6)
    for _ in range(600):
        check_case(module, dice.choice(list(CASES)), dice, dice.choice(LENGTHS), dice.choice(SIZES))


def test_planes(module):
    dice = np.random.default_rng(7)
    for shape, size in (((300, 200), (7, 9)), ((1, 5), (2, 2)), ((400, 3), (90, 50)), ((200, 200), (200, 200))):
        x = dice.integers(0, size[0], shape, dtype=np.int32)
        h = dice.integers(0, 9, size, dtype=np.int32)
        i, j = np.indices(shape)
        wanted = h.copy()
        np.add.at(wanted, (x, (i + j) % size[1]), i - j)
        module.plane(x, h)
        assert np.array_equal(h, wanted)


def test_old_numbers_are_those_before_each_addition(module):
    x = np.random.default_rng(8).integers(0, 5, 20_000, dtype=np.int32)
    y, h = np.zeros_like(x), np.zeros(5, np.int32)
    module.old(x, y, h)
    for each in range(5):
        assert sorted(y[x == each]) == list(range(np.sum(x == each)))


def test_elements_outside_of_a_destination_are_changed_as_before(module):
    """They are other memory, here of the same array, on both sides."""
    memory = np.zeros(1000, np.int32)
    x = np.random.default_rng(9).integers(-100, 300, 50_000, dtype=np.int32)
    module.count(x, memory[200:456])
    assert np.array_equal(memory, added(np.zeros(1000, np.int32), x + 200, 1))


def test_destination_that_overlaps_a_source_has_no_copies(module):
    """In a task, each element sees the additions before it."""
    for shift in (0, 3, 199, 200):
        memory = np.random.default_rng(9).integers(0, 150, 800, dtype=np.int32)
        wanted, source = memory.copy(), slice(200 - shift, 712 - shift)
        for i in range(512):
            wanted[wanted[source][i]] += 1
        module.count(memory[source], memory[:200])
        assert np.array_equal(memory, wanted)


def run_by_the_jit(path):
    warnings.simplefilter("ignore")  # of the compiler
    import taichi as ti
    from helpers import bin_kernels

    ti.init(arch=ti.cpu, log_level=ti.ERROR)
    dice = np.random.default_rng(10)
    with Runtime("x64") as runtime:
        module = runtime.load_module(path)
        for name, (kinds, _) in CASES.items():
            if name == "two_ways":
                continue
            for length, size in ((2000, 50), (40_000, 256), (9_000, 20_000)):
                own = draw(dice, kinds, length, size)
                jit = [each.copy() for each in own]
                getattr(module, name)(*own)
                getattr(bin_kernels, name)(*jit)
                for each, other in zip(own, jit, strict=True):
                    np.testing.assert_allclose(each, other, rtol=1e-4 if each.dtype == np.float32 else 1e-12)


@pytest.mark.slow
def test_bins_have_the_numbers_of_the_jit(build_source):
    run_in_child(run_by_the_jit, build_source("bin_kernels", "x64"), quiet=False)
