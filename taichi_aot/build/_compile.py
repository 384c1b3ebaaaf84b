"""The child process of a build: imports the user's source with ``taichi`` and compiles it for one arch.

It reports on its standard output, one JSON object in a line. What Taichi and the user's source print goes to the
standard error.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from ..enums import Arch
from ._errors import BuildError, UnavailableError
from ._source import import_source, is_of_source

__all__ = ["Request", "main"]

PR_SET_PDEATHSIG = 1  # of Linux


class Request(NamedTuple):
    """What a child compiles."""

    arch: str
    start: str  # the arch with which the compiler starts
    source: str  # absolute path of a file, or a module's dotted name
    cpu_threads: int | None
    caps: tuple[str, ...]  # as the compiler takes them
    folder: str  # for the files of the module


def main(request: Request) -> None:
    """Compile, report, and end the process."""
    _end_with_parent()
    report = _reporter()
    try:
        report({"event": "done", **_compile(request, report)})
    except UnavailableError as error:
        report({"event": "unavailable", "message": str(error)})
    except BaseException as error:
        report({"event": "error", "message": _message(error)})
    sys.stderr.flush()
    os._exit(0)  # the runtime of a compiler has nothing to clean up that the system does not


def _end_with_parent() -> None:
    """Have the system kill this process when the thread that started it has ended, whatever ended it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _reporter() -> Callable[[dict[str, Any]], None]:
    """Keep the standard output for reports, and send what is printed to the standard error."""
    sys.stdout.flush()
    reports = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def report(event: dict[str, Any]) -> None:
        print(json.dumps(event), file=reports, flush=True)

    return report


def _compile(request: Request, report: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    from . import _archs

    _archs.prepare()  # before anything imports taichi
    from . import _session
    from ._module import Module

    arch = Arch(request.arch)
    session = _session.Session(request.start, request.cpu_threads)
    report({"event": "ready", "taichi": session.version})
    source, files, main_file = import_source(request.source)
    exports, fields, graphs = session.exports(), _session.exported_fields(), session.graphs(source)
    total = len(fields) + len(exports) + len(graphs)
    done = 0

    def progress(name: str) -> None:
        nonlocal done, total
        total = max(total, done + 1)
        report({"event": "compiling", "name": name, "done": done, "total": total})
        done += 1

    module = Module(arch, session.start, request.caps, progress)
    for name, field in fields:
        module.add_field(name, field)
    for export in exports:
        module.add_kernel(export.function, export.template_types, export.name, shapes=export.shapes)
    for name, graph in graphs.items():
        module.add_graph(name, graph)
    _call_build(source, module)
    if module.is_empty:
        raise BuildError(
            f"{main_file} exports nothing: decorate kernels with @taichi_aot.build.export, "
            "or define a function build(module) that adds them"
        )
    module.write(Path(request.folder))
    described = {"file": main_file, "sha256": files.digest(main_file)}
    return {
        "description": {"format": 1, "taichi": session.version, "source": described, **module.description()},
        "parameters": module.parameters,
        "warnings": module.warnings,
        "peak_memory": _peak_memory(),
    }


def _call_build(source: ModuleType, module: Any) -> None:
    build = vars(source).get("build")
    if callable(build) and getattr(build, "__module__", None) == source.__name__:
        build(module)


def _message(error: BaseException) -> str:
    """An exception for the user: the compiler's message, or with the lines of their files that led to it."""
    exceptions: Any = sys.modules.get("taichi.lang.exception")  # None before taichi is imported
    if exceptions and isinstance(error, exceptions.TaichiCompilationError):
        return str(error).strip()
    if isinstance(error, SyntaxError):
        return "".join(traceback.format_exception_only(error)).strip()
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if is_of_source(frame.filename)]
    if isinstance(error, BuildError):
        return f"{frames[-1].filename}, line {frames[-1].lineno}: {error}" if frames else str(error)
    if not frames:
        return "".join(traceback.format_exception(error)).strip()
    lines = traceback.format_list(frames[-5:])
    return "".join([*lines, *traceback.format_exception_only(error)]).strip()


def _peak_memory() -> int:
    """Bytes of memory that the process has had at most; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
