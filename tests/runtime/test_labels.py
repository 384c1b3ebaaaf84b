"""Tools see launches, copies and waits by name, and nothing is called if no tool listens."""

import ctypes
import os
import re
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from helpers.archs import require
from helpers.child import run_in_child
from helpers.inside import vulkan_functions

from taichi_aot import Arch, Runtime
from taichi_aot.interop import vulkan

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


def show_ranges(arch, path):
    """Load, launch in every way, read and wait; the module nvtx prints each range."""
    with Runtime(arch) as rt:
        module = rt.load_module(path)
        x, y = rt.asarray(np.ones(8, np.float32)), rt.zeros(8, "f32")
        launch = module.kernels["saxpy"].bind(1.0, x, y)
        for _ in range(4):
            launch()
        module.kernels["saxpy"](1.0, x, y)
        module.graphs["twice"](a=1.0, x=x, y=y)
        rt.wait()
        rt.sequence([launch, module.kernels["swap"].bind(x, y)])(2)
        x.copy_from(y)
        rt.wait()
        assert len(x.to_numpy()) == 8


class Name(ctypes.Structure):
    _fields_ = (
        ("s_type", ctypes.c_int),
        ("next", ctypes.c_void_p),
        ("object_type", ctypes.c_int),
        ("handle", ctypes.c_uint64),
        ("name", ctypes.c_char_p),
    )


class Label(ctypes.Structure):
    _fields_ = (("s_type", ctypes.c_int), ("next", ctypes.c_void_p), ("name", ctypes.c_char_p))


class Tool(ctypes.Structure):
    _fields_ = (
        ("s_type", ctypes.c_int),
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char * 256),
        ("version", ctypes.c_char * 256),
        ("purposes", ctypes.c_uint32),
        ("description", ctypes.c_char * 256),
        ("layer", ctypes.c_char * 256),
    )


KINDS = {9: "buffer", 10: "image", 19: "pipeline"}


class Listener:
    """What a layer of a tool adds to an instance: it prints the names of objects and commands."""

    def __init__(self, get, *, is_there):
        self._get = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(get)
        self._is_there = is_there
        self._depth = 0
        pointer = ctypes.c_void_p
        name, label, kind = ctypes.POINTER(Name), ctypes.POINTER(Label), ctypes.CFUNCTYPE
        self._functions = {
            b"vkGetPhysicalDeviceToolPropertiesEXT": kind(ctypes.c_int, pointer, pointer, pointer)(self._tools),
            b"vkCmdBeginDebugUtilsLabelEXT": kind(None, pointer, label)(self._begin),
            b"vkCmdEndDebugUtilsLabelEXT": kind(None, pointer)(self._end),
            b"vkSetDebugUtilsObjectNameEXT": kind(ctypes.c_int, pointer, name)(self._name),
        }
        self._find = ctypes.CFUNCTYPE(pointer, pointer, ctypes.c_char_p)(self._found)
        self.address = ctypes.cast(self._find, pointer).value or 0

    def _found(self, instance, name):
        own = self._functions.get(name)
        return ctypes.cast(own, ctypes.c_void_p).value if own else self._get(instance, name)

    def _tools(self, device, count, tools):
        ctypes.c_uint32.from_address(count).value = int(self._is_there)
        if tools is not None and self._is_there:
            tool = Tool.from_address(tools)
            assert tool.s_type == 1000245000
            tool.purposes = 0x40
        return 0

    def _begin(self, commands, label):
        assert label.contents.s_type == 1000128002
        print("  " * self._depth + label.contents.name.decode())
        self._depth += 1

    def _end(self, commands):
        self._depth -= 1
        assert self._depth >= 0

    def _name(self, device, info):
        name = info.contents
        assert name.s_type == 1000128000
        assert name.handle
        print(f"{KINDS[name.object_type]} {name.name.decode()}")
        return 0


def show_labels(path, textures, is_there):
    """Launch on a device whose instance has a tool, or only the functions of one."""
    from helpers import vulkan_application as app  # which needs the package vulkan

    device = app.Device()
    listener = Listener(vulkan_functions(), is_there=is_there)
    with vulkan.import_runtime(device.info(get_instance_proc_addr=listener.address), owner=(device, listener)) as rt:
        module = rt.load_module(path)
        x, y = rt.asarray(np.ones(8, np.float32)), rt.zeros(8, "f32")
        launch = module.kernels["saxpy"].bind(1.0, x, y)
        for _ in range(4):
            launch()
        rt.sequence([launch, module.kernels["swap"].bind(x, y)])(2)
        image, other = (rt.image_from(np.ones((3, 4), np.float32)) for _ in range(2))
        rt.load_module(textures).kernels["double"](image, 2.0)
        other.copy_from(image)
        assert other.to_numpy().tolist() == [[2.0] * 4] * 3


def ranges(arch, module, **env):
    """Return the ranges of a scenario, without the folders of modules, and waits, which depend on time."""
    path = os.pathsep.join([str(PROFILER), os.environ.get("PYTHONPATH", "")])
    found = run_in_child(show_ranges, str(arch), module, env={"PYTHONPATH": path, **env}, fresh=True).stdout
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
    run_in_child(show_ranges, "x64", compiled("x64") / "basic.tcm", env=env, fresh=True)


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
def test_vulkan_tools_see_labels(compiled, texture_folder, switch, has_tool, expected):
    pytest.importorskip("vulkan")
    require("vulkan")
    arguments = compiled("vulkan") / "basic.tcm", texture_folder / "textures.tcm", has_tool
    env = {SWITCH: switch, TOOL: None}
    assert run_in_child(show_labels, *arguments, env=env).stdout == expected
