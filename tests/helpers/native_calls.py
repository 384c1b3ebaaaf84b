"""Modules whose machine code is for one kind of CPU, which a runtime then takes instead of the best one."""

from __future__ import annotations

import platform
from pathlib import Path

from helpers.archives import pack, read_archive
from taichi_aot import AotModule, Kernel, Runtime
from taichi_aot.build.code._native import why_unavailable
from taichi_aot.bundle._files import NATIVE_CODE

# What the levels of the x86-64 psABI add, as Linux calls it.
LEVELS = {
    "x86-64-v2": {"cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"},
    "x86-64-v3": {"abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"},
    "x86-64-v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
}


def targets_here() -> list[str]:
    """Return the kinds of CPU whose code this machine compiles and runs, the most general first."""
    if platform.machine() != "x86_64" or why_unavailable(None):
        return []
    lines = Path("/proc/cpuinfo").read_text(encoding="ascii").splitlines()
    flags = set(next(line for line in lines if line.startswith("flags")).split(":")[1].split())
    found: list[str] = []
    for target, needed in LEVELS.items():
        if not needed <= flags:
            break
        found.append(target)
    return found


def load_for(rt: Runtime, path: Path, target: str) -> AotModule:
    """Load a module that has only the code for this kind of CPU."""
    files = read_archive(path)
    code = files[NATIVE_CODE[target]]
    x86 = {NATIVE_CODE[level] for level in LEVELS}
    return rt.load_module(pack({name: code if name in x86 else data for name, data in files.items()}))


def is_native(kernel: Kernel) -> bool:
    return kernel.recording.startswith("native")
