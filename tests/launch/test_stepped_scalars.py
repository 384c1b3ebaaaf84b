"""Stepped scalars belong to one run of a sequence; the launches keep their arguments."""

import time

import pytest
from helpers.child import run_scenario


@pytest.mark.parametrize("scenario", ["step_in_two_threads", "update_while_stepped"])
def test_stepped_scalars_are_safe_beside_other_threads(arch, modules, scenario):
    run_scenario(f"launch:{scenario}", arch, modules / "basic.tcm")


@pytest.mark.parametrize("ramps", [("a", (0, "a")), ((0, "a"), (2, "a")), ((1, "a"), "a")], ids=str)
def test_two_ramps_for_one_scalar_are_refused(rt, module, ramps):
    saxpy, y = module.graphs["twice"], rt.zeros(4)
    same = saxpy.bind(1.0, rt.full(4, 1.0, "f32"), y)
    sequence = rt.sequence([same, saxpy.bind(1.0, rt.zeros(4), rt.zeros(4)), same])
    with pytest.raises(ValueError, match=r"two ramps are for the scalar 'a' of <Launch of twice"):
        sequence(3, ramps=dict.fromkeys(ramps, (1, 0)))
    assert not y.to_numpy().any()


@pytest.mark.parametrize("key", ["a", (0, "a"), (1, "a")], ids=str)
def test_ramp_applies_to_every_occurrence_of_the_launch(rt, module, key):
    y = rt.zeros(4)
    launch = module.kernels["saxpy"].rename("a", "x", "y").bind(100.0, rt.full(4, 1.0, "f32"), y)
    rt.sequence([launch, launch])(3, ramps={key: (1, 1)})
    assert y.to_numpy().tolist() == [2 * (1 + 2 + 3)] * 4


def test_sequence_ends_although_the_clock_stands_still(rt, module, monkeypatch):
    y = rt.zeros(4)
    sequence = rt.sequence([module.kernels["saxpy"].bind(1.0, rt.full(4, 1.0, "f32"), y)])
    with monkeypatch.context() as patch:
        patch.setattr(time, "monotonic", lambda: 1.0)
        sequence(1000)
    assert y.to_numpy().tolist() == [1000] * 4


@pytest.mark.parametrize("ramps", [[("a", (0, 1))], "a", 5])
def test_ramps_must_be_a_mapping(rt, module, ramps):
    x = rt.zeros(4)
    sequence = rt.sequence([module.kernels["saxpy"].bind(1.0, x, x)])
    with pytest.raises(TypeError, match="ramps must be a mapping"):
        sequence(ramps=ramps)


def test_names_must_be_a_mapping(rt, modules):
    with pytest.raises(TypeError, match="names must be a mapping"):
        rt.load_module(modules / "basic.tcm", names=5)
