"""Exchanges over devices of CUDA, tested with a fake driver, without a device."""

import shutil
import sys

import pytest
from helpers.child import run_scenario
from helpers.fake_cuda import compile_driver, read_log

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="needs Linux and a C compiler"
)


FUNCTIONS = ("cuCtxSetCurrent", "cuEventCreate", "cuEventRecord", "cuMemcpyPeerAsync", "cuStreamWaitEvent")


@pytest.fixture(scope="session")
def path(build_source):
    return build_source("ptx_kernels", "cuda")


@pytest.fixture
def run(tmp_path, cuda_driver):
    """Run a scenario with two fake devices; return its output and log, which has no race."""

    def run_with(scenario, *arguments, folder=cuda_driver, quiet=True, **variables):
        log = tmp_path / "log"
        env = {"LD_LIBRARY_PATH": str(folder), "FAKE_CUDA_LOG": str(log), "FAKE_CUDA_DEVICES": "2", **variables}
        done = run_scenario(f"exchanges:{scenario}", *arguments, env=env, quiet=quiet)
        found = read_log(log)
        assert not found.races
        return done.stdout, found

    return run_with


def test_devices_copy_to_each_other(run):
    _, log = run("exchange_between_all", FAKE_CUDA_TRACE="1")
    assert "cuMemcpyPeerAsync" in log.calls
    assert "cuEventSynchronize" not in log.calls


@pytest.mark.parametrize("what", ["array", "first", "second"])
def test_exchange_names_what_is_closed(run, what):
    run("close_before_an_exchange", what)


def test_exchanges_are_in_order_with_streams(run, path):
    run("exchange_on_streams", path)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_faults_of_the_driver_do_not_change_the_result(run, name):
    run("exchange_with_faults", name, quiet=False)


def test_lost_device_ends_exchanges(run):
    assert run("lose_a_device", quiet=False)[0].split()[:2] == ["True"] * 2


def test_driver_without_peer_copies_passes_the_host(run, tmp_path):
    folder = tmp_path / "driver"
    folder.mkdir()
    run("exchange_between_all", folder=compile_driver(folder, ["cuMemcpyPeerAsync", "cuCtxEnablePeerAccess"]))


def test_threads_exchange_at_the_same_time(run, path):
    run("exchange_in_threads", path)
