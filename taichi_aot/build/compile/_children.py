"""The child processes of a build, one per arch: the parent's side.

Programs are built for several archs: all archs get the same kernels, graphs and fields.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import chain, takewhile
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, Protocol, TypeVar

from ...driver._child import Child, Ending
from ...values._numbers import Arch
from .._archs import TARGETS
from .._options import SOURCE_VARIABLE, BuildError, CrashError, Options, option, option_form
from .._processes import Kept
from ..source._explain import Caution, merge
from ..source._source import is_of_source
from ._compile import Request, main, unpack
from ._compiled import Compiled, without_memory

# A warning of the compiler: the place in the source, its lines, and the text. Parts of a wrapped line begin at the
# margin, as the text does, but with carets below them.
WARNING = re.compile(
    r"^\[W [^\n]*\] TaichiWarning\n(?:While compiling `[^`]*`, )?"
    r'File "([^"\n]*)", line (\d+), in (\w+):\n(?:[ \t][^\n]*\n|[^\n]+\n *\^[ ^]*\n)*([^\s[][^\n]*)$',
    re.MULTILINE,
)
Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)
STACK = "Stack Traceback"  # in the title of the frames that Taichi prints when it crashes
PRINTED_LINES = 5
PACKED = frozenset(("files", "tasks_before_passes", "contents"))  # files of an answer; Quadrants has no contents
NOISE = ("[Taichi]", "terminate called")  # how lines begin that say nothing of a crash
# Usual causes of compiler crashes.
CRASHES = {
    "SIGABRT": ", as it does on types that it does not check, such as a vector that is stored as a number, or max and "
    "abs of u8 and i16: convert to ti.i32 first",
    "SIGSEGV": ", as it does on an index beyond the size of a vector, or for SPIR-V on // and % of u8 and i8: convert "
    "to ti.i32 first",
    "SIGKILL": ", as the system does when memory is short: compile fewer kernels in a file",
}


class Progress(NamedTuple):
    """The progress of the build for an arch.

    Attributes
    ----------
    arch : Arch
    done, total : int
        The number of compiled kernels and graphs, and the number known so far.
    name : str
        The current kernel or graph; empty once the build is done or has failed.

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


def show_code(show: Callable[[Progress], object], arch: Arch, total: int) -> Callable[[int], object]:
    """Return what shows the number of kernels whose code has been compiled."""
    what = "machine code" if TARGETS[arch].has_machine_code else "PTX"
    return lambda done: show(Progress(arch, done, total, what))


class Job(NamedTuple):
    """The work of one child process."""

    arch: Arch
    start: str  # the arch with which the compiler starts
    options: Options
    environment: Mapping[str, str]
    caps: tuple[str, ...] = ()
    program_seconds: float | None = None  # the limit of a program that is run; None for a source that is imported
    skipped: tuple[str, ...] = ()  # names in the program that are left out
    has_machine_code: bool = False
    main: Callable[[Any], object] = main  # what the process calls, for the compiler of the source


class _Process(Protocol[Result_co]):
    """A child process."""

    def run(self) -> Result_co: ...
    def end(self) -> None: ...


def compile_all(jobs: Sequence[Job], progress: Callable[[Progress], None]) -> list[Compiled]:
    """Compile each job in a child process, with one process per core at a time."""
    return run_all([_Compilation(job, progress) for job in jobs])


def call_each(
    function: Callable[[Any], object],
    requests: Sequence[Any],
    timeout: float,
    what: str,
    show: Callable[[int], object] | None = None,
    kept: Kept | None = None,
) -> list[Any]:
    """Call a function in child processes, one per core at a time, and return its answers.

    `what` names the function in messages. `show` is called with the number of requests that have been answered, in the
    calling thread. BuildError if a process fails, or takes longer than `timeout` seconds.
    """
    variables = plain_environment()
    children = [
        Child(
            function,
            request,
            timeout,
            environment=variables,
            standby=kept.standby(function, sys.path, variables) if kept is not None else None,
        )
        for request in requests
    ]
    endings = run_all(children, show)
    for ending in endings:
        if ending.how != "answered":
            kind = CrashError if ending.how == "crashed" else BuildError
            raise kind(f"{what} failed: {ending.message}; {option('no-native')} leaves it out")
    return [ending.answer for ending in endings]


def run_all(children: Sequence[_Process[Result]], show: Callable[[int], object] | None = None) -> list[Result]:
    """Run children, one per core at a time; `show` is called with the number of those that have ended."""

    def run(child: _Process[Result]) -> Result:
        return child.run()

    results: list[Result] = []
    with _ended_by_interrupt(children), ThreadPoolExecutor(max_workers=max(1, min(len(children), cores()))) as pool:
        try:
            for result in pool.map(run, children):
                results.append(result)
                if show is not None:
                    show(len(results))
        finally:
            for child in children:
                child.end()
    return results


