"""Read and load files that would crash or hang the library, or that need no library."""

from __future__ import annotations

import sys
from pathlib import Path

from helpers.machine import resident_bytes

from scenarios import ArchName
from taichi_aot import CorruptedDataError, IncompatibleModuleError, Runtime, inspect


def refuse(arch: ArchName, *sources: str) -> None:
    with Runtime(arch) as rt:
        for source in sources:
            for use in (rt.load_module, inspect):
                try:
                    use(source)
                except (CorruptedDataError, IncompatibleModuleError) as error:
                    print(Path(source).name, "refused:", error, flush=True)


def print_why_refused(source: str) -> None:
    try:
        inspect(source)
    except CorruptedDataError as error:
        print(error)


def print_description(source: str) -> None:
    print(inspect(source))
    with open("/proc/self/maps") as file:
        assert "libtaichi_c_api" not in file.read()
    assert "taichi" not in sys.modules


def load_repeatedly(arch: ArchName, source: str) -> None:
    rt = Runtime(arch)

    def load() -> None:
        for _ in range(100):
            module = rt.load_module(source)
            module.kernels["saxpy"](1.0, rt.zeros(4), rt.zeros(4))
            module.close()

    load()
    before = resident_bytes()
    load()
    load()
    assert resident_bytes() - before < 2 << 20
