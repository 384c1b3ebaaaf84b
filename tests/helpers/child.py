"""Run Python in a child process with a time limit; above all a scenario, a function of ``tests/scenarios``."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from scenarios import END

import taichi_aot

TESTS = Path(__file__).parents[1]
_IMPORTS = (str(TESTS), str(Path(taichi_aot.__file__).parents[1]))
# Mesa 22.0 (Ubuntu 22.04) writes it for every instance.
LAVAPIPE_WARNING = "WARNING: lavapipe is not a conformant vulkan implementation, testing use only.\n"
ABORT = signal.SIGABRT if sys.platform != "win32" else signal.SIGTERM


def child_environment() -> dict[str, str]:
    """The child imports the package that the parent has imported, whether installed or in a checkout."""
    path = os.pathsep.join([*_IMPORTS, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path}


def run_child(
    *arguments: str, timeout: float, env: Mapping[str, str] | None = None, cwd: Path = TESTS
) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments, however it ends; TimeoutExpired after `timeout` seconds."""
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", *arguments],
        env={**child_environment(), **(env or {})},
        cwd=cwd,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=timeout,
        check=False,
    )


def run_scenario(
    name: str,
    *args: object,
    env: Mapping[str, str | None] | None = None,
    timeout: float = 60,
    quiet: bool = True,
    status: int = 0,
) -> subprocess.CompletedProcess[str]:
    """Run a scenario in a child process and check how it ends.

    Parameters
    ----------
    name
        ``"module:function"``, a function in ``tests/scenarios/module.py``.
    args
        Passed to the function as strings.
    env
        Environment variables to set, or to remove where the value is None.
    timeout
        Seconds until the child is aborted, which prints the traceback of each of its threads.
    quiet
        Whether the child must leave stderr empty.
    status
        The expected return code. With 0, the function must also have returned.

    Returns
    -------
    subprocess.CompletedProcess[str]
        Its ``stdout`` is what the scenario printed.
    """
    command = [sys.executable, "-W", "error", "-X", "faulthandler", "-m", "scenarios", name, *map(str, args)]
    merged = {**child_environment(), **(env or {})}
    variables = {key: value for key, value in merged.items() if value is not None}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=variables, cwd=TESTS, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            stdout, stderr = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.send_signal(ABORT)
            stdout, stderr = process.communicate(timeout=10)
            pytest.fail(f"{name} did not end within {timeout} s\n{stdout}\n{stderr}")
        finally:
            process.kill()
    stderr = stderr.replace(LAVAPIPE_WARNING, "")
    assert process.returncode == status, f"{name}: exit {process.returncode}\n{stdout}\n{stderr}"
    assert status != 0 or END in stdout, f"{name} ended early\n{stdout}\n{stderr}"
    assert not quiet or stderr == "", f"{name} wrote to stderr\n{stdout}\n{stderr}"
    return subprocess.CompletedProcess(command, process.returncode, stdout.replace(f"{END}\n", ""), stderr)
