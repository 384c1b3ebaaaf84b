"""Arrays behave as arrays: indices, assignment, values as text, conversions to Python, one rule for dtypes."""

import types

import numpy as np
import pytest
from helpers.frameworks import need_framework

from taichi_aot import ArraySlice, NdArray


def test_index_reads_an_element_or_a_row(rt):
    data = np.arange(24, dtype=np.int32).reshape(4, 3, 2)
    x = rt.asarray(data, elem_shape=2)
    assert x[2, -1].tolist() == data[2, -1].tolist()
    assert type(x[1]) is ArraySlice
    for key in (1, -1, (2,), (1, slice(1, 3)), (slice(1, 3), slice(None)), ..., (1, ...), ()):
        assert x[key].tolist() == data[key].tolist()
        assert x[key].to_numpy().shape == data[key].shape
    number = rt.asarray([1.5, 2.5])[1]
    assert (number, type(number)) == (2.5, np.float32)
    assert rt.full((), 3)[()] == 3


def test_assignment_fills_writes_and_copies(rt):
    x, expected = rt.zeros((4, 3)), np.zeros((4, 3), np.float32)
    for key, value in (
        (slice(None, 1), 5),
        (slice(1, 3), [[1, 2, 3], [4, 5, 6]]),
        (3, np.float32([7, 8, 9])),
        ((0, 2), np.float64(0.1)),
        ((1, slice(1, None)), [10, 11]),
        (slice(2, 4), [1, 2, 3]),
        (..., np.array(2.0)),
        (slice(0, 0), 1),
    ):
        x[key] = value
        expected[key] = value
        assert x.tolist() == expected.tolist()
    other = rt.asarray(np.arange(12, dtype=np.float32).reshape(4, 3))
    x[:] = other
    x[0] = other[3]
    assert x.tolist() == [other.tolist()[3], *other.tolist()[1:]]
    x[0, 0] += 1
    assert x[0, 0] == 10
    with pytest.raises(ValueError, match="cannot copy"):
        x[:2] = other


def test_overlapping_parts_are_copied_as_they_were(rt):
    x, expected = rt.asarray(np.arange(8.0), "f32"), np.arange(8, dtype=np.float32)
    for target, source in (((), ()), ((0, 7), (1, 8)), ((2, 8), (0, 6)), ((3, 3), (3, 3)), ((0, 4), (3, 7))):
        x[slice(*target or (8,))] = x[slice(*source or (8,))]
        expected[slice(*target or (8,))] = expected[slice(*source or (8,))].copy()
        assert x.tolist() == expected.tolist()
    x[:] = x
    x.memory.ndarray(6, "f32").copy_from(x[1:7])
    expected[:6] = expected[1:7].copy()
    assert x.tolist() == expected.tolist()


def test_numbers_are_converted_to_python(rt):
    data = np.arange(6, dtype=np.float32).reshape(2, 3)
    x = rt.asarray(data)
    assert x.tolist() == data.tolist()
    assert x[1:].tobytes() == data[1:].tobytes()
    assert (x.item(-1), x.item(1, 0), x[0, :1].item()) == (5.0, 3.0, 0.0)
    assert type(x.item(0)) is float
    for index, error in (((), ValueError), ((0, 0, 0), ValueError), ((6,), IndexError), ((slice(0, 1),), TypeError)):
        with pytest.raises(error):
            x.item(*index)


@pytest.mark.parametrize(
    ("shape", "elem_shape"),
    [((), ()), ((3,), ()), ((0, 2), ()), ((2000, 30), ()), ((60_000,), (2,)), ((9, 9, 9, 9), ())],
)
def test_text_has_the_values_as_numpy_prints_them(rt, shape, elem_shape):
    data = np.arange(np.prod(shape + elem_shape, dtype=int), dtype=np.float32).reshape(shape + elem_shape)
    x = rt.asarray(data, elem_shape=elem_shape)
    assert str(x) == f"{x}" == str(data)
    assert "NdArray" in repr(x)
    assert str(data).splitlines()[0].split("&")[0] in x._repr_html_()


def test_text_is_bounded_and_survives_closing(rt):
    x = rt.zeros((7,) * 6)
    with np.printoptions(threshold=10**9):
        assert len(str(x)) < 100_000
    part = x[0]
    x.close()
    assert str(x) == repr(x)
    assert str(part) == repr(part)
    assert "<pre>" not in x._repr_html_()


def test_text_of_a_mapped_array_has_its_values(rt):
    x = rt.asarray([1.0, 2.0])
    with x.map() as view:
        assert (str(x), repr(x)) == ("[1. 2.]", f"<NdArray shape=(2,) ndarray[f32, 1] on {rt.arch}>")
        view[0] = 3
    assert (str(x), str(x[:1])) == ("[3. 2.]", "[3.]")


def test_iteration_is_for_memory_of_the_host(rt):
    x = rt.asarray([[1, 2], [3, 4]])
    if rt.arch.name != "X64":
        with pytest.raises(TypeError, match=r"each item would wait .* array.to_numpy\(\)"):
            iter(x)
        with pytest.raises(BufferError, match=r"to_numpy\(\) copies"):
            x.__buffer__(0)
        return
    assert [row.tolist() for row in x] == [[1, 2], [3, 4]]
    assert 3 in x[1]
    view = x.__buffer__(0)
    view[0, 0] = 7
    assert x[0, 0] == 7
    items = iter(x[1])
    x.close()
    assert (view.tolist(), [*items]) == ([[7, 2], [3, 4]], [3, 4])


