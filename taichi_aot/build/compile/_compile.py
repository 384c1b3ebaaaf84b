"""The child process of a build: imports or runs the user's source with ``taichi``, and compiles it for one arch."""

from __future__ import annotations

import base64
import importlib
import inspect
import os
import re
import subprocess
import sys
import zlib
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple, NoReturn

from ...driver._child import answer, report
from ...values._items import did_you_mean
from ...values._numbers import Arch
from .._options import BuildError, OptionForm, UnavailableError, option, written_as
from ..source._explain import Place, explain, show_trace
from ..source._program import run_program
from ..source._source import FIELDS, Export, SourceFiles, export, export_field, import_source, open_program

UNEXPECTED = re.compile(r"(?:\w+\.)*(\w+)\(\) got an unexpected keyword argument '(\w+)'")  # Python's message


class Request(NamedTuple):
    """A request to a child process."""

    arch: str
    start: str  # the arch with which the compiler starts
    source: str  # absolute path of a file, or a module's dotted name
    cpu_threads: int | None
    caps: tuple[str, ...]  # in the compiler's form
    program_seconds: float | None  # the limit of a program that is run; None for a source that is imported
    skipped: tuple[str, ...]  # names in the program that are left out
    debug: bool  # whether kernels check indices and asserts
    has_machine_code: bool  # whether kernels get any
    verbose: bool  # whether errors have the frames of the compiler
    option_form: OptionForm  # of options in messages


def main(values: tuple[Any, ...]) -> NoReturn:
    """Compile for a `Request`, answer, and end the process."""
    answer_request(values, _compile)


def warm() -> None:
    """Import what compiling needs."""
    from .. import _archs

    _archs.prepare()  # before anything imports taichi
    for name in ("_module", "_recorded", "_session"):
        importlib.import_module(f"{__package__}.{name}")


def answer_request(values: tuple[Any, ...], compile_: Callable[[Request], dict[str, Any]]) -> NoReturn:
    """Answer a `Request` with what a compiler returns for it, or with its error, and end the process."""
    request = Request(*values)
    try:
        with written_as(request.option_form):
            answer(compile_(request))
    except UnavailableError as error:
        answer({"unavailable": str(error)})
    except BaseException as error:
        is_of_process = isinstance(error, subprocess.SubprocessError)  # that process has printed the reason
        explained = explain(_with_arguments(error))
        message = f"{explained}\n{show_trace(error).rstrip()}" if request.verbose else str(explained)
        answer({"error": message, "is_of_process": is_of_process, "lacking": explained.lacking})
    sys.stderr.flush()
    os._exit(0)  # the system cleans up all that the compiler's runtime would


def unpack(files: Mapping[str, str]) -> dict[str, bytes]:
    """Return the files of a module from the answer; the parent calls this."""
    return {name: zlib.decompress(base64.b64decode(data)) for name, data in files.items()}


def _compile(request: Request) -> dict[str, Any]:
    from .. import _archs

    _archs.prepare()  # before anything imports taichi
    from ._module import SourceBuilder
    from ._recorded import export_lines

    opened = _open(request)
    module = SourceBuilder(
        opened.written,
        Arch(request.arch),
        request.caps,
        _Progress(opened.contents.size).show,
        debug=request.debug,
        has_machine_code=request.has_machine_code,
    )
    opened.contents.add_to(module)
    compiled = module.compiled(opened.main, opened.files.digest(opened.main))
    return {
        "files": pack(compiled.files),
        "tasks_before_passes": pack(compiled.tasks_before_passes),
        "member_functions": compiled.member_functions,
        "contents": pack(compiled.contents),
        "description": compiled.description,
        "folder": str(opened.files.root),
        "sources": opened.files.names(opened.main),
        "parameters": compiled.parameters,
        "tree_sizes": compiled.tree_sizes,
        "warnings": compiled.warnings,
        "peak_memory": _peak_memory(),
        "program": opened.contents.report(),
        "export_lines": {str(tree): line for tree, line in export_lines(vars(opened.source)).items()},
    }


