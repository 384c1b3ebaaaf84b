"""Use fields in signal handlers, after Ctrl-C at any bytecode, and in threads; each in a child process."""

import pytest
from helpers.child import run_in_child
from scenarios.fields import interrupt_fields_at_each_bytecode, use_fields_at_every_bytecode, use_fields_in_threads


@pytest.mark.slow(but="x64-use*")
@pytest.mark.parametrize(
    "scenario", [use_fields_at_every_bytecode, interrupt_fields_at_each_bytecode, use_fields_in_threads]
)
def test_one_operation_does_not_disturb_another(arch, build_source, scenario):
    run_in_child(scenario, arch, build_source("simulation", arch))
