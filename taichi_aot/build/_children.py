"""The child processes of a build, one per arch, as the parent sees them."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, NamedTuple

from ..driver._child import Child, Ending
from ..values._enums import Arch
from ._compile import Request, main, unpack

__all__ = ["SOURCE_VARIABLE", "Compiled", "Job", "Progress", "compile_all"]

SOURCE_VARIABLE = "TAICHI_AOT_BUILD_SOURCE"  # of a child and of the processes that its source starts: what is built


class Progress(NamedTuple):
    """How far the build for an arch is.

    Attributes
    ----------
    arch : Arch
    done, total : int
        Kernels and graphs that are compiled, and all that are known of so far.
    name : str
        What is compiled now; empty when the arch is done or has failed.

    Examples
    --------
    >>> def show(progress: Progress) -> None:
    ...     print(f"{progress.arch}: {progress.done}/{progress.total} {progress.name}")
    >>> result = build("kernels.py", progress=show)  # doctest: +SKIP
    x64: 0/1 saxpy
    x64: 1/1
    """

    arch: Arch
    done: int
    total: int
    name: str


class Job(NamedTuple):
    """What is compiled for one arch."""

    arch: Arch
    start: str  # with which arch the compiler starts
    source: str
    cpu_threads: int | None
    caps: tuple[str, ...]
    environment: Mapping[str, str]
    timeout: float


@dataclass
class Compiled:
    """What came of a child.

    Attributes
    ----------
    files : dict of str to bytes
        The module's files, as Taichi wrote them.
    description : dict
        The description, as ``bundle.json`` states it, without the parameters of graphs.
    parameters : dict
        The parameters of kernels in the same way, by Taichi's name of the kernel.
    unavailable, error : str
        Why the arch cannot be built here, or what is wrong with the source; empty if not.
    seconds : float
        Wall time.
    peak_memory : int
        Bytes.
    """

    arch: Arch
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    description: dict[str, Any] = field(default_factory=dict[str, Any])
    parameters: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, list[dict[str, Any]]])
    warnings: list[str] = field(default_factory=list[str])
    unavailable: str = ""
    error: str = ""
    seconds: float = 0.0
    peak_memory: int = 0


def compile_all(jobs: Sequence[Job], progress: Callable[[Progress], None]) -> list[Compiled]:
    """Compile each job in a child process, as many at once as there are cores."""
    children = [_Compilation(job, progress) for job in jobs]
    with _ended_by_interrupt(children), ThreadPoolExecutor(max_workers=max(1, min(len(jobs), _cores()))) as pool:
        try:
            return list(pool.map(_Compilation.run, children))
        finally:
            for child in children:
                child.end()


@contextmanager
def _ended_by_interrupt(children: Sequence[_Compilation]) -> Generator[None]:
    """Where interrupts come to this thread: they end the children, and only then the block, however many they are."""
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler) or threading.current_thread() is not threading.main_thread():
        yield
        return
    is_interrupted = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal is_interrupted
        is_interrupted = True
        for child in children:
            child.end()

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if is_interrupted:
            signal.raise_signal(signal.SIGINT)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Compilation:
    """The child process of a job."""

    def __init__(self, job: Job, progress: Callable[[Progress], None]) -> None:
        self.job = job
        self._progress = progress
        self._last = Progress(job.arch, 0, 0, "")
        request = Request(str(job.arch), job.start, job.source, job.cpu_threads, job.caps)
        # The child imports what this process would import, and a dotted name from the current folder first.
        here = [] if job.source.endswith(".py") else [os.getcwd()]
        self._child = Child(
            main,
            request,
            job.timeout,
            path=[*here, *filter(None, sys.path)],
            environment=_environment(job),
            on_report=self._show,
        )

    def run(self) -> Compiled:
        """Run the child to its end, whatever that is."""
        begin = time.monotonic()
        ending = self._child.run()
        compiled = Compiled(self.job.arch, seconds=time.monotonic() - begin)
        match ending.answer:
            case {"files": files, "description": description, "parameters": parameters}:
                compiled.files = unpack(files)
                compiled.description = description
                compiled.parameters = parameters
                compiled.warnings = ending.answer["warnings"]
                compiled.peak_memory = ending.answer["peak_memory"]
            case {"unavailable": message}:
                compiled.unavailable = message
            case {"error": message, "is_of_process": is_of_process}:
                compiled.error = message + (_printed(ending) if is_of_process else "")
            case _:
                compiled.error = self._describe_end(ending)
        self._progress(self._last._replace(name="", done=self._last.total))
        return compiled

    def end(self) -> None:
        """Kill the child if it runs, and do not start it if it does not. A signal handler may call it at any point."""
        self._child.end()

    def _show(self, report: Mapping[str, Any]) -> None:
        self._last = Progress(self.job.arch, report["done"], report["total"], report["name"])
        self._progress(self._last)

    def _describe_end(self, ending: Ending) -> str:
        if ending.how == "timed out":
            end = f"took longer than {self.job.timeout:g} s"
        else:
            end = f"crashed ({ending.end})" if ending.end.startswith("SIG") else f"ended with {ending.end}"
        at = f" while it compiled {self._last.name}" if self._last.name else ""
        return f"the compiler {end}{at}{_printed(ending)}"


def _printed(ending: Ending) -> str:
    printed = ending.printed.strip()
    return f"; it printed:\n{printed}" if printed else ""


def _environment(job: Job) -> dict[str, str]:
    """The variables of this process without those that configure Taichi, so that builds are the same everywhere."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TI_")}
    fixed = {
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONUNBUFFERED": "1",
        "TI_SKIP_VERSION_CHECK": "ON",  # else it asks a server on the network
    }
    return {**kept, **fixed, **job.environment, SOURCE_VARIABLE: job.source}
