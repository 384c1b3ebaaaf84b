"""Kernels and graphs pass arguments of every kind and dtype bit for bit."""

from contextlib import suppress

import numpy as np
import pytest
from helpers.child import in_child
from helpers.extremes import EXTREMES
from helpers.liars import make_liar

from taichi_aot import NotSupportedError, Runtime

SHAPES = {"vector": (3,), "matrix": (2, 3), "array_of_vectors": (3,), "array_of_matrices": (2, 3)}


@pytest.fixture
def table(rt, modules):
    return rt.load_module(modules / "table.tcm")


def refuses_u1(rt, kind, dtype):
    """Return whether u1 is refused: on SPIR-V, Taichi's own code for it computes garbage or crashes."""
    return dtype == "u1" and not rt.arch.is_llvm


def both(table, kind, dtype):
    return table.kernels[f"{kind}_{dtype}"], table.graphs[f"graph_{kind}_{dtype}"]


@pytest.mark.parametrize("dtype", EXTREMES)
def test_scalars_are_passed_bit_for_bit(rt, table, dtype):
    values = EXTREMES[dtype]
    for launch in both(table, "scalar", dtype):
        out = rt.zeros(1, dtype)
        if refuses_u1(rt, "scalar", dtype):
            with pytest.raises(NotSupportedError, match="u1"):
                launch(True, out)
            continue
        for value in values:
            for given in (value, value.item(), np.array(value)):
                out.fill(0)
                launch(given, out)
                got = out.to_numpy()
                if given is not value and np.isnan(float(value)) and dtype != "f64":
                    assert np.isnan(got[0])  # a Python float cannot hold this NaN payload
                else:
                    assert got.tobytes() == value.tobytes(), (launch.name, given, got)


@pytest.mark.parametrize("dtype", EXTREMES)
@pytest.mark.parametrize("kind", ["vector", "matrix"])
def test_vectors_and_matrices_are_passed_bit_for_bit(rt, table, kind, dtype):
    values, shape = EXTREMES[dtype], SHAPES[kind]
    for launch in both(table, kind, dtype):
        out = rt.zeros(6, dtype)
        if refuses_u1(rt, kind, dtype):
            with pytest.raises(NotSupportedError, match="u1"):
                launch(np.ones(shape, bool), out)
            continue
        for start in range(len(values)):
            data = np.take(values, np.arange(start, start + np.prod(shape)), mode="wrap").reshape(shape)
            strided = np.repeat(data, 2, axis=-1)[..., ::2]
            for given in (data, strided, np.asfortranarray(data)):
                launch(given, out)
                assert out.to_numpy()[: data.size].tobytes() == data.tobytes(), (launch.name, given)
            launch(data.tolist(), out)
            assert np.array_equal(out.to_numpy()[: data.size], data.ravel(), equal_nan=dtype[0] == "f")


@pytest.mark.parametrize("dtype", EXTREMES)
@pytest.mark.parametrize("kind", ["array", "array_of_vectors", "array_of_matrices"])
def test_ndarrays_are_passed_bit_for_bit(rt, table, kind, dtype):
    elem_shape = SHAPES.get(kind, ())
    data = np.take(EXTREMES[dtype], np.arange(20 * int(np.prod(elem_shape, dtype=int))), mode="wrap")
    data = data.reshape(20, *elem_shape)
    for launch in both(table, kind, dtype):
        x, out = rt.asarray(data, elem_shape=elem_shape), rt.zeros(20, dtype, elem_shape)
        if refuses_u1(rt, kind, dtype):
            with pytest.raises(NotSupportedError, match="four elements of an ndarray of u1"):
                launch(x, out)
            continue
        launch(x, out)
        assert out.to_numpy().tobytes() == data.tobytes()
        empty = rt.zeros(0, dtype, elem_shape)
        launch(empty, empty)
        rt.wait()


