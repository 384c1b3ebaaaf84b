"""Read and load files that would crash or hang the library, or that need no library."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from types import FrameType

from helpers.machine import resident_bytes

import taichi_aot
from scenarios import ArchName
from taichi_aot import CorruptedDataError, IncompatibleModuleError, Runtime


def refuse(arch: ArchName, *sources: str) -> None:
    with Runtime(arch) as rt:
        for source in sources:
            for use in (rt.load_module, taichi_aot.inspect):
                try:
                    use(source)
                except (CorruptedDataError, IncompatibleModuleError) as error:
                    print(Path(source).name, "refused:", error, flush=True)


def print_why_refused(source: str) -> None:
    try:
        taichi_aot.inspect(source)
    except CorruptedDataError as error:
        print(error)


def print_description(source: str) -> None:
    print(taichi_aot.inspect(source))
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


def count_calls_of_a_first_load(arch: ArchName, source: str) -> None:
    """Print the calls of the package's functions in a first load, with the first launch, and the modules imported."""
    rt = Runtime(arch)
    x, folder, calls = rt.zeros(8), str(Path(taichi_aot.__file__).parent), 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        is_function = frame.f_code.co_flags & inspect.CO_OPTIMIZED  # not the body of a module or class
        calls += event == "call" and bool(is_function) and frame.f_code.co_filename.startswith(folder)

    before = set(sys.modules)
    _ = taichi_aot.AotModule  # imports most of them, and makes its classes
    sys.setprofile(count)
    module = rt.load_module(source)
    loaded = calls
    module.kernels["k1"](2.0, x)
    sys.setprofile(None)
    imported = [name for name in sys.modules.keys() - before if name.startswith("taichi_aot")]
    print(loaded, calls, len(imported))
