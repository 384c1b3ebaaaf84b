"""Output of the commands: tables, JSON and errors, to terminals, files and pipes.

Commands print only with these functions. If a reader closes the pipe (``taichi-aot devices | head -1``), this is not an
error: the command continues and returns its own exit status.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import math
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TextIO, cast

from ..build._errors import BuildError
from ..values._errors import LibraryNotFoundError

__all__ = ["message", "open_streams", "print_error", "print_json", "table", "warn", "write"]

# Names in untrusted files could contain control sequences of terminals.
_CONTROL = {number: f"\\x{number:02x}" for number in (*range(32), *range(127, 160)) if chr(number) not in "\t\n"}
STDOUT = "the standard output"


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
    """Print text to the standard output, with control characters as escapes.

    Raises
    ------
    OSError
        If writing fails, unless the reader closed the pipe.
    """
    try:
        print(text.translate(_CONTROL), end=end, flush=True)
    except OSError as error:
        _lose_stdout(error)


def print_json(value: object) -> None:
    """Print a value as JSON; write nonfinite numbers as ``"NaN"``, ``"Infinity"`` and ``"-Infinity"``."""
    write(json.dumps(_for_json(value), indent=1, allow_nan=False))


def table(headers: Sequence[str], rows: Iterable[Sequence[object]], indent: int = 0) -> None:
    """Print a table with aligned columns; use rich if it is installed and the output is a terminal with colours."""
    texts = [[str(cell).translate(_CONTROL) for cell in row] for row in rows]
    if _is_rich():
        _print_rich(headers, texts, indent)
        return
    widths = [max(map(len, column)) for column in zip(headers, *texts, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (headers, *texts)]
    write("\n".join(f"{' ' * indent}{line}".rstrip() for line in lines))


def warn(text: str) -> None:
    """Print a warning in one line to stderr."""
    _print_note(f"warning: {text}")


def print_error(error: BaseException) -> None:
    """Print an exception to stderr in one line; compiler errors and failed library searches may have more."""
    text = message(error)
    if not isinstance(error, (BuildError, LibraryNotFoundError)):
        text = text.replace("\n", "\\n")  # file names can contain line ends
    _print_note(f"error: {text}")


def message(error: BaseException) -> str:
    """Return the message to print for an exception."""
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        names = [error.filename2] if error.filename2 is not None else [error.filename]
        return ": ".join([*map(os.fsdecode, map(_as_path, names)), error.strerror])
    if isinstance(error, MemoryError) and not str(error):
        return "there is not enough memory"
    return str(error) or type(error).__name__


def _as_path(name: object) -> str | bytes:
    return name if isinstance(name, (str, bytes)) else str(name)


def _print_note(text: str) -> None:
    try:
        print(text.translate(_CONTROL), file=sys.stderr, flush=True)
    except OSError:  # the failure cannot be reported
        _discard(sys.stderr)


def _lose_stdout(error: OSError) -> None:
    """Discard all further output; raise the error unless a reader closed the pipe."""
    _discard(sys.stdout)
    if not isinstance(error, BrokenPipeError):
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


def _is_rich() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and importlib.util.find_spec("rich") is not None


def _print_rich(headers: Sequence[str], rows: Sequence[Sequence[str]], indent: int) -> None:
    from rich import box
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    shown = Table(box=box.SIMPLE_HEAD, show_edge=False, header_style="bold")
    for header in headers:
        shown.add_column(Text(header), overflow="fold")
    for row in rows:
        shown.add_row(*map(Text, row))  # texts are not markup: types have brackets
    try:
        Console().print(Padding(shown, (0, 0, 0, indent)))
    except OSError as error:
        _lose_stdout(error)
