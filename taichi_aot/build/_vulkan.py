"""Compiling for Vulkan, OpenGL, GLES and Metal without a device: a Vulkan library that does not run kernels.

It is ``vulkan_driver.so`` in this folder, compiled from ``taichi_aot/_c/vulkan_driver``. The compiler finds it by its
soname in a process that has loaded it first. SPIR-V code depends only on the capabilities that a module is given.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from pathlib import Path

DRIVER = Path(__file__).with_name("vulkan_driver.so")
VARIABLE = "TAICHI_AOT_VULKAN_COMPILER"  # the driver does not create instances without it


def environment() -> dict[str, str]:
    """Return the variables of a child that compiles; it calls `load_driver` before it imports the compiler."""
    # With a display the compiler would create a window for the device.
    return {VARIABLE: "1", "DISPLAY": "", "WAYLAND_DISPLAY": ""}


def with_features(variables: Mapping[str, str], caps: Sequence[str]) -> dict[str, str]:
    """Return the variables for a compiler that asks the device what code may use, as Quadrants does."""
    return {**variables, **({VARIABLE: ",".join(caps)} if VARIABLE in variables else {})}


def load_driver() -> None:
    """Load the library into this process, whose compiler then does not find another Vulkan library."""
    ctypes.CDLL(str(DRIVER))
