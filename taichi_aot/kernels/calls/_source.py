"""Source of generated functions: built with indentation, compiled, and visible to tracebacks and debuggers."""

from __future__ import annotations

import itertools
import linecache
import weakref
from collections.abc import Callable
from functools import cached_property, lru_cache
from types import CodeType
from typing import Any


class Source:
    """The source of a function, written line by line. Once it has been compiled, it does not change."""

    def __init__(self, header: str) -> None:
        self._lines = [header]
        self._indent = "    "

    def add(self, *lines: str) -> None:
        """Append lines at the current indentation."""
        self._lines += map(self._indent.__add__, lines)  # which calls no function of Python

    def block(self, header: str, *lines: str) -> None:
        """Append a line, and others that are indented below it."""
        self.add(header, *map("    ".__add__, lines))

    def compile(self, file_name: str, scope: dict[str, Any], name: str) -> Callable[..., Any]:
        """Compile the function, called `name` in messages, with the global variables `scope`.

        While the function is alive, `linecache` has its source under `file_name`; if the name is taken, a number is
        appended.
        """
        file_name = _register(file_name, self._text)
        defined: dict[str, Any] = {}
        # The function must not be one of its own global variables: a reference cycle would keep a runtime alive.
        exec(_compiled(self._text), scope, defined)
        function: Callable[..., Any]
        (function,) = defined.values()
        function.__code__ = function.__code__.replace(co_filename=file_name)
        function.__name__ = function.__qualname__ = name
        weakref.finalize(function, linecache.cache.pop, file_name, None).atexit = False
        return function

    @cached_property
    def _text(self) -> str:
        return "\n".join(self._lines) + "\n"


@lru_cache(maxsize=256)
def _compiled(text: str) -> CodeType:
    """Compile a source, which is the same for kernels with the same parameters."""
    return compile(text, "<taichi_aot>", "exec")


def _register(file_name: str, text: str) -> str:
    """Register `text` in `linecache` as the source of a virtual file; return the file's name."""
    entry = (len(text), None, text.splitlines(keepends=True), file_name)
    for name in itertools.chain([file_name], (f"{file_name[:-1]} ({i})>" for i in itertools.count(2))):
        if linecache.cache.setdefault(name, entry) is entry:
            return name
    raise AssertionError
