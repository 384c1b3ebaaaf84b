"""Building modules."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

from helpers.raising import assert_raises

from taichi_aot import Arch


def import_build() -> None:
    from taichi_aot.build import build, export

    assert callable(build)
    assert callable(export)
    assert "taichi" not in sys.modules


def interrupt_build(source: str, pid: str) -> None:
    """Send SIGINT while a child compiles; the source writes the child's process ID to a file and sleeps."""
    from taichi_aot.build import build

    def interrupt() -> None:
        while not (Path(pid).exists() and Path(pid).read_text()):
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    assert_raises(KeyboardInterrupt, lambda: build(source, f"{source}.tib", archs=["x64"]))
    assert_raises(ProcessLookupError, lambda: os.kill(int(Path(pid).read_text()), 0))


def signal_build(source: str, pid: str, *signals: str) -> None:
    """Send the command signals, 5 ms apart, while a child compiles as in `interrupt_build`."""
    from scenarios.children import wait_until_gone

    command = [sys.executable, "-m", "taichi_aot", "build", source, "-o", f"{source}.tib", "--arch", "x64"]
    with subprocess.Popen(command) as process:
        while not (Path(pid).exists() and Path(pid).read_text()):
            time.sleep(0.05)
        for each in signals:
            process.send_signal(signal.Signals[each])
            time.sleep(0.005)
        assert process.wait() in (130, -signal.Signals[signals[0]])
    wait_until_gone(int(Path(pid).read_text()))


def run_programs(folder: str, module: str, seconds: str) -> None:
    """Run a module of a folder as a program in each of two ways, and print why it ended early."""
    from taichi_aot.build.source._program import run_program
    from taichi_aot.build.source._source import open_program

    sys.path.insert(0, folder)
    for source in (f"{folder}/{module}.py", module):
        program, files, main = open_program(source)
        why = run_program(program, float(seconds))
        assert main == f"{module}.py"
        assert files.contents
        print(why, vars(program).get("seen"))


def build_sources(folder: str, arch: str) -> None:
    """Build each ``*/kernels.py`` in a process of its own, forked after Taichi is imported; write ``kernels.json``."""
    from taichi_aot.build import _archs
    from taichi_aot.build.compile import _compile
    from taichi_aot.driver import _child

    warnings.simplefilter("ignore")
    os.environ["TI_SKIP_VERSION_CHECK"] = "ON"
    plan = _archs.TARGETS[Arch(arch)].plan()
    os.environ.update(plan.environment)
    _archs.prepare()
    from taichi_aot.build.compile import _module, _session  # noqa: F401

    for path in sorted(Path(folder).glob("*/kernels.py")):
        child = os.fork()
        if child == 0:
            _child._channel = os.open(path.with_suffix(".json"), os.O_WRONLY | os.O_CREAT)
            log = os.open(os.devnull, os.O_WRONLY)
            os.dup2(log, 1)
            os.dup2(log, 2)
            _compile.main((arch, plan.start, str(path), None, (), None, (), False, False, False, "argument"))
        os.waitpid(child, 0)
