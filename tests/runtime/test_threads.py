"""Threads share a runtime or use their own; each case in a child process."""

import pytest
from helpers.child import run_scenario


@pytest.mark.slow(but=("x64*", "vulkan-launch_in_every_way"))
@pytest.mark.slow(but=("x64-*", "vulkan-launch_one_kernel", "vulkan-wait*"))
@pytest.mark.parametrize(
    "scenario",
    [
        "launch_one_kernel",
        "begin_in_threads",
        "launch_in_every_way",
        "use_a_runtime_each",
        "allocate_and_free",
        "map_and_unmap",
        "fetch_kernels",
        "load_modules",
        "wait_while_another_launches",
        "read_while_another_launches",
    ],
)
def test_threads_share_or_own_runtimes(arch, modules, scenario):
    run_scenario(f"threads:{scenario}", arch, modules / "basic.tcm")


@pytest.mark.parametrize("scenario", ["return_to_each_thread", "read_one_result"])
def test_threads_get_their_own_return_values(arch, modules, scenario):
    run_scenario(f"threads:{scenario}", arch, modules / "returns.tcm")
