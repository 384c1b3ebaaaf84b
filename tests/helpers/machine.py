"""What the tests ask of the machine."""

from __future__ import annotations

import os

import taichi_aot
from taichi_aot import Arch


def is_on_host(arch: Arch | str) -> bool:
    """Whether the arrays of an arch are in host memory, so that views of them are not copies."""
    return any(device.kind == "cpu" for device in taichi_aot.devices() if device.arch.name == str(arch).upper())


def launches_alone(arch: Arch | str) -> bool:
    """Whether launches that are not in a sequence are made without the library too."""
    return str(arch) == "cuda" or is_on_host(arch)


def driver_opens_files(arch: Arch | str) -> bool:
    """Whether the driver of a device opens files while it is used."""
    return not is_on_host(arch) and "FAKE_CUDA_LOG" not in os.environ


def resident_bytes() -> int:
    """The resident memory of this process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
