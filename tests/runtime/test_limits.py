"""Where a process reaches its limits, calls raise; the library and the drivers would end the process."""

from __future__ import annotations

import os
import resource
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import pytest
from helpers.child import in_child

import taichi_aot
from taichi_aot import Arch, OutOfMemoryError, Runtime

NOBODY = 65534  # root may start threads without limit


MIB = 1 << 20


class _Case(NamedTuple):
    name: str
    prepare: Callable[[], Any]
    run: Callable[[Any], object]
    limit: Callable[[int], None]
    amount: int
    error: type[Exception] | None


def _cases(arch, module, kind):
    def nothing():
        taichi_aot.library_path()

    def runtime():
        rt = Runtime(arch)
        assert rt.handle  # a CPU does without the library otherwise
        return rt

    def loaded():
        return runtime().load_module(module)

    def create(_):
        return runtime()

    def load(rt):
        return rt.load_module(module)

    def fetch(loaded):
        return loaded.kernels["saxpy"].handle  # which the library has

    def allocate(rt):
        return [rt.zeros(MIB, "f32") for _ in range(200)]

    def search(_):
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


def leave_space(size):
    """Leave so many MiB of address space."""
    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    _limit(resource.RLIMIT_AS, used + size * MIB)


def leave_files(count):
    """Leave so many file descriptors."""
    _limit(resource.RLIMIT_NOFILE, 64)
    files = []
    with suppress(OSError):
        while True:
            files.append(os.open(os.devnull, os.O_RDONLY))
    for file in files[:count]:
        os.close(file)


def leave_threads(count):
    """Leave so many threads: this process has none but this one if the user has no other."""
    if os.geteuid() == 0:
        os.setuid(NOBODY)
    _limit(resource.RLIMIT_NPROC, count)


def leave_file_size(size):
    """Limit the size of files."""
    tempfile.gettempdir()  # writes a file to find it
    _limit(resource.RLIMIT_FSIZE, size)


def _limit(kind, amount):
    resource.setrlimit(kind, (amount, resource.getrlimit(kind)[1]))


def _run_alone(case):
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


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads the address space from /proc")


@pytest.fixture
def kind(arch):
    """Kind of the device, which the child must not ask for: it would load the library and drivers."""
    return next(device.kind for device in taichi_aot.devices() if device.arch is arch)


@pytest.mark.usefixtures("c_library")
@pytest.mark.parametrize("arch", ["x64", "vulkan"], indirect=True)
@in_child(quiet=False)
def test_process_at_its_limits_raises(arch, basic, kind):
    """Run each operation under its limits: it must raise."""
    for case in _cases(arch, basic, kind):
        found = _run_alone(case)
        expected = case.error.__name__ if case.error else ""
        assert found.partition(":")[0] == expected, (case.name, case.limit.__name__, case.amount, found)
