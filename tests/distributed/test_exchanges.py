"""Exchanges over devices of CUDA, tested with a fake driver, without a device."""

import shutil
import sys

import pytest
from helpers.child import run_scenario
from helpers.fake_cuda import compile_driver, read_log

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="needs Linux and a C compiler"
)


FUNCTIONS = (
    "cuCtxSetCurrent",
    "cuEventCreate",
    "cuEventRecord",
    "cuMemcpyAsync",
    "cuMemcpyPeerAsync",
    "cuStreamCreate",
    "cuStreamWaitEvent",
)


@pytest.fixture(scope="session")
def path(build_source):
    return build_source("ptx_kernels", "cuda")


@pytest.fixture
def run(tmp_path, cuda_driver):
    """Run a scenario with two fake devices; return its output and log, which has a race only if one is expected."""

    def run_with(scenario, *arguments, folder=cuda_driver, quiet=True, may_race=False, **variables):
        log = tmp_path / "log"
        env = {"LD_LIBRARY_PATH": str(folder), "FAKE_CUDA_LOG": str(log), "FAKE_CUDA_DEVICES": "2", **variables}
        done = run_scenario(f"exchanges:{scenario}", *arguments, env=env, quiet=quiet)
        found = read_log(log)
        assert not found.races or may_race
        return done.stdout, found

    return run_with


def test_exchange_is_one_call(run):
    _, log = run("exchange_in_one_call", FAKE_CUDA_TRACE="1")
    assert "cuMemcpyPeerAsync" in log.calls
    assert "cuEventSynchronize" not in log.calls


def test_launches_run_beside_the_copies(run, path):
    assert not run("overlap_with_launches", path, 1)[1].races
    assert run("overlap_with_launches", path, 0, may_race=True)[1].races


@pytest.mark.parametrize("how", ["close", "drop"])
def test_freed_memory_is_used_after_the_copies(run, path, how):
    run("reuse_memory", path, how)


@pytest.mark.parametrize("what", ["array", "first", "second"])
def test_exchange_survives_what_is_closed(run, what):
    run("close_during_an_exchange", what)


def test_streams_are_kept_for_later_runtimes(run):
    run("reopen")


def test_exchanges_are_in_order_with_streams(run, path):
    run("exchange_on_streams", path)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_faults_of_the_driver_do_not_change_the_result(run, name):
    run("exchange_with_faults", name, quiet=False)


@pytest.mark.parametrize("when", ["now", "later"])
def test_lost_device_ends_exchanges(run, when):
    assert run("lose_a_device", when, quiet=False)[0].split()[:2] == ["True"] * 2


def test_driver_without_peer_copies_passes_the_host(run, tmp_path):
    folder = tmp_path / "driver"
    folder.mkdir()
    without = compile_driver(folder, ["cuMemcpyPeerAsync", "cuCtxEnablePeerAccess"])
    run("reopen", folder=without)


def test_exchanges_keep_nothing(run):
    run("stay_flat", 2000)


@pytest.mark.slow
def test_many_exchanges_keep_nothing(run):
    run("stay_flat", 100_000)


def test_threads_exchange_at_the_same_time(run, path):
    run("exchange_in_threads", path)


def test_driver_without_asynchronous_copies_passes_the_host(run, path, tmp_path):
    folder = tmp_path / "driver"
    folder.mkdir()
    run("exchange_in_threads", path, folder=compile_driver(folder, ["cuMemcpyAsync"]))
