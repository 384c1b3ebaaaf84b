"""Compile what a profiler loads to listen to NVTX (``profiler/profiler.c``), and read what it writes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

SOURCE = Path(__file__).parent / "profiler" / "profiler.c"
OPTIONS = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fvisibility=hidden", "-shared"]


def compile_tool(folder: Path) -> None:
    subprocess.run(["cc", *OPTIONS, "-o", folder / "profiler.so", SOURCE], check=True, timeout=600)


def listening(folder: Path, log: Path) -> dict[str, str]:
    """Return the variables with which a process loads the tool of a folder, which writes to a file."""
    log.write_text("")
    return {"NVTX_INJECTION64_PATH": str(folder / "profiler.so"), "PROFILER_LOG": str(log)}


def read_ranges(log: Path) -> str:
    """Return the ranges, without the domain, the folders of modules, and waits, which depend on time."""
    written = log.read_text().splitlines()
    assert all("taichi_aot: " in line for line in written)
    names = [re.sub("taichi_aot: |(?<=load ).*/", "", line) for line in written]
    return "".join(f"{name}\n" for name in names if name.strip() != "wait")
