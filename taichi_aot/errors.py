"""What the C library reports, as exceptions: one class per error code."""

from __future__ import annotations

from typing import ClassVar

from .enums import ErrorCode

__all__ = [
    "ArgumentNotFoundError",
    "ArgumentNullError",
    "ArgumentOutOfRangeError",
    "CorruptedDataError",
    "DeviceLostError",
    "IncompatibleModuleError",
    "InvalidArgumentError",
    "InvalidInteropError",
    "InvalidStateError",
    "LibraryNotFoundError",
    "NameNotFoundError",
    "NotSupportedError",
    "OutOfMemoryError",
    "TaichiError",
    "error_class",
]


class LibraryNotFoundError(OSError):
    """The Taichi C-API library is missing, cannot be loaded, or has the wrong version.

    The message lists every place that was tried with the reason, and what to install.
    """


class TaichiError(Exception):
    """An error that the C library reported, or would have reported.

    Attributes
    ----------
    code : ErrorCode
        The library's own code.
    routine : str
        The C function that failed, such as ``"ti_map_memory"``; empty where this package refused the call itself.
    """

    code: ClassVar[ErrorCode]
    routine: str = ""

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


class DeviceLostError(InvalidStateError):
    """A kernel on a CUDA device did what the device does not survive, such as an access to an illegal address.

    Nothing that reaches the driver works any more in this process: it can only be ended.
    """


class IncompatibleModuleError(TaichiError, ValueError):
    """A sound module that this runtime cannot run: another backend, version or capability."""

    code = ErrorCode.INCOMPATIBLE_MODULE


class OutOfMemoryError(TaichiError, MemoryError):
    """Host or device memory cannot hold an allocation."""

    code = ErrorCode.OUT_OF_MEMORY


_CLASSES: dict[int, type[TaichiError]] = {cls.code: cls for cls in TaichiError.__subclasses__()}


def error_class(code: int) -> type[TaichiError]:
    """The exception for an error code of the C library."""
    return _CLASSES.get(code, InvalidStateError)
