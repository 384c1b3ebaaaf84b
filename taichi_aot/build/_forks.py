"""Calls of a function in forked processes, side by side: LLVM's functions do not run in several threads."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

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
    """The result of each item, up to the first that raises something."""
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
