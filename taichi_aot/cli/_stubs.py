"""The command ``stubs``: writes the types of a module's kernels and graphs for type checkers."""

from __future__ import annotations

import argparse

from ..driver._files import write_whole
from ..formats._read import inspect
from ..stubs import CLASS_NAME, make_stubs
from ._codes import OK
from ._options import add_module, output_file
from ._output import write

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write a stub file (.pyi) with a class for the module and one for each of its kernels and graphs. With it, "
        "mypy and pyright find wrong names and arguments in programs that call them."
    )
    add_module(parser)
    parser.add_argument(
        "-o",
        "--output",
        type=output_file(".pyi"),
        metavar="FILE.pyi",
        help="file to write (default: the standard output)",
    )
    parser.add_argument(
        "--class-name",
        default=CLASS_NAME,
        metavar="NAME",
        help="name of the class of the module (default: %(default)s)",
    )


def run(options: argparse.Namespace) -> int:
    text = make_stubs(inspect(options.module), options.class_name)
    if options.output is None:
        write(text, end="")
    else:
        write_whole(options.output, text.encode())
    return OK
