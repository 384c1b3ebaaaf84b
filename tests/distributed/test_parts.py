"""Parts of an array: who owns what, the exchange of halos against a model in numpy, wrong calls, and memory."""

import copy
import pickle
import time

import numpy as np
import pytest
from helpers.machine import resident_bytes
from helpers.memory import as_on_a_discrete_gpu
from helpers.scaling import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import taichi_aot
from taichi_aot import Arch, ErrorCode, KernelAssertionError, OutOfMemoryError, Runtime
from taichi_aot.distributed import Interior, Parts, decompose
from taichi_aot.distributed._strips import MAX_PIECES, blamed, grid_of


@pytest.fixture(scope="module")
def several(available):
    """Runtimes of all archs that every thread may use, two of each."""
    runtimes = [Runtime(arch) for arch in available if arch is not Arch.OPENGL for _ in range(2)]
    yield runtimes
    for runtime in runtimes:
        runtime.close()


@pytest.fixture
def two(rt):
    with Runtime(rt.arch) as other:
        yield [rt, other]


def test_sizes_differ_by_at_most_one(rt):
    for count in range(1, 8):
        parts = decompose((17, 3), [rt] * count, halo=2)
        inside = [part.interior for part in parts]
        sizes = [each.stop - each.begin for each in inside]
        assert sum(sizes) == 17
        assert max(sizes) - min(sizes) <= 1
        assert [each.begin for each in inside[1:]] == [each.stop for each in inside[:-1]]
        assert [part.array.shape for part in parts] == [(size + 4, 3) for size in sizes]
        assert all(each[2:] == (2, 2 + size) for each, size in zip(inside, sizes, strict=True))
        assert [part.index for part in parts] == list(range(count)) == [*range(len(parts))]


def test_parts_state_what_they_are(rt):
    parts = decompose((10, 4), (rt, rt), "i32", 2, -2, 3, periodic=True)
    assert (parts.shape, parts.elem_shape, parts.axes, parts.halo, parts.periodic) == ((10, 4), (3,), (0,), 2, (True,))
    assert parts.where == (slice(0, 10), slice(0, 4))
    assert parts[1] is list(parts)[1]
    assert parts[-1].interior == Interior(5, 10, 2, 7)
    assert parts[0].runtime is rt
    assert parts[0].array.dtype == np.int32
    assert repr(parts[1]) == f"<Part 1 [5:10] on {rt.arch}:0>"
    assert repr(parts) == f"<Parts of shape (10, 4): [0:5] on {rt.arch}:0, [5:10] on {rt.arch}:0>"
    assert taichi_aot.distributed.decompose is decompose
    with parts:
        assert not parts.closed
    assert parts.closed
    assert repr(parts).startswith("<closed Parts")
    parts.close()
    with pytest.raises(ValueError, match="cannot be entered again"):
        parts.__enter__()


def test_numbers_are_scattered_and_gathered(two):
    for axis in range(3):
        parts = decompose((5, 6, 7), two, "i64", axis=axis)
        whole = np.arange(210).reshape(5, 6, 7)
        parts.write(whole)
        assert (parts.to_numpy() == whole).all()
        parts.write(whole.T.copy().T)
        assert (parts.to_numpy() == whole).all()
    parts = decompose(4, two)
    parts.write([1, 2, 3, 4])
    assert parts.to_numpy().tolist() == [1, 2, 3, 4]
    with pytest.raises(ValueError, match=r"cannot write an array of shape \(5,\) to parts of shape \(4,\)"):
        parts.write(np.zeros(5, "f4"))
    with pytest.raises(TypeError, match="array"):
        parts.write(np.zeros(4, "c8"))
    assert parts.to_numpy().tolist() == [1, 2, 3, 4]