@contextmanager
def _ended_by_interrupt(children: Sequence[_Process[Any]]) -> Generator[None]:
    """Let interrupts end the children first, and raise one at the end of the block; only in the main thread."""
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


def cores() -> int:
    """Return the number of cores on which this process may run."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Compilation:
    """The child process of a job."""

    def __init__(self, job: Job, progress: Callable[[Progress], None]) -> None:
        self.job = job
        self._progress = progress
        self._last = Progress(job.arch, 0, 0, "")
        self._at = ""  # what the child compiles, for messages
        self._limit = option("timeout")  # here: threads of a pool do not know the form
        options = job.options
        request = Request(
            str(job.arch),
            job.start,
            options.source,
            options.cpu_threads,
            job.caps,
            job.program_seconds,
            job.skipped,
            options.debug,
            job.has_machine_code,
            options.verbose,
            option_form(),
        )
        # The child imports from this process's path; it looks for a dotted name in the current folder first.
        path = [*([] if options.source.endswith(".py") else [os.getcwd()]), *filter(None, sys.path)]
        variables = _environment(job)
        self._child = Child(
            job.main,
            request,
            options.timeout,
            path=path,
            environment=variables,
            on_report=self._show,
            standby=options.kept.standby(job.main, path, variables) if options.kept is not None else None,
        )

    def run(self) -> Compiled:
        """Run the child to its end, also if it fails."""
        begin = time.monotonic()
        ending = self._child.run()
        compiled = Compiled(self.job.arch, seconds=time.monotonic() - begin)
        match ending.answer:
            case {"files": _} as stated:
                stated |= {name: unpack(stated[name]) for name in PACKED & stated.keys()}
                stated["folder"], stated["sources"] = Path(stated["folder"]), tuple(stated["sources"])
                stated["warnings"] = [*stated["warnings"], *_warnings_in(ending.printed)]
                vars(compiled).update(stated)
            case {"unavailable": message}:
                compiled.unavailable = message
            case {"lacking": reason} if reason and not self.job.options.are_required:
                compiled.unavailable = reason
            case {"error": message, "is_of_process": is_of_process}:
                compiled.error = message + (self._printed(ending) if is_of_process else "")
            case _:
                compiled.error = self._describe_end(ending)
                compiled.crashed_at = self._last.name if ending.how == "crashed" else ""
        self._progress(self._last._replace(name="", done=self._last.total))
        return compiled

    def end(self) -> None:
        """Kill the child if it runs, or prevent its start. A signal handler may call this at any time."""
        self._child.end()

    def _show(self, report: Mapping[str, Any]) -> None:
        self._last = Progress(self.job.arch, report["done"], report["total"], report["name"])
        self._at = report["what"]
        self._progress(self._last)

    def _describe_end(self, ending: Ending) -> str:
        at = f"{self._at}: " if self._at else ""
        if ending.how == "timed out":
            limit = f"{self.job.options.timeout:g} s"
            end = f"took longer than {limit}, running the source included; {self._limit} sets the limit"
        elif ending.end.startswith("SIG"):
            end = f"crashed ({ending.end}){CRASHES.get(ending.end, '')}"
        else:
            end = f"ended with {ending.end}"
        return f"{at}the compiler {end}{self._printed(ending)}"

    def _printed(self, ending: Ending) -> str:
        """Return the last lines that the child printed, without Taichi's banner and warnings."""
        lines = ending.printed.strip().splitlines()
        if not self.job.options.verbose:
            # Warnings may be of other kernels.
            lines = list(takewhile(lambda line: STACK not in line, WARNING.sub("", ending.printed).splitlines()))
            lines = [line for line in lines if line.strip() and not line.startswith(NOISE)][-PRINTED_LINES:]
        return "".join(["; it printed:", *(f"\n{line}" for line in lines)]) if lines else ""


def _warnings_in(printed: str) -> list[str]:
    """Return the warnings that the compiler has printed about the source."""
    found = [
        Caution("compiler", f"{file}, line {line}, in {function}", f"has a warning of the compiler: {text}")
        for file, line, function, text in WARNING.findall(printed)
        if is_of_source(file)
    ]
    return merge(found)


def _environment(job: Job) -> dict[str, str]:
    """Return the child's environment variables."""
    fixed = {
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONUNBUFFERED": "1",
        "TI_SKIP_VERSION_CHECK": "ON",  # otherwise Taichi asks a server on the network
    }
    return {**plain_environment(), **fixed, **job.environment, SOURCE_VARIABLE: job.options.source}


