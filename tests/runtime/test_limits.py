"""Where a process reaches its limits, calls raise; the library and the drivers would end the process."""

from __future__ import annotations

import sys

import pytest
from helpers.child import run_scenario

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads the address space from /proc")


@pytest.mark.parametrize("arch", ["x64", "vulkan"], indirect=True)
def test_process_at_its_limits_raises(arch, modules):
    run_scenario("limits:run_with_little", arch, modules / "basic.tcm", quiet=False)  # the library logs
