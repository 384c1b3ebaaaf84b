"""Compile the modules of the benchmarks into a folder, for a machine that does not have Taichi.

On that machine, the environment variable ``TAICHI_AOT_BENCHMARK_MODULES`` names the folder. Modules for CUDA are
compiled without a device, for the device that ``--cuda`` describes. ``--programs`` compiles the programs in C too, for
a machine without a compiler.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from lib import build
from lib.harness import ARCHS
from taichi_aot import Arch
from taichi_aot.build import CudaDevice
from taichi_aot.build._archs import TARGETS

POOLS = ("pool_2", "pool_4", "pool_8", "pool_16")
ON_CPU = ("cpu", "loops", *POOLS)
PROGRAMS = ("first_result", "program")
NAMES = ("launch", "arguments", "throughput", "grids", "kernels_1", "kernels_1000", *build.BUILT, *POOLS)


def main() -> None:
    parser = argparse.ArgumentParser(description="Compile the modules of the benchmarks into a folder.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--arch", choices=[*(arch for arch in ARCHS if arch != "stub"), "opengl"], default="cuda")
    parser.add_argument("--modules", nargs="+", choices=NAMES, default=NAMES, help="only these")
    parser.add_argument("--cuda", metavar="N,N,N,N,N", default="", help="the values of CudaDevice, in its order")
    parser.add_argument("--programs", action="store_true", help="compile the programs in C too")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    device = CudaDevice(*map(int, given.cuda.split(","))) if given.cuda else None
    names = [name for name in given.modules if name not in ON_CPU or given.arch == "x64"]
    plan = TARGETS[Arch[given.arch.upper()]].plan(device)
    if given.programs:
        library = build.find_library()
        for name in PROGRAMS:
            build.compile_against(library, build.SOURCES / f"{name}.c", given.folder / name)
    build.compile_modules(plan.start, given.folder, *names, env={**os.environ, **plan.environment})


if __name__ == "__main__":
    main()
