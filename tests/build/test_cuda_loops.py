"""The loops of CUDA kernels after the changes of the build, which run on the host here, thread by thread."""

import re
import sys

import llvmlite.binding as llvm
import numpy as np
import pytest
from helpers.cuda_threads import HostKernel
from helpers.plans import parsed

from taichi_aot.adopt.taichi._native import ptx_name

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="PTX is compiled on Linux only"),
    pytest.mark.skipif(not hasattr(llvm, "create_pass_manager_builder"), reason="needs llvmlite 0.44"),
]

GRIDS = (1, 3)  # blocks
LENGTHS = (0, 1, 31, 513, 2500)


@pytest.fixture
def module(build_source):
    return parsed(build_source("accumulated_kernels", "cuda"))


@pytest.fixture
def run(module):
    def run_all(name, *arguments):
        """Run a kernel with each grid, which changes copies of the arrays, and return them by grid."""
        kernel = HostKernel(module, name)
        for grid in GRIDS:
            memory = {id(each): each.copy() for each in arguments if isinstance(each, np.ndarray)}
            result = kernel(*(memory.get(id(each), each) for each in arguments), grid=grid)
            yield [*memory.values(), result]

    return run_all


def launched(module, name):
    return [task.number for task in module.ptx.tasks[name]]


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("name", ["total", "by_variable"])
def test_sums(module, run, name, length):
    x, sums = np.arange(length, dtype=np.float32), np.array([3, 4], np.float32)
    for _, found, _ in run(name, x, sums):
        assert list(found) == [3 + x.sum(), 4]
    assert len(launched(module, name)) == 1


def test_launches_follow_each_other(module):
    """The blocks count themselves in memory that is as before after each launch."""
    kernel = HostKernel(module, "total")
    x, sums = np.ones(1000, np.float32), np.zeros(1, np.float32)
    for number, grid in enumerate((3, 3, 1, 2, 3)):
        kernel(x, sums, grid=grid)
        assert sums == 1000 * (number + 1)


def test_returned_sum(module, run):
    x = np.arange(600, dtype=np.float32).reshape(20, 30)
    for *_, result in run("returned", x):
        assert result.view(np.float32)[0] == 1 + x.sum()
    assert len(launched(module, "returned")) == 1


def test_two_numbers_of_a_variable(run):
    x = np.arange(500, dtype=np.float32) % 7
    for *_, result in run("both_ways", x):
        assert result.view(np.float32)[0] == 4 + x.sum() - 2 * x[x > 2].sum()


def test_several_accumulators(module, run):
    dice = np.random.default_rng(5)
    x, y = dice.integers(-(2**62), 2**62, 1000), dice.integers(0, 2**32, 1000, dtype=np.uint32)
    old = dice.integers(0, 2**32, 3, dtype=np.uint32)
    for _, found, _, bits, _ in run("several", x, np.array([5, 6, 7]), y, old, 2):
        assert list(found) == [min(5, x.min()), max(6, x.max()), 7 - x.sum()]
        assert list(bits) == [
            max(old[0], y.max()),
            old[1] | np.bitwise_or.reduce(y) | np.bitwise_or.reduce(y + np.uint32(1)),
            old[2] ^ np.bitwise_xor.reduce(y[y > 3]),
        ]
    assert "several" in module.ptx.kernels


@pytest.mark.parametrize("overlapping", [False, True])
def test_place_that_elements_read_is_no_accumulator(run, overlapping):
    """An array whose first elements are the places of an accumulator: the loop reads only the others."""
    x = np.arange(700, dtype=np.float32)[::-1].copy()
    found = x if overlapping else np.array([600, 600], np.float32)
    for first, *others in run("extremes", x, found):
        least, largest = (first if overlapping else others[0])[:2]
        assert least == 0
        assert largest == 698


def test_array_that_is_not_apart_is_loaded_as_it_is(module, run):
    x = np.arange(900, dtype=np.float32)
    for _, y, _ in run("shifted", x, np.zeros_like(x)):
        assert list(y) == [*x[1:], 0]
    text = module.ptx.images[ptx_name("shifted")].decode()
    assert "ld.global.nc.f32" in text
    assert "ld.global.f32" in text  # where x and y overlap
    memory = np.arange(3, dtype=np.float32)  # of one iteration: those of more would race
    kernel = HostKernel(module, "shifted")
    kernel(memory[1:], memory[:-1])
    assert memory[0] == 2


def test_place_that_is_read_otherwise_is_no_accumulator(module, run):
    for name in ("mixed", "numbered"):
        text = module.ptx.images[ptx_name(name)].decode()
        assert "shfl" not in text
        assert "atom" in text
    for x, count, _ in run("numbered", np.zeros(500, np.float32), np.zeros(1, np.float32)):
        assert sorted(x) == list(range(500))
        assert count == 500


