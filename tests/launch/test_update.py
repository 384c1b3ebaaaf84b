"""`Launch.update` is atomic, whatever other threads update or launch."""

import numpy as np
import pytest
from helpers.child import run_scenario


@pytest.mark.slow(but="x64-*")
@pytest.mark.parametrize(
    "scenario",
    [
        "update_at_each_bytecode_of_an_update",
        "update_in_a_conversion",
        "update_different_arguments_in_two_threads",
    ],
)
def test_every_update_takes_effect(arch, modules, scenario):
    run_scenario(f"launch:{scenario}", arch, modules / "basic.tcm")


def test_update_keeps_other_bound_arguments(rt, modules):
    matrix = rt.load_module(modules / "table.tcm").kernels["vector_i32"].rename("x", "out")
    first, second, values = rt.zeros(3, "i32"), rt.zeros(3, "i32"), [1, 2, 3]
    launch = matrix.bind(values, first)
    values[0] = 100  # passed by value
    launch.update(out=second)
    launch()
    assert second.to_numpy().tolist() == [1, 2, 3]
    assert not first.to_numpy().any()


def test_update_needs_an_open_runtime_and_module(rt, modules):
    module = rt.load_module(modules / "basic.tcm")
    launch = module.graphs["twice"].bind(1.0, rt.zeros(3), rt.zeros(3))
    module.close()
    with pytest.raises(ValueError, match=r"twice\(\): its module is closed"):
        launch.update(a=1.0)
    rt.close()
    with pytest.raises(ValueError, match="the runtime is closed"):
        launch.update(a=1.0)


def test_masked_array_is_refused_by_an_update(rt, modules):
    launch = rt.load_module(modules / "table.tcm").kernels["vector_f32"].rename("x", "out")
    launch = launch.bind([1, 2, 3], rt.zeros(3))
    with pytest.raises(TypeError, match=r"got a masked array of float64 with shape \(3,\); its filled\(\)"):
        launch.update(x=np.ma.array([1.0, 2, 3], mask=[0, 1, 0]))
