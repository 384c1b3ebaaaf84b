"""Sequences that end when a number on the device says so, against a loop on the host that reads the number."""

import math
import pickle
import re

import numpy as np
import pytest
from helpers.child import run_in_child
from scenarios.until import close_the_number, interrupt, run_in_many_threads

from taichi_aot import Iterations, LaunchSequence, Runtime, UntilSequence

DTYPES = ["f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]


@pytest.fixture
def saxpy(module):
    return module.kernels["saxpy"]


@pytest.fixture
def total(rt):
    return rt.zeros(1)


@pytest.fixture
def adding(rt, saxpy, total):
    """A sequence that adds 1.25 to `total`."""
    return rt.sequence(
        [saxpy.bind(0.5, rt.full(1, 2.0, "f32"), total), saxpy.bind(0.25, rt.full(1, 1.0, "f32"), total)]
    )


def by_host(sequence, number, bound, every, repeat):
    """Repeat until a check on the host finds the number above the bound; return the iterations."""
    made = 0
    while made < repeat:
        part = min(every, repeat - made)
        sequence(part)
        made += part
        if number.item() > bound:
            break
    return made


@pytest.mark.parametrize("repeat", [1, 63, 64, 200, 1000])
@pytest.mark.parametrize("every", [1, 7, 50, 10**6])
@pytest.mark.parametrize("bound", [1.0, 150.1, 1e9])
def test_matches_a_loop_on_the_host(adding, total, repeat, every, bound):
    expected = by_host(adding, total, bound, every, repeat)
    numbers = total.to_numpy()
    total.fill(0)
    made = adding.until(total, above=bound, check_every=every)(repeat)
    assert made == expected
    assert made.converged == (numbers[0] > bound)
    assert made.value == numbers[0]
    assert total.to_numpy().tobytes() == numbers.tobytes()


def test_below(rt, saxpy, total):
    total.fill(100)
    halve = rt.sequence([saxpy.bind(-0.5, total, total)])
    made = halve.until(total, below=1e-3)(repeat=1000)
    assert (made, made.converged) == (17, True)
    assert total.item() == made.value == 100 / 2**17


def test_bound_itself_is_neither_above_nor_below(adding, total):
    made = adding.until(total, above=5.0)(100)
    assert (made, made.value) == (5, 6.25)
    total.fill(10)
    assert not adding.until(total, below=11.25)(1).converged


def test_number_is_not_checked_before_the_first_iteration(adding, total):
    total.fill(1000)
    assert adding.until(total, above=1)(10) == 1
    none = adding.until(total, above=1)(0)
    assert (none, none.converged) == (0, False)
    assert math.isnan(none.value)
    assert total.item() == 1001.25


def test_nan_makes_all_iterations(rt, saxpy, total):
    total.fill(math.nan)
    loop = rt.sequence([saxpy.bind(1.0, total, total)])
    for bound in ({"below": 1e300}, {"above": -1e300}):
        made = loop.until(total, check_every=20, **bound)(90)
        assert (made, made.converged) == (90, False)
        assert math.isnan(made.value)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype(rt, adding, dtype):
    largest = 1e30 if dtype.startswith("f") else int(np.iinfo(np.dtype(f"{dtype[0]}{int(dtype[1:]) // 8}")).max)
    number = rt.full((), largest, dtype)
    assert adding.until(number, above=largest * 0.99)(3) == 1
    assert adding.until(number, below=largest * 0.99)(3) == 3
    if dtype[0] != "u":
        number.fill(-5)
        made = adding.until(number, below=-4.5)(3)
        assert (made, made.value) == (1, -5)


def test_runs_again_with_other_arguments(rt, saxpy, adding, total):
    until = adding.until(total, above=1000, check_every=4)
    for _ in range(5):
        total.fill(0)
        assert until(10_000) == 804
    other = saxpy.bind(1.0, rt.full(1, 5.0, "f32"), total)
    longer = rt.sequence([other, other])
    for value in (5.0, 2.5, 0.5):
        other.update(x=rt.full(1, value, "f32"))
        total.fill(0)
        assert longer.until(total, above=999, check_every=10)(10_000) == 1000 / (2 * value)
    with pytest.raises(ValueError, match="is closed"):
        close_and_run(rt, saxpy, total)


def close_and_run(rt, saxpy, total):
    x = rt.full(1, 1.0, "f32")
    until = rt.sequence([saxpy.bind(1.0, x, total)]).until(total, above=1e6, check_every=5)
    until(100)
    x.close()
    until(100)


def test_number_may_be_a_part_of_an_array(rt, saxpy):
    y = rt.zeros(5)
    loop = rt.sequence([saxpy.bind(1.0, rt.asarray([1, 2, 3, 4, 5], "f32"), y)])
    assert loop.until(y[3:4], above=30)(100) == 8
    vectors = rt.full(3, 7.0, "f32", elem_shape=(1, 1))
    assert loop.until(vectors[-1:], above=6)(100) == 1


def test_ramps(rt, saxpy, total):
    loop = rt.sequence([saxpy.bind(0.0, rt.full(1, 1.0, "f32"), total)])
    until = loop.until(total, above=3000, check_every=10)
    for _ in range(2):
        total.fill(0)
        made = until(1000, ramps={"a": (0.0, 1.0)})
        assert (made, made.value) == (80, sum(range(80)))
    with pytest.raises(TypeError, match="no launch of the sequence has a scalar parameter 'b'"):
        until(10, ramps={"b": (0, 1)})


def test_until_of_one_sequence_may_differ(adding, total):
    first, second = adding.until(total, above=10), adding.until(total, above=20)
    assert [first(100), second(100)] == [9, 8]
    adding(2)
    assert total.item() == 1.25 * 19


def test_what_it_returns(adding, total):
    until = adding.until(total, above=10, check_every=4)
    made = until(100)
    assert isinstance(made, int)
    assert (type(made), made, f"{made}", repr(made)) == (Iterations, 12, "12", "12")
    copy = pickle.loads(pickle.dumps(made))
    assert (copy, copy.converged, copy.value) == (12, True, 15.0)
    assert isinstance(until, UntilSequence)
    assert not isinstance(until, LaunchSequence)
    assert len(until) == 2
    assert re.fullmatch(
        r"<UntilSequence: <LaunchSequence of saxpy, saxpy.*> until <NdArray shape=\(1,\) .*> is above 10 every 4 "
        "iterations>",
        repr(until),
    )


def wrong_bounds(rt, total):
    return [
        ((1.0,), {"below": 1}, TypeError, "until() takes an NdArray of one number, or a slice such as array[0:1], not"),
        ((total,), {}, TypeError, "until() takes either below= or above="),
        ((total,), {"below": 1, "above": 2}, TypeError, "until() takes either below= or above="),
        ((total,), {"below": "1"}, TypeError, "until(): below: str '1' is not a real number"),
        ((total,), {"above": 10**400}, OverflowError, "until(): above:"),
        ((total,), {"above": math.nan}, ValueError, "until(): above is NaN"),
        ((total,), {"below": 1, "check_every": 0}, ValueError, "check_every must be at least 1"),
        ((total,), {"below": 1, "check_every": 1.5}, TypeError, "check_every"),
        ((total,), {"below": 1, "check_every": 2**63}, ValueError, "check_every"),
        ((rt.zeros(2),), {"below": 1}, ValueError, "has 2: slice it, as in array[0:1]"),
        ((rt.zeros(0),), {"below": 1}, ValueError, "until() compares one number, and <NdArray shape=(0,)"),
        (
            (rt.zeros(1, elem_shape=(2,)),),
            {"below": 1},
            ValueError,
            "has 2: let a kernel write it to an array of numbers",
        ),
        ((rt.zeros(0, elem_shape=(2,)),), {"below": 1}, ValueError, "> has none"),
        ((rt.zeros(1, "f16"),), {"below": 1}, TypeError, "is of f16; write the number as f32 or i32"),
    ]


def test_wrong_bounds(rt, adding, total):
    for arguments, keywords, error, message in wrong_bounds(rt, total):
        with pytest.raises(error, match=re.escape(message)):
            adding.until(*arguments, **keywords)
    with pytest.raises(TypeError, match=r"created by until\(\) of a sequence"):
        UntilSequence()
    for repeat, error in ((-1, ValueError), (2**63, OverflowError), ("1", TypeError)):
        with pytest.raises(error, match="repeat"):
            adding.until(total, below=1)(repeat)
    with Runtime(rt.arch) as other, pytest.raises(ValueError, match="belongs to another runtime than the sequence"):
        adding.until(other.zeros(1), below=1)
    assert total.item() == 0


def test_closed_number(rt, adding):
    number = rt.zeros(1)
    until = adding.until(number, below=-1)
    number.close()
    with pytest.raises(ValueError, match=r"the array of until\(\) is closed"):
        until(10)
    with pytest.raises(ValueError, match=r"the array of until\(\) is closed"):
        adding.until(number, below=-1)


@pytest.mark.parametrize("function", [close_the_number, interrupt, run_in_many_threads])
def test_until_is_safe_beside_other_threads(arch, basic, function):
    run_in_child(function, arch, basic)
