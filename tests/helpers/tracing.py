"""Run code at every bytecode of the package, as signal handlers or the garbage collector could."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

import taichi_aot

PACKAGE = str(Path(taichi_aot.__file__).parent)
GENERATED = "<taichi_aot "
TRACED = (PACKAGE, GENERATED, contextlib.__file__)


def ask_for_opcode_events() -> None:
    """Request opcode events once, without which CPython 3.12 sends none."""

    def trace(frame: FrameType, _event: str, _argument: Any) -> Any:
        frame.f_trace_opcodes = True
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        (lambda: None)()
    finally:
        sys.settrace(before)


ask_for_opcode_events()


@contextmanager
def at_every_bytecode(action: Callable[[], None]) -> Iterator[None]:
    """Call `action` before every bytecode of the package in this thread."""

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith(TRACED):
            return None
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        if event == "opcode":
            action()
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def at_each_bytecode(
    operation: Callable[[], object], action: Callable[[], None], *, at_most: int = 1000
) -> Iterator[None]:
    """Run `operation` once per bytecode, with `action` before that bytecode; yield after each run.

    If the operation has more than `at_most` bytecodes, choose `at_most` of them, evenly spaced.
    """
    left = 0

    def step() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            action()

    with at_every_bytecode(step):
        operation()
    total = -left
    for bytecode in range(1, total + 1, total // at_most + 1):
        left = bytecode
        with suppress(KeyboardInterrupt, Exception), at_every_bytecode(step):
            operation()
        yield


def interrupt() -> None:
    """Raise KeyboardInterrupt, as Ctrl-C does."""
    raise KeyboardInterrupt
