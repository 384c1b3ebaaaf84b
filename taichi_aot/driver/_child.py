"""Calls of functions in child processes with limits. A crash ends only the child, and children end with this process.

The request, the answer and the child's output are in unnamed files, so that no process leaves a file behind.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import IO, Any, Literal, NamedTuple, TypeAlias

from ..values._errors import ArgumentOutOfRangeError, ArgumentTypeError, NotSupportedError, describe, short
from ._host import remove_leftovers

How: TypeAlias = Literal["answered", "crashed", "timed out"]

FILE_SIZE = 1 << 30  # bytes in each file that a child writes, including its output
OUTPUT_TAIL = 2000  # bytes at the end of a child's output that are kept
MAX_ANSWER = 64 << 20  # bytes; the child may run hostile code
SHORTEST_WAIT, LONGEST_WAIT = 0.001, 0.05  # seconds between two polls of a child
DEATH = 2.0  # seconds in which a killed process ends, unless a driver delays it
NO_SPACE = 228  # the exit status of a child whose answer finds the disk full
GRACE = 5  # seconds from the parent's time limit to the child's own
MAX_TIMEOUT = 1_000_000.0  # seconds that a caller may state; timers of Windows take four times as much
MAX_SECONDS = 1e9  # the largest time limit that systems can express
PR_SET_PDEATHSIG = 1  # in <linux/prctl.h>

FULL = (errno.ENOSPC, errno.EDQUOT)

_running: set[Child] = set()


class Ending(NamedTuple):
    """How a child process ended."""

    how: How  # ``"answered"``, ``"crashed"`` (by a signal, or without an answer) or ``"timed out"``
    end: str = ""  # the signal or exit status, or the time; empty if it answered
    printed: str = ""  # the end of its output, unless the output was shown
    answer: Any = None  # the function's result after its way through JSON; None if the child did not answer

    @property
    def message(self) -> str:
        """`end`, with the last line that the process printed before a crash."""
        lines = self.printed.split("\n") if self.how == "crashed" else []
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"{self.end} after {last!r}" if last else self.end


def call(function: Callable[[Any], object], request: object, timeout: float, *, shows_output: bool = False) -> Ending:
    """Call a function of the package in a child process: see `Child`."""
    return Child(function, request, timeout, shows_output=shows_output).run()


class Standby:
    """A process that has called a module's function ``warm`` and waits for the call of a `Child`."""

    def __init__(self, module: str, path: Sequence[str], environment: Mapping[str, str]) -> None:
        self.answers = tempfile.TemporaryFile()  # noqa: SIM115, closed by a `Child`
        self.log = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = _start(path, environment, subprocess.PIPE, self.answers, self.log, module)

    def send(self, request: bytes) -> None:
        """Send a call, without waiting for the process to read it. Without one, the process ends with this one."""
        threading.Thread(target=self._write, args=(request,), daemon=True).start()

    def close(self) -> None:
        """End the process, which has got no call."""
        self.process.communicate()
        self.answers.close()
        self.log.close()

    def _write(self, request: bytes) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError), self.process.stdin as pipe:  # the process may have ended
            pipe.write(request)


