"""The command line: ``taichi-aot`` and ``python -m taichi_aot``."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from types import FrameType
from typing import NamedTuple, NoReturn

import taichi_aot

from ..driver._child import end_all
from ..driver._files import remove_unfinished
from ..driver._host import remove_leftovers
from ..runtime._environment import library_line, library_report
from . import _bench as bench
from . import _build as build
from . import _modules as modules
from . import _output as output
from . import _run as run
from ._output import OK, Parser, code_of

__all__ = ["COMMANDS", "main", "make_parser"]

PROGRAM = "taichi-aot"
DESCRIPTION = "Inspect, try, run, measure and build Taichi AOT modules and bundles."
EPILOG = (
    "exit status: 0 for success; 1 if the answer is no (invalid, not equal, does not compile); 2 for wrong arguments, "
    "files or values; 3 if this machine lacks a device, library or package; 4 if a kernel ended its process"
)


class Command(NamedTuple):
    """A command: its name, a one-line summary, and the functions that add its arguments to a parser and run it."""

    name: str
    summary: str
    configure: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


COMMANDS = (
    Command(
        "devices", "list the devices of this machine, and missing archs", modules.configure_devices, modules.run_devices
    ),
    Command("inspect", "show what a module contains", modules.configure_inspect, modules.run_inspect),
    Command(
        "validate",
        "try a module in child processes and report what happens",
        modules.configure_validate,
        modules.run_validate,
    ),
    Command("run", "launch a kernel or graph; print and save its results", run.configure, run.run),
    Command("bench", "measure how fast a kernel or graph of any module runs", bench.configure, bench.run),
    Command("build", "compile a file of kernels for several archs into one file", build.configure, build.run),
    Command("bundle", "join modules for several archs into one file", modules.configure_bundle, modules.run_bundle),
    Command(
        "python", "write a Python module that loads a bundle, with types", modules.configure_python, modules.run_python
    ),
    Command("demo", "run a bundled program, a fluid, and write a picture", bench.configure_demo, bench.run_demo),
)


def main(arguments: Sequence[str] | None = None, program: str = PROGRAM) -> int:
    """Run a command; return the exit status (see `_codes`). Messages contain the name of the program."""
    output.open_streams()
    try:
        with _ended_by_signals():
            code = _run_command(arguments, program)
    except (Exception, KeyboardInterrupt) as error:
        failed = code_of(error)
        if failed is None:
            raise
        if not isinstance(error, KeyboardInterrupt):
            output.print_error(error)
        return failed
    return code


@contextlib.contextmanager
def _ended_by_signals() -> Generator[None]:
    """Let SIGTERM and SIGHUP end this process as by default, but remove children and temporary files first."""
    # The handler does not raise an exception: Python would ignore one that is raised in a finalizer.
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    is_main = threading.current_thread() is threading.main_thread()
    handled = [number for number in numbers if is_main and signal.getsignal(number) is signal.SIG_DFL]
    for number in handled:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> None:
    end_all()
    remove_unfinished()
    remove_leftovers()
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


def _run_command(arguments: Sequence[str] | None, program: str) -> int:
    parser = make_parser(program)
    words = sys.argv[1:] if arguments is None else arguments
    try:
        options = parser.parse(words or ["--help"])
    except SystemExit:  # of --help and --version
        return OK
    command: Callable[[argparse.Namespace], int] = options.run
    return command(options)


class _Version(argparse.Action):
    """Prints the versions and exits; the library is loaded only for this."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        output.write(f"taichi_aot {taichi_aot.__version__}\n{library_line(library_report())}")
        parser.exit()


def make_parser(program: str = PROGRAM) -> Parser:
    """Create the parser of the command line."""
    parser = Parser(prog=program, description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument(
        "-V", "--version", action=_Version, nargs=0, help="print the versions of taichi_aot and its library"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for command in COMMANDS:
        subparser = commands.add_parser(command.name, help=command.summary)
        command.configure(subparser)
        parser.commands[command.name] = subparser
        subparser.set_defaults(run=command.run)
    return parser
