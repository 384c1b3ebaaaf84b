"""Run a function of tests in several processes that MPI or torch.distributed connects."""

from __future__ import annotations

import inspect
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from helpers.child import TESTS, child_environment
from helpers.child_main import END, Call
from helpers.frameworks import REQUIRED, need_framework

# Each process has one thread for its loops. Open MPI must be told to run as root, and more processes than cores.
ENVIRONMENT = {
    "TAICHI_AOT_CPU_THREADS": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


def mpiexec() -> str:
    """Return the command of this environment or of the system; skip the test without one, or without mpi4py."""
    need_framework("mpi4py")
    found = shutil.which("mpiexec", path=Path(sys.executable).parent) or shutil.which("mpiexec")
    if found is None:
        if "mpi4py" in REQUIRED:
            pytest.fail("mpi4py is required by TAICHI_AOT_TEST_FRAMEWORKS, but there is no mpiexec")
        pytest.skip("no mpiexec")
    return found


def run_mpi(
    count: int, *command: str | Path, timeout: float = 300, status: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run a Python command in so many processes, all of which end if one fails; check how they end."""
    launch = [mpiexec(), "-n", str(count), sys.executable, "-m", "mpi4py", *map(str, command)]
    done = _run([launch], [{}], timeout)[0]
    assert bool(done.returncode) == bool(status), f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def call_in_mpi(count: int, function: Callable[..., object], *arguments: object) -> None:
    """Call a function in so many processes, which fail together."""
    done = run_mpi(count, "-m", *_call(function, arguments))
    assert done.stdout.count(END) == count, f"{done.stdout}\n{done.stderr}"


def call_in_torch(count: int, function: Callable[..., object], *arguments: object) -> None:
    """Call a function in so many processes with the variables by which torch.distributed numbers them."""
    command = [sys.executable, "-m", *_call(function, arguments)]
    places = [{"RANK": str(rank), "WORLD_SIZE": str(count)} for rank in range(count)]
    for done in _run([command] * count, places, 300):
        assert END in done.stdout, f"{done.stdout}\n{done.stderr}"


def _call(function: Callable[..., object], arguments: tuple[object, ...]) -> tuple[str, str]:
    call = Call(function.__module__, inspect.getfile(function), function.__name__, pickle.dumps((arguments, {})))
    return "helpers.child_main", pickle.dumps(tuple(call)).hex()


def _run(
    commands: list[list[str]], places: Sequence[Mapping[str, str]], timeout: float
) -> list[subprocess.CompletedProcess[str]]:
    """Run commands at the same time, and stop all if one takes too long."""
    environment = {**child_environment(), **ENVIRONMENT}
    pipe = subprocess.PIPE
    processes = [
        subprocess.Popen(command, env={**environment, **place}, cwd=TESTS, stdout=pipe, stderr=pipe, text=True)
        for command, place in zip(commands, places, strict=True)
    ]
    try:
        outputs = [process.communicate(timeout=timeout) for process in processes]
    finally:
        for process in processes:
            process.terminate()  # mpiexec ends its processes then
            process.wait(60)
    return [
        subprocess.CompletedProcess(process.args, process.returncode, *output)
        for process, output in zip(processes, outputs, strict=True)
    ]
