"""What commands answer: exit statuses, texts, tables, JSON, and a line of progress on terminals.

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
from typing import Final, TextIO, cast

from ..build._errors import BuildError, UnavailableError
from ..bundle._similar import similar_files
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
)

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
