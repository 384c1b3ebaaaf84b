"""What commands take and answer: options and their types; exit statuses, texts, tables, JSON, a line of progress.

Commands print only with these functions. If a reader closes the pipe (``taichi-aot devices | head -1``), this is not an
error: the command continues and returns its own exit status.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import os
import re
import shutil
import sys
import textwrap
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn, TextIO, cast

from ..backends._devices import CPU_ARCH, ArchLike, choose_device
from ..build._options import BuildError, UnavailableError
from ..bundle._files import similar_files
from ..driver._files import output_path, require_file
from ..values._errors import (
    ArgumentNotFoundError,
    DeviceLostError,
    IncompatibleModuleError,
    InvalidInteropError,
    InvalidStateError,
    KernelAssertionError,
    KernelIndexError,
    LibraryNotFoundError,
    NameNotFoundError,
    NotSupportedError,
    short,
)
from ..values._items import did_you_mean
from ..values._numbers import Arch

# Exit statuses of the commands and of exceptions.


OK: Final = 0
NO: Final = 1  # the answer is no: invalid, not equal, does not compile
USAGE: Final = 2  # what the user can change: arguments, files, values, permissions, space
CANNOT_RUN: Final = 3  # this machine lacks a device, a library or a package
CRASHED: Final = 4  # a kernel ended its process
INTERRUPTED: Final = 130  # the shells' status for a process ended by SIGINT


class CrashedError(Exception):
    """A kernel ended the process that ran it; the message names the kernel."""


class ArgumentError(ValueError):
    """An argument on the command line that its parameter does not accept."""


# The first matching class decides. All other exceptions are bugs of this package.
_CODES: tuple[tuple[tuple[type[BaseException], ...], int], ...] = (
    ((KeyboardInterrupt,), INTERRUPTED),
    ((CrashedError, DeviceLostError), CRASHED),
    (
        (LibraryNotFoundError, NotSupportedError, IncompatibleModuleError, UnavailableError, ModuleNotFoundError),
        CANNOT_RUN,
    ),
    ((BuildError, KernelAssertionError, KernelIndexError), NO),
    ((argparse.ArgumentTypeError, OSError, ValueError, NameNotFoundError, ArgumentNotFoundError, MemoryError), USAGE),
    ((InvalidStateError, InvalidInteropError), CANNOT_RUN),
)


def code_of(error: BaseException) -> int | None:
    """Return the exit status for an exception; None if the exception is a bug of this package."""
    return next((code for classes, code in _CODES if isinstance(error, classes)), None)


# Terminals: width, colours, and a line of progress.


COLOURS: Final = {"red": "1;31", "green": "32", "yellow": "33", "bold": "1"}
DEFAULT_WIDTH = 80


def is_coloured(stream: TextIO) -> bool:
    """Return whether text for a stream has colours: on terminals, unless variables say otherwise."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or _is_terminal(stream)


def paint(text: str, colour: str, stream: TextIO) -> str:
    return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m" if text and is_coloured(stream) else text


def width_of(stream: TextIO) -> int | None:
    """Return the number of columns of the terminal; None if a stream is not one."""
    return shutil.get_terminal_size((DEFAULT_WIDTH, 0)).columns if stream.isatty() else None


