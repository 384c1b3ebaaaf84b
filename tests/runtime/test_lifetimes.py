"""Dropping and closing in every order, cycles, threads, forks, process exit; each in a child process."""

import sys

import pytest
from helpers.child import run_scenario

from taichi_aot import Arch, library_path


@pytest.mark.slow(but=("x64*", "vulkan-collect_a_cycle", "vulkan-exit_with_everything_open"))
@pytest.mark.slow(but=("x64-[!km]*", "vulkan-exit*", "vulkan-fork*", "vulkan-close*"))
@pytest.mark.parametrize(
    "scenario",
    [
        "collect_a_cycle",
        "collect_a_cycle_with_views",
        "exit_with_everything_open",
        "exit_with_a_view_of_a_closed_runtime",
        "exit_with_modules_cleared_first",
        "exit_with_a_daemon_thread_in_the_library",
        "drop_in_another_thread",
        "make_and_close_in_another_thread",
        "use_in_many_threads",
        "make_and_close_in_many_threads",
        "close_while_other_threads_use_it",
        "close_an_array_while_a_kernel_writes_to_it",
        "fork",
        "fork_while_another_thread_uses_it",
        "use_in_worker_processes",
        "fork_after_a_gpu_was_used",
        "keep_a_view_of_what_was_dropped",
        "drop_a_runtime_in_another_thread",
    ],
)
def test_lifetimes_end_cleanly(arch, modules, scenario):
    done = run_scenario(f"lifetimes:{scenario}", arch, modules / "basic.tcm")
    assert sys.platform != "linux" or "Taichi" not in done.stdout


@pytest.mark.slow(but="x64*")
@pytest.mark.scaled
@pytest.mark.parametrize(
    ("scenario", "part", "whole"), [("drop_in_every_order", 499, 97), ("close_in_every_order", 5, 1)]
)
def test_objects_can_end_in_every_order(arch, modules, scenario, part, whole, scaled):
    run_scenario(f"lifetimes:{scenario}", arch, modules / "basic.tcm", scaled(part, whole), timeout=300)


def test_cpu_runtimes_survive_many_sparse_fields(available, compiled):
    """The library in taichi's wheel crashes at the fifth of these modules."""
    if Arch.X64 not in available:
        pytest.skip("tests runtime memory on x64")
    if "_bundle" not in library_path():
        pytest.skip("only the bundled library has the fix")
    run_scenario("runtimes:load_sparse_fields", compiled("x64") / "sparse.tcm")


ITERATIONS = {"vulkan": 3_000_000, "cuda": 30_000_000}  # some tenths of a second


@pytest.mark.scaled
def test_interrupt_ends_each_wait(arch, modules, scaled):
    if arch not in ITERATIONS:
        pytest.skip("launches or waits are made by the library, in one piece")
    run_scenario("lifetimes:interrupt_waits", arch, modules / "basic.tcm", ITERATIONS[arch], scaled(4, 10))


def test_marks_are_used_again(arch, modules):
    if arch not in ITERATIONS:
        pytest.skip("launches or waits are made by the library, in one piece")
    run_scenario("lifetimes:set_many_marks", arch, modules / "basic.tcm", ITERATIONS[arch])


def test_events_can_be_freed_while_closing(arch):
    run_scenario("lifetimes:free_events_while_closing", arch)


def test_waits_end_beside_a_long_launch(available, compiled):
    if Arch.X64 not in available:
        pytest.skip("x64 is not here")
    run_scenario("lifetimes:wait_beside_a_long_launch", compiled("x64") / "basic.tcm")


def test_waits_end_after_their_timeout(arch, modules):
    if arch not in ITERATIONS:
        pytest.skip("launches or waits are made by the library, in one piece")
    run_scenario("lifetimes:wait_with_timeouts", arch, modules / "basic.tcm", 2 * ITERATIONS[arch])


@pytest.mark.scaled
def test_threads_wait_while_another_launches(arch, modules, scaled):
    run_scenario("lifetimes:wait_in_threads", arch, modules / "basic.tcm", scaled(4, 30))


@pytest.mark.slow(but="x64*")
@pytest.mark.parametrize("wait", ["wait", "to_numpy", "close"])
@pytest.mark.parametrize("launch", ["call", "bound"])
def test_interrupt_is_raised_once_a_long_call_returns(arch, modules, launch, wait):
    if arch in ITERATIONS:
        pytest.skip("the wait ends at once")
    done = run_scenario("lifetimes:interrupt_a_long_call", arch, modules / "basic.tcm", launch, wait)
    assert done.stdout == "interrupted\n"
