"""The loops of cpu_pool.py, as a child process: pool.variants ARCH FOLDER THREADS THREADS_BY."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from lib.library_threads import with_library_threads
from lib.serve import Run, answers, serve
from taichi_aot import Runtime


class Loops:
    """A run of each loop by its name, ``KERNEL/LENGTH``, whose array is made when it is first asked for."""

    def __init__(self, rt: Runtime, path: Path) -> None:
        self._rt = rt
        self._kernels = rt.load_module(path).kernels
        self._runs: dict[str, Run] = {}

    def __getitem__(self, name: str) -> Run:
        if name not in self._runs:
            self._runs = {}  # frees the array of the loop before
            kernel, length = name.split("/")
            sequence = self._rt.sequence([self._kernels[kernel].bind(self._rt.zeros(int(length)))])
            self._runs[name] = lambda count: sequence(repeat=count)
        return self._runs[name]


def main() -> None:
    arch, folder, threads, threads_by = sys.argv[1:]
    descriptor = answers()
    os.environ["TAICHI_AOT_NATIVE"] = "0"  # the library compiles the kernels of both
    module = Path(folder, f"pool_{threads}.tcm")
    serve(Loops(Runtime(arch), with_library_threads(module) if threads_by == "library" else module), descriptor)
