"""The threads of the pool, in processes of their own: Linux names them."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from pathlib import Path

from helpers.inside import extension_path
from helpers.threads import run_together

from scenarios import ArchName
from scenarios.objects import load_saxpy

LENGTH = 1 << 17  # of a loop for which workers are woken
TASKS = Path("/proc/self/task")


def workers() -> list[Path]:
    """The folders of the pool's threads."""
    found = []
    for task in TASKS.iterdir():
        try:
            if (task / "comm").read_text() == "taichi-aot\n":
                found.append(task)
        except OSError:  # it has ended
            pass
    return found


def launch(arch: ArchName, module: str, times: int = 10) -> None:
    rt, saxpy = load_saxpy(arch, module)
    x, y = rt.full(LENGTH, 1.0, "f32"), rt.zeros(LENGTH)
    for _ in range(times):
        saxpy(1.0, x, y)
    assert (y.to_numpy() == times).all()


def launch_alone(arch: ArchName, module: str) -> None:
    launch(arch, module)
    assert workers() == []


def launch_on_one_cpu(arch: ArchName, module: str) -> None:
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    launch_alone(arch, module)


def launch_everywhere(arch: ArchName, module: str) -> None:
    """Runtimes in several threads share workers, a forked child has its own, and the extension is never unloaded."""
    launch(arch, module)
    (worker,) = workers()[:1]
    blocked = next(line for line in (worker / "status").read_text().splitlines() if line.startswith("SigBlk"))
    mask = int(blocked.split()[1], 16)
    assert mask >> (signal.SIGINT - 1) & 1
    assert not mask >> (signal.SIGSEGV - 1) & 1
    child = os.fork()
    if child == 0:
        assert workers() == []
        launch(arch, module)
        assert workers()
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    _close_extension()
    run_together(*[lambda: launch(arch, module)] * 2)
    assert 0 < len(workers()) < len(os.sched_getaffinity(0))


def _close_extension() -> None:
    """Close the extension as often as Python could have opened it."""
    library = ctypes.CDLL(extension_path())
    close = ctypes.CDLL(None).dlclose
    close.argtypes = [ctypes.c_void_p]
    for _ in range(9):
        close(library._handle)


def wait_for_the_end(arch: ArchName, module: str) -> None:
    """Workers end when they have been idle for long, and start again."""
    for _ in range(2):
        launch(arch, module)
        assert workers()
        end = time.monotonic() + 60
        while workers() and time.monotonic() < end:
            time.sleep(0.1)
        assert workers() == []
