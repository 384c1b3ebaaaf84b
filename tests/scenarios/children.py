"""Child processes of the package: their limits, and their end with their parent."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from taichi_aot.driver import _child
from taichi_aot.driver._child import FILE_SIZE, Child, Ending, call

PR_GET_PDEATHSIG = 2  # Linux only
SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


# Functions that children run.


def describe_limits(_: object) -> dict[str, Any]:
    import resource

    names = ("RLIMIT_CORE", "RLIMIT_CPU", "RLIMIT_FSIZE")
    limits = {name: resource.getrlimit(getattr(resource, name))[0] for name in names}
    found = ctypes.c_int()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_GET_PDEATHSIG, ctypes.byref(found))
    seconds, _interval = signal.getitimer(signal.ITIMER_REAL)
    return {**limits, "seconds": seconds, "parent's death": found.value, "input": sys.stdin.read()}


def start_others(_: object) -> list[int]:
    """Start a process in this process group and one in a new session; both inherit open files."""
    return [subprocess.Popen(SLEEP, start_new_session=alone).pid for alone in (False, True)]


def send_much(size: int) -> str:
    print("first\nlast")
    return "x" * size


def wait_forever(pid: Any) -> None:
    Path(pid).write_text(str(os.getpid()))
    time.sleep(600)


def mark(path: Any) -> None:
    Path(path).touch()


def answer_to_a_full_disk(_: object) -> str:
    """Answer, when the file of answers is on a full disk."""
    os.dup2(os.open("/dev/full", os.O_WRONLY), _child._channel)
    return "lost"


# Scenarios.


def fill_the_disk() -> None:
    """A full disk is named as the cause; it is no crash of the child."""
    found: OSError | None = None
    try:
        call(answer_to_a_full_disk, None, 30)
    except OSError as error:
        found = error
    assert found is not None
    assert (found.errno, found.filename) == (errno.ENOSPC, tempfile.gettempdir())


def limit_children() -> None:
    """A child's limits do not apply to its parent, and a thread's end does not end other threads' children."""
    endings: list[Ending] = []
    starter = threading.Thread(target=lambda: endings.append(call(describe_limits, None, 30)))
    starter.start()
    other = threading.Thread(target=lambda: endings.append(call(send_much, 3_000_000, 30)))
    other.start()
    starter.join()
    other.join()
    answers = [ending.answer for ending in endings]
    assert "x" * 3_000_000 in answers
    (found,) = [answer for answer in answers if isinstance(answer, dict)]
    assert found["RLIMIT_CORE"] == 0
    assert found["RLIMIT_FSIZE"] == FILE_SIZE
    assert 30 <= found["RLIMIT_CPU"] <= 30 * (os.cpu_count() or 1) + 10
    assert 0 < found["seconds"] <= 40
    assert found["parent's death"] == (signal.SIGKILL if sys.platform == "linux" else 0)
    assert found["input"] == ""


def kill_what_a_child_started() -> None:
    """A child's processes are killed with it; one that left the process group does not block the parent."""
    ending = call(start_others, None, 30)
    same_group, alone = ending.answer
    os.kill(alone, signal.SIGKILL)
    wait_until_gone(same_group)


def end_a_child() -> None:
    """End a child before it starts, and while it runs."""
    child = Child(mark, "never", 30)
    child.end()
    assert child.run().how == "crashed"
    assert not Path("never").exists()
    child = Child(wait_forever, os.devnull, 30)
    threading.Timer(1, child.end).start()
    assert child.run() == ("crashed", "SIGKILL", "", None)


def start_after_the_parent_ended(path: str) -> None:
    """A child does nothing if its parent ended before the child could request its own kill."""
    request = {"module": __name__, "function": "mark", "request": path, "timeout": 30, "parent": os.getppid()}
    code = "from taichi_aot.driver._child import serve; serve()"
    done = subprocess.run([sys.executable, "-c", code], input=json.dumps(request), text=True, check=False)
    assert done.returncode == 1
    assert not Path(path).exists()


def end_the_parent(name: str, pid: str) -> None:
    """Kill a process while its child runs, started by a thread; no child and no files remain."""
    code = (
        "import sys, threading; from scenarios.children import call, wait_forever;"
        "threading.Thread(target=call, args=(wait_forever, sys.argv[1], 600)).start()"
    )
    with subprocess.Popen([sys.executable, "-c", code, pid]) as process:
        number = wait_for_number(pid)
        process.send_signal(signal.Signals[name])
    wait_until_gone(number)


def signalled(name: str, folder: str, *arguments: str) -> None:
    """Signal a command while its child computes; no child and no files remain."""
    if name != "SIGKILL":
        signal.signal(signal.Signals[name], signal.SIG_DFL)  # nohup ignores SIGHUP
    command = [sys.executable, "-m", "taichi_aot", *arguments]
    temporary = Path(folder, "temporary")
    temporary.mkdir()
    with subprocess.Popen(command, cwd=folder, env={**os.environ, "TMPDIR": str(temporary)}) as process:
        child = busy_child(process)
        process.send_signal(signal.Signals[name])
        assert process.wait() == -signal.Signals[name]
    wait_until_gone(child)
    left = [str(path.relative_to(folder)) for path in Path(folder).rglob("*")]
    assert left == ["temporary"], left


def busy_child(process: subprocess.Popen[bytes]) -> int:
    """Wait for a child that has used some CPU time, so it imports or launches; return its process ID.

    The time is short, because machine code is launched without the library: a child may end after 0.3 s.
    """
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while process.poll() is None:
        for number in map(int, children.read_text().split()):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                if seconds_of(number) > 0.05:
                    return number
        time.sleep(0.01)
    raise AssertionError(f"the command ended with {process.returncode} before it was signalled")


def seconds_of(pid: int) -> float:
    """Return the CPU time of a process, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for_number(path: str) -> int:
    while not (Path(path).exists() and Path(path).read_text()):
        time.sleep(0.01)
    return int(Path(path).read_text())


def wait_until_gone(pid: int) -> None:
    """Wait until a process has ended; the scenario's time limit applies."""
    while is_running(pid):
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    """Return whether a process exists and is not a zombie; containers may keep orphaned zombies."""
    try:
        os.kill(pid, 0)
        return sys.platform != "linux" or Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
