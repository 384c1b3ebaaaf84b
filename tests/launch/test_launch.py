"""Launches compute correct results, and wrong calls name the argument."""

import re

import numpy as np
import pytest
from helpers.inside import launcher

from taichi_aot import DataType, NdArray, NotSupportedError, Parameter, Runtime, Signature


def test_kernel_computes(rt, module):
    x, y = rt.asarray(np.arange(1024, dtype=np.float32)), rt.zeros(1024)
    saxpy = module.kernels["saxpy"]
    saxpy(2.0, x, y)
    saxpy(a=0.5, x=x, y=y)
    saxpy(1.0, x, y=y)
    rt.wait()
    assert (y.to_numpy() == 3.5 * np.arange(1024)).all()


def test_graph_computes(rt, module):
    x, y = rt.asarray(np.arange(100, dtype=np.float32)), rt.zeros(100)
    twice = module.graphs["twice"]
    twice(a=2.0, x=x, y=y)
    twice(1, x, y)
    assert (y.to_numpy() == 6 * np.arange(100)).all()


def test_kernel_writes_vector_elements(rt, module):
    v = rt.zeros((4, 5), np.float32, 3)
    module.kernels["iota"](7, v)
    result = v.to_numpy()
    assert all(result[i, j].tolist() == [7, i, j] for i in range(4) for j in range(5))


def test_launches_run_in_order_and_results_wait_for_them(rt, module):
    x, y = rt.full(1000, 1.0, "f32"), rt.zeros(1000)
    saxpy = module.kernels["saxpy"]
    for i in range(1, 101):
        saxpy(1.0, x, y)
        if i % 10 == 0:
            assert y.to_numpy()[-1] == i
    rt.flush()
    with y.map() as view:
        assert view[0] == 100
        view[:] = 0
    saxpy(3.0, x, y)
    assert y.to_numpy()[0] == 3


def test_arguments_may_be_dropped_after_the_call(rt, module):
    y = rt.zeros(100_000)
    saxpy = module.kernels["saxpy"]
    for _ in range(200):
        saxpy(1.0, rt.full(100_000, 1.0, "f32"), y)
    assert (y.to_numpy() == 200).all()


@pytest.mark.parametrize("value", [0, 1, -1, 2**31 - 1, -(2**31), True, np.int8(-3), np.uint64(9), np.array(5)])
def test_integers_are_exact(rt, module, value):
    ints, reals = rt.zeros(1, "i32"), rt.zeros(1)
    module.kernels["store"](value, 0.0, ints, reals)
    assert ints.to_numpy()[0] == int(value)


@pytest.mark.parametrize(
    "value", [0.1, -0.0, np.inf, -np.inf, 5e-45, 3.4e38, 2, True, np.float64(0.1), np.float16(0.1), np.int64(3)]
)
def test_floats_are_exact(rt, module, value):
    ints, reals = rt.zeros(1, "i32"), rt.zeros(1)
    module.kernels["store"](0, value, ints, reals)
    assert reals.to_numpy().tobytes() == np.float32(value).tobytes()


def test_nan_is_passed(rt, module):
    ints, reals = rt.zeros(1, "i32"), rt.zeros(1)
    module.kernels["store"](0, np.nan, ints, reals)
    assert np.isnan(reals.to_numpy()[0])


class Real:
    def __float__(self):
        return 2.5


class Integral:
    def __index__(self):
        return 7


def test_objects_with_float_and_index_are_converted(rt, module):
    ints, reals = rt.zeros(1, "i32"), rt.zeros(1)
    module.kernels["store"](Integral(), Real(), ints, reals)
    assert (ints.to_numpy()[0], reals.to_numpy()[0]) == (7, 2.5)


def test_conversion_may_use_the_runtime(rt, module):
    ints, reals = rt.zeros(1, "i32"), rt.zeros(1)

    class Launches:
        def __float__(self):
            module.kernels["store"](3, 1.0, ints, reals)
            return float(ints.to_numpy()[0])

    module.kernels["store"](1, Launches(), ints, reals)
    assert reals.to_numpy()[0] == 3


def wrong_calls(rt):
    x, f64 = rt.zeros(4), rt.zeros(4, "f64")
    return [
        ((), {}, TypeError, "missing 3 required positional arguments: 'a', 'x', and 'y'"),
        ((1.0, x), {}, TypeError, "missing 1 required positional argument: 'y'"),
        ((1.0, x, x, x), {}, TypeError, "takes 3 positional arguments but 4 were given"),
        ((1.0, x, x), {"z": x}, TypeError, "unexpected keyword argument 'z'; its parameters are 'a', 'x', 'y'"),
        ((1.0, x, x), {"y": x}, TypeError, "multiple values for argument 'y'"),
        (("1", x, x), {}, TypeError, "parameter 'a': expected f32, got str '1'; write float(a)"),
        ((None, x, x), {}, TypeError, "parameter 'a': expected f32, got NoneType"),
        ((1j, x, x), {}, TypeError, "parameter 'a': expected f32, got complex"),
        (([1.0], x, x), {}, TypeError, "parameter 'a': expected f32, got list"),
        (
            (np.zeros(1), x, x),
            {},
            TypeError,
            "parameter 'a': expected f32, got a numpy array of float64 with shape (1,); write a.item()",
        ),
        ((x, x, x), {}, TypeError, "parameter 'a': expected f32, got taichi_aot.NdArray; the order is "),
        ((10**400, x, x), {}, OverflowError, "parameter 'a':"),
        ((1.0, 2.0, x), {}, TypeError, "parameter 'x': expected ndarray[f32, 1], got float 2.0; the order is "),
        ((1.0, x, None), {}, TypeError, "parameter 'y': expected ndarray[f32, 1], got NoneType"),
        ((1.0, x, np.zeros(4)), {}, TypeError, "float64 with shape (4,); write y = runtime.asarray(y, 'f32'), pass it"),
        ((1.0, f64, x), {}, TypeError, "parameter 'x': expected ndarray[f32, 1], got ndarray[f64, 1]"),
        ((1.0, x, rt.zeros((2, 2))), {}, TypeError, "parameter 'y': expected ndarray[f32, 1], got ndarray[f32, 2]"),
        ((1.0, x, rt.zeros(())), {}, TypeError, "expected ndarray[f32, 1], got ndarray[f32, 0]"),
        ((1.0, x, rt.zeros(2, "f32", 2)), {}, TypeError, "got ndarray[vector(2, f32), 1]"),
    ]


