"""Tools see launches, copies and waits by name, and nothing is called if no tool listens."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from helpers.archs import need
from helpers.child import run_scenario
from helpers.nvtx_tool import compile_tool, listening, read_ranges

from taichi_aot import Arch, Runtime

SWITCH = "TAICHI_AOT_LABELS"

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
  saxpy
  swap
  saxpy
  swap
copy, 32 bytes
read, 32 bytes
"""
IN_SEQUENCE = "  saxpy\n  swap\n  saxpy\n  swap\n"  # one call of the host is for all recorded launches of a sequence

LABELS = """\
buffer x
buffer y
pipeline saxpy_c80_0_0_t00
buffer arguments
saxpy
saxpy
pipeline swap_c90_0_0_t00
buffer arguments
sequence of saxpy, swap
  saxpy
  swap
sequence of saxpy, swap
  saxpy
  swap
write
write
image image
copy
read
"""

needs_cc = pytest.mark.skipif(sys.platform != "linux" or shutil.which("cc") is None, reason="needs a C compiler")


@pytest.fixture
def ranges(made_once: Any, tmp_path: Path) -> Callable[..., str]:
    """Run the scenario with a tool that listens, and return the ranges that it was told of."""

    def ranges_of(arch: Arch | str, module: Path, switch: str | None = None) -> str:
        log = tmp_path / "ranges"
        env = {SWITCH: switch, **listening(made_once.folder("profiler", compile_tool), log)}
        run_scenario("labels:show_ranges", arch, module, env=env)
        return read_ranges(log)

    return ranges_of


def without_repeats(text: str) -> str:
    return "".join(line for line, _ in groupby(text.splitlines(keepends=True)))


@needs_cc
@pytest.mark.slow(but="x64")
def test_tool_sees_ranges(arch: Arch, modules: Path, ranges: Callable[..., str]) -> None:
    found, expected = ranges(arch, modules / "basic.tcm"), RANGES
    if arch is Arch.VULKAN:  # a launch that has to wait for the device first begins again
        found, expected = without_repeats(found), without_repeats(RANGES.replace(IN_SEQUENCE, ""))
    assert found == expected


@needs_cc
@pytest.mark.slow
def test_switch_turns_ranges_off(compiled: Callable[[str], Path], ranges: Callable[..., str]) -> None:
    assert ranges("x64", compiled("x64") / "basic.tcm", "0") == ""


@pytest.mark.slow
def test_missing_tool_is_ignored(compiled: Callable[[str], Path], tmp_path: Path) -> None:
    env = {SWITCH: None, "NVTX_INJECTION64_PATH": str(tmp_path / "none.so")}
    run_scenario("labels:show_ranges", "x64", compiled("x64") / "basic.tcm", env=env)


def test_switch_must_be_0_or_1(monkeypatch: pytest.MonkeyPatch) -> None:
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
    available: tuple[Arch, ...],
    compiled: Callable[[str], Path],
    texture_folder: Path,
    switch: str | None,
    has_tool: bool,
    expected: str,
) -> None:
    pytest.importorskip("vulkan")
    if Arch.VULKAN not in available:
        need("vulkan", "no such device on this machine")
    arguments = compiled("vulkan") / "basic.tcm", texture_folder / "textures.tcm", int(has_tool)
    env = {SWITCH: switch, "NVTX_INJECTION64_PATH": None}
    assert run_scenario("labels:show_labels", *arguments, env=env).stdout == expected
