"""Options that several commands have, and how their values are read."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from pathlib import Path

from ..device import CPU_ARCH, choose_device
from ..enums import Arch

__all__ = [
    "ARCH_WORDS",
    "add_arch",
    "add_archs",
    "add_json",
    "add_module",
    "add_timeout",
    "find_arch",
    "not_negative",
    "output_file",
    "positive",
]

MAX_SECONDS = 1_000_000  # timers of Windows take four times as much
# Archs of which a runtime can be, and the two that mean one of them.
ARCH_WORDS = (str(CPU_ARCH), "vulkan", "cuda", "opengl", "cpu", "gpu")


def add_module(parser: argparse.ArgumentParser) -> None:
    """Add the positional argument ``module``."""
    parser.add_argument("module", metavar="MODULE", type=_path, help="a bundle (.tib), a .tcm archive or a folder")


def add_json(parser: argparse._ActionsContainer, what: str = "the same as JSON") -> None:
    """Add the option ``--json``."""
    parser.add_argument("--json", action="store_true", help=f"print {what}")


def add_arch(parser: argparse.ArgumentParser, default: str) -> None:
    """Add the option ``--arch``: one of `ARCH_WORDS`, None by default, which `find_arch` reads."""
    parser.add_argument("--arch", metavar="ARCH", type=_arch(ARCH_WORDS), help=_arch_help(ARCH_WORDS, default))


def add_archs(parser: argparse.ArgumentParser, default: str, others: Sequence[str] = ()) -> None:
    """Add the option ``--arch`` for several archs: a list of words, of `ARCH_WORDS` and `others`; None by default."""
    words = (*ARCH_WORDS, *others)
    read = _arch(words)

    def read_all(text: str) -> list[str]:
        names = [read(name) for name in text.split(",")]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice:
            raise argparse.ArgumentTypeError(f"{twice!r} is given twice")
        return names

    parser.add_argument("--arch", metavar="ARCH,...", type=read_all, help=_arch_help(words, default))


def add_timeout(parser: argparse.ArgumentParser, default: float, what: str) -> None:
    """Add the option ``--timeout`` in seconds; `what` is limited by it."""
    parser.add_argument(
        "--timeout", type=_seconds, default=default, metavar="S", help=f"limit of {what} (default: {default:g} s)"
    )


def find_arch(word: str) -> Arch:
    """The arch that a word of `ARCH_WORDS` means on this machine.

    Raises
    ------
    NotSupportedError
        If the word is ``gpu`` and this machine does not have a hardware GPU for CUDA or Vulkan.
    """
    return choose_device(word, 0)[0]


def output_file(*suffixes: str) -> Callable[[str], Path]:
    """The type of an argument that names a file to write, which ends in one of the suffixes.

    What shows before the work that it cannot be written is refused.
    """

    def read(text: str) -> Path:
        path = Path(text)
        if not text or path.suffix.lower() not in suffixes:
            raise argparse.ArgumentTypeError(f"the file must end in {' or '.join(suffixes)}, not {text!r}")
        if path.is_dir():
            raise argparse.ArgumentTypeError(f"{text!r} is a folder")
        if not path.absolute().parent.is_dir():
            raise argparse.ArgumentTypeError(f"there is no folder {str(path.absolute().parent)!r}")
        return path

    return read


def positive(text: str) -> int:
    """The type of an argument that is a number of things, at least one."""
    if not (text.isascii() and text.isdecimal() and len(text) < 19 and int(text)):
        raise argparse.ArgumentTypeError(f"must be a positive integer, not {text!r}")
    return int(text)


def not_negative(text: str) -> float:
    """The type of an argument that is a finite number of at least 0."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"must be a number of at least 0, not {text!r}")
    return value


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= MAX_SECONDS:
        raise argparse.ArgumentTypeError(f"must be a number of seconds up to {MAX_SECONDS}, not {text!r}")
    return value


def _path(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("the path is empty")
    if "\0" in text:
        raise argparse.ArgumentTypeError("the path has a null character")
    return text


def _arch(words: Sequence[str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in words:
            raise argparse.ArgumentTypeError(f"unknown arch {text!r}; known are {', '.join(words)}")
        return text.lower()

    return read


def _arch_help(words: Sequence[str], default: str) -> str:
    return f"of {', '.join(words)} (default: {default})"
