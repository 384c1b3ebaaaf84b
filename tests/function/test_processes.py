"""Functions in threads, forked children, and workers of multiprocessing, concurrent.futures and joblib."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.child import run_scenario

from taichi_aot import Arch

METHODS = ["fork", "forkserver", "spawn"]


@pytest.fixture
def module(compiled: Callable[[str], Path], arch: Arch) -> Path:
    return compiled(str(arch)) / "basic.tcm"


@pytest.mark.slow(but="x64-use_executor-spawn")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("scenario", ["use_pool", "use_executor"])
def test_workers_give_right_results(scenario: str, method: str, arch: Arch, on_host: bool, module: Path) -> None:
    if method == "fork" and not on_host:
        pytest.skip("drivers do not survive a fork")
    run_scenario(f"functions:{scenario}", arch, module, method)


@pytest.mark.slow(but="x64-threading")
@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_joblib_gives_right_results(backend: str, arch: Arch, module: Path) -> None:
    pytest.importorskip("joblib")
    run_scenario("functions:use_joblib", arch, module, backend)


@pytest.mark.slow(but="x64-lose_a_worker")
@pytest.mark.skipif(sys.platform == "win32", reason="workers are killed by a signal")
@pytest.mark.parametrize("scenario", ["lose_a_worker", "lose_a_worker_of_joblib"])
def test_killed_worker_breaks_only_its_executor(scenario: str, arch: Arch, module: Path) -> None:
    if "joblib" in scenario:
        pytest.importorskip("joblib")
    run_scenario(f"functions:{scenario}", arch, module, quiet=False)


@pytest.mark.slow(but=("x64-use_threads", "x64-make_the_runtime_in_threads"))
@pytest.mark.parametrize("scenario", ["use_threads", "make_the_runtime_in_threads", "call_a_thousand_times"])
def test_functions_run_in_one_process(scenario: str, arch: Arch, module: Path) -> None:
    run_scenario(f"functions:{scenario}", arch, module)


@pytest.mark.slow(but=("x64-*", "vulkan-fork_after*"))
@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.parametrize(
    "scenario", ["fork_and_call", "fork_after_a_gpu_was_used", "fork_while_a_thread_makes_the_runtime"]
)
def test_forked_child_has_its_own_runtime(scenario: str, arch: Arch, on_host: bool, module: Path) -> None:
    if scenario == "fork_after_a_gpu_was_used":
        if arch.is_cpu:
            pytest.skip("CPUs can be used in a forked child")
    elif not on_host:
        pytest.skip("drivers do not survive a fork")
    run_scenario(f"functions:{scenario}", arch, module)


def test_default_runtime_is_closed_at_exit(arch: Arch, module: Path) -> None:
    run_scenario("exiting:close_at_exit", arch, module)
