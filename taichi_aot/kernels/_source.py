"""Source of generated functions: built with indentation, compiled, and visible to tracebacks and debuggers."""

from __future__ import annotations

import itertools
import linecache
import weakref
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

__all__ = ["Source"]


class Source:
    """The source of one function, written line by line.

    Parameters
    ----------
    header : str
        The function's ``def`` line.
    """

    def __init__(self, header: str) -> None:
        self._lines = [header]
        self._indent = "    "

    def add(self, *lines: str) -> None:
        """Append lines at the current indentation."""
        self._lines.extend(self._indent + line for line in lines)

    @contextmanager
    def block(self, header: str) -> Generator[None]:
        """Append a line; lines added within the ``with`` statement are indented below it."""
        self.add(header)
        outer, self._indent = self._indent, self._indent + "    "
        yield
        self._indent = outer

    def compile(self, file_name: str, scope: dict[str, Any], name: str) -> Callable[..., Any]:
        """Compile the function, called `name` in messages, with the global variables `scope`.

        While the function is alive, `linecache` has its source under `file_name`; if the name is taken, a number is
        appended.
        """
        text = "\n".join(self._lines) + "\n"
        file_name = _register(file_name, text)
        defined: dict[str, Any] = {}
        # The function must not be one of its own global variables: a reference cycle would keep a runtime alive.
        exec(compile(text, file_name, "exec"), scope, defined)
        function: Callable[..., Any]
        (function,) = defined.values()
        function.__name__ = function.__qualname__ = name
        weakref.finalize(function, _forget, file_name).atexit = False
        return function


def _register(file_name: str, text: str) -> str:
    """Register `text` in `linecache` as the source of a virtual file; return the file's name."""
    entry = (len(text), None, text.splitlines(keepends=True), file_name)
    for name in itertools.chain([file_name], (f"{file_name[:-1]} ({i})>" for i in itertools.count(2))):
        if linecache.cache.setdefault(name, entry) is entry:
            return name
    raise AssertionError


def _forget(file_name: str) -> None:
    linecache.cache.pop(file_name, None)