def test_numbers_of_every_dtype_are_exchanged(two):
    for name in ("f16", "f32", "f64", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64"):
        parts = decompose((4, 2), two, name)
        whole = np.arange(8).reshape(4, 2).astype(parts[0].array.dtype)
        parts.write(whole)
        parts.exchange()
        assert (parts.to_numpy() == whole).all()
        assert (parts[0].array.to_numpy()[-1] == whole[2]).all()
        assert (parts[1].array.to_numpy()[0] == whole[1]).all()


@st.composite
def decompositions(draw):
    axis_count = draw(st.integers(1, 3))
    axis = draw(st.integers(0, axis_count - 1))
    count = draw(st.integers(1, 5))
    halo = draw(st.integers(0, 3))
    shape = draw(st.lists(st.integers(1, 6), min_size=axis_count, max_size=axis_count))
    shape[axis] = draw(st.integers(max(1, halo) * count, max(1, halo) * count + 7))
    if axis and draw(st.booleans()):
        shape[0] = MAX_PIECES + 1  # the host packs them
    options = {
        "halo": halo,
        "axis": axis,
        "elem_shape": draw(st.sampled_from([(), (2,), (2, 3)])),
        "dtype": draw(st.sampled_from(["f32", "u8", "f64"])),
        "periodic": draw(st.booleans()),
    }
    return tuple(shape), draw(st.lists(st.integers(0, 7), min_size=count, max_size=count)), options


def check_exchange(parts, seed=0):
    """Fill all arrays with random bytes, exchange, and compare with what numpy makes of the interiors."""
    generator = np.random.default_rng(seed)
    (axis,), (periodic,) = parts.axes, parts.periodic
    whole = np.moveaxis(generator.integers(0, 100, parts.to_numpy().shape).astype(parts[0].array.dtype), axis, 0)
    expected = []
    for part in parts:
        numbers = np.moveaxis(part.array.to_numpy(), axis, 0)
        numbers[...] = generator.integers(100, 200, numbers.shape)
        begin, stop, low, high = part.interior
        numbers[low:high] = whole[begin:stop]
        part.array.write(np.moveaxis(numbers, 0, axis))
        for local, index in enumerate(range(begin - low, stop + parts.halo)):
            if periodic:
                numbers[local] = whole[index % len(whole)]
            elif 0 <= index < len(whole):
                numbers[local] = whole[index]
        expected.append(np.moveaxis(numbers, 0, axis))
    parts.exchange()
    for part, numbers in zip(parts, expected, strict=True):
        assert part.array.to_numpy().tolist() == numbers.tolist(), part
    assert (parts.to_numpy() == np.moveaxis(whole, 0, axis)).all()


@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(decompositions(), st.integers(0, 2**32))
def test_exchange_equals_numpy(several, decomposition, seed):
    shape, numbers, options = decomposition
    with decompose(shape, [several[i % len(several)] for i in numbers], **options) as parts:
        check_exchange(parts, seed)


@pytest.mark.parametrize("axis", [0, 1])
def test_halos_of_memory_that_the_host_cannot_map(two, axis):
    with as_on_a_discrete_gpu(two[0]), as_on_a_discrete_gpu(two[1]):
        parts = decompose((MAX_PIECES + 1, 9, 2), two, axis=axis, periodic=True)
    check_exchange(parts)


def test_several_arrays_are_exchanged_in_one_call(two):
    u = decompose((6, 3), two)
    v = decompose((4, 3, 2), two, "f64", halo=2, axis=0, elem_shape=3)
    w = decompose(5, two, halo=0)
    u.write(np.arange(18, dtype="f4").reshape(6, 3))
    v.write(np.ones((4, 3, 2, 3)))
    u.exchange(v, w)
    assert u[1].array.to_numpy()[0].tolist() == [6, 7, 8]
    assert (v[1].array.to_numpy()[:2] == 1).all()
    u.write(np.zeros((6, 3), "f4"))
    u.exchange(v)
    assert not u[1].array.to_numpy().any()


CALLS = [
    (lambda rt: decompose(8, rt), TypeError, "runtimes must be a sequence of Runtime, not"),
    (lambda rt: decompose(8, 3), TypeError, "runtimes must be a sequence of Runtime, not int 3"),
    (lambda rt: decompose(8, []), ValueError, "at least one Runtime"),
    (lambda rt: decompose(8, [rt, "x64"]), TypeError, r"runtimes\[1\] must be a Runtime, not str 'x64'"),
    (lambda rt: decompose(8, [rt], halo=-1), ValueError, "halo must not be negative: -1"),
    (lambda rt: decompose(8, [rt], halo=1.5), TypeError, "halo must be an integer"),
    (lambda rt: decompose(8, [rt] * 3, halo=3), ValueError, "a halo of 3 is wider than a part: .* leaves 2"),
    (lambda rt: decompose(8, [rt], halo=9, periodic=True), ValueError, "a halo of 9 is wider than a part"),
    (lambda rt: decompose(8, [rt, rt], halo=10**30), ValueError, "is wider than a part"),
    (lambda rt: decompose(2, [rt] * 3, halo=0), ValueError, "cannot be split into 3 parts"),
    (lambda rt: decompose((0, 4), [rt]), ValueError, "cannot be split into 1 part: "),
    (lambda rt: decompose((), [rt]), ValueError, r"axis 0 is out of range: the shape \(\) has only 0"),
    (lambda rt: decompose((8, 8), [rt], axis=2), ValueError, "axis 2 is out of range"),
    (lambda rt: decompose((8, 8), [rt], axis="x"), TypeError, "axis must be an integer"),
    (lambda rt: decompose(8, [rt], periodic="no"), TypeError, "periodic must be True or False, .* not str 'no'"),
    (lambda rt: decompose("8", [rt]), TypeError, "shape must be an integer"),
    (lambda rt: decompose(-8, [rt]), ValueError, "must not be negative"),
    (lambda rt: decompose(8, [rt], "f31"), TypeError, "f31"),
    (lambda rt: decompose(2**31 - 1, [rt], halo=1), ValueError, "too large"),
    (
        lambda rt: decompose((8, 8), [rt], axis=(0, -2)),
        ValueError,
        r"axis must name different axes, at least one, not \(0, -2\)",
    ),
    (lambda rt: decompose((8, 8), [rt], axis=()), ValueError, "axis must name different axes, at least one"),
    (lambda rt: decompose((8, 8), [rt], axis=(0, 1), periodic=(True,)), TypeError, "or a tuple for each axis, not"),
    (lambda rt: decompose(8, [rt], comm="mpi"), TypeError, "comm must be a communicator of mpi4py or a ProcessGroup"),
    (lambda rt: decompose(8, [rt]).exchange(rt.zeros(8)), TypeError, "expected Parts, which decompose"),
    (lambda rt: Parts(), TypeError, "created by taichi_aot.distributed.decompose"),
    (lambda rt: pickle.dumps(decompose(8, [rt])), TypeError, "cannot pickle"),
]


@pytest.mark.parametrize(("call", "error", "message"), CALLS)
def test_wrong_calls_are_refused(rt, call, error, message):
    with pytest.raises(error, match=message) as caught:
        call(rt)
    assert isinstance(caught.value.code, ErrorCode)


def test_wide_halo_is_no_matter_without_neighbours(rt):
    assert decompose(2, [rt], halo=3)[0].array.shape == (8,)


def test_engine_that_fails_is_named(rt):
    class Comm:
        """A communicator of two processes, of which the other one has ended."""

        def __init__(self):
            self.Get_rank, self.Get_size = lambda: 0, lambda: 2
            self.Isend = self.Irecv = self.gather = self.scatter = None

        def allgather(self, value):
            raise ConnectionError("nobody is there")

    pytest.importorskip("mpi4py")
    with pytest.raises(RuntimeError, match="rank 0 failed to compare arguments: ConnectionError: nobody is there"):
        decompose(8, [rt], comm=Comm())


def test_grid_of_processes_has_small_halos():
    assert grid_of(4, [100, 100]) == (2, 2)
    assert grid_of(4, [100, 10]) == (4, 1)
    assert grid_of(6, [100, 200]) == (2, 3)
    assert grid_of(7, [50]) == (7,)
    assert grid_of(8, [9, 9, 9]) == (2, 2, 2)


def test_parts_cannot_be_copied(rt):
    parts = decompose(8, [rt, rt])
    with pytest.raises(TypeError, match="cannot pickle or copy"):
        copy.copy(parts)
    with pytest.raises(TypeError, match="cannot pickle or copy"):
        pickle.dumps(parts[0])


def test_numbers_are_cast_by_the_rules_of_numpy(rt):
    parts = decompose(2, [rt, rt])
    with pytest.raises(TypeError, match="casting='same_kind'"):
        parts.write(np.array([0.5, 1.5]))
    parts.write(np.array([0.5, 1.5]), casting="same_kind")
    assert parts.to_numpy().tolist() == [0.5, 1.5]


def test_closed_part_is_named(two):
    rt, other = two
    parts = decompose((8, 2), [rt, other])
    parts[1].array.close()
    for call in (parts.exchange, parts.to_numpy):
        with pytest.raises(ValueError, match=rf"^part 1 \[4:8\] on {rt.arch}:0: .*closed"):
            call()
    with pytest.raises(ValueError, match="part 1"):
        parts.write(np.zeros((8, 2), "f4"))
    parts = decompose((8, 2), [rt, other])
    other.close()
    with pytest.raises(ValueError, match=r"^part 1 \[4:8\].*closed"):
        parts.exchange()
    with pytest.raises(ValueError, match=r"^part 1 \[4:8\].*the runtime is closed"):
        decompose(8, [rt, other])


def test_part_without_memory_is_named(two, monkeypatch):
    zeros, calls = Runtime.zeros, []

    def zeros_once(*args):
        calls.append(args)
        if len(calls) == 2:
            raise OutOfMemoryError("the device is full")
        return zeros(*args)

    monkeypatch.setattr(Runtime, "zeros", zeros_once)
    with pytest.raises(MemoryError, match=r"^part 1 \[2:4\] on .*: the device is full"):
        decompose(4, two)


def test_whole_may_be_larger_than_an_array_can_be(rt):
    """Kernels index with 32 bits. The parts are refused, not the whole array."""
    with pytest.raises(ValueError, match=r"^part 0 \[0:3000000000\] .*is too large"):
        decompose(6_000_000_000, [rt, rt])


def test_errors_keep_what_they_state(rt):
    parts = decompose(4, [rt, rt])
    error = KernelAssertionError("no")
    error.kernel, error.line = "step", 7
    with pytest.raises(KernelAssertionError, match=r"part 0 .* and part 1 .*: no") as caught, blamed(*parts):
        raise error
    assert (caught.value.kernel, caught.value.line, caught.value.__cause__) == ("step", 7, error)


@pytest.mark.scaled
def test_memory_of_exchanges_stays_flat(two, walk_minutes, capsys):
    """With ``--minutes 4`` these are more than a million; see `benchmarks/results/cpu/exchanges.txt`."""
    parts = decompose((64, 16), two, periodic=True)
    vector = decompose((32, 20), two, elem_shape=2, axis=1)

    def run(seconds):
        count, end = 0, time.monotonic() + seconds
        while time.monotonic() < end:
            for _ in range(100):
                parts.exchange(vector)
            count += 100
        return count, resident_bytes()

    run(3 * walk_minutes)
    (count, first), (more, second) = run(30 * walk_minutes), run(30 * walk_minutes)
    with capsys.disabled():
        if walk_minutes >= 1:
            print(f"{two[0].arch}: {first >> 10} KiB after {count} exchanges, {second >> 10} KiB after {count + more}")
    assert second - first < 4 << 20, (first, second)
