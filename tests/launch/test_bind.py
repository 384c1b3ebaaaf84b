"""Arguments that kernels and `bind` accept, parameter names, and the functions compiled for a kernel."""

import copy
import gc
import linecache
import pickle
import sys
import traceback

import numpy as np
import pytest
from helpers.inside import launcher

from taichi_aot import DataType, Kernel, Launch, LaunchSequence, Parameter, Runtime, Signature, object_counts


@pytest.fixture
def saxpy(module):
    return module.kernels["saxpy"].rename("a", "x", "y")


# Names.


def test_parameter_may_be_called_self(rt, saxpy):
    kernel, x, y = saxpy.rename("self", "args", "repeat"), rt.full(4, 1.0, "f32"), rt.zeros(4)
    kernel(self=1.0, args=x, repeat=y)
    launch = kernel.bind(self=2.0, repeat=y, args=x)
    launch()
    launch.update(self=3.0)
    rt.sequence([launch])(2, ramps={"self": (10, 1)})
    launch()
    assert y.to_numpy().tolist() == [1 + 2 + 21 + 3] * 4


@pytest.mark.parametrize(
    "names",
    [
        ("ﬁ", "fi"),
        ("class", "x"),
        ("__debug__", "x"),
        ("a b", "x"),
        ("", "x"),
        ("None", "x"),
        ("x", "x"),
        ("ｉｆ", "x"),  # noqa: RUF001
        ("1a", "x"),
    ],
    ids=ascii,
)
def test_invalid_python_names_become_positional_names(rt, names):
    signature = Signature("k", tuple(Parameter(name, "scalar", DataType.F32) for name in names))
    made = launcher(rt, signature)
    assert made.check(arg1=2.0, arg0=1.0) == (1.0, 2.0)
    with pytest.raises(TypeError, match=r"k\(\) missing 1 required positional argument: 'arg1'"):
        made.call(1.0)


def test_names_are_compared_as_python_compares_them(rt, saxpy):
    kernel, x, y = saxpy.rename("ﬁ", "x", "y"), rt.full(4, 1.0, "f32"), rt.zeros(4)
    kernel.bind(ﬁ=2.0, x=x, y=y)()
    assert y.to_numpy().tolist() == [2] * 4


# Arrays of the same bytes.


@pytest.mark.parametrize("what", ["kernel", "graph"])
def test_numbers_accept_vectors_of_one(rt, module, what):
    target = module.kernels["saxpy"] if what == "kernel" else module.graphs["twice"]
    target = target if what == "graph" else target.rename("a", "x", "y")
    x, y = rt.full(4, 1.0, "f32", (1,)), rt.zeros(4, "f32", (1, 1))
    target(1.0, x, y)
    launch = target.bind(1.0, x, y)
    launch()
    launch.update(x=rt.full(4, 10.0, "f32", 1))
    launch()
    assert y.to_numpy().ravel().tolist() == [12 if what == "kernel" else 24] * 4
    y.close()
    for use in (launch, lambda: target(1.0, x, y), lambda: launch.update(y=y)):
        with pytest.raises(ValueError, match=r"parameter 'y': the array is closed"):
            use()


@pytest.mark.parametrize("elem_shape", [(3, 1), (1, 3)])
@pytest.mark.parametrize("name", ["array_of_vectors_f32", "graph_array_of_vectors_f32"])
def test_vectors_accept_one_row_or_column_matrices(rt, modules, name, elem_shape):
    table = rt.load_module(modules / "table.tcm")
    target = table.graphs[name] if name.startswith("graph") else table.kernels[name]
    data = np.arange(60, dtype=np.float32)
    x, out = rt.asarray(data.reshape(20, *elem_shape), elem_shape=elem_shape), rt.zeros(20, "f32", 3)
    target(x, out)
    assert out.to_numpy().ravel().tolist() == data.tolist()
    with pytest.raises(TypeError, match=r"expected ndarray\[vector\(3, f32\), 1\], got ndarray\[vector\(2, f32\), 1\]"):
        target(rt.zeros(20, "f32", 2), out)
    with pytest.raises(TypeError, match=r"got ndarray\[f32, 2\]"):
        target(rt.zeros((20, 3)), out)


# Numbers.


