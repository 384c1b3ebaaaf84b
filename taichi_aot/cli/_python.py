"""The command ``python``: writes a Python module that loads a bundle, with the types of its kernels."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ..adopt.modules._read import inspect
from ..build.output._python import make_python, path_from, require_own
from ..driver._files import write_whole
from ._options import add_module, output_file
from ._output import OK, write


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write the Python module of a bundle that exists already; `build --python` writes it together with the bundle. "
        "Programs import it to load the bundle, and type checkers know its kernels."
    )
    add_module(parser)
    parser.add_argument(
        "-o",
        "--output",
        type=output_file(".py"),
        metavar="FILE.py",
        help="file to write, in the folder of MODULE or above it (default: the standard output)",
    )


def run(options: argparse.Namespace) -> int:
    module = Path(options.module)
    output = Path(os.path.abspath(module)).with_suffix(".py") if options.output is None else Path(options.output)
    text = make_python(inspect(options.module), path_from(output, module))
    if options.output is None:
        write(text, end="")
    else:
        require_own(output)
        write_whole(options.output, text.encode())
    return OK