def test_small_arguments_can_end_the_block(rt, modules):
    edges = rt.load_module(modules / "edges.tcm")
    out = rt.zeros(8, "i32")
    edges.kernels["small_last"](out, -3, [1, 255, 7])
    assert out.to_numpy()[:4].tolist() == [-3, 1, 255, 7]
    edges.kernels["small_mixed"](-128, out, True, -300, 200)
    assert out.to_numpy()[:4].tolist() == [-128, 1, -300, 200]
    for value in (0, 1):
        edges.kernels["flags"](value, out)
        assert out.to_numpy()[0] == value


def test_arguments_may_exceed_32_words(rt, modules):
    edges = rt.load_module(modules / "edges.tcm")
    m = np.random.default_rng(5).random((5, 5))
    column = np.array([[1], [-2], [2**40]])
    for launch in (edges.kernels["large"], edges.graphs["graph_large"]):
        for form in (column, column.ravel(), column.tolist()):
            out = rt.zeros(29, "f64")
            launch(m, out, form, 2**63)
            result = out.to_numpy()
            assert result[:25].tobytes() == m.tobytes()
            assert result[25:].tolist() == [1, -2, 2**40, 2**63]


@pytest.mark.parametrize("dtype", [name for name in EXTREMES if name[0] in "iu"])
def test_integer_out_of_range_is_an_overflow_error(rt, table, dtype):
    launches = [launch for kind in ("scalar", "vector") for launch in both(table, kind, dtype)]
    if refuses_u1(rt, "scalar", dtype):
        pytest.skip("every value is refused")
    low, high = (0, 1) if dtype == "u1" else (int(EXTREMES[dtype].min()), int(EXTREMES[dtype].max()))
    out = rt.zeros(6, dtype)
    for value in (low - 1, high + 1, 10**30, -(10**30)):
        for launch in launches:
            given = value if "scalar" in launch.name else [0, value, 0]
            with pytest.raises(OverflowError, match=f"parameter '[xa]\\w*': {value} does not fit {dtype}"):
                launch(given, out)
    for launch in launches:
        given = 1.0 if "scalar" in launch.name else [0, 1.0, 0]
        with pytest.raises(TypeError, match=r"expected .*, got float"):
            launch(given, out)


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (1.0, TypeError, r"expected matrix\(2, 3, f32\), got float 1.0"),
        (None, TypeError, "got NoneType"),
        ("abcdef", TypeError, "got str 'abcdef'"),
        (np.float32(1), TypeError, "got numpy.float32"),
        ([1, 2, 3], ValueError, r"expected matrix\(2, 3, f32\), got shape \(3,\)"),
        (np.zeros((3, 2)), ValueError, r"got shape \(3, 2\)"),
        (np.zeros(5), ValueError, r"got shape \(5,\)"),
        ([[1, 2, 3], [4, 5]], ValueError, r"got shape \(2,\)"),
        ([[1, 2, 3], 4], ValueError, r"got shape \(2,\)"),
        ([[1, 2, 3], [4, 5, "6"]], TypeError, "got str '6' in it"),
        ([[1, 2, 3], [4, 5, None]], TypeError, "got NoneType in it"),
        ([[1, 2, 3], [4, 5, 10**400]], OverflowError, "does not fit f32"),
        (np.zeros((2, 3), complex), TypeError, "complex128 in it"),
    ],
    ids=str,
)
def test_wrong_matrix_error_names_the_argument(rt, table, value, error, message):
    out = rt.zeros(6)
    for launch in both(table, "matrix", "f32"):
        with pytest.raises(error, match=message):
            launch(value, out)


def test_graph_takes_a_flat_vector_for_a_matrix(rt, table):
    """As Taichi's graphs do; its kernels do not."""
    graph, kernel = table.graphs["graph_matrix_f32"], table.kernels["matrix_f32"]
    out, numbers = rt.zeros(6), np.arange(6, dtype=np.float32)
    launch = graph.bind(np.eye(2, 3), out)
    for given in (numbers, numbers.tolist(), numbers.reshape(6, 1)):
        graph(given, out)
        assert out.to_numpy().tolist() == numbers.tolist()
        graph(np.zeros((2, 3)), out)
        graph.bind(given, out)()
        assert out.to_numpy().tolist() == numbers.tolist()
        launch.update(x=given)
        launch()
        assert out.to_numpy().tolist() == numbers.tolist()
        for call in (kernel, kernel.bind):
            with pytest.raises(ValueError, match=r"expected matrix\(2, 3, f32\), got shape \(6,"):
                call(given, out)
    with pytest.raises(ValueError, match=r"expected vector\(3, f32\), got shape \(6,\)"):
        table.graphs["graph_vector_f32"](numbers, out)


