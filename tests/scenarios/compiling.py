"""The package's drivers, with which the compiler needs no device: their answers, and launches that fail."""

from __future__ import annotations

import ctypes
import os
import re
import warnings
from pathlib import Path

import pytest

from scenarios import END
from taichi_aot.build import _cuda, _vulkan

NO_DEVICE, INVALID_VALUE = 100, 1  # CUresult
INCOMPATIBLE_DRIVER = -9  # VkResult


def load_driver_without_attributes() -> None:
    assert ctypes.CDLL(str(_cuda.DRIVER)).cuInit(0) == NO_DEVICE
    with pytest.raises(OSError, match=_cuda.VARIABLE):
        _cuda.load_driver()


def read_attributes(*pairs: str) -> None:
    """Compare attributes with pairs NUMBER=VALUE; a VALUE of -1 stands for an unknown attribute."""
    driver = ctypes.CDLL(str(_cuda.DRIVER))
    value = ctypes.c_int()
    for pair in pairs:
        number, expected = map(int, pair.split("="))
        assert driver.cuDeviceGetAttribute(ctypes.byref(value), number, 0) == (INVALID_VALUE if expected < 0 else 0)
        assert value.value == expected, (pair, value.value)


def use_memory() -> None:
    driver = ctypes.CDLL(str(_cuda.DRIVER))
    address, size = ctypes.c_void_p(), 3 * 4096 + 17
    assert driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(0)) == INVALID_VALUE
    assert driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(2**64 - 1)) == INVALID_VALUE
    assert driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(size)) == 0
    assert ctypes.string_at(address, size) == bytes(size)
    data = (b"\x01\x02\x03" * size)[:size]
    assert driver.cuMemcpyHtoD_v2(address, data, ctypes.c_size_t(size)) == 0
    start = ctypes.c_void_p((address.value or 0) + 5)
    assert driver.cuMemsetD8_v2(start, 0, ctypes.c_size_t(size - 10)) == 0
    back = ctypes.create_string_buffer(size)
    assert driver.cuMemcpyDtoH_v2(back, address, ctypes.c_size_t(size)) == 0
    assert back.raw == data[:5] + bytes(size - 10) + data[-5:]
    assert driver.cuMemsetD8_v2(address, 7, ctypes.c_size_t(9)) == 0
    assert driver.cuMemsetD32_v2(ctypes.c_void_p((address.value or 0) + 12), 0x01020304, ctypes.c_size_t(2)) == 0
    assert ctypes.string_at(address, 9) == b"\x07" * 9
    assert ctypes.string_at((address.value or 0) + 12, 8) == b"\x04\x03\x02\x01" * 2
    assert driver.cuMemFree_v2(address) == 0
    # Unwritten pages use no memory: a device may have more than the host.
    assert driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(2**40)) == 0
    assert driver.cuMemsetD8_v2(address, 0, ctypes.c_size_t(2**40)) == 0
    assert driver.cuMemFree_v2(address) == 0


def launch_on_cuda() -> None:
    _cuda.load_driver()
    warnings.simplefilter("ignore")  # the compiler calls deprecated functions
    import taichi as ti
    from helpers.compile_modules import poke

    ti.init(arch=ti.cuda, offline_cache=False, log_level=ti.CRITICAL)
    assert ti.lang.impl.current_cfg().arch == ti.cuda
    field = ti.field(ti.f32, shape=4)
    array = ti.ndarray(ti.i32, 4)
    array.fill(7)
    message = "NOT_SUPPORTED.*compiles for CUDA without a device"
    with pytest.raises(RuntimeError, match=message):
        poke(0, array)
    with pytest.raises(RuntimeError, match=message):
        field[0]
    with pytest.raises(RuntimeError, match=message):
        field.fill(1.0)
    print(END, flush=True)
    os._exit(0)  # the compiler's cleanup would launch kernels


def look_up_symbols(log: str) -> None:
    """Look up the symbols that the loader logged during a compilation; `log` is the prefix of its files."""
    wanted = {
        name
        for path in Path(log).parent.glob(f"{Path(log).name}*")
        for name in re.findall(r"symbol=(cu[A-Z]\w*);", path.read_text(errors="replace"))
    }
    assert len(wanted) > 40, sorted(wanted)
    driver = ctypes.CDLL(str(_cuda.DRIVER))
    assert [name for name in sorted(wanted) if not hasattr(driver, name)] == []


def create_vulkan_instance(expected: str) -> None:
    driver = ctypes.CDLL(str(_vulkan.DRIVER))
    driver.vkGetInstanceProcAddr.restype = ctypes.c_void_p
    address = driver.vkGetInstanceProcAddr(None, b"vkCreateInstance")
    create = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(address)
    instance = ctypes.c_void_p()
    assert create(None, None, ctypes.addressof(instance)) == (0 if expected == "created" else INCOMPATIBLE_DRIVER)
    assert driver.vkGetInstanceProcAddr(None, b"vkCreateSwapchainKHR") is None


def launch_on_vulkan() -> None:
    _vulkan.load_driver()
    warnings.simplefilter("ignore")
    import taichi as ti
    from helpers.compile_modules import poke

    ti.init(arch=ti.vulkan, offline_cache=False)
    poke(0, ti.ndarray(ti.i32, 4))
    print("it ran", flush=True)
    os._exit(0)


def build_all(path: str) -> None:
    from taichi_aot.build import build

    source = Path(__file__).parents[1] / "build" / "kernels.py"
    result = build(source, path, archs=["cuda", "vulkan", "opengl", "gles", "metal"])
    assert len(result.modules) == 5