class Child:
    """A call of a function of the package in a child process.

    On Linux the process ends with the thread that calls `run`, even if that is killed; elsewhere by its own time limit.

    `function`: found by its module and name. Its argument and its result must be JSON values. `request`: its argument.
    """

    def __init__(
        self,
        function: Callable[[Any], object],
        request: object,
        timeout: float,
        *,
        shows_output: bool = False,
        path: Sequence[str] | None = None,
        environment: Mapping[str, str] | None = None,
        on_report: Callable[[Any], None] | None = None,
        standby: Standby | None = None,
    ) -> None:
        self._standby = standby  # the process, if one waits that has the path and environment
        self._call = {
            "module": function.__module__,
            "function": function.__name__,
            "request": request,
            "timeout": timeout,
            "parent": os.getpid(),
        }
        self._timeout = timeout  # limit in seconds, including some tenths of a second to start the process
        self._shows_output = shows_output  # whether the child's output appears on stderr
        self._path = sys.path if path is None else path  # its ``sys.path``; by default that of this process
        self._environment = environment  # its variables; by default those of this process
        self._on_report = on_report  # called with each value that the child passes to `report`
        self._process: subprocess.Popen[bytes] | None = None
        self._is_ended = False
        self._answers: list[Any] = []
        self._read = 0  # bytes of its answers

    def run(self) -> Ending:
        """Run the process until it ends, in any way.

        NotSupportedError in a program that PyInstaller or Nuitka froze, whose children would run the program instead of
        Python; OSError if the disk with the folder of temporary files is full.
        """
        # PyInstaller and Nuitka set the former two; a program that embeds Python may not say where one is.
        if hasattr(sys, "frozen") or "__compiled__" in globals() or not sys.executable:
            raise NotSupportedError("a frozen program cannot start Python in a child process: use `taichi-aot`")
        own = self._standby
        with (
            tempfile.TemporaryFile() as request,
            tempfile.TemporaryFile() if own is None else own.answers as answers,
            tempfile.TemporaryFile() if own is None else own.log as log,
        ):
            request.write(json.dumps(self._call).encode())
            request.seek(0)
            _running.add(self)
            try:
                status = self._run(request, answers, log)
            finally:
                _running.discard(self)
            self._read_answers(answers)
            ending = self._describe_end(status, log)
        if ending.how != "answered":
            remove_leftovers()
        if status == NO_SPACE:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), tempfile.gettempdir())
        return ending

    def end(self) -> None:
        """Kill the process and its children, or prevent its start. A signal handler may call this."""
        self._is_ended = True
        process = self._process
        if process is None or process.returncode is not None:
            return
        if sys.platform == "win32":
            process.kill()
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS: the group of a zombie
                os.killpg(process.pid, signal.SIGKILL)

    def wait_for_end(self, seconds: float) -> None:
        """Wait until the process has ended, for at most `seconds`."""
        deadline = time.monotonic() + seconds
        while self._is_running() and time.monotonic() < deadline:
            time.sleep(SHORTEST_WAIT)

    def _run(self, request: IO[bytes], answers: IO[bytes], log: IO[bytes]) -> int | None:
        """Return the exit status of the process, or None if it was killed after the time limit."""
        if self._is_ended:
            return -signal.SIGTERM
        deadline = time.monotonic() + self._timeout
        if self._standby is None:
            shown = None if self._shows_output else log
            process = self._process = _start(self._path, self._environment, request, answers, shown)
        else:
            process = self._process = self._standby.process
            self._standby.send(request.read())
        if self._is_ended:  # while the process started
            self.end()
        try:
            in_time = self._wait(deadline, answers)
        finally:
            self.end()  # its own children may still run
            status = process.wait()
        return status if in_time else None

    def _wait(self, deadline: float, answers: IO[bytes]) -> bool:
        """Wait for the end of the process; return False if it takes too long."""
        seconds = SHORTEST_WAIT
        while self._is_running():
            if time.monotonic() > deadline:
                return False
            time.sleep(seconds)
            seconds = min(2 * seconds, LONGEST_WAIT)
            if self._on_report is not None and hasattr(os, "pread"):
                self._read_answers(answers)
        return True

    def _is_running(self) -> bool:
        if self._process is None:
            return False
        if not hasattr(os, "waitid"):
            return self._process.poll() is None
        try:
            # WNOWAIT leaves a zombie, so that no other process gets the number of the group.
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:  # where SIGCHLD is ignored, waiting is impossible
            return False

    def _read_answers(self, file: IO[bytes]) -> None:
        """Read the lines that the child has completed since the last call."""
        size = MAX_ANSWER - self._read
        if hasattr(os, "pread"):  # pread does not move the position at which the child writes
            data = os.pread(file.fileno(), size, self._read)
        else:
            file.seek(self._read)
            data = file.read(size)
        data = data[: data.rfind(b"\n") + 1]
        self._read += len(data)
        for line in data.splitlines():
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):  # a kernel may have written anything
                continue
            match message:
                case {"report": value} if self._on_report is not None:
                    self._on_report(value)
                case {"answer": value}:
                    self._answers.append(value)
                case _:
                    pass

    def _describe_end(self, status: int | None, log: IO[bytes]) -> Ending:
        size = log.seek(0, os.SEEK_END)
        log.seek(max(0, size - OUTPUT_TAIL))
        printed = log.read(OUTPUT_TAIL).decode(errors="replace")
        if status is None:
            return Ending("timed out", f"after {self._timeout:g} s", printed)
        if status == 0 and self._answers:
            return Ending("answered", "", printed, self._answers[0])
        try:
            return Ending("crashed", signal.Signals(-status).name, printed)
        except ValueError:
            return Ending("crashed", f"exit status {status}", printed)


