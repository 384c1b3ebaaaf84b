"""Building modules."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path


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
    try:
        build(source, f"{source}.tib", archs=["x64"])
    except KeyboardInterrupt:
        pass
    else:
        raise AssertionError("the build was not interrupted")
    try:
        os.kill(int(Path(pid).read_text()), 0)
    except ProcessLookupError:
        return
    raise AssertionError("the child is alive")


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
    from taichi_aot.build._program import run_program
    from taichi_aot.build._source import open_program

    sys.path.insert(0, folder)
    for source in (f"{folder}/{module}.py", module):
        program, files, main = open_program(source)
        why = run_program(program, float(seconds))
        assert main == f"{module}.py"
        assert files.contents
        print(why, vars(program).get("seen"))
