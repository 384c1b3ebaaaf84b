"""The option ``--debug`` of commands that launch: the bundle is built again from its source, with checks."""

from __future__ import annotations

import argparse
import functools
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ..backends._devices import CPU_ARCH
from ..build._archs import TARGETS
from ..build._errors import BuildError
from ..bundle._origin import Origin
from ..bundle._read import read_origin
from ..bundle._source import exactly
from ..driver._temporary import temporary_folder
from ..values._enums import Arch
from ..values._errors import NotSupportedError
from ._codes import NO
from ._options import find_arch

__all__ = ["add_debug", "debuggable"]


def add_debug(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--debug``; with it, ``named`` is the path of the bundle that was built again."""
    parser.set_defaults(named="")
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
            _build_checked(options.module, checked, [options.arch] if isinstance(options.arch, str) else options.arch)
            return run(argparse.Namespace(**{**vars(options), "module": str(checked), "named": options.module}))

    return run_checked


def _build_checked(bundle: str, target: Path, words: Sequence[str] | None) -> None:
    """Build a bundle again for the archs with checks, as a child process: the source may print.

    `words` are those of ``--arch``; None if it was not given.
    """
    origin = read_origin(bundle)
    if origin is None:
        raise NotSupportedError(f"{bundle} does not state its source: build it with `taichi-aot build --debug`")
    archs = _checked_archs(bundle, origin, words or ())
    *build, _option, _path = shlex.split(origin._replace(archs=archs, outputs={}).command(bundle))
    begin = build.index("taichi-aot")
    folder = build[0].removeprefix("PYTHONPATH=") if begin else None  # of a package, from which `-m` imports too
    command = [sys.executable, "-m", "taichi_aot", *build[begin + 1 :], "--debug", "-o", str(target)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = f"\n{done.stderr.strip()}".rpartition("\nerror: ")[2].strip() or "the build failed"
        cls = BuildError if done.returncode == NO else NotSupportedError
        raise cls(f"{bundle} cannot be built again from its source: {reason}")


def _checked_archs(bundle: str, origin: Origin, words: Sequence[str]) -> tuple[str, ...]:
    """Return the archs of a bundle that have checks; raise if none has, or an arch of ``--arch`` is not one of them."""
    archs = tuple(each for each in origin.archs if TARGETS[Arch(each)].has_checks)
    if not archs:
        stated, command = ", ".join(origin.archs), origin._replace(archs=(str(CPU_ARCH), *origin.archs)).command(bundle)
        raise NotSupportedError(
            f"--debug is for CPUs and cuda, and {bundle} is for {stated}: build it for a CPU too, `{command}`"
        )
    for each in map(find_arch, words):
        if not TARGETS[each].has_checks:
            raise ValueError(f"--debug is for CPUs and cuda, which --arch {each} leaves out: use --arch {archs[0]}")
        exactly(each, lambda: tuple(map(Arch, archs)))(bundle, tuple(map(Arch, origin.archs)))
    return archs
