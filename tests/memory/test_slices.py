"""Slices of arrays along the first axis: comparison with numpy, refusals and copies."""

import copy
import gc
import pickle
from contextlib import nullcontext

import numpy as np
import pytest
from helpers.memory import as_on_a_discrete_gpu
from helpers.scaling import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


@pytest.fixture(params=["unified", "discrete"])
def rt(request, rt):
    """A runtime whose arrays the host can map, and one whose arrays it cannot map."""
    with as_on_a_discrete_gpu(rt) if request.param == "discrete" else nullcontext():
        yield rt


def test_slice_is_read_and_written(rt):
    x = rt.asarray(np.arange(24, dtype=np.int32).reshape(4, 3, 2), elem_shape=2)
    part = x[1:3]
    assert (part.shape, part.elem_shape, part.dtype, part.ndim) == ((2, 3), (2,), np.int32, 2)
    assert (part.size, part.nbytes, len(part)) == (12, 48, 2)
    assert part.to_numpy().tolist() == np.arange(6, 18).reshape(2, 3, 2).tolist()
    part.write(np.zeros((2, 3, 2), np.int32))
    part[-1:].fill(7)
    expected = np.arange(24).reshape(4, 3, 2)
    expected[1], expected[2] = 0, 7
    assert x.to_numpy().tolist() == expected.tolist()
    assert np.asarray(x[:1]).tolist() == expected[:1].tolist()
    out = np.empty((1, 3, 2), np.int32)
    assert x[2:3].to_numpy(out) is out
    assert (out == 7).all()


def test_slices_are_copied_on_the_device(rt):
    x, y = rt.asarray(np.arange(8.0), "f32"), rt.zeros(8)
    y[2:5].copy_from(x[5:])
    y[:2].copy_from(x[:2])
    x[:4].copy_from(x[4:])
    assert y.to_numpy().tolist() == [0, 1, 5, 6, 7, 0, 0, 0]
    assert x.to_numpy().tolist() == [4, 5, 6, 7, 4, 5, 6, 7]
    rt.zeros(3).copy_from(x[:3])
    with pytest.raises(ValueError, match="cannot copy"):
        x[:4].copy_from(x[:3])
    with pytest.raises(TypeError, match="cannot copy f32 into i32"):
        rt.zeros(3, "i32").copy_from(x[:3])
    with pytest.raises(TypeError, match="expected an NdArray"):
        x[:1].copy_from([1.0])
    assert x.to_numpy().tolist() == [4, 5, 6, 7, 4, 5, 6, 7]


SHAPES = st.lists(st.integers(0, 5), min_size=1, max_size=3).map(tuple)
BOUND = st.one_of(st.none(), st.integers(-6, 6))
STEP = st.tuples(st.sampled_from(["read", "write", "fill", "copy"]), st.lists(st.tuples(BOUND, BOUND), max_size=3))


@settings(max_examples=examples(120), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    shape=SHAPES,
    elem_shape=st.sampled_from([(), (1,), (3,), (2, 2)]),
    name=st.sampled_from(["u8", "f16", "i32", "f64"]),
    steps=st.lists(STEP, max_size=6),
    seed=st.integers(0, 2**32 - 1),
)
def test_slices_of_slices_follow_numpy(rt, shape, elem_shape, name, steps, seed):
    rng = np.random.default_rng(seed)
    arrays = [rt.zeros(shape, name, elem_shape) for _ in range(2)]
    models = [rng.integers(0, 100, shape + elem_shape).astype(arrays[0].dtype) for _ in arrays]
    for array, model in zip(arrays, models, strict=True):
        array.write(model)
    for what, cuts in steps:
        part, expected = arrays[0], models[0]
        other, other_expected = arrays[1], models[1]
        for begin, end in cuts:
            if max(abs(begin or 0), abs(end or 0)) > len(expected):
                with pytest.raises(IndexError):
                    part[begin:end]
                break
            part, expected = part[begin:end], expected[begin:end]
            other, other_expected = other[begin:end], other_expected[begin:end]
        assert part.to_numpy().shape == expected.shape
        if what == "read":
            assert part.to_numpy().tobytes() == expected.tobytes()
        elif what == "write":
            expected[...] = rng.integers(0, 100, expected.shape)
            part.write(expected)
        elif what == "fill":
            value = int(rng.integers(100))
            expected[...] = value
            part.fill(value)
        else:
            expected[...] = other_expected
            part.copy_from(other)
    for array, model in zip(arrays, models, strict=True):
        assert array.to_numpy().tobytes() == model.tobytes()


