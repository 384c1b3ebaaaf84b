"""Processes of builds: those that wait for the next build of a source that is being edited, and forked ones."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias, TypeVar

from ..driver._child import Standby

# What a build leaves for the next one.


_Key: TypeAlias = tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]


class Kept:
    """Kernels that have been compiled, and processes that have imported the compilers."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}  # machine code of the last build's kernels, by what it was compiled from
        self._used: list[_Key] = []
        self._waiting: list[tuple[_Key, Standby]] = []

    def standby(
        self, function: Callable[..., object], path: Sequence[str], environment: Mapping[str, str]
    ) -> Standby | None:
        """Return a process that waits for a call of a function, if there is one; the next build gets one.

        There is none if the function's module has nothing to do before a call.
        """
        if not hasattr(sys.modules[function.__module__], "warm"):
            return None
        key = function.__module__, tuple(path), tuple(sorted(environment.items()))
        self._used.append(key)
        found = next((each for each in self._waiting if each[0] == key), None)
        if found is None:
            return None
        self._waiting.remove(found)
        return found[1]

    @contextmanager
    def used(self) -> Generator[None]:
        """Let builds in the block use what is kept, and prepare for the next one."""
        token = _kept.set(self)
        try:
            yield
        finally:
            _kept.reset(token)
            used, self._used = self._used, []
            for key, _ in self._waiting:
                if key in used:
                    used.remove(key)
            self._waiting += [(key, Standby(key[0], key[1], dict(key[2]))) for key in used]

    def close(self) -> None:
        for _, each in self._waiting:
            each.close()


_kept: ContextVar[Kept | None] = ContextVar("kept", default=None)


def kept_builds() -> Kept | None:
    """Return what builds here keep, if they do."""
    return _kept.get()


# Calls of a function side by side, in forked processes: LLVM's functions do not run in several threads.


Item = TypeVar("Item")
Result = TypeVar("Result")


def side_by_side(function: Callable[[Item], Result], items: Sequence[Item], processes: int) -> list[Result]:
    """Return what a function returns for each item, computed by up to so many processes, this one included.

    Results are pickled. What is raised is that of the first item with an exception. A signal that ends one ends all.
    """
    count = min(processes, len(items)) if hasattr(os, "fork") else 1
    if count < 2:
        return [function(each) for each in items]
    started = [_start(function, items[first::count]) for first in range(1, count)]
    parts = [_outcomes(function, items[::count]), *(_finish(*each) for each in started)]
    found: list[Result] = []
    for place in range(len(items)):
        result, error = parts[place % count][place // count]
        if error is not None:
            raise error
        found.append(result)
    return found


def _outcomes(function: Callable[[Item], Any], items: Sequence[Item]) -> list[tuple[Any, Exception | None]]:
    """Return the result of each item, up to the first that raises something."""
    found: list[tuple[Any, Exception | None]] = []
    for each in items:
        try:
            found.append((function(each), None))
        except Exception as error:
            return [*found, (None, error)]
    return found


def _start(function: Callable[[Item], Result], items: Sequence[Item]) -> tuple[int, int]:
    """Start a process for items; return its number, and the pipe that it writes to."""
    reads, writes = os.pipe()
    number = os.fork()
    if number:
        os.close(writes)
        return number, reads
    try:
        with open(writes, "wb") as file:
            pickle.dump(_outcomes(function, items), file)
    finally:
        os._exit(0)


def _finish(number: int, reads: int) -> list[tuple[Any, Exception | None]]:
    """Return what a process has written, after its end."""
    with open(reads, "rb") as file:
        data = file.read()
    _, status = os.waitpid(number, 0)
    if os.WIFSIGNALED(status):
        os.kill(os.getpid(), os.WTERMSIG(status))
    found: list[tuple[Any, Exception | None]] = pickle.loads(data)
    return found