@pytest.mark.parametrize("what", ["kernel", "graph"])
def test_wrong_call_names_the_argument(rt, module, what, capfd):
    launch = module.kernels["saxpy"] if what == "kernel" else module.graphs["twice"]
    for args, kwargs, error, message in wrong_calls(rt):
        with pytest.raises(error, match=re.escape(message)) as caught:
            launch(*args, **kwargs)
        assert str(caught.value).startswith(f"{launch.name}()")
    assert capfd.readouterr() == ("", "")
    x, y = rt.full(4, 1.0, "f32"), rt.zeros(4)
    launch(1.0, x, y)
    assert y.to_numpy()[0] == (1 if what == "kernel" else 2)


@pytest.mark.parametrize("value", [2**31, -(2**31) - 1, 10**30, np.int64(2**31), np.uint64(2**64 - 1)])
def test_integer_out_of_range_is_an_overflow_error(rt, module, value):
    ints, reals = rt.zeros(1, "i32"), rt.zeros(1)
    with pytest.raises(OverflowError, match=rf"store\(\) parameter '\w+': {int(value)} does not fit i32"):
        module.kernels["store"](value, 0.0, ints, reals)


@pytest.mark.parametrize("value", [1.0, np.float32(2), "1", None, [1], np.array([1])])
def test_float_for_an_integer_is_a_type_error(rt, module, value):
    ints, reals = rt.zeros(1, "i32"), rt.zeros(1)
    with pytest.raises(TypeError, match="expected i32"):
        module.kernels["store"](value, 0.0, ints, reals)


def test_arrays_of_another_runtime_are_refused(rt, module):
    x = rt.zeros(4)
    with Runtime(rt.arch) as other, pytest.raises(ValueError, match=r"parameter 'y': .* belongs to another runtime"):
        module.kernels["saxpy"](1.0, x, other.zeros(4))


def test_closed_arrays_and_modules_are_refused(rt, module):
    x, y = rt.zeros(4), rt.zeros(4)
    saxpy, twice = module.kernels["saxpy"], module.graphs["twice"]
    y.close()
    for launch in (saxpy, twice):
        with pytest.raises(ValueError, match=r"parameter 'y': the array is closed"):
            launch(1.0, x, y)
    module.close()
    module.close()
    assert module.closed
    for launch in (saxpy, twice):
        with pytest.raises(ValueError, match="its module is closed"):
            launch(1.0, x, x)
        assert "closed" in repr(launch)
    with pytest.raises(ValueError, match="closed"):
        module.kernels["iota"]


def test_kernel_keeps_its_module_alive(rt, modules):
    saxpy = rt.load_module(modules / "basic.tcm").kernels["saxpy"]
    x, y = rt.full(4, 1.0, "f32"), rt.zeros(4)
    saxpy(1.0, x, y)
    assert y.to_numpy().sum() == 4


def test_empty_arrays_can_be_launched(rt, module):
    x, y = rt.zeros(0), rt.zeros(0)
    module.kernels["saxpy"](1.0, x, y)
    rt.wait()
    assert y.to_numpy().shape == (0,)


def test_ndarray_cannot_be_subclassed():
    with pytest.raises(TypeError, match="cannot be subclassed"):
        type("Odd", (NdArray,), {})


def test_signatures_read_like_python(module):
    assert str(module.graphs["twice"].signature) == "twice(a: f32, x: ndarray[f32, 1], y: ndarray[f32, 1])"
    assert str(module.kernels["saxpy"].signature) == "saxpy(a: f32, x: ndarray[f32, 1], y: ndarray[f32, 1])"
    parameters = module.kernels["iota"].signature.parameters
    assert [p.kind for p in parameters] == ["scalar", "ndarray"]
    assert [p.dtype for p in parameters] == [DataType.I32, DataType.F32]
    assert (parameters[1].ndim, parameters[1].elem_shape) == (2, (3,))
    assert str(module.kernels["answer"].signature).endswith("-> i32")


def test_ambiguous_llvm_parameters_are_numbered(module, arch):
    """LLVM modules store no parameter names; they come from a graph if its dispatches agree."""
    swap = [p.name for p in module.kernels["swap"].signature.parameters]
    assert swap == (["arg0", "arg1"] if arch.is_llvm else ["first", "second"])


def test_unsupported_parameter_kind_is_named(rt):
    signature = Signature("k", (Parameter("t", "argpack"),))
    made = launcher(rt, signature)
    with pytest.raises(NotSupportedError, match=r"k\(\) parameter 't': an argument pack cannot be passed"):
        made.call(1)
