"""Where a process reaches its limits, calls raise; the library and the drivers would end the process."""

from __future__ import annotations

import sys

import pytest
from helpers.child import run_scenario

from taichi_aot import devices

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads the address space from /proc")


@pytest.mark.parametrize("arch", ["x64", "vulkan"], indirect=True)
def test_process_at_its_limits_raises(arch, modules):
    kind = next(device.kind for device in devices() if device.arch is arch)
    run_scenario("limits:run_with_little", arch, modules / "basic.tcm", kind, quiet=False)  # the library logs
