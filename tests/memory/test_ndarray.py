"""NdArray: creation, shapes and dtypes, contents."""

from contextlib import suppress

import numpy as np
import pytest
from helpers.child import in_child
from helpers.liars import make_liar

from taichi_aot import DataType, Runtime

DTYPES = ["f16", "f32", "f64", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64"]


@pytest.mark.parametrize("name", DTYPES)
def test_every_dtype_survives_a_round_trip(rt, name):
    dtype = rt.empty(1, name).dtype
    data = np.random.default_rng(1).integers(0, 256, 24 * dtype.itemsize, np.uint8).view(dtype)
    if name == "u1":
        data = data.view(np.uint8) % 2 == 1
    array = rt.asarray(data.reshape(2, 3, 4))
    assert array.to_numpy().tobytes() == data.tobytes()
    assert (array.shape, array.ndim, array.size, array.nbytes) == ((2, 3, 4), 3, 24, data.nbytes)
    assert array.dtype == data.dtype
    assert array.data_type is DataType[name.upper()]
    assert array.runtime is rt
    assert len(array) == 2


def test_dtype_may_be_given_in_every_form(rt):
    for dtype in ("f32", "float32", np.float32, np.dtype("f4"), DataType.F32, float):
        assert rt.empty(2, dtype).dtype == (np.float64 if dtype is float else np.float32)


@pytest.mark.parametrize("dtype", [complex, object, "U3", "M8[s]", ">f4", "nonsense", [("a", "f4")]], ids=str)
def test_dtype_unknown_to_taichi_is_a_type_error(rt, dtype):
    with pytest.raises(TypeError):
        rt.empty(3, dtype)


def test_constructors_set_the_contents(rt):
    assert rt.zeros((2, 3)).to_numpy().tolist() == [[0] * 3] * 2
    assert rt.full((2, 3), 5).dtype == np.float32
    assert rt.full((2, 3), 5, "u8").to_numpy().tolist() == [[5] * 3] * 2
    assert rt.asarray([1, 2], "f32").to_numpy().tolist() == [1, 2]
    assert rt.asarray(3.5).to_numpy() == 3.5
    assert rt.empty(()).shape == ()
    dirty = rt.full(1000, 9.0)
    del dirty
    assert not rt.zeros(1000).to_numpy().any()


@pytest.mark.parametrize(
    ("shape", "error"),
    [
        (-1, ValueError),
        ((3, -1), ValueError),
        (2.5, TypeError),
        ("ab", TypeError),
        ((1,) * 13, ValueError),
        (2**31, ValueError),
        ((0, 2**40), ValueError),
        (10**18, ValueError),
        ((10**9, 10**9), ValueError),
        (None, TypeError),
    ],
    ids=str,
)
def test_bad_shape_is_refused(rt, shape, error):
    with pytest.raises(error):
        rt.empty(shape, np.uint8)


def test_elements_may_be_vectors_and_matrices(rt):
    vectors = rt.asarray(np.arange(24, dtype=np.float32).reshape(8, 3), elem_shape=3)
    assert (vectors.shape, vectors.elem_shape) == ((8,), (3,))
    assert vectors.to_numpy().shape == (8, 3)
    matrices = rt.zeros((4, 5), "i32", (2, 3))
    assert matrices.to_numpy().shape == (4, 5, 2, 3)
    assert "ndarray[matrix(2, 3, i32), 2]" in repr(matrices)
    with pytest.raises(ValueError, match="does not end in elem_shape"):
        rt.asarray(np.zeros((8, 3)), elem_shape=4)
    with pytest.raises(ValueError, match="does not end in elem_shape"):
        rt.asarray(np.zeros(3), elem_shape=(3, 3))
    with pytest.raises(ValueError, match="element shape"):
        rt.empty(3, elem_shape=0)


def test_scalar_array_has_no_len(rt):
    with pytest.raises(TypeError):
        len(rt.zeros(()))


def test_to_numpy_copies_into_out(rt):
    array = rt.asarray(np.arange(12, dtype=np.int32).reshape(3, 4))
    out = np.zeros((3, 4), np.int32)
    assert array.to_numpy(out=out) is out
    assert (out == np.arange(12).reshape(3, 4)).all()
    read_only = np.zeros((3, 4), np.int32)
    read_only.flags.writeable = False
    for bad in (np.zeros((4, 3), np.int32), np.zeros((4, 3), np.int32).T, read_only):
        with pytest.raises(ValueError, match="out must be"):
            array.to_numpy(out=bad)
    for bad in (np.zeros((3, 4), np.int64), bytearray(48), [0] * 12):
        with pytest.raises(TypeError, match="expected a numpy array of int32"):
            array.to_numpy(out=bad)


@in_child
def test_to_numpy_writes_only_into_out(arch):
    """Read into arrays with wrong descriptions: memory around the target stays unchanged."""
    x = Runtime(arch).full(100, 1.0, "f32")
    cases = [
        (100, np.float32, {"nbytes": 4000}),
        (10, np.float32, {"shape": (100,)}),
        (10, np.float32, {"shape": (100,), "nbytes": 400, "size": 100}),
        (100, np.int8, {"dtype": np.dtype(np.float32)}),
        (100, np.int8, {"dtype": np.dtype(np.float32), "nbytes": 400, "itemsize": 4}),
    ]
    for size, dtype, lies in cases:
        data = np.full(5000, 7, dtype)
        with suppress(TypeError, ValueError):
            x.to_numpy(out=make_liar(data[1000 : 1000 + size], **lies))
        assert (data[:1000] == 7).all()
        assert (data[1000 + size :] == 7).all()


@pytest.mark.parametrize(
    ("dtype", "values", "error"),
    [
        ("u8", [256, -1, np.int64(300)], OverflowError),
        ("i8", [-129, 10**5000], OverflowError),
        ("i32", [1.9, 1.0, np.float32(1), None, "1"], TypeError),
        ("f32", [None, 1j, "1"], TypeError),
    ],
)
def test_wrong_numbers_are_refused_like_by_a_kernel(rt, dtype, values, error):
    array = rt.zeros(2, dtype)
    for value in values:
        calls = (
            lambda value=value: array.fill(value),
            lambda value=value: array.write([value, value]),
            lambda value=value: rt.full(2, value, dtype),
        )
        for call in calls:
            with pytest.raises(error):
                call()
    assert not array.to_numpy().any()


def test_every_constructor_has_the_same_default_dtype(rt):
    assert rt.empty(3, None).dtype == rt.empty(3).dtype == np.float32
    assert rt.zeros(3, None).dtype == rt.zeros(3).dtype == np.float32
    assert rt.full((), 1.5).dtype == rt.full(3, 1.5).dtype == rt.full(3, 1.5, None).dtype == np.float32
