"""Functions in a Dask cluster. Each test starts its workers from a separate process."""

import os

import pytest
from helpers.child import run_in_child
from helpers.frameworks import need_framework

pytest.importorskip("dask")

from scenarios.dask import (
    call_without_the_module,
    choose_gpus,
    compute,
    compute_by_xarray,
    lose_a_worker,
    lose_a_worker_between_steps,
    preload_again,
    refuse_another_version,
    refuse_other_clients,
    stay_flat,
)

posix_only = pytest.mark.skipif(os.name != "posix", reason="kills a process with a POSIX signal")


@pytest.fixture
def stencil(build_source):
    return build_source("stencil_kernels", "x64")


@pytest.mark.slow(but="x64")
def test_futures_delayed_calls_and_blocks_match_numpy(arch, build_source):
    run_in_child(compute, arch, build_source("stencil_kernels", arch))


@pytest.mark.slow
@posix_only
def test_result_survives_a_killed_worker(stencil, tmp_path):
    run_in_child(lose_a_worker, stencil, tmp_path / "flag")


@posix_only
def test_steps_survive_a_killed_worker(stencil, tmp_path):
    run_in_child(lose_a_worker_between_steps, stencil, tmp_path / "flag")


def test_xarray_of_blocks_matches_numpy(stencil):
    need_framework("xarray")
    run_in_child(compute_by_xarray, stencil)


linux_only = pytest.mark.skipif(not os.path.exists("/proc/net/unix"), reason="GPUs are assigned on Linux only")


@pytest.mark.slow
@pytest.mark.parametrize(
    "scenario",
    [
        pytest.param(choose_gpus, marks=linux_only),
        refuse_another_version,
        call_without_the_module,
        preload_again,
        refuse_other_clients,
    ],
)
def test_workers_of_a_cluster(stencil, scenario):
    run_in_child(scenario, stencil)


@pytest.mark.slow
def test_memory_of_workers_stays_flat(stencil):
    run_in_child(stay_flat, stencil, 2_000, timeout=300)
