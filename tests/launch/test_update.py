"""`Launch.update` is atomic, whatever other threads update or launch."""

import gc
import sys

import numpy as np
import pytest
from helpers.child import in_child
from helpers.objects import load_saxpy
from helpers.threads import run_together
from helpers.tracing import at_each_bytecode


@pytest.mark.slow(but="x64")
@in_child
def test_update_at_each_bytecode_of_an_update_takes_effect(arch, basic):
    """Update within an update: both take effect and keep their arrays alive."""
    rt, saxpy = load_saxpy(arch, basic)
    sys.unraisablehook = lambda _: None
    y = rt.zeros(8)
    launch = saxpy.bind(0.0, rt.zeros(8), y)
    launch.update(a=1.0)
    value = 1
    fresh = [rt.full(8, value, "f32") for _ in range(2)]  # the first is for counting bytecodes

    def update_y():
        nonlocal y
        y = rt.zeros(8)
        launch.update(y=y)

    for _ in at_each_bytecode(lambda: launch.update(x=fresh.pop()), update_y, at_most=100):
        gc.collect()
        rt.full(8, 1000.0, "f32")  # would reuse the memory of a freed array
        y.fill(0)
        launch()
        assert y.to_numpy().tolist() == [value] * 8, (value, y.to_numpy())
        value += 1
        fresh.append(rt.full(8, value, "f32"))
    assert value > 20


@in_child
def test_update_in_a_conversion_takes_effect(arch, basic):
    rt, saxpy = load_saxpy(arch, basic)
    y, z = rt.zeros(8), rt.zeros(8)
    launch = saxpy.bind(1.0, rt.full(8, 1.0, "f32"), y)

    class Updates:
        def __float__(self):
            launch.update(y=z)
            return 3.0

    launch.update(a=Updates())
    launch()
    assert (y.to_numpy()[0], z.to_numpy()[0]) == (0, 3)


@pytest.mark.slow(but="x64")
@in_child
def test_updates_of_different_arguments_in_two_threads_take_effect(arch, basic):
    """Update different arguments in two threads: neither undoes the other's update."""
    rt, saxpy = load_saxpy(arch, basic)
    sys.setswitchinterval(1e-6)
    launch = saxpy.bind(0.0, rt.zeros(8), rt.zeros(8))

    def update_a():
        for i in range(2001):
            launch.update(a=float(i))

    def update_x():
        for i in range(201):
            launch.update(x=rt.full(8, i, "f32"))

    run_together(update_a, update_x)
    y = rt.zeros(8)
    launch.update(y=y)
    launch()
    assert y.to_numpy().tolist() == [2000 * 200] * 8


def test_update_keeps_other_bound_arguments(rt, modules):
    matrix = rt.load_module(modules / "table.tcm").kernels["vector_i32"].rename("x", "out")
    first, second, values = rt.zeros(3, "i32"), rt.zeros(3, "i32"), [1, 2, 3]
    launch = matrix.bind(values, first)
    values[0] = 100  # passed by value
    launch.update(out=second)
    launch()
    assert second.to_numpy().tolist() == [1, 2, 3]
    assert not first.to_numpy().any()


def test_masked_array_is_refused_by_an_update(rt, modules):
    launch = rt.load_module(modules / "table.tcm").kernels["vector_f32"].rename("x", "out")
    launch = launch.bind([1, 2, 3], rt.zeros(3))
    with pytest.raises(TypeError, match=r"got a masked array of float64 with shape \(3,\); its filled\(\)"):
        launch.update(x=np.ma.array([1.0, 2, 3], mask=[0, 1, 0]))
