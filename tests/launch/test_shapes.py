"""Stated shapes are checked by calls, bind, update, graphs and sequences."""

import re

import numpy as np
import pytest
from helpers import archives

from taichi_aot import CorruptedDataError, DataType, NameNotFoundError, Parameter, Signature, inspect, isolated

NAMES = {
    "saxpy": ["a", "x", "y"],
    "iota": ["start", "v"],
    "spin": ["count", "out"],
    "store": ["value", "real", "ints", "reals"],
}
SHAPES = {
    "saxpy": {"x": "n", "y": "n"},
    "twice": {"x": "n", "y": "n"},
    "iota": {"v": ("n", 3)},
    "spin": {"out": "count"},
    "store": {"ints": 4, "reals": ["value"]},
}


def same(*sizes):
    return re.escape(f"x has n={sizes[0]:,}, y has n={sizes[1]:,}") + "$"


@pytest.fixture
def stated(rt, modules):
    return rt.load_module(modules / "basic.tcm", names=NAMES, shapes=SHAPES)


@pytest.fixture(params=["saxpy", "twice"])
def saxpy(request, stated):
    """A kernel and a graph with the same parameters and shapes."""
    return stated.kernels["saxpy"] if request.param == "saxpy" else stated.graphs["twice"]


def test_signature_states_the_shapes(stated, saxpy):
    arrays = "x: ndarray[f32, 1, shape=(n,)], y: ndarray[f32, 1, shape=(n,)]"
    assert str(saxpy.signature) == f"{saxpy.name}(a: f32, {arrays})"
    assert stated.info.to_dict()["kernels"]["iota"]["parameters"][1]["shape"] == ["n", 3]


def test_other_shape_is_refused_by_a_call(rt, saxpy):
    y = rt.zeros(50_000)
    with pytest.raises(ValueError, match=rf"{saxpy.name}\(\): {same(10, 50_000)}"):
        saxpy(2.0, rt.full(10, 1.0), y)
    with pytest.raises(ValueError, match=same(0, 50_000)):
        saxpy(a=2.0, y=y, x=rt.zeros(0))
    assert not y.to_numpy().any()


def test_update_is_compared_with_the_other_arguments(rt, saxpy):
    x, y = rt.full(4, 1.0), rt.zeros(4)
    launch = saxpy.bind(1.0, x, y)
    for change in ({"x": rt.zeros(3)}, {"x": rt.zeros(3), "a": 7.0}):
        with pytest.raises(ValueError, match=same(3, 4)):
            launch.update(**change)
    with pytest.raises(ValueError, match=same(4, 3)):
        launch.update(y=rt.zeros(3))
    launch()
    once = y.to_numpy()
    assert set(once) == {1.0 if saxpy.name == "saxpy" else 2.0}
    longer = rt.zeros(9)
    launch.update(y=longer, x=rt.full(9, 1.0))
    launch()
    assert set(longer.to_numpy()) == set(once)
    assert (y.to_numpy() == once).all()
    launch.update(x=rt.full(9, 2.0))
    launch.update(a=3.0)


def test_stated_number_must_match(rt, stated):
    iota = stated.kernels["iota"]
    iota(0, rt.zeros((10, 3), "f32", 3))  # the element shape does not count
    error = re.escape("iota(): v has shape (10, 4), its second dimension must be 3")
    with pytest.raises(ValueError, match=error):
        iota(0, rt.zeros((10, 4), "f32", 3))
    launch = iota.bind(0, rt.zeros((10, 3), "f32", 3))
    with pytest.raises(ValueError, match=error):
        launch.update(v=rt.zeros((10, 4), "f32", 3))
    with pytest.raises(ValueError, match=r"ints has shape \(5,\), its first dimension must be 4"):
        stated.kernels["store"](2, 1.0, rt.zeros(5, "i32"), rt.zeros(2))


def test_scalar_may_be_a_size(rt, stated):
    spin = stated.kernels["spin"]
    out = rt.full(3, -1, "i32")
    spin(np.int8(3), out)
    assert -1 not in out.to_numpy()
    error = re.escape("spin(): count is 1,000, out has count=3")
    with pytest.raises(ValueError, match=error):
        spin(1000, out)
    launch = spin.bind(3, out)
    with pytest.raises(ValueError, match=error):
        launch.update(count=1000)
    with pytest.raises(ValueError, match="count is 3, out has count=7"):
        launch.update(out=rt.zeros(7, "i32"))
    launch.update(count=7, out=rt.zeros(7, "i32"))
    launch()


def test_scalar_that_is_a_size_is_not_stepped(rt, stated):
    sequence = rt.sequence([stated.kernels["spin"].bind(3, rt.zeros(3, "i32"))])
    with pytest.raises(ValueError, match=r"spin\(\): 'count' is the size of an array, which a ramp cannot step"):
        sequence(5, ramps={"count": (3, 0)})
    sequence(5)


def test_wrong_type_is_reported_before_the_shape(rt, saxpy):
    with pytest.raises(TypeError, match="parameter 'y': expected"):
        saxpy(1.0, rt.zeros(3), rt.zeros(4, "i32"))


