"""CUDA: its devices, as the driver reports them. The library uses the first one.

The library cannot be queried: without a driver it returns an x64 runtime as a CUDA runtime.
"""

from __future__ import annotations

from ..values._errors import InvalidStateError
from ._library import DriverLibrary, ffi, lib
from ._variables import read_integer

VARIABLE = "TI_ENABLE_CUDA"  # read by the library
NVIDIA_MODULE = "/sys/module/nvidia/version"  # the version of NVIDIA's kernel module on Linux


def cuda_devices() -> list[tuple[str, str]]:
    """Return (name, kind) of each device that the driver shows this process; empty without CUDA."""
    if _disabled() or not _is_found_by_library():
        return []
    found: list[tuple[str, str]] = []
    buffer = ffi.new("char[]", 256)
    for index in range(lib.taichi_aot_cuda_device_count()):
        if lib.taichi_aot_cuda_device(index, buffer, len(buffer)) != 0:
            break
        found.append((ffi.string(buffer).decode(errors="replace"), "discrete"))
    return found


def cuda_attributes(*numbers: int, device_index: int = 0) -> list[int]:
    """Return attributes of a device, by their numbers in ``CUdevice_attribute``; empty without CUDA."""
    driver = _driver()
    initialize = driver.function("int (*)(unsigned int)", "cuInit")
    get_device = driver.function("int (*)(int32_t *, int)", "cuDeviceGet")
    get_attribute = driver.function("int (*)(int32_t *, int, int)", "cuDeviceGetAttribute")
    device, value = ffi.new("int32_t *"), ffi.new("int32_t *")
    if not (initialize and get_device and get_attribute) or initialize(0) != 0 or get_device(device, device_index) != 0:
        return []
    values: list[int] = []
    for number in numbers:
        if get_attribute(value, number, device[0]) != 0:
            raise InvalidStateError(f"the CUDA driver does not state attribute {number} of its device")
        values.append(int(value[0]))
    return values


def cuda_driver(index: int = 0) -> str:
    """Return the CUDA version that the driver of any device supports, and its own if the system states it."""
    version = lib.taichi_aot_cuda_version()
    text = f"CUDA {version // 1000}.{version % 1000 // 10}"
    try:
        with open(NVIDIA_MODULE, encoding="ascii", errors="replace") as file:
            return f"{text}, NVIDIA {file.read().strip()}"
    except OSError:
        return text


def has_cuda_driver() -> bool:
    """Return whether CUDA's library can be loaded, without initializing CUDA."""
    return bool(_driver())


def count_cuda_devices(_: object) -> int:
    """The number of GPUs that the driver shows this process. It initializes CUDA."""
    driver, count = _driver(), ffi.new("int32_t *")
    initialize = driver.function("int (*)(unsigned int)", "cuInit")
    count_devices = driver.function("int (*)(int32_t *)", "cuDeviceGetCount")
    if not (initialize and count_devices) or initialize(0) != 0 or count_devices(count) != 0:
        return 0
    return int(count[0])


def _driver() -> DriverLibrary:
    return DriverLibrary("libcuda.so.1", "nvcuda.dll")


def why_no_cuda() -> str:
    """Return the reason why CUDA has no device."""
    if _disabled():
        return f"{VARIABLE}=0 turns it off"
    if not has_cuda_driver():
        return "the driver's library (libcuda.so.1, nvcuda.dll) cannot be loaded: install NVIDIA's driver"
    if not _is_found_by_library():
        return (
            "the Taichi C-API library looks for libcuda.so, and only libcuda.so.1 is found: "
            "make a link to it of that name in a folder of LD_LIBRARY_PATH"
        )
    return "the driver does not report a device: see nvidia-smi, and CUDA_VISIBLE_DEVICES"


def _is_found_by_library() -> bool:
    """Return whether the library finds the driver: if not, it takes the CPU for CUDA, and later aborts the process."""
    return bool(DriverLibrary("libcuda.so", "nvcuda.dll"))


def _disabled() -> bool:
    return read_integer(VARIABLE) == 0
