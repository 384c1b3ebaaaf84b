"""Runs that a number ends on CUDA: the device checks the number. Tested with a fake driver, without a device."""

import shutil
import sys

import pytest
from helpers.child import run_scenario
from helpers.fake_cuda import compile_driver, read_log

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="needs Linux and a C compiler"
)


@pytest.fixture(scope="session")
def path(build_source):
    return build_source("ptx_kernels", "cuda")


@pytest.fixture
def run(tmp_path, cuda_driver):
    """Run a scenario; return its output and log, which must not have a race."""

    def run_with(scenario, *arguments, folder=cuda_driver, **variables):
        log = tmp_path / "log"
        env = {"LD_LIBRARY_PATH": str(folder), "FAKE_CUDA_LOG": str(log), **variables}
        name = scenario if ":" in scenario else f"cuda_until:{scenario}"
        done = run_scenario(name, *arguments, env=env, quiet=False)
        found = read_log(log)
        assert not found.races
        return done.stdout, found

    return run_with


@pytest.mark.slow(but="1")
@pytest.mark.parametrize("native", ["0", "1"])
def test_matches_a_loop_on_the_host(run, path, native):
    """With PTX, and with kernels that the library has loaded."""
    _, log = run("match_a_loop", path, TAICHI_AOT_NATIVE=native)
    assert sum(log.loops) > 200


def test_every_dtype(run, path):
    run("match_every_dtype", path)


@pytest.mark.slow
def test_extreme_numbers(run, path):
    run("read_extremes", path)


def test_runs_one_after_the_other(run, path):
    run("run_again", path)


def test_runs_beside_each_other(run, path):
    _, log = run("run_beside_others", path)
    assert log.loops


@pytest.mark.slow(but="non-blocking")
@pytest.mark.parametrize("flags", [0, 1], ids=["blocking", "non-blocking"])
def test_streams(run, path, flags):
    run("use_streams", path, flags)


def test_two_devices(run, path):
    run("use_two_devices", path, FAKE_CUDA_DEVICES="2")


def test_closing_the_number_ends_a_run(run, path):
    run("close_the_number", path)


def test_closing_the_runtime_ends_a_run(run, path):
    run("close_the_runtime", path)


def test_saved_sequence(run, path, tmp_path):
    run("save_and_load", path, tmp_path)


@pytest.mark.slow
def test_runs_leave_nothing(run, path):
    run("stay_flat", path)


@pytest.mark.slow
def test_signal_handlers_may_run_the_same_sequence(run, path):
    run("run_in_signal_handlers", path)


@pytest.mark.slow
def test_failed_check_of_a_kernel_ends_a_run(run, build_source):
    run("fail_a_check", build_source("checked_kernels", "cuda"))


BEFORE_LAUNCHES = (
    "cuModuleLoadDataEx:218",
    "cuModuleGetFunction:500",
    "cuGraphConditionalHandleCreate:801",
    "cuGraphAddNode:801",
    "cuMemHostAlloc:2",
)
LATER = ("cuMemcpyDtoHAsync_v2:1:3", "cuEventRecord:1:5", "cuMemcpyHtoDAsync_v2:1:4", "cuGraphAddKernelNode_v2:2:20")


@pytest.mark.slow(but="cuGraphAddNode:801")
@pytest.mark.parametrize("failure", [*BEFORE_LAUNCHES, *LATER])
def test_failed_call_of_the_driver_leaves_checks_to_the_host(run, path, failure):
    output, _ = run("fail", path, failure)
    first, later = output.split()
    assert failure not in BEFORE_LAUNCHES or (first, later) == ("False", "False"), "a refusal is not remembered"


@pytest.mark.parametrize("runs", ["1", "20"])
def test_runs_that_end_early_do_not_lengthen_launches(run, path, runs):
    _, log = run("end_early", path, runs)
    assert max(log.loops) <= 1024, log.loops


def test_failed_launch_is_an_error(run, path):
    run("fail_to_launch", path)


@pytest.mark.slow(but="cuGraphAddNode")
@pytest.mark.parametrize("name", ["cuGraphAddNode", "cuGraphConditionalHandleCreate"])
def test_older_drivers_leave_checks_to_the_host(run, path, tmp_path, name):
    folder = tmp_path / "driver"
    folder.mkdir()
    output, log = run("fail", path, "", folder=compile_driver(folder, [name]))
    assert output.split() == ["False", "False"]
    assert log.graphs
    assert not log.loops