def test_numbers_of_other_types_are_converted(rt, table):
    out = rt.zeros(6)
    for launch in both(table, "matrix", "f32"):
        for dtype in (np.float64, np.float16, np.int8, np.uint64, np.bool_):
            launch(np.ones((2, 3), dtype), out)
            assert out.to_numpy().tolist() == [1] * 6
        launch([[1, 2.5, np.float32(3)], (4, np.int8(5), True)], out)
        assert out.to_numpy().tolist() == [1, 2.5, 3, 4, 5, 1]
    halves = rt.zeros(1, "f16")
    for launch in both(table, "scalar", "f16"):
        launch(1e10, halves)
        assert halves.to_numpy()[0] == np.inf
        launch(0.1, halves)
        assert halves.to_numpy()[0] == np.float16(0.1)


def test_parameters_can_be_renamed(rt, modules):
    path = modules / "basic.tcm"
    ints, reals = rt.zeros(1, "i32"), rt.zeros(1)
    store = rt.load_module(path).kernels["store"].rename("n", "r", "ints", "reals")
    assert str(store.signature) == "store(n: i32, r: f32, ints: ndarray[i32, 1], reals: ndarray[f32, 1])"
    store(n=5, r=0.5, ints=ints, reals=reals)
    assert (ints.to_numpy()[0], reals.to_numpy()[0]) == (5, 0.5)
    module = rt.load_module(path, names={"store": ["a", "b", "c", "d"]})
    module.kernels["store"](a=6, b=0.25, c=ints, d=reals)
    assert (ints.to_numpy()[0], reals.to_numpy()[0]) == (6, 0.25)
    assert [p.name for p in module.info.kernels["store"].signature.parameters] == ["a", "b", "c", "d"]
    for bad in (["a"], ["a", "b", "c", "c"], ["a", "b", "c", "d e"]):
        with pytest.raises(ValueError, match=r"parameters, not 1|occurs twice|cannot name"):
            store.rename(*bad)
    with pytest.raises(KeyError, match="'stare'"):
        rt.load_module(path, names={"stare": []})


def test_awkward_parameter_names_work(rt, modules):
    saxpy = rt.load_module(modules / "basic.tcm").kernels["saxpy"]
    x, y = rt.full(2, 1.0, "f32"), rt.zeros(2)
    for names in (("_", "__", "_runtime"), ("call", "runtime", "block"), ("self", "args", "é"), ("kwargs", "x", "y")):
        saxpy.rename(*names)(1.0, x, y)
    assert y.to_numpy()[0] == 4


@in_child
def test_vectors_are_read_from_the_array_itself(arch, modules):
    """Pass arrays with wrong descriptions: the kernel gets the array's numbers, or the call raises."""
    rt = Runtime(arch)
    kernel = rt.load_module(f"{modules}/table.tcm").kernels["vector_f32"]
    out = rt.zeros(100)
    right = np.array([1, 2, 3], np.float32)
    cases = [
        (right, {"tobytes": lambda *_: b"\xff" * 12}),
        (right, {"tobytes": lambda *_: b"\xff" * 1000}),
        (right, {"tobytes": lambda *_: b""}),
        (right, {"astype": lambda *_, **__: np.full(1000, 7, np.float32)}),
        (np.arange(1, 9, dtype=np.float32), {"shape": (3,)}),
        (np.array([1, 2, 3], np.int8), {"dtype": np.dtype(np.float32)}),
        (right, {"nbytes": 4000, "size": 1000}),
    ]
    for data, lies in cases:
        with suppress(TypeError, ValueError):
            kernel(make_liar(data, **lies), out)
            assert out.to_numpy()[:3].tolist() == [1, 2, 3], lies
