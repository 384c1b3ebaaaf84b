"""Ctrl-C at any bytecode leaves either nothing done or something recorded."""

import pytest
from helpers.child import run_scenario


@pytest.mark.parametrize(
    "which",
    [
        "light",
        "load_module",
        "runtime",
    ],
)
def test_interrupted_call_is_recorded_or_undone(arch, modules, which):
    run_scenario("interruption:interrupt_at_each_bytecode", arch, modules / "basic.tcm", which, timeout=20)


def test_interrupted_update_keeps_what_it_launches(arch, modules):
    run_scenario("interruption:interrupt_an_update", arch, modules / "basic.tcm", timeout=20)
