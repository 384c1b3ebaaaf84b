"""Properties of this machine, of archs and of drivers."""

from __future__ import annotations

import os

import taichi_aot
from taichi_aot import Arch


def is_on_host(arch: Arch | str) -> bool:
    """Return whether an arch's arrays are in host memory, so that views share it."""
    return any(device.kind == "cpu" for device in taichi_aot.devices() if device.arch.name == str(arch).upper())


def has_driver_for_tests() -> bool:
    """Return whether this process uses the CUDA driver of ``cuda_driver``."""
    return "FAKE_CUDA_LOG" in os.environ


def driver_opens_files(arch: Arch | str) -> bool:
    """Return whether a device's driver opens files while in use."""
    return not is_on_host(arch) and not has_driver_for_tests()


def resident_bytes() -> int:
    """Return the resident memory of this process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
