"""Status codes of calls into the extension, the exceptions for them, and lines of the log."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from .._capi import ffi, lib
from ..values._errors import (
    BufferStateError,
    DeviceLostError,
    ErrorCode,
    InvalidArgumentError,
    InvalidStateError,
    ObjectStateError,
    TaichiError,
    error_class,
)

if TYPE_CHECKING:
    from logging import Logger

LOGGER = "taichi_aot"

Result = TypeVar("Result")


class Status:
    """Status codes of this package; those of the library are negative."""

    CLOSED = lib.TAICHI_AOT_CLOSED
    WRONG_THREAD = lib.TAICHI_AOT_WRONG_THREAD
    LOST = lib.TAICHI_AOT_LOST
    REENTERED = lib.TAICHI_AOT_REENTERED
    ARRAY_CLOSED = lib.TAICHI_AOT_ARRAY_CLOSED
    ARRAY_MAPPED = lib.TAICHI_AOT_ARRAY_MAPPED
    MODULE_CLOSED = lib.TAICHI_AOT_MODULE_CLOSED
    IN_USE = lib.TAICHI_AOT_IN_USE
    BUSY = lib.TAICHI_AOT_BUSY
    CHANGED = lib.TAICHI_AOT_CHANGED
    NO_RESULT = lib.TAICHI_AOT_NO_RESULT
    FOREIGN = lib.TAICHI_AOT_FOREIGN
    ARGUMENT = lib.TAICHI_AOT_ARGUMENT
    NOT_MINE = lib.TAICHI_AOT_NOT_MINE
    NEEDS_PLAN = lib.TAICHI_AOT_NEEDS_PLAN
    FILE = lib.TAICHI_AOT_FILE
    UNFINISHED = lib.TAICHI_AOT_UNFINISHED
    NOT_LAUNCHED = lib.TAICHI_AOT_NOT_LAUNCHED
    CHECK_FAILED = lib.TAICHI_AOT_CHECK_FAILED
    TOO_LONG = lib.TAICHI_AOT_TOO_LONG


# The library reports these with INVALID_STATE.
NO_MEMORY = (
    "std::bad_alloc",
    "Virtual memory allocation",
    "listgen allocation failed",
    "gtmp allocation failed",
    "CUDA_ERROR_OUT_OF_MEMORY",
)

_MESSAGES: dict[int, tuple[type[TaichiError], str]] = {
    Status.CLOSED: (ObjectStateError, "the runtime is closed"),
    Status.WRONG_THREAD: (ObjectStateError, "an OpenGL runtime can be used only by the thread that created it"),
    Status.REENTERED: (InvalidStateError, "this thread is already inside another call on the same runtime"),
    Status.ARRAY_CLOSED: (ObjectStateError, "the memory is closed"),
    Status.ARRAY_MAPPED: (
        BufferStateError,
        "the memory is mapped, and this arch maps a copy; leave the `with` block first",
    ),
    Status.MODULE_CLOSED: (ObjectStateError, "the module is closed"),
    Status.IN_USE: (BufferStateError, "the memory has live views; drop them before closing it"),
    Status.BUSY: (InvalidStateError, "another thread is using the runtime"),
    Status.CHANGED: (InvalidStateError, "another thread has updated the launch"),
    Status.FOREIGN: (InvalidArgumentError, "the kernel or graph belongs to another runtime"),
    Status.ARGUMENT: (InvalidArgumentError, "an argument of the launch is wrong"),
    Status.NO_RESULT: (InvalidStateError, "the launch has not been made yet, so it does not have a result"),
}


def check(status: int) -> None:
    """Raise the error that a call of this thread reported, if any."""
    if status:
        raise error_of(status)


def status_kind(status: int) -> int:
    """Return a `Status`, or the library's negative code, without the index of an array."""
    return status & 0xFF if status > 0 else status


def status_index(status: int) -> int:
    """Return the index of the array that a positive status refers to."""
    return status >> 8


def error_of(status: int) -> Exception:
    """Return the exception for the status that the last call of this thread returned."""
    kind = status_kind(status)
    if kind in _MESSAGES:
        cls, text = _MESSAGES[kind]
        return cls(text)
    if kind == Status.CHECK_FAILED:
        from ._checks import error_of_failure

        failure = lib.taichi_aot_last_failure()
        shapes = [tuple(shape.dims[0 : shape.dim_count]) for shape in failure.shapes]
        return error_of_failure(failure.kernel, ffi.string(failure.message, 2048), list(failure.arguments), shapes)
    message = ffi.string(lib.taichi_aot_error_message()).decode(errors="replace")
    if kind == Status.TOO_LONG:
        return InvalidArgumentError(message)
    if kind == Status.FILE:
        return OSError(status_index(status), os.strerror(status_index(status)), message)
    if kind == Status.LOST:
        return DeviceLostError(
            f"the CUDA context of cuda:{status_index(status)} is unusable, because a kernel faulted (an index out of "
            f"range, say); start a new process. The first error was: {message or 'unknown'}"
        )
    routine = lib.taichi_aot_error_routine()
    name = ffi.string(routine).decode() if routine else "the library"
    if any(text in message for text in NO_MEMORY):
        kind = ErrorCode.OUT_OF_MEMORY
    error = error_class(kind)(f"{name} failed: {message or 'the library does not state a reason'}")
    error.routine = name
    return error


def keeping_failures(call: Callable[[], Result]) -> Result:
    """Make a call whose errors may not reach the caller, and leave failed checks to later calls."""
    before = 0
    try:
        before = lib.taichi_aot_keep_failures(True)
        return call()
    finally:
        lib.taichi_aot_keep_failures(before)


def log_failure(status: int, what: str) -> None:
    """Log that a clean-up failed. Raising would not reach a caller, and stopping would leak the remaining resources."""
    if status < 0 or status == Status.IN_USE:
        error = error_of(status)
        with suppress(Exception):  # a clean-up must continue even where logging cannot be imported
            import logging

            logging.getLogger(LOGGER).warning("%s: %s", what, error)


def debug_logger() -> Logger | None:
    """Return the logger if it takes lines of DEBUG, else None."""
    logging = sys.modules.get("logging")
    if logging is None:  # a program that has not imported it has no handler for them
        return None
    logger: Logger = logging.getLogger(LOGGER)
    return logger if logger.isEnabledFor(logging.DEBUG) else None


def log_debug(text: str, *values: object) -> None:
    """Log what the package does. The values are formatted only if a handler listens."""
    with suppress(Exception):  # a handler must not stop what is logged
        logger = debug_logger()
        if logger is not None:
            logger.debug(text, *values, stacklevel=2)
