"""Functions in a cluster of Dask. Each test starts worker processes, from a process of its own."""

import os

import pytest
from helpers.child import run_scenario

pytest.importorskip("distributed")

posix_only = pytest.mark.skipif(os.name != "posix", reason="kills a process by a signal of POSIX")


@pytest.fixture
def stencil(build_source):
    return build_source("stencil_kernels", "x64")


@pytest.mark.slow(but="x64")
def test_futures_delayed_calls_and_blocks_compute_what_numpy_does(arch, build_source):
    run_scenario("dask:compute", arch, build_source("stencil_kernels", arch))


@pytest.mark.slow
@posix_only
def test_result_is_right_though_a_worker_is_killed(stencil, tmp_path):
    run_scenario("dask:lose_a_worker", stencil, tmp_path / "flag")


@pytest.mark.slow
def test_workers_of_another_version_name_both(stencil):
    run_scenario("dask:meet_another_version", stencil)


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/net/unix"), reason="GPUs are chosen on Linux")
def test_workers_choose_different_gpus(stencil):
    run_scenario("dask:choose_gpus", stencil)


@pytest.mark.slow
def test_preloaded_function_says_that_a_worker_does_not_have_its_module(stencil):
    run_scenario("dask:call_without_the_module", stencil)


@pytest.mark.slow
def test_preloaded_function_is_preloaded_in_another_cluster(stencil):
    run_scenario("dask:preload_again", stencil)


def test_other_clients_are_refused(stencil):
    run_scenario("dask:refuse_other_clients", stencil)


@pytest.mark.slow
def test_memory_of_workers_stays_flat(stencil):
    run_scenario("dask:stay_flat", stencil, 2_000, timeout=300)
