"""Operations in processes that may not have more address space, files or threads."""

from __future__ import annotations

import os
import resource
import signal
import tempfile
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import taichi_aot
from scenarios import ArchName
from taichi_aot import Arch, OutOfMemoryError, Runtime

NOBODY = 65534  # root may start threads without limit
MIB = 1 << 20


def run_with_little(arch: ArchName, module: str, kind: str) -> None:
    """Run each operation under its limits: it must raise. `kind` is that of the device."""
    for case in _cases(arch, module, kind):
        found = _run_alone(case)
        expected = case.error.__name__ if case.error else ""
        assert found.partition(":")[0] == expected, (case.name, case.limit.__name__, case.amount, found)


class _Case(NamedTuple):
    name: str
    prepare: Callable[[], Any]
    run: Callable[[Any], object]
    limit: Callable[[int], None]
    amount: int
    error: type[Exception] | None


def _cases(arch: ArchName, module: str, kind: str) -> list[_Case]:
    def nothing() -> None:
        taichi_aot.library_path()

    def runtime() -> Runtime:
        rt = Runtime(arch)
        assert rt.handle  # a CPU does without the library otherwise
        return rt

    def loaded() -> Any:
        return runtime().load_module(module)

    def create(_: object) -> object:
        return runtime()

    def load(rt: Runtime) -> object:
        return rt.load_module(module)

    def fetch(loaded: Any) -> object:
        return loaded.kernels["saxpy"]

    def allocate(rt: Runtime) -> object:
        return [rt.zeros(MIB, "f32") for _ in range(200)]

    def search(_: object) -> object:
        return taichi_aot.library_path()

    space = (0, 300, 564) if kind == "cpu" else (0,)  # a device on the CPU has threads
    cases = [
        *(_Case("search", lambda: None, search, leave_space, size, OutOfMemoryError) for size in (0, 64)),
        _Case("search", lambda: None, search, leave_files, 0, OSError),
        *(_Case("create", nothing, create, leave_space, size, OutOfMemoryError) for size in space),
        _Case("create", nothing, create, leave_files, 0, OSError),
        _Case("create", nothing, create, leave_threads, 0, BlockingIOError),
        _Case("load", runtime, load, leave_space, 0, OutOfMemoryError),
        _Case("load", runtime, load, leave_files, 0, OSError),
        _Case("fetch", loaded, fetch, leave_space, 0, OutOfMemoryError),
        _Case("allocate", runtime, allocate, leave_space, 8, OutOfMemoryError),
    ]
    if Arch(arch) is Arch.X64:
        cases.append(_Case("load", runtime, load, leave_file_size, 0, OSError))
    return cases


def leave_space(size: int) -> None:
    """Leave so many MiB of address space."""
    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    _limit(resource.RLIMIT_AS, used + size * MIB)


def leave_files(count: int) -> None:
    """Leave so many file descriptors."""
    _limit(resource.RLIMIT_NOFILE, 64)
    files = []
    with suppress(OSError):
        while True:
            files.append(os.open(os.devnull, os.O_RDONLY))
    for file in files[:count]:
        os.close(file)


def leave_threads(count: int) -> None:
    """Leave so many threads: this process has none but this one if the user has no other."""
    if os.geteuid() == 0:
        os.setuid(NOBODY)
    _limit(resource.RLIMIT_NPROC, count)


def leave_file_size(size: int) -> None:
    """Limit the size of files."""
    tempfile.gettempdir()  # writes a file to find it
    _limit(resource.RLIMIT_FSIZE, size)


def _limit(kind: int, amount: int) -> None:
    resource.setrlimit(kind, (amount, resource.getrlimit(kind)[1]))


def _run_alone(case: _Case) -> str:
    """Run a case in a child process; return the exception, or the signal that ended the process."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        state = case.prepare()
        case.limit(case.amount)
        try:
            case.run(state)
        except Exception as error:
            os.write(write, f"{type(error).__name__}: {error}"[:1000].encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as file:
        found = file.read()
    _, status = os.waitpid(child, 0)
    return f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else found
