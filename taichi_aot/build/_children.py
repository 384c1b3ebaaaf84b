"""The child processes of a build, one per arch, as the parent sees them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from ..enums import Arch

__all__ = ["Compiled", "Job", "Progress", "compile_all"]

PRINTED = 2000  # characters of the end of what a child printed, in messages


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
    printed : str
        The end of what the child printed.
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
    printed: str = ""
    seconds: float = 0.0
    peak_memory: int = 0


def compile_all(jobs: Sequence[Job], progress: Callable[[Progress], None]) -> list[Compiled]:
    """Compile each job in a child process, as many at once as there are cores."""
    children = [_Child(job, progress) for job in jobs]
    with _ended_by_interrupt(children), ThreadPoolExecutor(max_workers=max(1, min(len(jobs), _cores()))) as pool:
        try:
            return list(pool.map(_Child.run, children))
        finally:
            for child in children:
                child.end()


@contextmanager
def _ended_by_interrupt(children: Sequence[_Child]) -> Generator[None]:
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


class _Child:
    def __init__(self, job: Job, progress: Callable[[Progress], None]) -> None:
        self.job = job
        self._progress = progress
        self._process: subprocess.Popen[str] | None = None
        self._last = Progress(job.arch, 0, 0, "")
        self._timed_out = False
        self._ended = False

    def run(self) -> Compiled:
        """Run the child to its end, whatever that is."""
        begin = time.monotonic()
        with (
            tempfile.TemporaryDirectory(prefix="taichi_aot_", ignore_cleanup_errors=True) as folder,
            tempfile.TemporaryFile() as printed,
        ):
            compiled = self._run(Path(folder), printed)
            printed.seek(0, os.SEEK_END)
            printed.seek(max(0, printed.tell() - PRINTED))
            compiled.printed = printed.read().decode(errors="replace").strip()
            if not compiled.files and not compiled.unavailable and not compiled.error:
                compiled.error = self._describe_end(compiled.printed)
        compiled.seconds = time.monotonic() - begin
        self._progress(self._last._replace(name="", done=self._last.total))
        return compiled

    def end(self) -> None:
        """Kill the child if it runs, and do not start it if it does not. A signal handler may call it at any point."""
        self._ended = True
        if self._process is not None:
            _kill(self._process)

    def _run(self, folder: Path, printed: Any) -> Compiled:
        job = self.job
        compiled = Compiled(job.arch)
        if self._ended:
            return compiled
        request = (str(job.arch), job.start, job.source, job.cpu_threads, job.caps, str(folder))
        # The child imports what this process would import, and a dotted name from the current folder first.
        here = [] if job.source.endswith(".py") else [os.getcwd()]
        path = [*here, *filter(None, sys.path)]
        imports = f"import sys; sys.path[:] = {path!r}; from {__package__}._compile import Request, main"
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"{imports}; main(Request(*{request!r}))"],
            env=_environment(job.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=printed,
            encoding="utf-8",
            cwd=folder,
            start_new_session=True,
        )
        if self._ended:  # while it was started
            _kill(self._process)
        timer = threading.Timer(job.timeout, self._time_out)
        timer.start()
        try:
            assert self._process.stdout is not None
            with self._process.stdout as reports:
                self._read(reports, compiled)
            self._process.wait()
        finally:
            timer.cancel()
            _kill(self._process)
            self._process.wait()
        if compiled.description:
            compiled.files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
        return compiled

    def _time_out(self) -> None:
        self._timed_out = True
        if self._process is not None:
            _kill(self._process)

    def _read(self, lines: Iterable[str], compiled: Compiled) -> None:
        for line in lines:
            event: dict[str, Any] = json.loads(line)
            match event:
                case {"event": "compiling", "name": name, "done": done, "total": total}:
                    self._last = Progress(self.job.arch, done, total, name)
                    self._progress(self._last)
                case {"event": "done"}:
                    compiled.description = event["description"]
                    compiled.parameters = event["parameters"]
                    compiled.warnings = event["warnings"]
                    compiled.peak_memory = event["peak_memory"]
                case {"event": "unavailable", "message": message}:
                    compiled.unavailable = message
                case {"event": "error", "message": message}:
                    compiled.error = message
                case _:
                    pass

    def _describe_end(self, printed: str) -> str:
        assert self._process is not None
        status = self._process.returncode
        if self._timed_out:
            end = f"took longer than {self.job.timeout:g} s"
        elif status < 0:
            with suppress(ValueError):
                status = signal.Signals(-status).name
            end = f"crashed ({status})"
        else:
            end = f"ended with exit status {status}"
        at = f" while it compiled {self._last.name}" if self._last.name else ""
        return f"the compiler {end}{at}" + (f"; it printed:\n{printed}" if printed else "")


def _environment(extra: Mapping[str, str]) -> dict[str, str]:
    """The variables of this process without those that configure Taichi, so that builds are the same everywhere."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TI_")}
    fixed = {
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONUNBUFFERED": "1",
        "TI_SKIP_VERSION_CHECK": "ON",  # else it asks a server on the network
    }
    return {**kept, **fixed, **extra}


def _kill(process: subprocess.Popen[str]) -> None:
    """Kill a child that is still running, and the processes that it started."""
    if process.poll() is not None:
        return
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