def plain_environment(variables: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables without those that configure compilers, for equal builds everywhere, and others."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("TI_", "QD_"))}
    return own | dict(variables or {})


# Programs built for several archs: all archs get the same kernels, graphs and fields.


LATE = "it uses fields of a ti.FieldsBuilder, for which the C library has no memory"
NO_FIELD = "it uses fields that cannot be in the module"


def compile_program(
    jobs: Sequence[Job], progress: Callable[[Progress], None], is_required: bool
) -> tuple[list[Compiled], dict[str, str]]:
    """Compile a program for each job, again if it has what another arch cannot have.

    An arch that is not required is unavailable if it can have none of the kernels. The second result states why
    kernels, graphs and fields are left out, by name.
    """
    done: dict[Arch, Compiled] = {}
    left_out: dict[str, str] = {}
    waiting = list(jobs)
    while waiting:
        skipped = tuple(left_out)
        done |= {each.arch: each for each in compile_all([job._replace(skipped=skipped) for job in waiting], progress)}
        lost = {arch: _lost(compiled) for arch, compiled in done.items() if not compiled.unavailable}
        _add_missing(done, lost)
        if not is_required:
            _drop_useless(done, lost)
        left_out |= _join({arch: {n: r for n, r in names.items() if n not in left_out} for arch, names in lost.items()})
        new = left_out.keys() - set(skipped)
        waiting = [job for job in jobs if new and _must_repeat(done[job.arch], new)]
    return list(done.values()), left_out


def _lost(compiled: Compiled) -> dict[str, str]:
    """Return the items that an arch cannot have, with the reasons."""
    if compiled.crashed_at:
        return {compiled.crashed_at: compiled.error.partition("; it printed:")[0].rpartition("): ")[2]}
    if compiled.program is None:
        return {}
    lost = dict(compiled.program["left_out"])
    if compiled.program["is_partial"]:
        return lost
    info = compiled.parsed.info
    reason = compiled.program["layout_error"]
    names = [name for name, kernel in info.all_kernels.items() if kernel.field_trees] if reason else []
    reason = reason or (NO_FIELD if TARGETS[compiled.arch].has_field_trees else LATE)
    for name in (*names, *without_memory(compiled)):
        graphs = [graph for graph, each in info.graphs.items() if any(name == step.kernel for step in each.dispatches)]
        lost |= dict.fromkeys([name] if name in info.kernels else graphs, reason)
    return lost


def _add_missing(done: Mapping[Arch, Compiled], lost: Mapping[Arch, dict[str, str]]) -> None:
    """Add what another arch has: a program can differ, or end earlier, on an arch."""
    names = dict.fromkeys(chain.from_iterable(_names(done[each]) for each in lost))
    for arch, own in lost.items():
        program = done[arch].program
        if program is not None and not program["is_partial"]:
            reason = program["ended"] or "the program does not have it"
            own |= {name: reason for name in names if name not in own and name not in _names(done[arch])}


def _drop_useless(done: Mapping[Arch, Compiled], lost: dict[Arch, dict[str, str]]) -> None:
    """Make archs unavailable that lose all kernels and graphs, if another does not."""
    left = {
        arch: {each["name"] for kind in ("kernels", "graphs") for each in done[arch].description[kind]} - set(names)
        for arch, names in lost.items()
        if done[arch].program
    }
    useless = [arch for arch, names in left.items() if not names]
    if len(useless) < len(lost):
        for each in useless:
            reason = next(iter(lost.pop(each).values()))
            done[each].unavailable = f"it can have none of the program's kernels: {reason}"


def _names(compiled: Compiled) -> list[str]:
    """Return the names of kernels, graphs and fields, in their order."""
    kinds = ("kernels", "graphs", "fields")
    entries = [each for kind in kinds for each in compiled.description.get(kind, ())]
    return list(dict.fromkeys(each["name"].partition(".")[0] for each in entries))


def _join(lost: Mapping[Arch, Mapping[str, str]]) -> dict[str, str]:
    """Return the reasons by name; with their archs, if they are not those of all."""
    names = dict.fromkeys(chain.from_iterable(lost.values()))
    reasons = {name: {arch: own[name] for arch, own in lost.items() if name in own} for name in names}
    return {name: "; ".join(with_archs(each, len(lost))) for name, each in reasons.items()}


def with_archs(reasons: Mapping[Arch, str], count: int, form: str = "{archs}: {reason}") -> list[str]:
    """Return each reason, in a form with its archs if these are not all of so many."""
    archs: dict[str, list[str]] = {}
    for arch, reason in reasons.items():
        archs.setdefault(reason, []).append(str(arch))
    return [
        reason if len(found) == count else form.format(archs=", ".join(found), reason=reason)
        for reason, found in archs.items()
    ]


def _must_repeat(compiled: Compiled, new: set[str]) -> bool:
    """Return whether a module has what is now left out."""
    if compiled.unavailable:
        return False
    if compiled.program is None:
        return compiled.crashed_at in new
    return compiled.program["is_partial"] or not new.isdisjoint(_names(compiled))
