"""Kernels that repeat some of their tasks until a number on the device is 0, as a plan states it."""

import json

import numpy as np
import pytest
from helpers.archives import pack, read_archive
from helpers.archs import on_x64
from helpers.child import in_child
from helpers.memory import as_on_a_discrete_gpu
from helpers.threads import assert_interrupted

from taichi_aot import CorruptedDataError, NotSupportedError, Runtime, inspect

LOOPS = [(1, 5, 1), (2, 4, 2)]  # the inner one runs three times


def repeating(build_source, arch, folder, loops):
    """Return a module whose kernel `count` repeats tasks."""
    files = read_archive(build_source("repeats_kernels", arch))
    plan = json.loads(files["plan.json"])
    plan["kernels"]["count"]["repeats"] = loops
    path = folder / "repeats.tcm"
    path.write_bytes(pack({**files, "plan.json": json.dumps(plan).encode()}))
    return path


@pytest.fixture
def path(build_source, arch, tmp_path):
    return repeating(build_source, arch, tmp_path, LOOPS)


@pytest.fixture
def count(own_rt, path):
    return own_rt.load_module(path).kernels["count"]


def numbers(rt, outer):
    return rt.zeros(4, "i32"), rt.full((), outer, "i32"), rt.zeros((), "i32")


def test_loops_run_at_least_once_and_until_their_numbers_are_0(own_rt, count):
    for times in (1, 2, 7):
        x, outer, inner = numbers(own_rt, times)
        count(x, outer, inner, 1)
        assert x.to_numpy().tolist() == [11000 + 3 * times] * 4
        assert (outer.item(), inner.item()) == (0, 0)


def test_loops_one_after_the_other(build_source, own_rt, tmp_path):
    path = repeating(build_source, own_rt.arch, tmp_path, [(2, 4, 2), (4, 5, 1)])
    x, outer, inner = numbers(own_rt, 5)
    own_rt.load_module(path).kernels["count"](x, outer, inner, 1)
    assert x.to_numpy().tolist() == [11003] * 4
    assert (outer.item(), inner.item()) == (0, 0)


def test_bound_launches_repeat_with_their_present_arguments(own_rt, count):
    x, outer, inner = numbers(own_rt, 2)
    launch = count.bind(x, outer, inner, 1)
    launch()
    launch.update(step=10, outer=own_rt.full((), 1, "i32"))
    launch()
    assert x.to_numpy().tolist() == [22000 + 6 + 30] * 4


def test_a_number_that_the_host_cannot_map_is_read_through_a_staging_buffer(own_rt, count):
    with as_on_a_discrete_gpu(own_rt):
        x, outer, inner = numbers(own_rt, 2)
        for number in (outer, inner):
            number._handle.c.address = 0  # which a device of one kind of memory maps
        staging = own_rt._handle.backend.memory.staging
        own_rt.trim()
        assert staging.size == 0
        count(x, outer, inner, 1)
        assert staging.size > 0
        assert x.to_numpy().tolist() == [11006] * 4


@on_x64
def test_arrays_of_numpy_are_used_in_place(count):
    x, outer = np.zeros(4, np.int32), np.array(2, np.int32)
    count(x, outer, np.array(0, np.int32), 1)
    assert x.tolist() == [11006] * 4
    assert outer == 0


def test_what_repeats_cannot_be_in_a_sequence_or_launched_by_the_library(own_rt, count):
    launch = count.bind(*numbers(own_rt, 1), 1)
    with pytest.raises(NotSupportedError, match="repeats tasks itself, which a sequence cannot"):
        own_rt.sequence([launch])
    with pytest.raises(NotSupportedError, match="repeats tasks, which the C-API cannot"):
        _ = count.handle


def test_modules_state_what_repeats(path):
    kernel = inspect(path).kernels["count"]
    assert kernel.repeats == tuple(LOOPS)
    assert kernel.to_dict()["repeats"][1] == {"begin": 2, "end": 4, "condition": 2}


@pytest.mark.parametrize("loops", [[(0, 1, 0)], [(0, 1, 3)], [(0, 1, 9)], [(0, 1)], [(0, 7, 1)], [(2, 2, 1)], 7])
def test_a_condition_is_one_number(build_source, own_rt, tmp_path, loops):
    path = repeating(build_source, own_rt.arch, tmp_path, loops)
    with pytest.raises(CorruptedDataError, match=r"kernels\.count.* is damaged"):
        _ = own_rt.load_module(path).kernels["count"]


@in_child
def test_an_interrupt_ends_loops(arch, path):
    rt = Runtime(arch)
    x, outer, inner = numbers(rt, -1)  # counts down 2**32 - 1 times
    count = rt.load_module(path).kernels["count"]
    assert_interrupted(lambda: count(x, outer, inner, 0))
    outer.fill(1)
    x.fill(0)
    count(x, outer, inner, 1)
    assert x.to_numpy().tolist() == [11003] * 4