def test_vectors_of_one_have_the_shape_of_their_array(rt, modules):
    kernels = rt.load_module(modules / "kinds.tcm", names={"vectors_of_one": ["x", "out"]}).kernels
    signature = kernels["vectors_of_one"].signature
    shapes = {signature.name: {"x": "n", "out": "n"}}
    kernel = rt.load_module(modules / "kinds.tcm", names={"vectors_of_one": ["x", "out"]}, shapes=shapes).kernels
    kernel["vectors_of_one"](rt.full(3, 2.0), rt.zeros(3, "f32", 1))
    with pytest.raises(ValueError, match="x has n=3, out has n=4"):
        kernel["vectors_of_one"](rt.full(3, 2.0), rt.zeros(4, "f32", 1))


def test_rename_keeps_the_shapes(rt, stated):
    renamed = stated.kernels["spin"].rename("rounds", "target")
    assert str(renamed.signature) == "spin(rounds: i32, target: ndarray[i32, 1, shape=(rounds,)])"
    with pytest.raises(ValueError, match="rounds is 2, target has rounds=3"):
        renamed(2, rt.zeros(3, "i32"))
    with pytest.raises(ValueError, match="'n' cannot name a parameter: it is a size in the shapes of"):
        stated.kernels["saxpy"].rename("n", "x", "y")


def test_shapes_of_one_load_do_not_change_another(rt, modules, stated):
    plain = rt.load_module(modules / "basic.tcm", names=NAMES)
    plain.kernels["saxpy"](1.0, rt.zeros(5), rt.zeros(4))
    with pytest.raises(ValueError, match=same(5, 4)):
        stated.kernels["saxpy"](1.0, rt.zeros(5), rt.zeros(4))


def test_made_up_arguments_have_the_stated_shapes(rt, stated):
    for kernel in (stated.kernels["saxpy"], stated.kernels["iota"], stated.kernels["spin"], stated.graphs["twice"]):
        kernel.bind(*isolated.make_arguments(rt, kernel.signature, elements=64))


# Shapes that can be stated.

ARRAY = Parameter("m", "ndarray", DataType.F32, 2, elem_shape=(3,))
SIGNATURE = Signature("k", (Parameter("count", "scalar", DataType.U64), Parameter("a", "scalar", DataType.F32), ARRAY))


@pytest.mark.parametrize(
    ("stated", "shape"),
    [
        (("n", 3), ("n", 3)),
        (["n", "n"], ("n", "n")),
        ((0, 2**31 - 1), (0, 2**31 - 1)),
        (("count", np.int64(2)), ("count", 2)),
        (("ﬁ", "größe"), ("fi", "größe")),
    ],
)
def test_shape_can_be_stated(stated, shape):
    assert SIGNATURE.with_shapes({"m": stated}).parameters[2] == ARRAY._replace(shape=shape)


@pytest.mark.parametrize(
    ("shapes", "error", "message"),
    [
        ([("m", "n")], TypeError, "k: shapes must be a mapping of parameters to shapes, not list"),
        (
            {"m": "n"},
            ValueError,
            r"the shape of 'm' is stated with 1 dimension, \('n',\); it is ndarray\[vector\(3, f32",
        ),
        ({"m": ("n", 3, 4)}, ValueError, "stated with 3 dimensions"),
        ({"m": ("n", 1.5)}, TypeError, "a size must be an integer, not float 1.5"),
        ({"m": ("n", None)}, TypeError, "a size must be an integer, not NoneType"),
        ({"m": ("n", -1)}, ValueError, r"a size must be in 0...2\^31 - 1, not -1"),
        ({"m": ("n", 2**31)}, ValueError, "a size must be in"),
        ({"m": ("n", "2 * n")}, ValueError, r"'2 \* n' is neither a number nor an identifier"),
        ({"m": ("n", "class")}, ValueError, "'class' is neither"),
        ({"m": ("n", "")}, ValueError, "'' is neither"),
        ({"m": ("n", "a")}, ValueError, "'a' is the parameter a: f32, which is not an integer"),
        ({"m": ("n", "m")}, ValueError, "'m' is the parameter m: ndarray"),
        ({"count": "n"}, ValueError, "a shape is stated for 'count'; its ndarrays are 'm'"),
        ({"x": "n"}, ValueError, "a shape is stated for 'x'; its ndarrays are 'm'"),
        ({1: "n"}, ValueError, "a shape is stated for 1"),
        ({"m": {"n"}}, ValueError, "stated with 1 dimension"),
    ],
    ids=str,
)
def test_invalid_shape_cannot_be_stated(shapes, error, message):
    with pytest.raises(error, match=message):
        SIGNATURE.with_shapes(shapes)


def test_same_symbol_relates_axes_of_one_array(rt, modules):
    module = rt.load_module(modules / "basic.tcm", NAMES, {"iota": {"v": ("n", "n")}})
    module.kernels["iota"](0, rt.zeros((4, 4), "f32", 3))
    with pytest.raises(ValueError, match=r"v has shape \(4, 3\), its first and second dimensions must be equal \(n\)"):
        module.kernels["iota"](0, rt.zeros((4, 3), "f32", 3))


