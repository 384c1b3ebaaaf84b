"""Compiling for Vulkan, OpenGL, GLES and Metal without a device: a Vulkan library that runs nothing.

It is ``vulkan_driver.so`` in this folder, compiled from ``taichi_aot/_c/vulkan_driver``. The compiler finds it by its
soname in a process that has loaded it first. SPIR-V code depends on the capabilities that a module is given alone.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

__all__ = ["VARIABLE", "environment", "has_driver", "load_driver"]

DRIVER = Path(__file__).with_name("vulkan_driver.so")
VARIABLE = "TAICHI_AOT_VULKAN_COMPILER"  # without which the driver does not create instances


def environment() -> dict[str, str]:
    """The variables of a child process that compiles, which calls `load_driver` before it imports the compiler."""
    # With a display the compiler would create a window for the device.
    return {VARIABLE: "1", "DISPLAY": "", "WAYLAND_DISPLAY": ""}


def has_driver() -> bool:
    """Whether this installation has the library, which is built for Linux alone."""
    return DRIVER.is_file()


def load_driver() -> None:
    """Load the library into this process, in which the compiler then has no other Vulkan.

    Raises
    ------
    OSError
        If it cannot be loaded.
    """
    ctypes.CDLL(str(DRIVER))
