"""The CPU: its architecture and its name."""

from __future__ import annotations

import platform
import sys

__all__ = ["arm64", "cpu_name"]


def arm64() -> bool:
    """Return whether this machine is ARM64; otherwise it is x64."""
    return platform.machine().lower() in ("arm64", "aarch64")


def cpu_name() -> str:
    """Return the system's name for the CPU model, or the name of the architecture."""
    try:
        name = _linux_name() if sys.platform == "linux" else ""
        return name or platform.processor() or platform.machine()
    except OSError:  # both open files, and the limit of open files may be reached
        return platform.machine()


def _linux_name() -> str:
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        names = (line.partition(":")[2].strip() for line in file if line.startswith("model name"))
        return next(names, "")