class Integral:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class Liar(int):
    """An integer that always compares as in range, and whose ``repr`` raises."""

    def __le__(self, other):
        return True

    __ge__ = __le__

    def __repr__(self):
        raise ZeroDivisionError


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (Integral(2**31), OverflowError, "2147483648 does not fit i32"),
        (Integral(10**5000), OverflowError, "an integer of 16610 bits does not fit i32"),
        (Integral(1.5), TypeError, "expected i32, got"),
        (Liar(2**40), OverflowError, "1099511627776 does not fit i32"),
        (np.timedelta64(3, "s"), TypeError, "expected i32, got numpy.timedelta64"),
        (np.ma.masked, TypeError, "expected i32, got a masked array"),
        (np.array([1], object), TypeError, "expected i32, got a numpy array of object"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_hostile_integers_raise_clear_errors(rt, module, value, error, message):
    store = module.kernels["store"].rename("value", "real", "ints", "reals")
    ints, reals = rt.zeros(1, "i32"), rt.zeros(1)
    launch = store.bind(0, 0.0, ints, reals)
    for use in (lambda: store(value, 0.0, ints, reals), lambda: launch.update(value=value)):
        with pytest.raises(error, match=rf"store\(\) parameter 'value': .*{message}"):
            use()
    store(Liar(3), 0.0, ints, reals)
    assert ints.to_numpy()[0] == 3


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (10**5000, OverflowError, "an integer of 16610 bits does not fit f32"),
        (np.timedelta64(3, "s"), TypeError, "expected f32, got numpy.timedelta64"),
        (
            np.ma.array(1.0, mask=True),
            TypeError,
            r"got a masked array of float64 with shape \(\); its filled\(\) method",
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_hostile_reals_raise_clear_errors(rt, module, value, error, message):
    with pytest.raises(error, match=rf"saxpy\(\) parameter '\w+': .*{message}"):
        module.kernels["saxpy"](value, rt.zeros(1), rt.zeros(1))


# Compiled functions.


def sources():
    return [name for name in linecache.cache if name.startswith("<taichi_aot ")]


class Failing:
    def __float__(self):
        raise ZeroDivisionError


def test_traceback_shows_the_generated_source(rt, saxpy):
    saxpy.bind(1.0, rt.zeros(1), rt.zeros(1))
    with pytest.raises(ZeroDivisionError) as caught:
        saxpy(Failing(), rt.zeros(1), rt.zeros(1))
    frames = traceback.extract_tb(caught.tb)
    (frame,) = (frame for frame in frames if frame.filename.startswith("<taichi_aot launch of saxpy>"[:-1]))
    assert "check0(a)" in frame.line
    assert frames[-1].name == "__float__"


@pytest.mark.skipif(
    sys.version_info < (3, 11), reason="Python 3.10 keeps the frames of an exception that is raised again"
)
@pytest.mark.parametrize(
    "call",
    [
        lambda saxpy, x: saxpy("1", x, x),
        lambda saxpy, x: saxpy(1.0, x),
        lambda saxpy, x: saxpy(1.0, x, x, z=1),
        lambda saxpy, x: saxpy.bind(1.0, x, 3),
        lambda saxpy, x: saxpy.bind(1.0, x, x).update(x=None),
        lambda saxpy, x: x.runtime.sequence([saxpy.bind(1.0, x, x)])(-1),
        lambda saxpy, x: x.runtime.sequence([saxpy.bind(1.0, x, x)]).until(x, below=1)(1, ramps={"b": (0, 1)}),
    ],
    ids=range(7),
)
def test_wrong_call_is_raised_in_the_line_of_the_caller(rt, saxpy, call):
    with pytest.raises((TypeError, ValueError)) as caught:
        call(saxpy, rt.zeros(1))
    assert traceback.extract_tb(caught.tb)[-1].filename == __file__


@pytest.mark.slow(but="x64")
def test_dropped_kernel_leaves_nothing_behind(arch, modules):
    """Reference counts must free a kernel: a cycle would keep the runtime until the next garbage collection."""
    gc.collect()
    gc.disable()
    try:
        counts, before = object_counts(), sources()
        rt = Runtime(arch)
        kernel = rt.load_module(modules / "basic.tcm").kernels["saxpy"].rename("a", "x", "y")
        other = kernel.rename("b", "x", "y")
        x = rt.zeros(4)
        for target in (kernel, other):
            target(1.0, x, x)
            launch = target.bind(1.0, x, x)
            launch.update(x=x)
            rt.sequence([launch])(2, ramps={target.signature.parameters[0].name: (1, 1)})
        assert len(sources()) > len(before) + 3
        del rt, kernel, other, x, target, launch
        assert object_counts() == counts
        assert sources() == before
    finally:
        gc.enable()


# Launch objects.


def test_only_the_package_creates_launch_objects(rt, module, saxpy):
    launch = saxpy.bind(1.0, rt.zeros(4), rt.zeros(4))
    for thing in (saxpy, module.graphs["twice"], launch, rt.sequence([launch])):
        for attempt in (type(thing), thing.__init__, copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError):
                attempt(thing)
    for cls in (Kernel, Launch, LaunchSequence):
        thing = cls.__new__(cls)
        with pytest.raises(AttributeError):
            thing()
        with pytest.raises(AttributeError):
            repr(thing)
    launch()
