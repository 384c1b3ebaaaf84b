"""Find and load the C library, which a process does only once."""

from __future__ import annotations

import concurrent.futures
import ctypes
import os
import signal
import sys
import types
from collections.abc import Callable
from typing import Any

from helpers.raising import assert_raises, raised

import taichi_aot
from scenarios import ArchName
from taichi_aot import Runtime, capi
from taichi_aot.driver import _library as library

USES: dict[str, Callable[[], object]] = {
    "library_path": taichi_aot.library_path,
    "library_version": taichi_aot.library_version,
    "devices": taichi_aot.devices,
    "available_archs": taichi_aot.available_archs,
    "Runtime": lambda: Runtime().handle,
    "Runtime vulkan": lambda: Runtime("vulkan"),
    "Runtime x64": lambda: Runtime("x64").handle,
    "Runtime arm64": lambda: Runtime("arm64").handle,
}


def _look_in(*places: str) -> None:
    """Replace the search places by ``origin=path``; an empty path means no library there."""
    found = [(origin, path or None) for origin, _, path in (place.partition("=") for place in places)]
    library._candidates = lambda: found


def print_library(*places: str) -> None:
    if places:
        _look_in(*places)
    print(taichi_aot.library_version())
    print(taichi_aot.library_path())
    print(os.environ.get("TI_LIB_DIR"))


def fail_to_load(use: str = "library_version", *places: str) -> None:
    """Use the package and print the error message."""
    if places:
        _look_in(*places)
    before = dict(os.environ)
    print(raised(USES[use], taichi_aot.LibraryNotFoundError))
    assert dict(os.environ) == before


def print_devices() -> None:
    """Print the available archs and the devices, without loading the library."""
    print(*taichi_aot.available_archs())
    print(taichi_aot.devices())
    assert library._loaded is None


def print_path_in_a_broken_package() -> None:
    # find_spec raises for a module without a spec, such as a stand-in for a missing package.
    sys.modules["taichi"] = types.ModuleType("taichi")
    print(library._path_in_taichi())


def fail_then_load(install_dir: str) -> None:
    fail_to_load()
    os.environ["TAICHI_C_API_INSTALL_DIR"] = install_dir
    print(taichi_aot.library_version())


def call_functions_of_a_refused_library() -> None:
    fail_to_load()
    call_functions_before_loading()


def call_functions_before_loading() -> None:
    lib, ffi = library.lib, library.ffi
    assert lib.ti_get_version() == 0
    assert lib.checked_ti_wait(ffi.NULL) == taichi_aot.ErrorCode.NOT_SUPPORTED


def load_in_threads() -> None:
    calls: list[int] = []
    find = library._find_and_load

    def count() -> library._Library:
        calls.append(1)
        return find()

    library._find_and_load = count
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        results = list(pool.map(lambda _: id(library.load()), range(64)))
    assert len(calls) == len(set(results)) == 1


def load_in_a_signal_handler(cpu_arch: ArchName) -> None:
    """Use the library in a signal handler while its thread loads it, after each step of the search."""
    results: list[float] = []

    def handle(number: int, frame: types.FrameType | None) -> None:
        with Runtime(cpu_arch) as rt:
            assert rt.handle
            results.append(float(rt.full(3, 1.0).to_numpy().sum()))

    signal.signal(signal.SIGINT, handle)
    candidates = library._candidates

    def interrupted() -> list[tuple[str, str | None]]:
        library._candidates = candidates
        signal.raise_signal(signal.SIGINT)
        return candidates()

    library._candidates = interrupted
    with Runtime(cpu_arch) as rt:
        assert rt.handle
        assert rt.full(3, 1.0).to_numpy().sum() == 3
    assert results == [3]


def interrupt_the_loading() -> None:
    """Raise at each line of the search: the environment stays unchanged, and the next call can load."""
    before = dict(os.environ)
    lines: set[tuple[str, int]] = set()
    while raise_at_a_new_line(library.load, lines):
        assert library._loaded or dict(os.environ) == before, set(os.environ) ^ set(before)
    assert len(lines) > 30
    assert taichi_aot.library_version()[:2] == (1, 7)
    assert "TI_LIB_DIR" in os.environ


def raise_at_a_new_line(call: Callable[[], object], lines: set[tuple[str, int]]) -> bool:
    """Call a function and raise KeyboardInterrupt at the first line of its module that is not in `lines`."""

    def trace(frame: types.FrameType, event: str, argument: object) -> Any:
        if frame.f_code.co_filename != library.__file__:
            return None
        line = (frame.f_code.co_name, frame.f_lineno)
        if event == "line" and line not in lines and frame.f_code.co_name != "_restore_environment":
            lines.add(line)
            raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    return False


def use_a_runtime(use: str, cpu_arch: ArchName) -> None:
    """Use a runtime whose library lacks functions, and print the error."""
    runtime = Runtime(cpu_arch)
    assert runtime.handle
    uses: dict[str, Callable[[], object]] = {
        "flush": lambda: capi.flush(runtime.handle),
        "import": lambda: runtime.allocate(4).handle,
    }
    try:
        uses[use]()
    except taichi_aot.NotSupportedError as error:
        print(error)
    runtime.close()
    assert runtime.closed


def run_on_the_cpu(cpu_arch: ArchName) -> None:
    assert taichi_aot.library_version() == (1, 7, 0)
    with Runtime(cpu_arch) as runtime:
        assert runtime.zeros(3).to_numpy().sum() == 0


def compare_lib_dir_with_the_c_environment() -> None:
    """Compare with C's environment, because the library reads it and not Python's copy."""
    taichi_aot.library_path()
    getenv = ctypes.CDLL(None).getenv
    getenv.restype = ctypes.c_char_p
    assert getenv(b"TI_LIB_DIR").decode() == os.environ["TI_LIB_DIR"]
    print(os.environ["TI_LIB_DIR"])


def refuse_a_variable(variable: str, *uses: str) -> None:
    assert_raises(ValueError, *(USES[use] for use in uses), match=variable)


def refuse_a_variable_set_after_loading(variable: str, *uses: str) -> None:
    taichi_aot.library_version()
    os.environ[variable] = "abc"
    refuse_a_variable(variable, *uses)


def print_changed_variables() -> None:
    before = dict(os.environ)
    print(taichi_aot.library_version())
    print({name for name in {**before, **os.environ} if before.get(name) != os.environ.get(name)})
