"""The C library without the package's checks and rewriting, as C++ programs use it."""

from __future__ import annotations

import ctypes
from typing import Any

from helpers.inside import c_address

from scenarios import ArchName
from taichi_aot import Arch, capi

POINTERS = (
    "ti_create_runtime",
    "ti_load_aot_module",
    "ti_create_aot_module",
    "ti_get_aot_module_kernel",
    "ti_allocate_memory",
    "ti_map_memory",
)
NDARRAY = 2  # TI_ARGUMENT_TYPE_NDARRAY
STORAGE = 1  # TI_MEMORY_USAGE_STORAGE_BIT
COUNT = 3


class Library:
    """The functions of the library, called directly."""

    def __init__(self, path: str, arch: ArchName) -> None:
        self._library = ctypes.CDLL(path)
        for name in POINTERS:
            getattr(self._library, name).restype = ctypes.c_void_p
        self.runtime = self.call("ti_create_runtime", ctypes.c_uint32(Arch(arch)), ctypes.c_uint32(0))

    def call(self, name: str, *arguments: Any) -> Any:
        result = getattr(self._library, name)(*arguments)
        message = ctypes.create_string_buffer(1000)
        error = self._library.ti_get_last_error(ctypes.byref(ctypes.c_uint64(1000)), message)
        assert error >= 0, f"{name}: {error} {message.value!r}"
        return result

    def pointer(self, name: str, *arguments: Any) -> ctypes.c_void_p:
        value = self.call(name, *arguments)
        assert value, f"{name} returned a null pointer"
        return ctypes.c_void_p(value)

    def array(self, argument: Any, numbers: list[float]) -> ctypes.c_void_p:
        """Allocate an array with these numbers and store it in an argument; return its memory."""
        info = capi.TiMemoryAllocateInfo(4 * COUNT, host_write=True, host_read=True, usage=STORAGE)
        memory = self.pointer("ti_allocate_memory", ctypes.c_void_p(self.runtime), _address(info))
        self.numbers(memory)[:] = numbers
        argument.type = NDARRAY
        shape = capi.TiNdShape(1, [COUNT])
        argument.value.ndarray = capi.TiNdArray(capi.TiMemory(memory.value or 0), shape, elem_type=1)  # f32
        return memory

    def numbers(self, memory: ctypes.c_void_p) -> Any:
        """Map an array and return its numbers; it stays mapped."""
        address = self.call("ti_map_memory", ctypes.c_void_p(self.runtime), memory)
        return (ctypes.c_float * COUNT).from_address(address)


def _address(structure: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(c_address(structure))


def launch_saxpy(library: str, arch: ArchName, module: str) -> None:
    """Load a module from its path and launch its kernel."""
    _launch(c := Library(library, arch), c.pointer("ti_load_aot_module", ctypes.c_void_p(c.runtime), module.encode()))


def launch_from_memory(library: str, arch: ArchName, module: str) -> None:
    """Load a module from an archive in memory and launch its kernel."""
    with open(module, "rb") as file:
        data = file.read()
    c = Library(library, arch)
    size = ctypes.c_uint64(len(data))
    _launch(c, c.pointer("ti_create_aot_module", ctypes.c_void_p(c.runtime), data, size))


def _launch(c: Library, module: ctypes.c_void_p) -> None:
    runtime = ctypes.c_void_p(c.runtime)
    kernel = c.pointer("ti_get_aot_module_kernel", module, b"saxpy")
    arguments = capi.TiArgument.array(3)
    arguments[0].type, arguments[0].value.f32 = 1, 2.0
    x, y = c.array(arguments[1], [1, 2, 3]), c.array(arguments[2], [0, 0, 1])
    c.call("ti_unmap_memory", runtime, x)
    c.call("ti_unmap_memory", runtime, y)
    c.call("ti_launch_kernel", runtime, kernel, ctypes.c_uint32(3), _address(arguments))
    c.call("ti_wait", runtime)
    assert list(c.numbers(y)) == [2, 4, 7]
    c.call("ti_unmap_memory", runtime, y)
    c.call("ti_destroy_aot_module", module)
    c.call("ti_destroy_runtime", runtime)
