"""Calls of functions in child processes with limits, which crash in place of this one."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from .device import visible_devices
from .enums import Arch
from .errors import NotSupportedError

__all__ = ["ADDRESS_SPACE", "FILE_SIZE", "Ending", "call", "limit_address_space", "serve"]

How: TypeAlias = Literal["answered", "crashed", "timed out"]

ADDRESS_SPACE = 16 << 30  # bytes; a runtime takes 1 GiB, and each thread of the library some more
FILE_SIZE = 1 << 30  # bytes; of each file that a child writes, its output included
OUTPUT_TAIL = 2000  # bytes of a child's output that are searched for its last line
MAX_ANSWER = 64 << 20  # bytes; the child may run hostile code
REQUEST, ANSWER, OUTPUT = "request.json", "answer.json", "output.txt"


class Ending(NamedTuple):
    """How a child process ended.

    Attributes
    ----------
    how : str
        ``"answered"``, ``"crashed"`` (by a signal, or without an answer) or ``"timed out"``.
    message : str
        The signal or exit status, or the time; empty if it answered.
    answer : object
        What the function returned, as JSON keeps it; None if it did not answer.
    """

    how: How
    message: str = ""
    answer: Any = None


def call(
    function: Callable[[Any], object], request: object, timeout: float | None, *, shows_output: bool = False
) -> Ending:
    """Call a function of the package in a child process.

    Parameters
    ----------
    function : callable
        Found by its module and name. What it is given and what it returns must be what JSON holds.
    request : object
        Its argument.
    timeout : float or None
        Limit in seconds, including some tenths of a second to start the process.
    shows_output : bool, default False
        Whether what the child prints appears on stderr. Otherwise it is kept, and a crash is reported with its last
        line.

    Raises
    ------
    NotSupportedError
        In a program that PyInstaller or Nuitka froze: its children would be the program again, instead of Python.
    """
    if hasattr(sys, "frozen") or "__compiled__" in globals():  # set by PyInstaller, by Nuitka
        raise NotSupportedError("a frozen program cannot start Python to try a module: use `taichi-aot validate`")
    with tempfile.TemporaryDirectory(prefix="taichi_aot_") as name:
        folder = Path(name)
        (folder / REQUEST).write_text(json.dumps(request), encoding="utf-8")
        with open(folder / OUTPUT, "wb") as output:
            status = _run(_command(function, name), timeout, 2 if shows_output else output.fileno())
        if status is None:
            return Ending("timed out", f"after {timeout:g} s")
        if status != 0:
            return Ending("crashed", _describe_end(status, folder / OUTPUT))
        return _read_answer(folder / ANSWER)


def _command(function: Callable[[Any], object], folder: str) -> list[str]:
    # The child imports what this process would import, and nothing from its working directory.
    code = (
        f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import serve; "
        f"from {function.__module__} import {function.__name__} as function; serve(function, {folder!r})"
    )
    return [sys.executable, "-c", code]


def _run(command: list[str], timeout: float | None, output: int) -> int | None:
    """The exit status of a process, or None if it was killed after the time limit."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a child that is still running, and the processes that it started."""
    if process.poll() is not None:
        return
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _read_answer(path: Path) -> Ending:
    """A child's answer. A kernel may have ended the process with status 0, or written an arbitrary file."""
    try:
        with open(path, "rb") as file:
            return Ending("answered", answer=json.loads(file.read(MAX_ANSWER)))
    except (OSError, ValueError, RecursionError):
        return Ending("crashed", "the process ended without an answer")


def _describe_end(status: int, output: Path) -> str:
    """The signal or exit status of a process, with the last line that it printed, if that was kept."""
    try:
        end = signal.Signals(-status).name
    except ValueError:
        end = f"exit status {status}"
    with open(output, "rb") as file:
        file.seek(max(0, output.stat().st_size - OUTPUT_TAIL))
        lines = file.read(OUTPUT_TAIL).decode(errors="replace").split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return f"{end} after {last!r}" if last else end


# In the child


def serve(function: Callable[[Any], object], folder: str) -> None:
    """Call the function with the request in `folder` and write its answer to the same folder."""
    import warnings

    warnings.simplefilter("ignore")
    _limit("RLIMIT_CORE", 0)
    _limit("RLIMIT_FSIZE", FILE_SIZE)
    answer = function(json.loads(Path(folder, REQUEST).read_text(encoding="utf-8")))
    Path(folder, ANSWER).write_text(json.dumps(answer), encoding="utf-8")


def limit_address_space(arch: Arch, size: int) -> None:
    """Lower the limit of this process's memory, for CPU devices: GPU drivers reserve more than they use."""
    if any(device.kind == "cpu" for device in visible_devices(arch)):
        _limit("RLIMIT_AS", size)


def _limit(name: str, value: int) -> None:
    """Lower a limit of this process, if the system has it."""
    if sys.platform != "win32":
        import resource

        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        lowest = value if hard == resource.RLIM_INFINITY else min(value, hard)
        with contextlib.suppress(OSError, ValueError):  # macOS has RLIMIT_AS but does not accept it
            resource.setrlimit(kind, (lowest, lowest))
