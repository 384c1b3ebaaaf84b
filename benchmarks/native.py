"""What the benchmarks need from outside of Python: the C library, C programs, and compiled modules."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent
ROOT = BENCHMARKS.parent
INCLUDE = ROOT / "include"


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """Run a command to its end; returns what it printed, or ends the benchmark with what it said."""
    done = subprocess.run([str(word) for word in command], env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        words = " ".join(Path(word).name for word in command[:3])
        raise SystemExit(f"{words} failed with exit status {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def compile_c(source: Path, target: Path, *options: str | Path) -> Path:
    """Compile and link one C file against our headers."""
    compiler = os.environ.get("CC", "cc")
    run(compiler, "-O2", "-std=gnu11", "-Wall", "-Werror", f"-I{INCLUDE}", "-o", target, source, *options)
    return target


def compile_against(library: Path, source: Path, target: Path, *options: str | Path) -> Path:
    """Compile and link one C file against our headers and a C-API library."""
    return compile_c(source, target, *options, library, f"-Wl,-rpath,{library.parent}")


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def find_library() -> Path:
    """The C library that the installed package uses, asked in a child process: here it is not to be loaded."""
    return Path(run(sys.executable, "-c", "import taichi_aot; print(taichi_aot.library_path())").strip())


def compile_modules(arch: str, folder: Path, *names: str) -> None:
    """Compile modules of kernels.py for `arch` into `folder`."""
    run(sys.executable, BENCHMARKS / "kernels.py", arch, folder, *names)
