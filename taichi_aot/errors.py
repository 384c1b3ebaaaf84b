"""What the C library reports, as exceptions: one class per error code."""

from __future__ import annotations

from typing import ClassVar

from ._library import LibraryNotFoundError, ffi, lib
from .enums import ErrorCode

__all__ = [
    "ArgumentNotFoundError",
    "ArgumentNullError",
    "ArgumentOutOfRangeError",
    "CorruptedDataError",
    "IncompatibleModuleError",
    "InvalidArgumentError",
    "InvalidInteropError",
    "InvalidStateError",
    "LibraryNotFoundError",
    "NameNotFoundError",
    "NotSupportedError",
    "OutOfMemoryError",
    "TaichiError",
]


class TaichiError(Exception):
    """An error that the C library reported, or would have.

    Attributes
    ----------
    code : ErrorCode
        The library's own code.
    """

    code: ClassVar[ErrorCode]

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""  # KeyError alone would show the repr


class NotSupportedError(TaichiError, NotImplementedError):
    """The library, or this machine, does not support what was asked for."""

    code = ErrorCode.NOT_SUPPORTED


class CorruptedDataError(TaichiError, ValueError):
    """A module is damaged or is not a module."""

    code = ErrorCode.CORRUPTED_DATA


class NameNotFoundError(TaichiError, KeyError):
    """A name that the module does not have."""

    code = ErrorCode.NAME_NOT_FOUND


class InvalidArgumentError(TaichiError, ValueError):
    """The library refused an argument."""

    code = ErrorCode.INVALID_ARGUMENT


class ArgumentNullError(TaichiError, ValueError):
    """The library was given a null pointer."""

    code = ErrorCode.ARGUMENT_NULL


class ArgumentOutOfRangeError(TaichiError, ValueError):
    """The library was given a value outside of its range."""

    code = ErrorCode.ARGUMENT_OUT_OF_RANGE


class ArgumentNotFoundError(TaichiError, TypeError):
    """The library misses an argument of a launch."""

    code = ErrorCode.ARGUMENT_NOT_FOUND


class InvalidInteropError(TaichiError, RuntimeError):
    """The arch cannot share what was asked for."""

    code = ErrorCode.INVALID_INTEROP


class InvalidStateError(TaichiError, RuntimeError):
    """The library failed inside; what it was working on may be lost."""

    code = ErrorCode.INVALID_STATE


class IncompatibleModuleError(TaichiError, ValueError):
    """A sound module that this runtime cannot run: another backend, version or capability."""

    code = ErrorCode.INCOMPATIBLE_MODULE


class OutOfMemoryError(TaichiError, MemoryError):
    """Host or device memory cannot hold an allocation."""

    code = ErrorCode.OUT_OF_MEMORY


_CLASSES: dict[int, type[TaichiError]] = {cls.code: cls for cls in TaichiError.__subclasses__()}


def check(code: int) -> None:
    """Raise what a checked call of this thread reported, unless it is success."""
    if code:
        raise error_of(code)


def error_of(code: int) -> TaichiError:
    """The exception for the error code that the last checked call of this thread returned."""
    message = ffi.string(lib.taichi_aot_error_message()).decode(errors="replace")
    return _CLASSES.get(code, InvalidStateError)(message or "the library gave no reason")
