"""Child processes of the package: their limits, and that they end with their parent."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from taichi_aot.driver._child import FILE_SIZE, Child, Ending, call

PR_GET_PDEATHSIG = 2  # of Linux
SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


# Functions that children run


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
    """Start a process in the group of this one, and one in a session of its own; both keep the files of this one."""
    return [subprocess.Popen(SLEEP, start_new_session=alone).pid for alone in (False, True)]


def send_much(size: int) -> str:
    print("first\nlast")
    return "x" * size


def wait_forever(pid: Any) -> None:
    Path(pid).write_text(str(os.getpid()))
    time.sleep(600)


def mark(path: Any) -> None:
    Path(path).touch()


# Scenarios


def limits() -> None:
    """A child has its limits without its parent, and a thread that ends does not end the children of others."""
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


def others() -> None:
    """What a child has started is killed with it; what has left its group does not hold up the parent."""
    ending = call(start_others, None, 30)
    same_group, alone = ending.answer
    os.kill(alone, signal.SIGKILL)
    wait_until_gone(same_group)


def ended() -> None:
    """A child can be ended before it is started, and while it runs."""
    child = Child(mark, "never", 30)
    child.end()
    assert child.run().how == "crashed"
    assert not Path("never").exists()
    child = Child(wait_forever, os.devnull, 30)
    threading.Timer(1, child.end).start()
    assert child.run() == ("crashed", "SIGKILL", "", None)


def late(path: str) -> None:
    """A child whose parent ended before it could ask to be killed does nothing."""
    request = {"module": __name__, "function": "mark", "request": path, "timeout": 30, "parent": os.getppid()}
    code = "from taichi_aot.driver._child import serve; serve()"
    done = subprocess.run([sys.executable, "-c", code], input=json.dumps(request), text=True, check=False)
    assert done.returncode == 1
    assert not Path(path).exists()


def orphan(name: str, pid: str) -> None:
    """A process is killed while its child runs, which a thread has started; it leaves no child and no files."""
    code = (
        "import sys, threading; from scenarios.children import call, wait_forever;"
        "threading.Thread(target=call, args=(wait_forever, sys.argv[1], 600)).start()"
    )
    with subprocess.Popen([sys.executable, "-c", code, pid]) as process:
        number = wait_for_number(pid)
        process.send_signal(signal.Signals[name])
    wait_until_gone(number)


def signalled(name: str, folder: str, *arguments: str) -> None:
    """A command gets a signal while its child computes; it leaves no child and no files."""
    if name != "SIGKILL":
        signal.signal(signal.Signals[name], signal.SIG_DFL)  # nohup ignores SIGHUP
    command = [sys.executable, "-m", "taichi_aot", *arguments]
    temporary = Path(folder, "temporary")
    temporary.mkdir()
    with subprocess.Popen(command, cwd=folder, env={**os.environ, "TMPDIR": str(temporary)}) as process:
        child = busy_child(process.pid)
        process.send_signal(signal.Signals[name])
        assert process.wait() == -signal.Signals[name]
    wait_until_gone(child)
    left = [str(path.relative_to(folder)) for path in Path(folder).rglob("*")]
    assert left == ["temporary"], left


def busy_child(pid: int) -> int:
    """A child of a process that has computed for a while: it has started Python, and imports or launches."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    while True:
        for number in map(int, children.read_text().split()):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                if seconds_of(number) > 0.3:
                    return number
        time.sleep(0.01)


def seconds_of(pid: int) -> float:
    """What a process has computed, in seconds of a CPU."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for_number(path: str) -> int:
    while not (Path(path).exists() and Path(path).read_text()):
        time.sleep(0.01)
    return int(Path(path).read_text())


def wait_until_gone(pid: int) -> None:
    """The time limit of the scenario ends this."""
    while is_running(pid):
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    """Whether a process exists that is not a zombie, as a container can leave those that lost their parent."""
    try:
        os.kill(pid, 0)
        return sys.platform != "linux" or Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