@pytest.mark.parametrize(
    ("data", "dtype"),
    [
        ([1.0, 2], "f4"),
        ([[1], [2]], "i4"),
        ([True, False], "?"),
        ([True, 2], "i4"),
        ([], "f4"),
        (2.5, "f4"),
        (range(3), "i4"),
        (np.float64(1), "f8"),
        ([np.int64(1)], "i8"),
        ([np.ones(2)], "f8"),
        (np.ones(2), "f8"),
        (memoryview(b"ab"), "u1"),
    ],
    ids=range(12),
)
def test_python_numbers_have_the_defaults_of_taichi(rt, data, dtype):
    assert rt.asarray(data).dtype == np.dtype(dtype)


def test_arrays_are_cast_only_as_stated(rt):
    x = rt.zeros(2)
    data = np.array([0.1, 2])
    for assign in (x.write, lambda value: x.__setitem__(slice(None), value)):
        with pytest.raises(TypeError, match=r"astype\('float32'\), or write\(\) it with casting='same_kind'"):
            assign(data)
    x.write(data, casting="same_kind")
    assert x.tolist() == data.astype("f4").tolist()
    with pytest.raises(ValueError, match="casting must be one of no, equiv, safe"):
        x.write(data, casting="any")
    integers = rt.zeros(2, "i32")
    with pytest.raises(TypeError, match="casting='unsafe'"):
        integers.write(data, casting="same_kind")
    integers.write(data, casting="unsafe")
    integers.write(np.array([1, 2], np.int16))
    assert integers.tolist() == [1, 2]
    with pytest.raises(TypeError, match=r"on the device; write\(other.to_numpy\(\).astype\('float32'\)\)"):
        x.copy_from(integers)


def test_classes_can_be_subscripted(rt):
    assert isinstance(NdArray[np.float32], types.GenericAlias)
    assert not hasattr(rt.zeros(1), "__dict__")


def test_other_libraries_take_arrays(rt):
    image = pytest.importorskip("PIL.Image")
    x = rt.asarray(np.arange(12, dtype=np.uint8).reshape(2, 2, 3), elem_shape=3)
    if rt.arch.name == "X64":
        assert image.fromarray(x).tobytes() == x.tobytes()
    else:
        with pytest.raises(AttributeError, match=r"to_numpy\(\) copies it"):
            image.fromarray(x)


@pytest.mark.slow
def test_pandas_and_xarray_take_arrays(rt):
    pandas, xarray = need_framework("pandas"), need_framework("xarray")
    x = rt.asarray([[1.0, 2], [3, 4]])
    assert pandas.DataFrame(x).to_numpy().tolist() == x.tolist()
    assert pandas.Series(x[0]).tolist() == [1, 2]
    assert pandas.Series(rt.asarray([1.0])).dtype == np.float32
    assert xarray.DataArray(x).to_numpy().tolist() == x.tolist()


@pytest.mark.slow
def test_scipy_and_matplotlib_take_arrays(rt):
    fft, ndimage, sparse = map(need_framework, ("scipy.fft", "scipy.ndimage", "scipy.sparse"))
    x = rt.asarray([[1.0, 2], [3, 4]])
    data = x.to_numpy()
    np.testing.assert_array_equal(fft.fft(x[0]), fft.fft(data[0]))
    np.testing.assert_array_equal(ndimage.gaussian_filter(x, 1), ndimage.gaussian_filter(data, 1))
    assert sparse.csr_array(x).toarray().tolist() == x.tolist()
    figure = pytest.importorskip("matplotlib.figure").Figure()
    axes = figure.subplots()
    assert axes.plot(x[0])[0].get_ydata().tolist() == [1, 2]
    assert axes.imshow(x).get_array().tolist() == x.tolist()
    axes.hist(x[0])
    axes.scatter(x[0], x[1])


@pytest.mark.slow
def test_numba_takes_numpy_arrays(rt):
    numba = need_framework("numba")
    x = rt.asarray([1.0, 2.0])
    assert numba.njit(lambda a: a.sum())(np.asarray(x)) == 3
    assert numba.vectorize(["f4(f4)"])(lambda a: 2 * a)(x).tolist() == [2, 4]

    @numba.njit
    def double(a):
        for i in range(len(a)):
            a[i] *= 2

    with x.map() as view:
        double(view)
    assert x.tolist() == [2, 4]


@pytest.mark.slow
def test_opencv_takes_numpy_arrays(rt):
    cv2 = need_framework("cv2")
    x = rt.asarray(np.arange(48, dtype=np.uint8).reshape(4, 4, 3), elem_shape=3)
    with pytest.raises(cv2.error, match="not a numpy array"):
        cv2.blur(x, (3, 3))
    data = x.to_numpy()
    np.testing.assert_array_equal(cv2.blur(np.asarray(x), (3, 3)), cv2.blur(data, (3, 3)))
    with x.map() as view:
        cv2.flip(data, 0, dst=view)
    assert x.tolist() == data[::-1].tolist()
