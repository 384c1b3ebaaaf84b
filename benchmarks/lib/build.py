"""Find the C library, compile C programs and Taichi modules."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[1]
ROOT = BENCHMARKS.parent
SOURCES = BENCHMARKS / "native"  # programs in C
INCLUDE = ROOT / "include"
BUILT = {  # by ``taichi-aot build``
    "mpm": ROOT / "examples" / "mpm88.py",
    "cpu": BENCHMARKS / "cpu" / "bodies.py",
    "loops": BENCHMARKS / "loops" / "kernels.py",
    "jacobi": ROOT / "examples" / "jacobi_kernels.py",
    "bodies": BENCHMARKS / "scale" / "bodies.py",
    "structs": BENCHMARKS / "structs" / "kernels.py",
}

PREPARE = """
import runpy, sys
from taichi_aot.build import _archs
_archs.prepare()
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """Run a command; return its stdout, or raise SystemExit with all its output if it fails."""
    done = subprocess.run([str(word) for word in command], env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        words = " ".join(Path(word).name for word in command[:3])
        raise SystemExit(f"{words} failed with exit status {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def compile_c(source: Path, target: Path, *options: str | Path) -> Path:
    """Compile and link one C file with the headers of this repository."""
    compiler = os.environ.get("CC", "cc")
    run(compiler, "-O2", "-std=gnu11", "-Wall", "-Werror", f"-I{INCLUDE}", "-o", target, source, *options)
    return target


def compile_against(library: Path, source: Path, target: Path, *options: str | Path) -> Path:
    """Compile and link one C file with the headers of this repository and a C-API library."""
    return compile_c(source, target, *options, library, f"-Wl,-rpath,{library.parent}")


def cores() -> int:
    """Return the number of cores available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def find_library() -> Path:
    """Return the C library of the installed package; a child process finds it, so that this one does not load it."""
    return Path(run(sys.executable, "-c", "import taichi_aot; print(taichi_aot.library_path())").strip())


def compile_modules(arch: str, folder: Path, *names: str, env: dict[str, str] | None = None) -> None:
    """Compile modules of kernels.py for `arch` into `folder`, and those of `BUILT`, if they are among the names.

    ``arguments`` is a bundle of the exported kernels. ``pool_N`` has the loops of cpu_pool.py for N threads. With
    `env`, kernels.py is compiled for the device that it describes.
    """
    pools = [name for name in names if name.startswith("pool_")]
    own = [name for name in names if name not in ("arguments", *BUILT, *pools)]
    if own:
        prepare = ("-c", PREPARE) if env else ()
        run(sys.executable, *prepare, BENCHMARKS / "lib" / "kernels.py", arch, folder, *own, env=env)
    if "arguments" in names:
        source, target = BENCHMARKS / "lib" / "kernels.py", folder / "arguments.tib"
        archs = ",".join(dict.fromkeys((arch, "vulkan")))  # SPIR-V says which arrays a kernel only reads
        run(sys.executable, "-m", "taichi_aot", "build", source, "--arch", archs, "-o", target)
    for name in set(names).intersection(BUILT):
        run(sys.executable, "-m", "taichi_aot", "build", BUILT[name], "--arch", arch, "-o", folder / f"{name}.tcm")
    for name in pools:
        source, threads = BENCHMARKS / "pool" / "kernels.py", ("--cpu-threads", name.removeprefix("pool_"))
        run(sys.executable, "-m", "taichi_aot", "build", source, "--arch", arch, *threads, "-o", folder / f"{name}.tcm")
