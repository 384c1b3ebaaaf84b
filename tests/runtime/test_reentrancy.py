"""Signal handlers, finalizers and owners call the library within a call; each in a child process."""

import pytest
from helpers.child import run_scenario

from taichi_aot import Arch


@pytest.mark.slow(but="*use_in_a_signal_handler*")
@pytest.mark.parametrize("scenario", ["use_in_a_signal_handler", "use_at_every_bytecode", "close_at_each_bytecode"])
def test_signal_handler_may_use_the_runtime(arch, modules, scenario):
    run_scenario(f"reentrancy:{scenario}", arch, modules / "basic.tcm")


@pytest.mark.slow
def test_finalizer_in_a_cycle_may_close(arch, modules):
    run_scenario("reentrancy:collect_at_every_bytecode", arch, modules / "basic.tcm")


def test_finalizers_may_run_at_every_allocation(arch):
    """Closing iterates over live views while garbage collections change them."""
    run_scenario("reentrancy:collect_at_every_allocation", arch)


def test_owner_may_use_the_runtime_when_it_is_freed(available):
    if Arch.X64 not in available:
        pytest.skip("only CPU archs import host memory")
    run_scenario("reentrancy:drop_an_owner_that_uses_the_runtime")
