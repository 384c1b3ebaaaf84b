"""Run Python, mostly functions of tests, in child processes with time limits."""

from __future__ import annotations

import atexit
import inspect
import json
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from functools import partial, wraps
from pathlib import Path
from typing import IO, Any, NamedTuple

import pytest

import taichi_aot
from helpers.child_main import END, SKIPPED, Call

TESTS = Path(__file__).parents[1]
_IMPORTS = (str(TESTS), str(Path(taichi_aot.__file__).parents[1]))
# Mesa 22.0 (Ubuntu 22.04) prints it for every instance.
LAVAPIPE_WARNING = "WARNING: lavapipe is not a conformant vulkan implementation, testing use only.\n"
START_TIMEOUT = 600  # seconds for the server to import the package
_PYTHON = (sys.executable, "-W", "error", "-X", "faulthandler")
_READ_AT_START = ("PYTHON", "LD_", "MALLOC_", "GLIBC_", "LANG", "LC_")
ABORT = signal.SIGABRT if sys.platform != "win32" else signal.SIGTERM


def child_environment() -> dict[str, str]:
    """Return an environment in which the child imports the same package as the parent."""
    path = os.pathsep.join([*_IMPORTS, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path}


def run_child(
    *arguments: object,
    timeout: float = 600,
    env: Mapping[str, str] | None = None,
    cwd: Path = TESTS,
    status: int | None = 0,
) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments and check its status, unless that is None; raise TimeoutExpired after a while."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", *map(str, arguments)],
        env={**child_environment(), **(env or {})},
        cwd=cwd,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=timeout,
        check=False,
    )
    assert status in (None, done.returncode), f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


class _Outcome(NamedTuple):
    """A child's return code, its output, and whether it ended by itself."""

    returncode: int
    stdout: str
    stderr: str
    ended: bool


def _of_start(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that the interpreter or the dynamic loader reads at its start."""
    return {name: value for name, value in environment.items() if name.startswith(_READ_AT_START)}


def _run_in_new_process(call: Call, environment: Mapping[str, str], timeout: float) -> _Outcome:
    command = [*_PYTHON, "-m", "helpers.child_main", pickle.dumps(tuple(call)).hex()]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, cwd=TESTS, stdout=pipe, stderr=pipe, text=True) as process:
        ended = True
        try:
            stdout, stderr = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            ended = False
            process.send_signal(ABORT)
            stdout, stderr = process.communicate(timeout=60)
        finally:
            process.kill()
    return _Outcome(process.returncode, stdout, stderr, ended)


class _Server:
    """A process that has imported the package and forks a child for each call (``helpers/child_main.py``).

    Children may have other variables than those with which it starts, except those that are read at a start.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [*_PYTHON, "-m", "helpers.child_main", "--serve", str(theirs.fileno())]
            # Forked children would lose the threads of numpy's linear algebra.
            environment = {**environment, "OPENBLAS_NUM_THREADS": "1"}
            self._process = subprocess.Popen(command, env=environment, cwd=TESTS, pass_fds=[theirs.fileno()])

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._socket.close()

    def run(self, call: Call, environment: Mapping[str, str], timeout: float) -> _Outcome:
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            message = pickle.dumps((tuple(call), dict(environment)))
            socket.send_fds(self._socket, [message], [out.fileno(), err.fileno()])
            child = self._answer(START_TIMEOUT)
            ended = self._answers_within(timeout)
            if not ended:
                os.kill(child, ABORT)
                if not self._answers_within(60):
                    os.kill(child, signal.SIGKILL)
            status = self._answer(60)
            return _Outcome(os.waitstatus_to_exitcode(status), _text_of(out), _text_of(err), ended)

    def _answer(self, timeout: float) -> int:
        answer = self._socket.recv(100) if self._answers_within(timeout) else b""
        if not answer:
            raise ConnectionError("the server of children does not answer")
        return int(answer)

    def _answers_within(self, timeout: float) -> bool:
        return bool(select.select([self._socket], [], [], timeout)[0])


def _text_of(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


class _Servers:
    """The servers of this process, one per start environment; keeps the last few."""

    KEPT = 3

    def __init__(self) -> None:
        self._servers: dict[str, _Server] = {}
        self._lock = threading.Lock()
        atexit.register(self.close, 0)

    def close(self, kept: int) -> None:
        while len(self._servers) > kept:
            self._servers.pop(next(iter(self._servers))).close()

    def run(self, call: Call, environment: Mapping[str, str], timeout: float) -> _Outcome:
        key = json.dumps(_of_start(environment), sort_keys=True)
        with self._lock:
            server = self._servers.pop(key, None) or _Server(environment)
            self.close(self.KEPT - 1)
            try:
                outcome = server.run(call, environment, timeout)
            except BaseException:  # the next call gets a new server, without pending answers
                server.close()
                raise
            self._servers[key] = server  # to the end: most recently used
            return outcome


_servers = _Servers()


def run_in_child(
    function: Callable[..., object],  # of a module: the child loads its file
    *args: object,
    env: Mapping[str, str | None] | None = None,  # variables to set, or with None to remove
    timeout: float = 600,  # seconds until the child is aborted, and prints the traceback of each of its threads
    quiet: bool = True,  # whether stderr must be empty, and stdout without messages of the library
    status: int = 0,  # the expected return code; with 0, the function must also have returned
    fresh: bool = False,  # whether to start a new process instead of forking one that has imported the package
    named: Mapping[str, object] | None = None,  # further arguments
) -> subprocess.CompletedProcess[str]:
    """Call a function in a child process with pickled arguments, and return what it printed.

    Check how the child ends; skip the test if the function does.
    """
    arguments = pickle.dumps((args, dict(named or {})))
    call = Call(function.__module__, inspect.getfile(inspect.unwrap(function)), function.__name__, arguments)
    name = call.name
    merged = {**child_environment(), **(env or {})}
    variables = {key: value for key, value in merged.items() if value is not None}
    run = _run_in_new_process if fresh or not hasattr(os, "fork") else _servers.run
    returncode, stdout, stderr, ended = run(call, variables, timeout)
    if not ended:
        pytest.fail(f"{name} did not end within {timeout} s\n{stdout}\n{stderr}")
    stderr = stderr.replace(LAVAPIPE_WARNING, "")
    assert returncode == status, f"{name}: exit {returncode}\n{stdout}\n{stderr}"
    assert status != 0 or END in stdout, f"{name} ended early\n{stdout}\n{stderr}"
    assert not quiet or stderr == "", f"{name} wrote to stderr\n{stdout}\n{stderr}"
    assert not quiet or "[Taichi]" not in stdout, f"the library wrote to stdout\n{stdout}"
    if SKIPPED in stdout:
        pytest.skip(stdout.partition(SKIPPED)[2].splitlines()[0])
    return subprocess.CompletedProcess([name], returncode, stdout.replace(f"{END}\n", ""), stderr)


def in_child(test: Callable[..., object] | None = None, /, **options: Any) -> Callable[..., Any]:
    """Run a test in a child process, which gets the values of its fixtures; `options` are those of `run_in_child`."""
    if test is None:
        return partial(in_child, **options)

    @wraps(test)
    def run(**arguments: object) -> None:
        run_in_child(test, **options, named=arguments)

    return run
