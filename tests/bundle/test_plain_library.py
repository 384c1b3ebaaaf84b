"""Described modules still load in programs that use the C library directly."""

import ctypes
import io
import zipfile
from pathlib import Path

import pytest
from helpers.archives import join
from helpers.archs import ARCHS
from helpers.child import run_in_child
from helpers.inside import c_address

import taichi_aot
from taichi_aot import Arch, capi, inspect

POINTERS = (
    "ti_create_runtime",
    "ti_load_aot_module",
    "ti_create_aot_module",
    "ti_get_aot_module_kernel",
    "ti_allocate_memory",
    "ti_map_memory",
)


NDARRAY = 2  # TI_ARGUMENT_TYPE_NDARRAY


pytestmark = pytest.mark.usefixtures("c_library")

STORAGE = 1  # TI_MEMORY_USAGE_STORAGE_BIT


COUNT = 3


class Library:
    """The functions of the library, called directly."""

    def __init__(self, path, arch):
        self._library = ctypes.CDLL(path)
        for name in POINTERS:
            getattr(self._library, name).restype = ctypes.c_void_p
        self.runtime = self.call("ti_create_runtime", ctypes.c_uint32(Arch(arch)), ctypes.c_uint32(0))

    def call(self, name, *arguments):
        result = getattr(self._library, name)(*arguments)
        message = ctypes.create_string_buffer(1000)
        error = self._library.ti_get_last_error(ctypes.byref(ctypes.c_uint64(1000)), message)
        assert error >= 0, f"{name}: {error} {message.value!r}"
        return result

    def pointer(self, name, *arguments):
        value = self.call(name, *arguments)
        assert value, f"{name} returned a null pointer"
        return ctypes.c_void_p(value)

    def array(self, argument, numbers):
        """Allocate an array with these numbers and store it in an argument; return its memory."""
        info = capi.TiMemoryAllocateInfo(4 * COUNT, host_write=True, host_read=True, usage=STORAGE)
        memory = self.pointer("ti_allocate_memory", ctypes.c_void_p(self.runtime), _address(info))
        self.numbers(memory)[:] = numbers
        argument.type = NDARRAY
        shape = capi.TiNdShape(1, [COUNT])
        argument.value.ndarray = capi.TiNdArray(capi.TiMemory(memory.value or 0), shape, elem_type=1)[0]  # f32
        return memory

    def numbers(self, memory):
        """Map an array and return its numbers; it stays mapped."""
        address = self.call("ti_map_memory", ctypes.c_void_p(self.runtime), memory)
        return (ctypes.c_float * COUNT).from_address(address)


def _address(structure):
    return ctypes.c_void_p(c_address(structure))


def launch_saxpy(library, arch, module):
    """Load a module from its path and launch its kernel."""
    _launch(c := Library(library, arch), c.pointer("ti_load_aot_module", ctypes.c_void_p(c.runtime), module.encode()))


def launch_from_memory(library, arch, module):
    """Load a module from an archive in memory and launch its kernel."""
    with open(module, "rb") as file:
        data = file.read()
    c = Library(library, arch)
    size = ctypes.c_uint64(len(data))
    _launch(c, c.pointer("ti_create_aot_module", ctypes.c_void_p(c.runtime), data, size))


def _launch(c, module):
    runtime = ctypes.c_void_p(c.runtime)
    kernel = c.pointer("ti_get_aot_module_kernel", module, b"saxpy")
    arguments = capi.ffi.new("TiArgument[]", 3)
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


@pytest.fixture(scope="session")
def bundled(compiled, tmp_path_factory):
    """The contents of a bundle: for each arch, a ``.tcm`` archive and the same module as a folder."""
    folder = tmp_path_factory.mktemp("bundled")
    archives = {Arch(arch): compiled(arch) / "basic.tcm" for arch in ARCHS}
    with zipfile.ZipFile(io.BytesIO(join(archives))) as bundle:
        bundle.extractall(folder)
    for arch in archives:
        with zipfile.ZipFile(folder / f"{arch}.tcm") as module:
            module.extractall(folder / str(arch))
    return folder


def environment():
    """The variable that leads the library to its runtime's bitcode."""
    return {"TI_LIB_DIR": str(Path(taichi_aot.library_path()).parent.parent / "runtime")}


def test_folder_is_loaded_and_launched(bundled, arch):
    assert inspect(bundled / str(arch)).kernels["saxpy"].signature.parameters[0].name == "a"
    module = bundled / str(arch)
    run_in_child(launch_saxpy, taichi_aot.library_path(), str(arch), str(module), env=environment())


@pytest.mark.parametrize("arch", ["vulkan"], indirect=True)
@pytest.mark.parametrize("function", [launch_saxpy, launch_from_memory])
def test_deflated_archive_is_loaded_and_launched(bundled, arch, function):
    """The library reads archives of SPIR-V modules only; it cannot read Taichi's LLVM archives either."""
    archive = bundled / f"{arch}.tcm"
    with zipfile.ZipFile(archive) as opened:
        assert {entry.compress_type for entry in opened.infolist()} == {zipfile.ZIP_DEFLATED}
    run_in_child(function, taichi_aot.library_path(), str(arch), str(archive), env=environment())
