"""Arguments of commands: options of several commands, the types of their values, and the parser."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn, cast

from ..backends._devices import CPU_ARCH, ArchLike, choose_device
from ..driver._files import output_path, require_file
from ..values._enums import Arch
from ..values._errors import short
from ..values._items import did_you_mean
from ._output import write

# Options of several commands, and the types of their values.


MAX_SECONDS = 1_000_000  # timers of Windows take four times as much
# The archs of runtimes, and two words that each mean one of them.
ARCH_WORDS = (str(CPU_ARCH), "vulkan", "cuda", "opengl", "cpu", "gpu")


def add_module(parser: argparse.ArgumentParser, others: str = "") -> None:
    """Add the positional argument ``module``; `others` says what it may be besides a path."""
    help = f"a bundle (.tib), a .tcm archive or a folder{others}"
    parser.add_argument("module", metavar="MODULE", type=nonempty, help=help)


def add_json(parser: argparse.ArgumentParser, what: str = "the answer as JSON") -> None:
    parser.add_argument("--json", action="store_true", help=f"print {what}")


def add_arch(parser: argparse.ArgumentParser, default: str, words: Sequence[str] = ARCH_WORDS) -> None:
    """Add the option ``--arch``: one of the words, by default of those for `find_arch`; None by default."""
    help = f"one of {', '.join(words)} (default: {default})"
    parser.add_argument("--arch", metavar="ARCH", type=lambda text: _arch_word(text, words), help=help)


def add_archs(parser: argparse.ArgumentParser, default: str, others: Sequence[str] = ()) -> None:
    """Add the option ``--arch`` for several archs: a list of words from `ARCH_WORDS` and `others`; None by default."""
    words = (*ARCH_WORDS, *others)
    help = f"one or more of {', '.join(words)}, separated by commas (default: {default})"

    def read(text: str) -> list[str]:
        return [_arch_word(each, words) for each in text.split(",")]

    parser.add_argument("--arch", metavar="ARCH,...", action="extend", type=read, help=help)


def _arch_word(text: str, words: Sequence[str]) -> str:
    """Return one of the words, in lower case."""
    word = text.lower()
    if word in words:
        return word
    message = unknown("arch", text, words)
    if word in map(str, Arch):
        known = ", ".join(words)
        message = f"this machine runs no modules for {word}, only for {known}; `taichi-aot inspect` shows others"
    raise argparse.ArgumentTypeError(message)


def add_timeout(parser: argparse.ArgumentParser, default: float, what: str) -> None:
    """Add the option ``--timeout`` in seconds, which limits `what`."""
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=default,
        metavar="S",
        help=f"seconds that {what} may take (default: {default:g})",
    )


def unknown(noun: str, name: str, known: Iterable[str], others: Iterable[str] = ()) -> str:
    """Return the message about an unknown word: the known ones, and the closest of these and of `others`."""
    words = list(known)
    return f"unknown {noun} {short(name)}; known are {', '.join(words)}{did_you_mean(name, [*words, *others])}"


def find_arch(word: str) -> Arch:
    """Return the arch for a word of `ARCH_WORDS` on this machine."""
    return choose_device(cast("ArchLike", word), 0)[0]


def output_file(*suffixes: str) -> Callable[[str], Path]:
    """Return the type of an argument that names a file to write with one of the suffixes.

    It rejects paths that clearly cannot be written, before any work is done.
    """

    def read(text: str) -> Path:
        path = Path(text)
        if not text or path.suffix.lower() not in suffixes:
            raise argparse.ArgumentTypeError(f"the file must end in {' or '.join(suffixes)}, not {text!r}")
        try:
            require_file(output_path(text))
        except OSError as error:
            raise argparse.ArgumentTypeError(f"{text!r}: {error.strerror}") from None
        folder = path.absolute().parent
        if not folder.is_dir():
            raise argparse.ArgumentTypeError(f"there is no folder {str(folder)!r}")
        if not os.access(folder, os.W_OK):
            raise argparse.ArgumentTypeError(f"no permission to write to the folder {str(folder)!r}")
        return path

    return read


def nonempty(text: str) -> str:
    """Read a path or a name."""
    if not text:
        raise argparse.ArgumentTypeError("it is empty")
    return text


def positive(text: str) -> int:
    """Read an integer of at least 1."""
    if not (text.isascii() and text.isdecimal() and len(text) < 19 and int(text)):
        limit = " of at most 18 digits" * (text.isdecimal() and len(text) > 18)
        raise argparse.ArgumentTypeError(f"must be a positive integer{limit}, not {text!r}")
    return int(text)


def seconds(text: str) -> float:
    """Read a time limit in seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= MAX_SECONDS:
        raise argparse.ArgumentTypeError(f"must be seconds above 0 and up to {MAX_SECONDS:,}, such as 60, not {text!r}")
    return value


# The parser of the command line: errors in one line with hints.


class Parser(argparse.ArgumentParser):
    """A parser that raises errors as one-line exceptions and does not accept abbreviated options."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs, allow_abbrev=False)
        self.commands: dict[str, Parser] = {}  # the parsers of the commands; empty for the parser of a command
        self.color = False  # Python 3.14 would colour the help, by rules of its own

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """Parse a command line; an error about unknown options says what they could mean."""
        options, rest = self.parse_known_args(words)
        if rest:
            parser = self.commands.get(options.command, self)
            parser.error(f"unrecognized arguments: {' '.join(rest)}{parser._hint(rest[0], options)}")
        return cast("argparse.Namespace", options)

    def parse_known_args(  # type: ignore[override]  # argparse itself passes only these arguments
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """Parse; also accept arguments of kernels after options."""
        options, rest = super().parse_known_args(args, namespace)  # argparse ends the list at the first option
        if not hasattr(options, "arguments"):
            return options, rest
        options.arguments = [*options.arguments, *(text for text in rest if not text.startswith("-"))]
        return options, [text for text in rest if text.startswith("-")]

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message} (see {self.prog} --help)")

    def _print_message(self, message: str, file: object = None) -> None:
        """Print the help."""  # argparse would ignore a failure to write
        write(message, end="")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise for a value that is not one of the choices."""
        if action.choices is None or value in action.choices:
            return
        noun, is_command = str(action.metavar or action.dest).lower(), isinstance(action, argparse._SubParsersAction)
        message = unknown(noun, value, action.choices, self._option_string_actions if is_command else ())
        self.error(message + (_use_of_file(value) if is_command else ""))

    def _hint(self, word: str, options: argparse.Namespace) -> str:
        """Return the end of a message about a word that the parser of a command does not know."""
        option = word.partition("=")[0]
        if option in self._option_string_actions:  # it stands before the command
            return f"; write {option} after {options.command}"
        name = option.lstrip("-")
        suggestion = did_you_mean(option, self._option_string_actions) if len(name) > 1 else ""
        if suggestion or not (hasattr(options, "arguments") and name.isidentifier()):
            return suggestion
        return f"; arguments of kernels have no dashes: {name}=VALUE"


def _use_of_file(word: str) -> str:
    """Return the end of a message about a file in the place of a command."""
    if not os.path.exists(word):
        return ""
    return "; to compile it, write build before it" if word.endswith(".py") else "; to see it, write inspect before it"
