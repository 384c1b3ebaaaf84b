"""Where a C call fails, its operation raises or logs, leaks nothing, launches nothing twice, and works again."""

import pytest
from helpers.child import run_in_child
from scenarios.faults import (
    count_calls_behind_launches,
    count_submissions,
    count_submissions_of_sequences,
    count_wide_barriers,
    fail_first,
    fail_waiting_launches,
    fail_warm,
)

from taichi_aot import Arch


@pytest.fixture
def run(arch, modules, fault_library):
    """Run a scenario with that library; return the number of faults."""

    def run_with(scenario, *arguments):
        # Carried modules for CUDA have PTX, which needs no call of the library.
        env = {"TAICHI_C_API_INSTALL_DIR": str(fault_library), "TAICHI_AOT_NATIVE": "0"}
        out = run_in_child(scenario, str(arch), modules / "basic.tcm", *arguments, env=env).stdout
        return int(out.split()[-2])

    return run_with


def test_failed_call_leaves_everything_usable(run):
    assert run(fail_warm) > 10


@pytest.mark.slow(but="x64")
@pytest.mark.scaled
def test_failed_first_call_leaves_everything_usable(run, scaled):
    assert run(fail_first, scaled(2, 1000)) > 5


@pytest.mark.parametrize(
    "scenario",
    [
        fail_waiting_launches,
        count_submissions,
        count_submissions_of_sequences,
        count_calls_behind_launches,
        count_wide_barriers,
    ],
)
def test_launches_that_wait(arch, modules, fault_library, scenario):
    if arch is not Arch.VULKAN:
        pytest.skip("only on Vulkan do launches wait for others")
    run_in_child(scenario, modules / "basic.tcm", env={"TAICHI_C_API_INSTALL_DIR": str(fault_library)})
