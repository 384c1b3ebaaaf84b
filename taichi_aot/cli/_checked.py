"""The option ``--debug`` of commands that launch: the bundle is built again from its source, with checks."""

from __future__ import annotations

import argparse
import functools
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from ..build._archs import TARGETS
from ..driver._temporary import temporary_folder
from ..formats._read import read_origin
from ..values._enums import Arch
from ..values._errors import NotSupportedError

__all__ = ["add_debug", "debuggable"]


def add_debug(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--debug``."""
    parser.add_argument(
        "--debug",
        action="store_true",
        help="build the bundle again from its source, with kernels that check indices and asserts, and launch those",
    )


def debuggable(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """Decorate the function of a command that has ``--debug`` and a module."""

    @functools.wraps(run)
    def run_checked(options: argparse.Namespace) -> int:
        if not options.debug:
            return run(options)
        with temporary_folder() as folder:
            checked = folder / os.path.basename(options.module)
            _build_checked(options.module, checked)
            return run(argparse.Namespace(**{**vars(options), "module": str(checked)}))

    return run_checked


def _build_checked(bundle: str, target: Path) -> None:
    """Build a bundle again, with checks, as a child process: the source may print."""
    origin = read_origin(bundle)
    remedy = "build it with `taichi-aot build --debug`"
    if origin is None:
        raise NotSupportedError(f"{bundle} does not state its source: {remedy}")
    archs = tuple(each for each in origin.archs if TARGETS[Arch(each)].has_checks)
    if not archs:
        raise NotSupportedError(f"{bundle} has no kernels for the CPU or CUDA, and others have no checks")
    *words, _option, _path = shlex.split(origin._replace(archs=archs, outputs={}).command(bundle))
    begin = words.index("taichi-aot")
    folder = words[0].removeprefix("PYTHONPATH=") if begin else None  # of a package, from which `-m` imports too
    command = [sys.executable, "-m", "taichi_aot", *words[begin + 1 :], "--debug", "-o", str(target)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1:] or ["the build failed"]
        raise NotSupportedError(f"{bundle} cannot be built again from its source: {reason[0].removeprefix('error: ')}")
