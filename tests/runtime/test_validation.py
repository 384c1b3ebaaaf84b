"""Vulkan's validation layer finds nothing, nor does its synchronization validation, where it is installed.

``.ci/vulkan_layer.py`` runs other tests with it.
"""

from pathlib import Path

import pytest
from helpers.archs import on_vulkan
from helpers.child import run_in_child
from helpers.fault_operations import Objects, warm_operations
from helpers.validation_layer import LAYER, layer_variables
from scenarios.another_binding import own_a_module

from taichi_aot import Runtime

pytestmark = [on_vulkan, pytest.mark.skipif(not LAYER.exists(), reason="the validation layer is not installed")]


@pytest.fixture
def layer(tmp_path):
    """The variables that switch the layer on, in a child process."""
    return layer_variables(tmp_path, "error,warn,perf", "stdout")


def do_everything(arch, path):
    """Run all operations, of which the later ones use what the first have made, and their opposites."""
    with Runtime(arch) as rt:
        for operation in [*warm_operations(Objects(rt, path)).values()] * 3:
            operation.run()
    assert "VkLayer_khronos" in Path("/proc/self/maps").read_text()


def test_layer_is_silent(arch, basic, layer):
    assert run_in_child(do_everything, arch, basic, env=layer).stdout == ""


@pytest.mark.usefixtures("c_library")
def test_layer_is_silent_on_a_device_of_the_library(arch, modules, layer):
    done = run_in_child(own_a_module, arch, modules / "basic", env=layer, quiet=False)
    assert "VUID" not in done.stdout