def _start(
    path: Sequence[str],
    environment: Mapping[str, str] | None,
    request: IO[bytes] | int,
    answers: IO[bytes],
    log: IO[bytes] | None,
    warm: str = "",
) -> subprocess.Popen[bytes]:
    # The child imports what this process would import, and nothing from its working directory.
    code = f"import sys; sys.path[:] = {list(path)!r}; from {__name__} import serve; serve({warm!r})"
    return subprocess.Popen(
        [sys.executable, "-c", code], stdin=request, stdout=answers, stderr=log, env=environment, start_new_session=True
    )


def end_all() -> None:
    """End all children before a signal ends this process."""
    children = tuple(_running)
    for child in children:
        child.end()
    for child in children:
        child.wait_for_end(DEATH)


# In the child

_channel = -1  # descriptor of the file that the parent reads


def serve(warm: str = "") -> None:
    """Call the function that stdin names. Answers go to stdout, printed text to stderr.

    Before, call ``warm`` of a module.
    """
    import warnings

    global _channel
    _channel = os.dup(1)
    os.dup2(2, 1)
    if warm:
        importlib.import_module(warm).warm()
    data = sys.stdin.buffer.read()
    if warm and not data:
        os._exit(0)
    call: dict[str, Any] = json.loads(data)
    _end_with(call["parent"])
    _limit_seconds(min(call["timeout"], MAX_SECONDS))
    limit("RLIMIT_CORE", 0)
    limit("RLIMIT_FSIZE", FILE_SIZE)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    warnings.simplefilter("ignore")
    function = getattr(importlib.import_module(call["module"]), call["function"])
    answer(function(call["request"]))


def report(value: object) -> None:
    """Report the function's progress to the parent."""
    _send({"report": value})


def answer(value: object) -> None:
    """Send the function's result. The function may then end the process."""
    _send({"answer": value})


def read_timeout(timeout: Any) -> float:
    """Return a time limit that a caller states, in seconds."""
    if not isinstance(timeout, Real):
        raise ArgumentTypeError(f"timeout is a number of seconds, not {describe(timeout)}")
    seconds: Any = timeout
    if not 0 < seconds <= MAX_TIMEOUT:
        raise ArgumentOutOfRangeError(f"timeout is positive and at most {MAX_TIMEOUT:.0f} s, not {short(timeout)}")
    return float(seconds)


def limit(name: str, value: int) -> None:
    """Lower a limit of this process, if the system has it."""
    if sys.platform != "win32":
        import resource

        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        lowest = value if hard == resource.RLIM_INFINITY else min(value, hard)
        with contextlib.suppress(OSError, ValueError):  # macOS has RLIMIT_AS but does not accept it
            resource.setrlimit(kind, (lowest, lowest))


def _send(message: object) -> None:
    data = f"{json.dumps(message)}\n".encode()
    try:
        while data:
            data = data[os.write(_channel, data) :]
    except OSError as error:
        if error.errno in FULL:
            os._exit(NO_SPACE)
        raise


def _end_with(parent: int) -> None:
    """Have the system kill this process when its parent ends."""
    # Linux kills it with the thread that started it, which waits for it.
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL))
    if sys.platform != "win32" and os.getppid() != parent:  # the parent has already ended
        os._exit(1)


def _limit_seconds(seconds: float) -> None:
    """Limit the lifetime and the CPU time of this process, in case the parent does not end it."""
    limit("RLIMIT_CPU", math.ceil(seconds * (os.cpu_count() or 1)) + GRACE)
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds + GRACE)
