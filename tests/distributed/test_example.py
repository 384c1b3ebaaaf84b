"""The example of several devices runs from the command line and equals one device."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.archs import need, needs_taichi
from helpers.child import child_environment

EXAMPLE = Path(__file__).parents[2] / "examples" / "heat.py"

pytestmark = needs_taichi


def run(*arguments, status=0):
    command = [sys.executable, str(EXAMPLE), *map(str, arguments)]
    done = subprocess.run(command, env=child_environment(), capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == status, f"{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


@pytest.mark.parametrize("devices", [(), ("x64", "vulkan:0", "x64")], ids=["default", "mixed"])
def test_heat_on_several_devices_equals_one(devices, available):
    if devices and "vulkan" not in map(str, available):
        need("vulkan", "no such device on this machine")
    printed = run(*devices, "--rows", 12, "--columns", 16, "--steps", 9)
    assert re.search(rf"^{len(devices) or 2} devices, 9 steps: the mean temperature is 0\.[0-9]*[1-9]", printed, re.M)
    assert "equal to one device bit for bit: True" in printed
    assert "equal to one device bit for bit: True" in run(*devices, "--rows", 3, "--columns", 16, "--steps", 4)


def test_wrong_devices_and_sizes_are_explained():
    assert "error: " in run("x64:7", status=1)
    assert "cannot be split into 2 parts" in run("--rows", 1, status=1)
