"""Terminals: width, colours, and a line of progress."""

from __future__ import annotations

import os
import shutil
import threading
from typing import Final, TextIO

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