class _Opened(NamedTuple):
    """A source that was imported or run."""

    source: ModuleType
    files: SourceFiles
    main: str
    contents: Any  # size, add_to(module) and report()
    written: Any  # what it has written into its fields


def _open(request: Request) -> _Opened:
    """Import the source, or run it as a program."""
    from .._archs import TARGETS
    from ..source._recorder import Recorder
    from ._recorded import Contents
    from ._session import Session

    target = TARGETS[Arch(request.arch)]
    recorder = None if request.program_seconds is None else Recorder(target)
    session = Session(request.start, request.cpu_threads, recorder, debug=request.debug and target.has_checks)
    contents: Any
    if request.program_seconds is None or recorder is None:
        source, files, main = import_source(request.source)
        contents = _Exports(source, main, session.exports(), session.graphs(source))
    else:
        source, files, main = open_program(request.source)
        ended = run_program(source, request.program_seconds)
        recorder.finish()
        exports, graphs = session.exports(), session.graphs(source)
        fields = [(name, field) for name, field, _ in FIELDS]
        contents = Contents(vars(source), recorder, exports, fields, graphs, request.skipped, ended)
    return _Opened(source, files, main, contents, session.written)


class _Progress:
    """Reports each kernel, graph and field to the parent."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0

    def show(self, name: str, what: str) -> None:
        self._total = max(self._total, self._done + 1)
        report({"name": name, "what": what, "done": self._done, "total": self._total})
        self._done += 1


class _Exports(NamedTuple):
    """The exports of a source."""

    source: ModuleType
    main: str
    kernels: Sequence[Export]
    graphs: Mapping[str, Any]

    @property
    def size(self) -> int:
        return len(self.kernels) + len(FIELDS) + len(self.graphs)

    def add_to(self, module: Any) -> None:
        for name, field, contents in FIELDS:
            module.add_field(name, field, contents=contents)
        for each in self.kernels:
            module.add_kernel(each.function, each.template_types, each.name, shapes=each.shapes, grad=each.grad)
        for name, graph in self.graphs.items():
            module.add_graph(name, graph)
        _call_build(self.source, module)
        module.require_kept()
        if module.is_empty:
            from ._recorded import list_kernels

            remedies = f"write @export above a kernel (from taichi_aot.build import export), or use {option('all')}"
            kernels = list_kernels()
            raise BuildError(
                f"{self.main} exports nothing: {remedies}, which runs it as a program"
                + f"\n    its kernels are {kernels}" * bool(kernels)
            )

    def report(self) -> None:
        return None


def pack(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the files of a module, compressed for the answer."""
    return {name: base64.b64encode(zlib.compress(data, 1)).decode() for name, data in files.items()}


def _call_build(source: ModuleType, module: Any) -> None:
    build = vars(source).get("build")
    if inspect.isfunction(build) and build.__module__ == source.__name__:
        if len(inspect.signature(build).parameters) != 1:
            place = Place(build.__code__.co_filename, build.__code__.co_firstlineno)
            raise BuildError(f"{place}: build() needs one parameter, the module: def build(module)")
        build(module)


def _with_arguments(error: BaseException) -> BaseException:
    """Return an error; if it is about an unknown argument of a function for sources, one that names the arguments."""
    from ._module import SourceBuilder

    match = UNEXPECTED.fullmatch(str(error)) if isinstance(error, TypeError) else None
    marks = {each.__name__: each for each in (export, export_field)}
    function = match and (marks.get(match[1]) or getattr(SourceBuilder, match[1], None))
    if match is None or function is None:
        return error
    names = [each for each in inspect.signature(function).parameters if each != "self"]
    text = f"{match[1]}() got an unexpected keyword argument {match[2]!r}; it has {', '.join(names)}"
    return TypeError(f"{text}{did_you_mean(match[2], names)}").with_traceback(error.__traceback__)


def _peak_memory() -> int:
    """Return the maximum memory of the process in bytes; 0 if the system does not report it."""
    if sys.platform == "win32":
        return 0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