@pytest.mark.parametrize("rows", [4, 700])  # the larger array has no room in a block
@pytest.mark.parametrize("length", [0, 1, 500, 6000])
def test_bins(module, run, rows, length):
    dice = np.random.default_rng(length)
    x = dice.integers(0, 32, length, dtype=np.int32)
    weights = dice.integers(-2, 5, length).astype(np.float32)
    bins = dice.integers(0, 9, (rows, 8)).astype(np.float32)
    wanted = bins.copy()
    np.add.at(wanted.reshape(-1), x, weights.clip(0))
    for _, _, found, sums, _ in run("binned", x, weights, bins, np.array([3], np.float32)):
        np.testing.assert_array_equal(found, wanted)
        assert sums == 3 + weights.clip(0).sum()
    assert "atom.shared" in module.ptx.images[ptx_name("binned")].decode()


@pytest.mark.parametrize("overlapping", [False, True])
def test_bins_that_overlap_other_arrays(run, overlapping):
    x, bins = np.arange(1000, dtype=np.int32)[::-1].copy() % 100, np.full(100, 99, np.int32)
    for first, *others in run("least", x, x if overlapping else bins):
        if overlapping:
            assert ((first >= 0) & (first <= x)).all()
        else:
            numbers = np.arange(1000)
            np.minimum.at(bins, x, numbers)
            np.minimum.at(bins, x // 2, numbers // 2)
            np.testing.assert_array_equal(others[0], bins)


def test_bins_that_are_looked_at_stay_in_the_array(module, run):
    x = np.arange(600, dtype=np.int32) % 3
    for _, bins, before, _ in run("counted_before", x, np.zeros(3, np.int32), np.zeros(600, np.int32)):
        assert list(bins) == [200] * 3
        for i in range(3):
            assert sorted(before[x == i]) == list(range(200))
    assert "atom.shared" not in module.ptx.images[ptx_name("counted_before")].decode()


def test_indices_are_divided_once_at_most(module, run):
    x = np.arange(2000, dtype=np.float32).reshape(40, 50)
    wanted = x + 10 * np.arange(40)[:, None] + np.arange(50)
    for _, y, _ in run("remainders", x, np.zeros_like(x)):
        assert (y == wanted).all()
    total = module.ptx.images[ptx_name("total")].decode()
    assert "rem." not in total
    assert "div." not in total


def test_rows_of_inner_loops(module, run):
    """Addresses are added up from those of rows, and blocks are bounded by the registers that unrolled loops need."""
    dice = np.random.default_rng(3)
    x, y = (dice.integers(-3, 4, shape).astype(np.float32) for shape in ((7, 21), (6, 13)))
    wanted = 1 + x[:, :6] @ y + x[:6, 0].sum() - x[0, :6].sum()
    for *_, z, _ in run("products", x, y, np.ones((7, 13), np.float32), 6):
        np.testing.assert_array_equal(z, wanted)
    text = module.ptx.images[ptx_name("products")].decode()
    assert re.search(r"ld\.global\.nc\.f32\s+%f\d+, \[%rd\d+\+4\]", text)
    assert ".minnctapersm 8" in text
    assert ".minnctapersm 8" not in module.ptx.images[ptx_name("remainders")].decode()


def test_tasks_that_only_store_lengths_are_not_launched(module, run):
    x = np.zeros(1000, np.float32)
    for found, sums, _ in run("stages", x, np.zeros(1, np.float32), 300):
        assert sums == 300
        assert (found[3:300] == 300).all()
        assert (found[300:600] == 301).all()
    kinds = [module.info.kernels["stages"].tasks[number].kind for number in launched(module, "stages")]
    assert kinds == ["range_for"] * 3


def test_kernel_without_tasks_is_left_to_the_library(module):
    assert list(module.ptx.refused) == ["nothing"]


def test_loops_fill_a_device(module):
    (loop,) = module.ptx.tasks["shifted"]
    (reduction,) = module.ptx.tasks["total"]
    assert loop.fills > reduction.fills > 0
    assert loop.groups * loop.block <= 1 << 30
    assert reduction.groups == 4096 * reduction.each
    assert f".maxntid {reduction.block}" in module.ptx.images[ptx_name("total")].decode()


def test_numbers_that_later_tasks_need_are_kept(build_source):
    kernel = HostKernel(parsed(build_source("kept_kernels", "cuda")), "carried")
    for n in (2, 9):
        x, y = np.ones(100, np.int32), np.full(100, 2**-10)
        kernel(n, x, y)
        assert y[0] == 0.5 + 100 * 2**-10
        assert x.sum() == 100 + min(100, (n if n > 3 else 2) + 100)
