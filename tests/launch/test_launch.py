"""Launches compute correct results, and wrong calls name the argument."""

import re

import numpy as np
import pytest
from helpers.inside import launcher

from taichi_aot import NdArray, NotSupportedError, Parameter, Signature


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


def test_conversion_may_use_the_runtime(rt, module):
    ints, reals = rt.zeros(1, "i32"), rt.zeros(1)

    class Launches:
        def __float__(self):
            module.kernels["store"](3, 1.0, ints, reals)
            return float(ints.to_numpy()[0])

    module.kernels["store"](1, Launches(), ints, reals)
    assert reals.to_numpy()[0] == 3


def wrong_calls(rt):
    x = rt.zeros(4)
    return [
        ((), {}, TypeError, "missing 3 required positional arguments: 'a', 'x', and 'y'"),
        ((1.0, x), {}, TypeError, "missing 1 required positional argument: 'y'"),
        ((1.0, x, x, x), {}, TypeError, "takes 3 positional arguments but 4 were given"),
        ((1.0, x, x), {"z": x}, TypeError, "unexpected keyword argument 'z'; its parameters are 'a', 'x', 'y'"),
        ((1.0, x, x), {"y": x}, TypeError, "multiple values for argument 'y'"),
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


def test_ndarray_cannot_be_subclassed():
    with pytest.raises(TypeError, match="cannot be subclassed"):
        type("Odd", (NdArray,), {})


def test_ambiguous_llvm_parameters_are_numbered(module, arch):
    """LLVM modules store no parameter names; they come from a graph if its dispatches agree."""
    swap = [p.name for p in module.kernels["swap"].signature.parameters]
    assert swap == (["arg0", "arg1"] if arch.is_llvm else ["first", "second"])


def test_unsupported_parameter_kind_is_named(rt):
    signature = Signature("k", (Parameter("t", "argpack"),))
    made = launcher(rt, signature)
    with pytest.raises(NotSupportedError, match=r"k\(\) parameter 't': an argument pack cannot be passed"):
        made.call(1)
