"""Loops of machine code over several dimensions: short rows, and arrays of other shapes than the loop."""

import numpy as np
import pytest
from helpers.native_calls import load_for, targets_here

from taichi_aot import Runtime, inspect

pytestmark = pytest.mark.skipif(not targets_here(), reason="needs an x86-64 CPU, llvmlite and ziglang")

SHAPES = [(1, 1, 3), (0, 2, 3), (3, 0, 4), (40, 30, 3), (5, 7, 4), (33, 1, 17), (9, 64, 65), (100, 90, 1)]
LONGER = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (2, 3, 4)]


@pytest.fixture(params=targets_here())
def module(request, build_source):
    with Runtime("x64") as rt:
        yield load_for(rt, build_source("row_kernels", "x64"), request.param)


def numbers(shape):
    return np.random.default_rng(len(shape)).integers(-100, 100, shape, np.int32)


def pairs(has_colours=False):
    """Yield arrays of a loop's shape, each with one that is as large or larger."""
    for shape in SHAPES:
        for longer in LONGER if not has_colours or shape[2] >= 3 else ():
            yield numbers(shape), numbers(tuple(map(sum, zip(shape, longer, strict=True))))


def part_of(array, other):
    """The part of an array at the places of another one."""
    return array[tuple(map(slice, other.shape))]


def test_all_loops_are_vectors(build_source):
    kernels = inspect(build_source("row_kernels", "x64")).kernels
    loops = {name: {task.loop for task in kernel.tasks} - {""} for name, kernel in kernels.items()}
    assert {name: found for name, found in loops.items() if found != {"vectors"}} == {}


@pytest.mark.parametrize("name", ["over_array", "grouped", "over_ranges"])
def test_arrays_have_the_shape_of_the_loop_or_longer_rows(module, name):
    for x, y in pairs():
        expected = y.copy()
        part_of(expected, x)[...] += 2 * x
        module.kernels[name](x, y)
        assert np.array_equal(y, expected), (x.shape, y.shape)


def test_loops_over_four_dimensions(module):
    for x, y in pairs():
        x, y = np.stack([x, x + 1]), np.stack([y, y + 3, y + 5])
        expected = y.copy()
        part_of(expected, x)[...] += 2 * x
        module.over_four_ranges(x, y)
        assert np.array_equal(y, expected), (x.shape, y.shape)


@pytest.mark.parametrize("name", ["over_colours", "colours"])
def test_pixels_have_three_colours_or_more(module, name):
    for x, y in pairs(has_colours=True):
        expected = y.copy()
        part_of(expected, x)[..., :3] += 2 * x[..., :3]
        module.kernels[name](x, y)
        assert np.array_equal(y, expected), (x.shape, y.shape)


def test_colours_are_joined(module):
    for x, larger in pairs(has_colours=True):
        grey = np.zeros(x.shape[:2], np.int32)
        expected = larger[: x.shape[0], : x.shape[1], :3] @ [3, 6, 1]
        module.grey(larger, grey)
        assert np.array_equal(grey, expected), (x.shape, larger.shape)
        assert module.sum_of_colours(x) == np.sum(x[..., :3] @ [3, 6, 1])


def test_sums_are_over_the_shape_of_the_loop(module):
    for x, y in pairs():
        assert module.sum_of_all(x, y) == np.sum(x * part_of(y, x)), (x.shape, y.shape)


def test_numbers_follow_from_the_place(module):
    for x, y in pairs():
        i, j, k = np.indices(x.shape)
        expected = y.copy()
        part_of(expected, x)[...] = x + 100 * i + 10 * j + k
        module.with_place(x, y)
        assert np.array_equal(y, expected), (x.shape, y.shape)


@pytest.mark.parametrize("times", [0.4, 1, 2.5])
def test_indices_go_around_an_array(module, times):
    for x in (numbers(shape) for shape in SHAPES if np.prod(shape)):
        count = int(x.size * times)
        y = np.zeros(count + 1, np.int32)
        module.in_turn(count, x, y)
        assert np.array_equal(y, [*np.resize(x, count), 0])


@pytest.mark.parametrize("size", [1, 2, 3, 8, 100])
def test_rows_of_tiles(module, size):
    x = numbers((7, 48))
    y = np.zeros_like(x)
    module.in_tiles(size, x, y)
    places = np.arange(48)
    assert np.array_equal(y, x[:, places // size] + places % size)


def test_elements_are_vectors(module):
    for x, y in pairs():
        if x.shape[2] == y.shape[2] == 3:
            expected = y.copy()
            part_of(expected, x)[...] += 2 * x
            module.vectors(x, y)
            assert np.array_equal(y, expected), (x.shape, y.shape)


EDGES = {
    "inside": lambda k, last: (k + (k < last), k - (k > 0)),
    "to_the_edge": lambda k, last: (np.minimum(k + 2, last), np.maximum(k - 1, 0)),
    "around": lambda k, last: (np.where(k < last, k + 1, 0), np.where(k > 0, k - 1, last)),
}


@pytest.mark.parametrize("name", EDGES)
def test_rows_end_at_edges(module, name):
    for x, y in pairs():
        k, last = np.arange(x.shape[2]), x.shape[2] - 1
        after, before = EDGES[name](k, last)
        expected = y.copy()
        changes = (k > 0) & (k < last) if name == "inside" else k >= 0
        part_of(expected, x)[..., changes] = (2 * x[..., after] - x[..., before])[..., changes]
        module.kernels[name](x, y)
        assert np.array_equal(y, expected), (x.shape, y.shape)


def test_numbers_are_compared_with_the_place(module):
    limits = np.iinfo(np.int32)
    x = numbers((40,))
    i = np.arange(40, dtype=np.int32)
    for bound in (limits.min, limits.min + 1, -3, -1, 0, 1, 2, 17, 38, 39, 40, 41, 45, limits.max - 1, limits.max):
        y = np.zeros_like(x)
        less, twice = (np.array(value).astype(np.int32) for value in (bound - 2, bound * 2))  # which wrap
        holds = (
            i < bound,
            i <= bound,
            i > bound,
            i <= bound,
            i == bound,
            i != bound,
            i + 3 < less,
            i - 2 >= twice,
            i > 20,
        )
        module.compared(bound, x, y)
        assert np.array_equal(y, x + sum(each << bit for bit, each in enumerate(holds))), bound


def test_rows_of_fields(module):
    x, y = numbers((6, 7, 3)), numbers((6, 7, 3)) + 5
    module.fields.short.write(x)
    module.fields.other.write(y)
    module.over_field()
    assert np.array_equal(module.fields.other.to_numpy(), 2 * x + y)
