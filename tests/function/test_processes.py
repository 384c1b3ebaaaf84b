"""Functions in threads, forked children, and workers of multiprocessing, concurrent.futures and joblib."""

import sys

import pytest
from helpers.child import run_in_child
from scenarios import functions
from scenarios.exiting import close_at_exit

METHODS = ["fork", "forkserver", "spawn"]


@pytest.fixture
def module(compiled, arch):
    return compiled(str(arch)) / "basic.tcm"


@pytest.mark.slow(but="x64-use_executor-spawn")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("scenario", [functions.use_pool, functions.use_executor])
def test_workers_give_right_results(scenario, method, arch, on_host, module):
    if method == "fork" and not on_host:
        pytest.skip("drivers do not survive a fork")
    run_in_child(scenario, arch, module, method)


@pytest.mark.slow(but="x64-threading")
@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_joblib_gives_right_results(backend, arch, module):
    pytest.importorskip("joblib")
    run_in_child(functions.use_joblib, arch, module, backend)


@pytest.mark.slow(but="x64-lose_a_worker")
@pytest.mark.skipif(sys.platform == "win32", reason="workers are killed by a signal")
@pytest.mark.parametrize("scenario", [functions.lose_a_worker, functions.lose_a_worker_of_joblib])
def test_killed_worker_breaks_only_its_executor(scenario, arch, module):
    if scenario is functions.lose_a_worker_of_joblib:
        pytest.importorskip("joblib")
    run_in_child(scenario, arch, module, quiet=False)


@pytest.mark.slow(but=("x64-use_threads", "x64-make_the_runtime_in_threads"))
@pytest.mark.parametrize(
    "scenario", [functions.use_threads, functions.make_the_runtime_in_threads, functions.call_a_thousand_times]
)
def test_functions_run_in_one_process(scenario, arch, module):
    run_in_child(scenario, arch, module)


@pytest.mark.slow(but=("x64-*", "vulkan-fork_after*"))
@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.parametrize(
    "scenario",
    [functions.fork_and_call, functions.fork_after_a_gpu_was_used, functions.fork_while_a_thread_makes_the_runtime],
)
def test_forked_child_has_its_own_runtime(scenario, arch, on_host, module):
    if scenario == functions.fork_after_a_gpu_was_used:
        if arch.is_cpu:
            pytest.skip("CPUs can be used in a forked child")
    elif not on_host:
        pytest.skip("drivers do not survive a fork")
    run_in_child(scenario, arch, module)


def test_default_runtime_is_closed_at_exit(arch, module):
    run_in_child(close_at_exit, arch, module)
