"""The variants of scaling.py, as a child process: launch.scaling_variants ARCH FOLDER MODULE KERNEL ARRAYS."""

from __future__ import annotations

import sys
from itertools import repeat
from pathlib import Path

from lib.serve import Run, answers, serve
from taichi_aot import Runtime


def variants(rt: Runtime, module: Path, name: str) -> dict[str, Run]:
    kernel, x, y = rt.load_module(module).kernels[name], rt.zeros(1), rt.zeros(1)
    bound = kernel.bind(2.0, x, y)
    sequence = rt.sequence([bound])

    def run_sequence(count: int) -> None:
        sequence(repeat=count)
        rt.wait()

    def run_bound(count: int) -> None:
        for _ in repeat(None, count):
            bound()
        rt.wait()

    def run_checked(count: int) -> None:
        for _ in repeat(None, count):
            kernel(2.0, x, y)
        rt.wait()

    return {"sequence": run_sequence, "bound": run_bound, "checked": run_checked}


def main() -> None:
    descriptor = answers()
    arch, folder, module, name, arrays = sys.argv[1:]
    rt = Runtime(arch)
    alive = [rt.empty(1) for _ in range(int(arrays))]
    serve(variants(rt, Path(folder) / module, name), descriptor)
    del alive


if __name__ == "__main__":
    main()