@pytest.mark.parametrize(
    ("shapes", "error", "message"),
    [
        ({"saxpi": {"x": "n"}}, NameNotFoundError, "shapes are given for 'saxpi', which is not a kernel or graph"),
        ({"twice": {"z": "n"}}, ValueError, "twice: a shape is stated for 'z'; its ndarrays are 'x', 'y'"),
        ({"saxpy": "n"}, TypeError, "saxpy: shapes must be a mapping"),
        ([1], TypeError, "shapes must be a mapping of kernels and graphs to shapes, not list"),
    ],
    ids=str,
)
def test_shapes_must_match_the_module(rt, modules, shapes, error, message):
    with pytest.raises(error, match=message):
        rt.load_module(modules / "basic.tcm", shapes=shapes)


def test_error_suggests_names_for_unnamed_parameters(rt, modules):
    stated = rt.load_module(modules / "basic.tcm").kernels["saxpy"].signature.parameters[1].name
    error = "saxpy: a shape is stated for 'first'; its ndarrays are "
    hint = r"; load_module\(names={'saxpy': \[...\]}\) names them"
    with pytest.raises(ValueError, match=error + ("'arg1', 'arg2'" + hint if stated == "arg1" else "'x', 'y'$")):
        rt.load_module(modules / "basic.tcm", shapes={"saxpy": {"first": "n"}})


@pytest.mark.parametrize(
    ("shapes", "graph", "expected"),
    [
        ({"saxpy": {"x": "n", "y": "n"}}, "twice", ["n", "n"]),
        ({"saxpy": {"x": "n", "y": 7}}, "twice", ["n", 7]),
        ({"saxpy": {"x": "n"}}, "twice", ["n", None]),
        ({"swap": {"first": "a", "second": "b"}}, "both", ["a", "b"]),  # two sizes, dispatched in both orders
        ({"swap": {"first": "a", "second": 5}}, "both", [5, 5]),
        ({"swap": {"first": "x", "second": "y"}, "both": {"x": "k"}}, "both", ["k", None]),  # its own names come first
        ({"swap": {"first": "x"}}, "both", ["x2", "x3"]),  # the graph's parameters have these names
    ],
    ids=str,
)
def test_graph_has_the_shapes_of_its_kernels(rt, modules, shapes, graph, expected):
    names = NAMES | {"swap": ["first", "second"]}
    signature = rt.load_module(modules / "basic.tcm", names, shapes).graphs[graph].signature
    found = [parameter.shape for parameter in signature.parameters if parameter.kind == "ndarray"]
    assert found == [() if size is None else (size,) for size in expected]


def test_contradicting_kernels_of_a_graph_are_an_error(rt, modules):
    shapes = {"swap": {"first": 3, "second": 4000}}
    with pytest.raises(ValueError, match="graph 'both': its kernels require 3 and 4,000 for a dimension of 'x'"):
        rt.load_module(modules / "basic.tcm", NAMES | {"swap": ["first", "second"]}, shapes)


def described(modules, **shapes):
    """Make the module ``basic`` with a description that states shapes for saxpy."""
    stated = {name: {"shape": shape} for name, shape in shapes.items()}
    return archives.described(modules / "basic.tcm", "saxpy", **stated)


def test_shapes_of_a_description_are_checked(rt, modules):
    module = rt.load_module(described(modules, x=("n",), y=("n",)))
    for launch in (module.kernels["saxpy"], module.graphs["twice"]):
        launch(1.0, rt.zeros(4), rt.zeros(4))
        with pytest.raises(ValueError, match=rf"{launch.name}\(\): {same(3, 4)}"):
            launch(1.0, rt.zeros(3), rt.zeros(4))


@pytest.mark.parametrize("symbol", ["a", "x", "y"])
def test_described_symbol_must_be_an_integer(modules, symbol):
    with pytest.raises(
        CorruptedDataError, match=f"has shapes that contradict it: saxpy: .*'{symbol}' is the parameter"
    ):
        inspect(described(modules, y=(symbol,)))


@pytest.mark.parametrize("name", ["saxpy", "twice"])
@pytest.mark.parametrize("shape", [5, "m"])
def test_shape_of_the_module_cannot_be_replaced(rt, modules, name, shape):
    """It once could, and the sizes of the two arrays were no longer compared."""
    message = rf"{name}: the shape of 'x' is \('n',\), as the module states, and cannot be replaced by \({shape!r},\)"
    with pytest.raises(ValueError, match=message):
        rt.load_module(described(modules, x=("n",), y=("n",)), shapes={name: {"x": shape}})


def test_shapes_can_be_added_to_the_modules(rt, modules):
    module = rt.load_module(described(modules, x=("n",)), shapes={"saxpy": {"y": "n"}})
    for item in (module.kernels["saxpy"], module.graphs["twice"]):
        with pytest.raises(ValueError, match=same(5, 6)):
            item(1.0, rt.zeros(5), rt.zeros(6))
