"""Stepped scalars belong to one run of a sequence; the launches keep their arguments."""

import gc
import sys
import threading
import time

import numpy as np
import pytest
from helpers.child import in_child
from helpers.objects import load_saxpy, wait_until_written
from helpers.threads import Background, run_together


@in_child
def test_threads_step_scalars_of_their_own(arch, basic):
    """Step scalars in two threads: each run has its own, and the launch keeps its argument."""
    rt, saxpy = load_saxpy(arch, basic)
    sys.setswitchinterval(1e-6)
    y = rt.zeros(8)
    launch = saxpy.bind(7.0, rt.full(8, 1.0, "f32"), y)
    sequence = rt.sequence([launch])

    def launch_often():
        for _ in range(100):
            launch()

    run_together(lambda: sequence(500, ramps={"a": (1, 0)}), lambda: sequence(500, ramps={"a": (0.5, 0)}), launch_often)
    assert y.to_numpy().tolist() == [500 + 250 + 700] * 8


@in_child
def test_running_sequence_takes_an_update(arch, basic):
    """Update a running sequence: it uses the new array, and the launch keeps the update."""
    rt, saxpy = load_saxpy(arch, basic)
    y, z = rt.zeros(8), rt.zeros(8)
    launch = saxpy.bind(1.0, rt.full(8, 1.0, "f32"), y)
    sequence = rt.sequence([launch])
    stop = threading.Event()

    def work():
        while not stop.is_set():
            sequence(100, ramps={"a": (2, 0)})

    thread = Background(work)
    wait_until_written(y)
    launch.update(a=5.0, y=z)
    gc.collect()
    wait_until_written(z)
    stop.set()
    thread.finish()
    before = z.to_numpy()
    assert (before % 2 == 0).all(), before
    launch()
    assert np.array_equal(z.to_numpy(), before + 5)


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


def test_names_must_be_a_mapping(rt, modules):
    with pytest.raises(TypeError, match="names must be a mapping"):
        rt.load_module(modules / "basic.tcm", names=5)
