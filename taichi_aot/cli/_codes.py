"""Exit statuses of the commands and of exceptions."""

from __future__ import annotations

import argparse
from typing import Final

from ..build._errors import BuildError, UnavailableError
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
