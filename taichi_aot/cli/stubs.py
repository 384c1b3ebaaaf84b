"""The command ``stubs``: writes the types of a module's kernels and graphs for type checkers."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..formats import inspect
from ..stubs import CLASS_NAME, make_stubs

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write a stub file (.pyi) with a class for the module and one for each of its kernels and graphs, so that mypy "
        "and pyright find wrong names and arguments in the program that calls them."
    )
    parser.add_argument("module", help="a bundle, a folder or a .tcm archive")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.pyi", help="default: the standard output")
    parser.add_argument("--class-name", default=CLASS_NAME, metavar="NAME", help="default: %(default)s")


def run(options: argparse.Namespace) -> int:
    if options.output is not None and options.output.suffix != ".pyi":
        raise ValueError(f"stubs are a .pyi file, not {options.output}")
    text = make_stubs(inspect(str(options.module)), options.class_name)
    if options.output is None:
        print(text, end="")
    else:
        options.output.write_text(text, encoding="utf-8", newline="\n")
    return 0