def _is_terminal(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that obeys control sequences."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


class StatusLine:
    """The last line of a terminal, which shows the progress of a command; nothing on other streams."""

    def __init__(self, stream: TextIO) -> None:
        self.is_shown: bool = _is_terminal(stream)
        self._stream = stream
        self._has_text = False
        self._lock = threading.Lock()

    def show(self, text: str) -> None:
        """Replace the line by a text, cut to the width of the terminal."""
        if self.is_shown:
            with self._lock:
                self._has_text = True
                self._replace(text[: (width_of(self._stream) or DEFAULT_WIDTH) - 1])

    def __enter__(self) -> StatusLine:
        return self

    def __exit__(self, *exc_info: object) -> None:
        """Clear the line."""
        with self._lock:
            if self._has_text:
                self._has_text = False
                self._replace("")

    def _replace(self, text: str) -> None:
        print(f"\r\x1b[K{text}", end="", file=self._stream, flush=True)


# Output of the commands: tables, JSON and errors, to terminals, files and pipes.


# Names in untrusted files could contain control sequences of terminals.
_CONTROL = {number: f"\\x{number:02x}" for number in (*range(32), *range(127, 160)) if chr(number) not in "\t\n"}
STDOUT = "the standard output"
# Errors that may have several lines: of compilers, of kernels and their source, of the search for the library.
MULTILINE = (BuildError, KernelAssertionError, KernelIndexError, LibraryNotFoundError)
GAP = "  "  # between two columns of a table
# Calls of Python in the package's messages, and their command line options.
OPTIONS = (
    (
        r"devices\(\) lists its devices(, and Runtime\(\) takes the best of them)?",
        "`taichi-aot devices` lists its devices",
    ),
    (r"a GPU that Runtime\('gpu'\) could use", "a GPU for --arch gpu"),
    (r"Runtime\('(\w+)'\) uses it", r"--arch \1 uses it"),
    (r"(?:load it with|use) Runtime\('(\w+)'\)", r"use --arch \1"),
    (r"or use arch '(\w+)'", r"or use --arch \1"),
    (r"^python is a \.py", "--python is a .py"),
    (r"^cpu_threads (is|must)", r"--cpu-threads \1"),
    (r"^(capability|multiprocessors|blocks) must", r"--cuda-\1 must"),
)


def open_streams() -> None:
    """Open closed standard streams (``>&-``), so that other files do not get their descriptors.

    Writing to a closed standard output stays an error, so that answers are not lost silently. Characters outside the
    streams' encoding are printed as escapes.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            # The new file gets the lowest free descriptor, which is this one.
            os.open(os.devnull, os.O_RDONLY if name == "stdout" else os.O_RDWR)
            with contextlib.suppress(OSError):
                os.set_inheritable(number, True)
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def write(text: str = "", end: str = "\n") -> None:
    """Print text to the standard output, with control characters as escapes."""
    _write(text.translate(_CONTROL), end)


def without_accessors(reasons: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return kernels and their reasons, with one row for the accessors of fields, whose names users never write."""
    accessors = "the accessors of fields"
    rows = [(accessors if name.startswith("taichi_aot_") else name, reason) for name, reason in reasons.items()]
    return list(dict.fromkeys(rows))


def print_json(value: object) -> None:
    """Print a value as JSON; write nonfinite numbers as ``"NaN"``, ``"Infinity"`` and ``"-Infinity"``."""
    write(json.dumps(_for_json(value), indent=1, allow_nan=False))


def table(headers: Sequence[str], rows: Iterable[Sequence[object]], indent: int = 0) -> None:
    """Print a table with aligned columns.

    On a terminal that is too narrow, cells take several lines; on one too narrow for that, each cell has its own line
    after the header of its column.
    """
    texts = [[str(cell).translate(_CONTROL) for cell in row] for row in rows]
    columns = [(header, *column) for header, column in zip(headers, zip(*texts, strict=True), strict=False)] or [
        (header,) for header in headers
    ]
    widths = _fitting_widths(columns, indent)
    if widths is None:
        lines = [line for row in texts for line in (*_record(headers, row), "")][:-1]
    else:
        lines = [*_lines_of(headers, widths, _bold), *(line for row in texts for line in _lines_of(row, widths))]
    _write("\n".join(f"{' ' * indent}{line}".rstrip() for line in lines))


def _fitting_widths(columns: Sequence[Sequence[str]], indent: int) -> list[int] | None:
    """Return the widths of columns that fit the terminal; None if words would have to be broken."""
    widths = [max(map(len, column)) for column in columns]
    room = width_of(sys.stdout)
    if room is None:
        return widths
    room -= indent + len(GAP) * (len(widths) - 1)
    words = [max(len(word) for cell in column for word in cell.split() or [""]) for column in columns]
    if sum(words) > room:
        return None
    while sum(widths) > room:
        widest = max((number for number, least in enumerate(words) if widths[number] > least), key=widths.__getitem__)
        widths[widest] -= 1
    return widths


def _lines_of(row: Sequence[str], widths: Sequence[int], painted: Callable[[str], str] = str) -> list[str]:
    cells = [textwrap.wrap(cell, max(width, 1)) or [""] for cell, width in zip(row, widths, strict=True)]
    lines: list[str] = []
    for number in range(max(map(len, cells))):
        parts = [cell[number] if number < len(cell) else "" for cell in cells]
        padded = [f"{painted(part)}{' ' * (width - len(part))}" for part, width in zip(parts, widths, strict=True)]
        lines.append(GAP.join(padded).rstrip())
    return lines


def _record(headers: Sequence[str], row: Sequence[str]) -> list[str]:
    return [f"{_bold(f'{header}:')} {cell}" for header, cell in zip(headers, row, strict=True) if cell]


def _bold(text: str) -> str:
    return paint(text, "bold", sys.stdout)


def warn(text: str) -> None:
    """Print a warning in one line to stderr."""
    _print_note("warning:", "yellow", text)


def print_error(error: BaseException) -> None:
    """Print an exception to stderr in one line, or in several if it is one of `MULTILINE`."""
    text = message(error)
    if not isinstance(error, MULTILINE):
        text = text.replace("\n", "\\n")  # file names can contain line ends
    _print_note("error:", "red", text)


def message(error: BaseException) -> str:
    """Return the message to print for an exception."""
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        name: object = error.filename if error.filename2 is None else error.filename2
        path = os.fsdecode(name) if isinstance(name, bytes) else str(name)
        is_plain = isinstance(error, FileNotFoundError) and error.strerror == os.strerror(error.errno or 0)
        return f"{path}: {error.strerror}{similar_files(path) if is_plain else ''}"
    if isinstance(error, MemoryError) and not str(error):
        return "there is not enough memory"
    return for_command_line(str(error)) or type(error).__name__


def for_command_line(text: str) -> str:
    """Return a message of the package with options of the command line in place of calls of Python."""
    for call, option in OPTIONS:
        text = re.sub(call, option, text)
    return text


def _print_note(title: str, colour: str, text: str) -> None:
    try:
        print(paint(title, colour, sys.stderr), text.translate(_CONTROL), file=sys.stderr, flush=True)
    except OSError:  # the failure cannot be reported
        _discard(sys.stderr)


def _write(text: str, end: str = "\n") -> None:
    try:
        print(text, end=end, flush=True)
    except OSError as error:
        _discard(sys.stdout)
        if not isinstance(error, BrokenPipeError):  # a reader closed the pipe
            raise OSError(error.errno, error.strerror, STDOUT) from error


def _discard(stream: TextIO) -> None:
    """Redirect a stream to the null device."""  # Python flushes its buffer at exit
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


def _for_json(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {str(key): _for_json(each) for key, each in cast("dict[object, object]", value).items()}
    if isinstance(value, (list, tuple)):
        return [_for_json(each) for each in cast("list[object]", value)]
    return value


# Options of several commands, and the types of their values.


# Arguments of commands: options of several commands, the types of their values, and the parser.


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