@pytest.mark.parametrize(
    ("key", "error", "message"),
    [
        (4, IndexError, "out of range of 4 items along axis 0"),
        (True, TypeError, "indexed by integers and then a slice"),
        ((0, 0, 0), IndexError, "too many indices: 3 for an array of shape"),
        ((slice(None), 0), TypeError, "must be contiguous"),
        (1.0, TypeError, "not by 1.0; the numpy array"),
        (None, TypeError, "indexed by integers and then a slice"),
        ([0, 1], TypeError, "indexed by integers and then a slice"),
        ((slice(0, 1), slice(0, 1)), TypeError, "must be contiguous"),
        (slice(0.5, 3), TypeError, "must be an integer, not float 0.5"),
        (slice(0, "3"), TypeError, "must be an integer, not str '3'"),
        (slice(0, 4, 2), ValueError, "step"),
        (slice(None, None, -1), ValueError, "step"),
        (slice(0, 4, 0), ValueError, "step"),
        (slice(0, 4, 1.0), TypeError, "must be an integer, not float 1.0"),
        (slice(0, 5), IndexError, "index 5 is out of range of 4 items"),
        (slice(5, None), IndexError, "out of range"),
        (slice(-5, None), IndexError, "out of range"),
        (slice(10**30, None), IndexError, "out of range"),
    ],
    ids=str,
)
def test_bad_slice_is_refused(rt, key, error, message):
    x = rt.zeros((4, 3))
    for array in (x, x[:], rt.zeros((6, 3))[1:5]):
        with pytest.raises(error, match=message):
            array[key]


def test_slice_bounds_follow_python(rt):
    x = rt.asarray(np.arange(4), "i32")
    assert x[True:3].to_numpy().tolist() == [1, 2]
    assert x[np.int8(1) : np.uint64(3) : 1].to_numpy().tolist() == [1, 2]
    assert x[3:1].shape == (0,)
    x[3:1].write([])
    x[4:].fill(1)
    x[0:0].copy_from(x[4:])
    assert x.to_numpy().tolist() == [0, 1, 2, 3]
    with pytest.raises(IndexError, match="too many indices"):
        rt.zeros(())[:]


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda part: part.write([1, 2]), ValueError, r"shape \(2,\)"),
        (lambda part: part.write(1), ValueError, "shape"),
        (lambda part: part.write([1.5, 2, 3]), TypeError, "not an integer"),
        (lambda part: part.write(np.zeros(3)), TypeError, "casting an array of float64 to i32"),
        (lambda part: part.write([2**31, 0, 0]), OverflowError, "does not fit i32"),
        (lambda part: part.fill(2**31), OverflowError, "does not fit i32"),
        (lambda part: part.fill([1, 2, 3]), TypeError, "expected a number"),
        (lambda part: part.to_numpy(np.zeros(3)), TypeError, "int32"),
        (lambda part: part.to_numpy(np.zeros(10, np.int32)), ValueError, "out must be"),
        (lambda part: part.to_numpy(read_only(3)), ValueError, "writable"),
        (lambda part: part.to_numpy([0, 0, 0]), TypeError, "numpy array"),
    ],
)
def test_bad_data_for_a_slice_changes_nothing(rt, use, error, message):
    x = rt.asarray(np.arange(10), "i32")
    with pytest.raises(error, match=message):
        use(x[2:5])
    assert x.to_numpy().tolist() == list(range(10))


def read_only(size):
    array = np.zeros(size, np.int32)
    array.flags.writeable = False
    return array


def test_slice_of_closed_memory_is_a_value_error(rt):
    x = rt.zeros(10)
    part = x[2:5]
    other = rt.zeros(3)
    x.close()
    assert part.closed
    assert repr(part).startswith("<closed ArraySlice")
    for use in (
        part.to_numpy,
        lambda: part.write([1, 2, 3]),
        lambda: part.fill(1),
        lambda: part.copy_from(other),
        lambda: other.copy_from(part),
        lambda: part[:1].fill(0),
    ):
        with pytest.raises(ValueError, match="closed"):
            use()


def test_slice_of_a_mapped_copy_is_a_buffer_error(rt, on_host):
    x = rt.zeros(10)
    if x.__dlpack_device__()[0] == 1:
        pytest.skip("the host maps the memory itself")
    with x.map():
        for use in (lambda: x[2:5].write([1, 2, 3]), lambda: x[2:5].fill(1), lambda: x[2:5].copy_from(x[6:9])):
            with pytest.raises(BufferError):
                use()
    x[2:5].fill(1)
    assert x.to_numpy().sum() == 3


def test_kernels_refuse_slices(rt, module):
    x = rt.asarray(np.arange(10), "f32")
    y, part = rt.zeros(4), x[2:6]
    with pytest.raises(TypeError, match=r"parameter 'x'.*got taichi_aot.ArraySlice; write ") as caught:
        module.kernels["saxpy"](1.0, part, y)
    code = str(caught.value).partition("; write ")[2].partition(", an NdArray")[0]
    assert code == (
        "array.memory.ndarray((4,), 'f32', offset=8)" if rt.arch.is_llvm else "runtime.asarray(x.to_numpy())"
    )
    module.kernels["saxpy"](1.0, eval(code, {"array": x, "runtime": rt, "x": part}), y)
    assert y.tolist() == [2, 3, 4, 5]
    with pytest.raises(TypeError, match="parameter 'a'"):
        module.kernels["saxpy"](x[:1], x, x)


def test_slice_keeps_the_memory_alive(rt):
    part = rt.asarray(np.arange(1000), "i32")[10:13]
    gc.collect()
    rt.full(1000, -1, "i32")
    assert part.to_numpy().tolist() == [10, 11, 12]


def test_slice_cannot_be_copied_pickled_or_initialized_twice(rt):
    part = rt.zeros(4)[1:2]
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot pickle or copy an ArraySlice"):
            attempt(part)
    with pytest.raises(TypeError, match="initialized twice"):
        part.__init__(rt.zeros(4), None, 0)
