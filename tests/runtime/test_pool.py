"""The pool of threads that runs loops on the CPU: its C by itself, and under the kernels of modules."""

import ctypes
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.child import in_child
from helpers.inside import extension_path
from helpers.objects import load_saxpy
from helpers.threads import run_together

import taichi_aot
from taichi_aot import Runtime, inspect
from taichi_aot.backends._llvm import size_pool
from taichi_aot.driver import _host
from taichi_aot.driver._host import cpu_threads

C = Path(taichi_aot.__file__).parent / "_c"
DRIVER = Path(__file__).parents[1] / "helpers" / "pool" / "driver.c"
OPTIONS = ("-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", f"-I{C}", "-pthread")
WITHOUT_FUTEX = "-DTAICHI_AOT_POOL_WITHOUT_FUTEX"  # as on systems other than Linux


@pytest.fixture(scope="module")
def driver(tmp_path_factory, c_compiler):
    """Compile the driver with further options."""

    def compile_with(*options):
        program = tmp_path_factory.mktemp("pool") / "driver"
        sources = DRIVER, C / "core" / "pool.c", C / "core" / "clock.c"
        subprocess.run(["cc", *OPTIONS, *options, "-o", program, *sources, "-lm"], check=True, timeout=600)
        return program

    return compile_with


def run(program, *arguments, before=()):
    done = subprocess.run(
        [*before, program, *map(str, arguments)], capture_output=True, text=True, timeout=600, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


@pytest.mark.scaled
@pytest.mark.parametrize("options", [(), (WITHOUT_FUTEX,)], ids=["futex", "condition"])
def test_each_task_runs_once(driver, options, scaled):
    program = driver(*options)
    run(program, "threads", scaled(0.05, 2))
    run(program, "many", scaled(0.05, 2))
    run(program, "fork", scaled(0.1, 5))
    run(program, "exit", 0)
    run(program, "rounding", 0)
    run(program, "count", scaled(10**5, 10**7))


@pytest.mark.scaled
@pytest.mark.slow(but="futex")
@pytest.mark.parametrize("options", [(), (WITHOUT_FUTEX,)], ids=["futex", "condition"])
def test_threads_do_not_race(driver, options, scaled, monkeypatch):
    try:
        program = driver("-fsanitize=thread", *options)
    except subprocess.CalledProcessError:
        pytest.skip("the compiler has no thread sanitizer")
    # Its shadow memory needs addresses that are not random.
    before = ("setarch", platform.machine(), "-R") if shutil.which("setarch") else ()
    monkeypatch.setenv("TSAN_OPTIONS", "atexit_sleep_ms=0")
    run(program, "threads", scaled(0.05, 10), before=before)
    run(program, "many", scaled(0.05, 10), before=before)


@pytest.fixture
def module(compiled):
    """A module whose loops use several threads, as it was compiled on several cores."""
    path = compiled("x64") / "basic.tcm"
    if sys.platform != "linux" or cpu_threads() < 2 or inspect(path).kernels["saxpy"].cpu_threads == 1:
        pytest.skip("several CPUs on Linux")
    return path


LENGTH = 1 << 17  # of a loop for which workers are woken


TASKS = Path("/proc/self/task")


def workers():
    """The folders of the pool's threads."""
    found = []
    for task in TASKS.iterdir():
        try:
            if (task / "comm").read_text() == "taichi-aot\n":
                found.append(task)
        except OSError:  # it has ended
            pass
    return found


def launch(module, times=10):
    rt, saxpy = load_saxpy("x64", module)
    x, y = rt.full(LENGTH, 1.0, "f32"), rt.zeros(LENGTH)
    for _ in range(times):
        saxpy(1.0, x, y)
    assert (y.to_numpy() == times).all()


def _close_extension():
    """Close the extension as often as Python could have opened it."""
    library = ctypes.CDLL(extension_path())
    close = ctypes.CDLL(None).dlclose
    close.argtypes = [ctypes.c_void_p]
    for _ in range(9):
        close(library._handle)


@in_child
def test_kernels_share_the_workers_of_a_process(module):
    """Runtimes in several threads share workers, a forked child has its own, and the extension is never unloaded."""
    launch(module)
    (worker,) = workers()[:1]
    blocked = next(line for line in (worker / "status").read_text().splitlines() if line.startswith("SigBlk"))
    mask = int(blocked.split()[1], 16)
    assert mask >> (signal.SIGINT - 1) & 1
    assert not mask >> (signal.SIGSEGV - 1) & 1
    child = os.fork()
    if child == 0:
        assert workers() == []
        launch(module)
        assert workers()
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    _close_extension()
    run_together(*[lambda: launch(module)] * 2)
    assert 0 < len(workers()) < len(os.sched_getaffinity(0))


@in_child
def test_process_on_one_cpu_has_no_workers(module):
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    launch(module)
    assert workers() == []


@pytest.mark.slow
@in_child
def test_idle_workers_end(module):
    """Workers end when they have been idle for long, and start again."""
    launch(module)
    assert workers()
    end = time.monotonic() + 60
    while workers() and time.monotonic() < end:
        time.sleep(0.1)
    assert workers() == []
    launch(module)
    assert workers()


@in_child(env={"TAICHI_AOT_CPU_THREADS": "1"})
def test_workers_follow_the_variable(module):
    launch(module)
    assert workers() == []


@pytest.mark.parametrize("value", ["0", "257", "-1", "two", "1.5", "", "٣"])
def test_wrong_number_of_threads_names_the_variable(monkeypatch, value):
    monkeypatch.setenv("TAICHI_AOT_CPU_THREADS", value)
    size_pool.cache_clear()
    with pytest.raises(ValueError, match="TAICHI_AOT_CPU_THREADS must be a number from 1 to 256, not"):
        Runtime("x64")
    monkeypatch.undo()
    size_pool()


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, 8),
        ({"cgroup": "0::/\n"}, 8),
        ({"cgroup": "0::/a/b\n", "groups/a/b/cpu.max": "max 100000\n"}, 8),
        ({"cgroup": "0::/a/b\n", "groups/a/cpu.max": "150000 100000\n", "groups/a/b/cpu.max": "max 100000\n"}, 2),
        ({"cgroup": "0::/\n", "groups/cpu.max": "5000 100000\n"}, 1),
        ({"cgroup": "0::/\n", "groups/cpu.max": "9900000 100000\n"}, 8),
        (
            {"cgroup": "4:cpuset:/\n3:cpu,cpuacct:/a\n", "groups/cpu/a/cpu.cfs_quota_us": "300000\n"}
            | {"groups/cpu/a/cpu.cfs_period_us": "100000\n", "groups/cpu/cpu.cfs_quota_us": "-1\n"},
            3,
        ),
    ],
    ids=[
        "no Linux",
        "no limit",
        "group without a limit",
        "version 2",
        "part of a CPU",
        "more than there are",
        "version 1",
    ],
)
def test_quotas_of_control_groups_count(tmp_path, monkeypatch, files, expected):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(_host, "PROCESS_GROUPS", str(tmp_path / "cgroup"))
    monkeypatch.setattr(_host, "GROUPS", str(tmp_path / "groups"))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: set(range(8)), raising=False)
    monkeypatch.delenv("TAICHI_AOT_CPU_THREADS", raising=False)
    assert cpu_threads() == expected
    monkeypatch.setenv("TAICHI_AOT_CPU_THREADS", "2")
    assert cpu_threads() == min(2, expected)
