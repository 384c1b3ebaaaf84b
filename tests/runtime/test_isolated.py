"""`taichi_aot.isolated` tries a module in child processes and reports how each step ended."""

import dataclasses
import sys

import pytest
from helpers.archs import require

from taichi_aot import Arch
from taichi_aot.demo import mpm88
from taichi_aot.isolated import Outcome, Report, Step, validate


def outcomes(steps):
    return {name: step.outcome for name, step in steps.items()}


@pytest.mark.slow(but="vulkan")
def test_sound_module_passes(arch, tmp_path):
    path = tmp_path / "fluid.tcm"
    path.write_bytes(mpm88.module_bytes(arch))
    report = validate(path)
    assert report.ok, str(report)
    assert report.source == str(path)
    assert report.steps[:2] == (Step("read", Outcome.OK), Step("load", Outcome.OK))
    names = ["clear_grid", "particles_to_grid", "move_grid", "grid_to_particles"]
    assert outcomes(report.kernels) == dict.fromkeys(names, Outcome.OK)
    assert outcomes(report.graphs) == {"substep": Outcome.OK}
    assert str(report).splitlines()[0] == f"{path} ({report.arch}): ok"


@pytest.mark.slow
def test_crashes_and_timeouts_do_not_stop_other_kernels(untrusted):
    for timeout in (3, 30, 300):  # on a busy machine other steps may time out too
        report = validate(untrusted("x64"), "x64", timeout=timeout)
        if [step.outcome for step in report.steps].count(Outcome.TIMED_OUT) == 1:
            break
    assert not report.ok
    assert report.arch is Arch.X64
    assert outcomes(report.kernels) == {
        "double": Outcome.OK,
        "divide": Outcome.CRASHED,
        "flags": Outcome.OK,
        "forever": Outcome.TIMED_OUT,
    }
    assert outcomes(report.graphs) == {"twice": Outcome.OK}
    assert (
        report.kernels["divide"].message
        == "SIGFPE, usually an integer division by zero, launched with made-up arguments"
    )
    assert report.kernels["forever"].message == f"after {timeout} s"
    assert (
        "    kernel divide: crashed: SIGFPE, usually an integer division by zero, launched with made-up arguments"
        in str(report).splitlines()
    )
    assert str(report).startswith(f"{untrusted('x64')} (x64): 2 of 7 steps failed\n")


@pytest.mark.slow
def test_kernel_whose_arguments_cannot_be_passed_is_not_run(untrusted):
    require("vulkan")
    report = validate(untrusted("vulkan").read_bytes(), Arch.VULKAN)
    assert report.source == "module given as bytes"
    assert report.kernels["flags"].outcome is Outcome.NOT_RUN
    assert report.kernels["flags"].message.startswith("NotSupportedError: ")
    assert report.kernels["double"].outcome is Outcome.OK
    assert report.ok, str(report)


def test_damaged_module_is_not_loaded():
    report = validate(b"no archive")
    (step,) = report.steps
    assert (step.action, step.outcome, step.name) == ("read", Outcome.ERROR, "")
    assert step.message.startswith("CorruptedDataError: the module is not a sound .tcm archive")
    assert not report.ok
    assert report.arch is None
    assert report.kernels == report.graphs == {}


def test_module_for_another_arch_is_not_launched(untrusted):
    report = validate(untrusted("x64"), "vulkan")
    assert [(step.action, step.outcome) for step in report.steps] == [("read", Outcome.OK), ("load", Outcome.ERROR)]
    assert "IncompatibleModuleError: " in report.steps[1].message


@pytest.mark.skipif(sys.platform != "linux", reason="needs RLIMIT_AS")
def test_limit_of_the_address_space_applies(untrusted):
    report = validate(untrusted("x64"), "x64", address_space=1 << 29)
    assert report.steps[1].action == "load"
    assert report.steps[1].failed


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"source": 3}, TypeError, "a module is a path or the bytes of a .tcm archive, not int 3"),
        ({"arch": "abacus"}, ValueError, "abacus"),
        ({"timeout": 0}, ValueError, "timeout is positive and at most 1000000 s, not 0"),
        ({"timeout": float("nan")}, ValueError, "timeout is positive"),
        ({"timeout": 10**400}, ValueError, "timeout is positive"),
        ({"timeout": "3"}, TypeError, "timeout is a number of seconds, not str '3'"),
        ({"timeout": None}, TypeError, "timeout is a number of seconds, not None"),
        ({"address_space": -1}, ValueError, "address_space is 1 to 9223372036854775807 bytes, not -1"),
        ({"address_space": 2**64}, ValueError, "address_space is 1 to"),
        ({"address_space": 1.5}, TypeError, "float"),
    ],
)
def test_wrong_calls_raise(arguments, error, message):
    with pytest.raises(error, match=message):
        validate(**{"source": b"", **arguments})


def test_reports_are_immutable_values():
    step = Step("kernel", Outcome.NOT_RUN, "shade", "NotSupportedError: texture")
    assert not step.failed
    assert str(step) == "kernel shade: not run: NotSupportedError: texture"
    assert Report("a", None, (step,)) == Report("a", None, (step,))
    with pytest.raises(dataclasses.FrozenInstanceError):
        step.name = "other"


def test_isolated_is_an_attribute_of_the_package():
    import taichi_aot

    assert taichi_aot.isolated.validate is validate


def test_module_without_kernels_is_loaded(arch, modules):
    report = validate(modules / "empty.tcm")
    assert [(step.action, step.outcome) for step in report.steps] == [("read", Outcome.OK), ("load", Outcome.OK)], (
        report
    )
