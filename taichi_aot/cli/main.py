"""The command line: ``python -m taichi_aot`` and ``taichi-aot``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..errors import LibraryNotFoundError, TaichiError
from . import bench, build, bundle, demo, devices, stubs, validate

__all__ = ["main", "make_parser"]

INTERRUPTED = 130  # the exit status in shells of a process that SIGINT ended


class Command(NamedTuple):
    """A command: its name, a one-line summary, and the functions that add its arguments to a parser and run it."""

    name: str
    summary: str
    configure: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


COMMANDS = (
    Command("devices", "list the devices of this machine, and why an arch has none", devices.configure, devices.run),
    Command("demo", "simulate a fluid with a bundled module and write a picture", demo.configure, demo.run),
    Command("build", "compile a file of kernels for several archs into one file", build.configure, build.run),
    Command("bench", "measure how fast a kernel or graph of any module runs", bench.configure, bench.run),
    Command("stubs", "write the types of a module's kernels for type checkers", stubs.configure, stubs.run),
    Command("bundle", "join modules for several archs into one file", bundle.configure, bundle.run),
    Command("validate", "try a module in child processes and report what happens", validate.configure, validate.run),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return the exit status."""
    if sys.stderr is None:  # it was closed (`2>&-`)
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # it stays open
    options = make_parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except KeyboardInterrupt:
        return INTERRUPTED
    except (TaichiError, LibraryNotFoundError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def make_parser() -> argparse.ArgumentParser:
    """The parser of all commands, which the documentation shows too."""
    parser = argparse.ArgumentParser(prog="python -m taichi_aot", description="Run Taichi AOT modules.")
    commands = parser.add_subparsers(dest="command", required=True)
    for command in COMMANDS:
        subparser = commands.add_parser(command.name, help=command.summary)
        command.configure(subparser)
        subparser.set_defaults(run=command.run)
    return parser
