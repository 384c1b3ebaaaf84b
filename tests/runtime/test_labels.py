"""Tools see launches, copies and waits by name, and nothing is called if no tool listens."""

import os
import re
from itertools import groupby
from pathlib import Path

import pytest
from helpers.archs import need
from helpers.child import run_in_child
from scenarios.labels import show_labels, show_ranges

from taichi_aot import Arch, Runtime

SWITCH, TOOL = "TAICHI_AOT_LABELS", "NVTX_INJECTION64_PATH"

RANGES = """\
load basic.tcm
write, 32 bytes
fetch saxpy
saxpy
saxpy
saxpy
saxpy
saxpy
fetch twice
twice
fetch swap
sequence of saxpy, swap
copy, 32 bytes
read, 32 bytes
"""

LABELS = """\
buffer x
buffer y
pipeline saxpy_c80_0_0_t00
saxpy
saxpy
saxpy
saxpy
pipeline swap_c90_0_0_t00
sequence of saxpy, swap
  saxpy
  swap
sequence of saxpy, swap
  saxpy
  swap
write
write
image image
pipeline double_c92_0_0_t00
double
copy
read
"""

PROFILER = Path(__file__).parents[1] / "helpers" / "profiler"  # with a module nvtx that prints ranges


def ranges(arch, module, **env):
    """Return the ranges of a scenario, without the folders of modules, and waits, which depend on time."""
    path = os.pathsep.join([str(PROFILER), os.environ.get("PYTHONPATH", "")])
    found = run_in_child(show_ranges, str(arch), str(module), env={"PYTHONPATH": path, **env}, fresh=True).stdout
    return re.sub("(?<=load ).*/|^wait\n", "", found, flags=re.MULTILINE)


def without_repeats(text):
    return "".join(line for line, _ in groupby(text.splitlines(keepends=True)))


@pytest.mark.slow(but="x64")
def test_tool_sees_ranges(arch, modules):
    """A launch that has to wait for the device first begins again."""
    found = ranges(arch, modules / "basic.tcm", **{SWITCH: None, TOOL: "tool.so"})
    expected = re.sub("^fetch .*\n", "", RANGES, flags=re.MULTILINE) if arch is Arch.VULKAN else RANGES
    assert without_repeats(found) == without_repeats(expected)


@pytest.mark.slow
@pytest.mark.parametrize(("switch", "tool"), [("0", "tool.so"), (None, "")])
def test_nothing_has_ranges_without_a_tool(compiled, switch, tool):
    assert ranges("x64", compiled("x64") / "basic.tcm", **{SWITCH: switch, TOOL: tool}) == ""


@pytest.mark.slow
def test_missing_package_is_ignored(compiled):
    env = {SWITCH: None, TOOL: "tool.so"}
    run_in_child(show_ranges, "x64", str(compiled("x64") / "basic.tcm"), env=env, fresh=True)


def test_switch_must_be_0_or_1(monkeypatch):
    monkeypatch.setenv(SWITCH, "yes")
    with pytest.raises(ValueError, match="TAICHI_AOT_LABELS must be 0 or 1, not 'yes'"):
        Runtime("x64")


@pytest.mark.parametrize(
    ("switch", "has_tool", "expected"),
    [
        (None, True, LABELS),
        pytest.param("1", False, LABELS, marks=pytest.mark.slow),
        (None, False, ""),
        pytest.param("0", True, "", marks=pytest.mark.slow),
    ],
)
def test_vulkan_tools_see_labels(
    available,
    compiled,
    texture_folder,
    switch,
    has_tool,
    expected,
):
    pytest.importorskip("vulkan")
    if Arch.VULKAN not in available:
        need("vulkan", "no such device on this machine")
    arguments = compiled("vulkan") / "basic.tcm", texture_folder / "textures.tcm", int(has_tool)
    env = {SWITCH: switch, TOOL: None}
    assert run_in_child(show_labels, *map(str, arguments), env=env).stdout == expected
