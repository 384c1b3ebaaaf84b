"""Compiling for CUDA without a GPU: a driver that answers the compiler's queries but does not run kernels.

The driver is ``cuda_driver.so`` in this folder, compiled from ``taichi_aot/_c/cuda_driver``. It has the soname that the
compiler opens. In a process that has loaded it first, the compiler finds it instead of NVIDIA's.
"""

from __future__ import annotations

import ctypes
from dataclasses import asdict, dataclass
from pathlib import Path

from ..driver._gpus import cuda_attributes

DRIVER = Path(__file__).with_name("cuda_driver.so")
VARIABLE = "TAICHI_AOT_CUDA_ATTRIBUTES"  # "NUMBER=VALUE,...", which the driver reads

# Numbers of CUdevice_attribute: only those that the compiler queries.
THREADS, MULTIPROCESSORS, MAJOR, MINOR, SHARED_MEMORY, BLOCKS, MEMORY_POOLS = 2, 16, 75, 76, 97, 106, 115
HOST_ACCESS, HOST_TABLES = 88, 100  # whether kernels can use memory of the host; Quadrants asks


@dataclass(frozen=True)
class CudaDevice:
    """The CUDA device for which code is compiled: the attributes that the compiler queries.

    The defaults are the same on every machine. Code for a lower capability runs on newer devices too.

    Attributes
    ----------
    capability : int
        Ten times the compute capability: 75 is 7.5. The compiler generates the same code from 70 on, so modules for 75
        run on all devices from 7.0 on. Below 70, it replaces atomic operations on f16 (see docs/build.md).
    multiprocessors, blocks : int
        Number of multiprocessors, and maximum number of blocks on one. The compiler writes twice their product into
        modules as the maximum number of blocks of a launch. The default is 2560 blocks: at 128 threads each, as many
        threads as the largest devices of 2025 can hold (160 multiprocessors of 2048 threads).
    threads : int
        Maximum number of threads in a block.
    shared_memory : int
        Maximum shared memory of a block in bytes.

    Raises
    ------
    ValueError
        If a value is outside the range of real devices.
    TypeError
        If a value is not an integer.

    Examples
    --------
    >>> CudaDevice(capability=86)
    CudaDevice(capability=86, multiprocessors=40, blocks=32, threads=1024, shared_memory=65536)
    """

    capability: int = 75
    multiprocessors: int = 40
    blocks: int = 32
    threads: int = 1024
    shared_memory: int = 65536

    def __post_init__(self) -> None:
        for name, value in self.values().items():
            if not isinstance(value, int) or isinstance(value, bool):
                raise TypeError(f"{name} must be an integer, not {type(value).__name__}")
            lowest, highest = RANGES[name]
            if not lowest <= value <= highest:
                raise ValueError(f"{name} must be {lowest} to {highest}, not {value}")

    def values(self) -> dict[str, int]:
        """Return the attributes by name, for the report of a build."""
        return asdict(self)


RANGES = {
    "capability": (50, 199),
    "multiprocessors": (1, 4096),
    "blocks": (1, 1024),
    "threads": (32, 65536),
    "shared_memory": (16384, 2**24),
}


def environment(device: CudaDevice | None = None) -> dict[str, str]:
    """Return the variables of a child that compiles for a CUDA device, and calls `load_driver` first."""
    device = device or CudaDevice()
    major, minor = divmod(device.capability, 10)
    attributes = {
        THREADS: device.threads,
        MULTIPROCESSORS: device.multiprocessors,
        MAJOR: major,
        MINOR: minor,
        SHARED_MEMORY: device.shared_memory,
        BLOCKS: device.blocks,
        MEMORY_POOLS: 1,
        HOST_ACCESS: 0,
        HOST_TABLES: 0,
    }
    return {VARIABLE: ",".join(f"{number}={value}" for number, value in attributes.items())}


def why_no_driver() -> str:
    """Return the reason why this installation cannot compile for CUDA; empty if it can."""
    if DRIVER.is_file():
        return ""
    return f"this installation of taichi_aot does not have {DRIVER.name}, which is built only for Linux"


def load_driver() -> ctypes.CDLL:
    """Load the driver into this process, which then cannot use another CUDA driver, and return it."""
    driver = ctypes.CDLL(str(DRIVER))
    if driver.cuInit(0) != 0:
        raise OSError(f"{VARIABLE} is not set")
    return driver


def device_here() -> CudaDevice | None:
    """Return the first CUDA device of this machine; None if it does not have one."""
    values = cuda_attributes(MAJOR, MINOR, MULTIPROCESSORS, BLOCKS, THREADS, SHARED_MEMORY)
    if not values:
        return None
    major, minor, *others = values
    return CudaDevice(10 * major + minor, *others)
