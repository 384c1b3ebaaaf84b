"""Names for tools: ranges of NVTX, and labels of Vulkan."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from helpers.inside import vulkan_functions

from scenarios import ArchName
from taichi_aot import Runtime
from taichi_aot.interop import vulkan as tv


def show_ranges(arch: ArchName, path: str) -> None:
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

    def __init__(self, get: int, *, is_there: bool) -> None:
        self._get = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(get)
        self._is_there = is_there
        self._depth = 0
        pointer = ctypes.c_void_p
        name, label, kind = ctypes.POINTER(Name), ctypes.POINTER(Label), ctypes.CFUNCTYPE
        self._functions: dict[bytes, Any] = {
            b"vkGetPhysicalDeviceToolPropertiesEXT": kind(ctypes.c_int, pointer, pointer, pointer)(self._tools),
            b"vkCmdBeginDebugUtilsLabelEXT": kind(None, pointer, label)(self._begin),
            b"vkCmdEndDebugUtilsLabelEXT": kind(None, pointer)(self._end),
            b"vkSetDebugUtilsObjectNameEXT": kind(ctypes.c_int, pointer, name)(self._name),
        }
        self._find = ctypes.CFUNCTYPE(pointer, pointer, ctypes.c_char_p)(self._found)
        self.address = ctypes.cast(self._find, pointer).value or 0

    def _found(self, instance: int | None, name: bytes) -> int | None:
        own = self._functions.get(name)
        found: int | None = ctypes.cast(own, ctypes.c_void_p).value if own else self._get(instance, name)
        return found

    def _tools(self, device: int, count: int, tools: int | None) -> int:
        ctypes.c_uint32.from_address(count).value = int(self._is_there)
        if tools is not None and self._is_there:
            tool = Tool.from_address(tools)
            assert tool.s_type == 1000245000
            tool.purposes = 0x40
        return 0

    def _begin(self, commands: int, label: Any) -> None:
        assert label.contents.s_type == 1000128002
        print("  " * self._depth + label.contents.name.decode())
        self._depth += 1

    def _end(self, commands: int) -> None:
        self._depth -= 1
        assert self._depth >= 0

    def _name(self, device: int, info: Any) -> int:
        name = info.contents
        assert name.s_type == 1000128000
        assert name.handle
        print(f"{KINDS[name.object_type]} {name.name.decode()}")
        return 0


def show_labels(path: str, textures: str, is_there: str) -> None:
    """Launch on a device whose instance has a tool, or only the functions of one."""
    from helpers import vulkan_application as app  # which needs the package vulkan

    device = app.Device()
    listener = Listener(vulkan_functions(), is_there=is_there == "1")
    with tv.import_runtime(device.info(get_instance_proc_addr=listener.address), owner=(device, listener)) as rt:
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
