"""PTX and two devices on CUDA: tested with a fake driver, without a device."""

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
    """Run a scenario with two fake devices; return its output and log, which must not have a race."""

    def run_with(scenario, *arguments, folder=cuda_driver, quiet=True, **variables):
        log = tmp_path / "log"
        env = {"LD_LIBRARY_PATH": str(folder), "FAKE_CUDA_LOG": str(log), "FAKE_CUDA_DEVICES": "2", **variables}
        done = run_scenario(f"cuda_devices:{scenario}", *arguments, env=env, quiet=quiet)
        found = read_log(log)
        assert not found.races
        return done.stdout, found

    return run_with


def test_ptx_needs_no_library(run, path):
    run("launch_without_the_library", path)


@pytest.mark.parametrize("flags", [0, 1], ids=["blocking", "non-blocking"])
def test_ptx_is_in_order_with_the_library(run, path, flags):
    _, log = run("mix_with_the_library", path, flags)
    assert {kernel.name.split("_")[0] for kernel in log.kernels} == {"saxpy", "show"}


def test_two_devices_live_together(run, path):
    _, log = run("use_two_devices", path, FAKE_CUDA_TRACE="1")
    assert log.calls.count("cuMemcpyPeerAsync") == 202
    assert log.calls.count("cuCtxEnablePeerAccess") == 2


def test_second_device_has_no_library(run, path):
    run("need_the_library", path)


@pytest.mark.parametrize("variable", ["TAICHI_AOT_NATIVE", "TAICHI_AOT_CUDA_RECORDING"])
def test_ptx_can_be_switched_off(run, path, variable):
    assert run("switch_off", path, **{variable: "0"})[0].split() == ["True"]


def test_streams_belong_to_a_device(run, path):
    run("use_streams", path)


@pytest.mark.parametrize("failure", ["cuEventRecord:1:1", "cuEventQuery:1"])
def test_driver_waits_if_there_is_no_mark(run, path, failure):
    _, log = run("wait_without_the_library", path, failure, FAKE_CUDA_TRACE="1")
    assert "cuStreamSynchronize" in log.calls


@pytest.mark.parametrize("failure", ["kernel:700", "cuEventRecord:700", "cuEventQuery:719", "cuEventQuery:700:1"])
def test_wait_reports_a_lost_device(run, path, failure):
    assert run("wait_without_the_library", path, failure, quiet=False)[0] == "lost\n"


FAULTS = (
    "cuMemcpyPeerAsync:1",
    "cuMemcpyPeerAsync:801",
    "cuCtxEnablePeerAccess:217",
    "cuEventCreate:2:1",
    "cuEventCreate:2:2",
    "cuEventRecord:1:2",
    "cuStreamWaitEvent:1:1",
    "cuStreamWaitEvent:1:2",
)


@pytest.mark.parametrize("failure", FAULTS)
def test_failed_copy_passes_the_host(run, failure):
    run("copy_with_faults", failure)


def test_driver_without_peer_copies_passes_the_host(run, tmp_path):
    folder = tmp_path / "driver"
    folder.mkdir()
    run("copy_with_faults", "", folder=compile_driver(folder, ["cuMemcpyPeerAsync", "cuCtxEnablePeerAccess"]))


def test_lost_device_fails_copies(run):
    assert run("lose_a_device", quiet=False)[0].split() == ["DeviceLostError"] * 2


def test_fault_loses_one_device(run, path):
    run("lose_one_device", path, quiet=False)


def test_copies_in_both_directions_end(run):
    run("copy_in_threads")


def test_refused_ptx_is_compiled_by_the_library(run, path):
    run("refuse_ptx", path)


@pytest.fixture(scope="session")
def plain(build_source):
    return build_source("plain_kernels", "cuda")


def test_random_numbers_need_no_library(run, path):
    run("draw_random_numbers", path)


def test_code_that_nothing_uses_is_unloaded(run, plain):
    run("unload_modules", plain)


@pytest.mark.parametrize("rounds", [400, pytest.param(10_000, marks=pytest.mark.slow)])
def test_modules_that_are_dropped_keep_nothing(run, plain, rounds):
    run("load_again_and_again", plain, rounds)


def test_module_that_the_library_has_loaded_stays(run, plain):
    run("keep_what_the_library_has_loaded", plain)


def test_closed_runtime_unloads_its_code(run, path):
    run("close_runtimes", path)
