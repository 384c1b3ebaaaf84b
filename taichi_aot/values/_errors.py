"""The error codes of the C library, and an exception class for each."""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar

__all__ = [
    "ArgumentNotFoundError",
    "ArgumentNullError",
    "ArgumentOutOfRangeError",
    "CorruptedDataError",
    "DeviceLostError",
    "ErrorCode",
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


class ErrorCode(IntEnum):
    """Code of an error (``TiError``).

    Examples
    --------
    >>> ErrorCode(-11)
    <ErrorCode.OUT_OF_MEMORY: -11>
    """

    SUCCESS = 0
    NOT_SUPPORTED = -1
    CORRUPTED_DATA = -2
    NAME_NOT_FOUND = -3
    INVALID_ARGUMENT = -4
    ARGUMENT_NULL = -5
    ARGUMENT_OUT_OF_RANGE = -6
    ARGUMENT_NOT_FOUND = -7
    INVALID_INTEROP = -8
    INVALID_STATE = -9
    INCOMPATIBLE_MODULE = -10
    OUT_OF_MEMORY = -11


class LibraryNotFoundError(OSError):
    """The Taichi C-API library is missing, cannot be loaded, or has the wrong version.

    The message lists each place that was searched with the reason for rejecting it, and what to install.

    Examples
    --------
    >>> try:
    ...     path = library_path()
    ... except LibraryNotFoundError as error:
    ...     print(error)
    """


class TaichiError(Exception):
    """An error that the C library reported, or that this package reports in its place.

    Attributes
    ----------
    code : ErrorCode
        The library's code.
    routine : str
        The C function that failed, such as ``"ti_map_memory"``; empty if this package rejected the call itself.

    Examples
    --------
    >>> try:
    ...     module.kernels["sxpy"]
    ... except TaichiError as error:
    ...     print(error.code.name, isinstance(error, KeyError))
    NAME_NOT_FOUND True
    """

    code: ClassVar[ErrorCode]
    routine: str = ""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""  # KeyError's own shows the repr


class NotSupportedError(TaichiError, NotImplementedError):
    """The library or this machine does not support the request.

    Examples
    --------
    >>> rt.stream(0)
    Traceback (most recent call last):
    taichi_aot.NotSupportedError: arch x64 has no streams
    """

    code = ErrorCode.NOT_SUPPORTED


class CorruptedDataError(TaichiError, ValueError):
    """A file or buffer is damaged or is not a module.

    Examples
    --------
    >>> inspect(bytearray(b"not a module"))
    Traceback (most recent call last):
    taichi_aot.CorruptedDataError: the module is not a sound .tcm archive: File is not a zip file
    """

    code = ErrorCode.CORRUPTED_DATA


class NameNotFoundError(TaichiError, KeyError):
    """The module does not have a kernel or graph of that name.

    Examples
    --------
    >>> module.graphs["thrice"]
    Traceback (most recent call last):
    taichi_aot.NameNotFoundError: the module has no graph 'thrice', it has 'both', 'twice'; did you mean 'twice'?
    """

    code = ErrorCode.NAME_NOT_FOUND


class InvalidArgumentError(TaichiError, ValueError):
    """The library rejected an argument.

    Examples
    --------
    >>> InvalidArgumentError.code
    <ErrorCode.INVALID_ARGUMENT: -4>
    """

    code = ErrorCode.INVALID_ARGUMENT


class ArgumentNullError(TaichiError, ValueError):
    """The library received a null pointer.

    Examples
    --------
    >>> ArgumentNullError.code
    <ErrorCode.ARGUMENT_NULL: -5>
    """

    code = ErrorCode.ARGUMENT_NULL


class ArgumentOutOfRangeError(TaichiError, ValueError):
    """The library received a value out of range.

    Examples
    --------
    >>> ArgumentOutOfRangeError.code
    <ErrorCode.ARGUMENT_OUT_OF_RANGE: -6>
    """

    code = ErrorCode.ARGUMENT_OUT_OF_RANGE


class ArgumentNotFoundError(TaichiError, TypeError):
    """A launch is missing an argument.

    Examples
    --------
    >>> ArgumentNotFoundError.code
    <ErrorCode.ARGUMENT_NOT_FOUND: -7>
    """

    code = ErrorCode.ARGUMENT_NOT_FOUND


class InvalidInteropError(TaichiError, RuntimeError):
    """The arch cannot share this object with another API.

    Examples
    --------
    >>> InvalidInteropError.code
    <ErrorCode.INVALID_INTEROP: -8>
    """

    code = ErrorCode.INVALID_INTEROP


class InvalidStateError(TaichiError, RuntimeError):
    """The library failed internally; the object that it was working on may be lost.

    Examples
    --------
    >>> InvalidStateError.code
    <ErrorCode.INVALID_STATE: -9>
    """

    code = ErrorCode.INVALID_STATE


class DeviceLostError(InvalidStateError):
    """A CUDA kernel faulted, for example by accessing an illegal address, and the CUDA context is unusable.

    Every later CUDA call of the process fails; use CUDA in a new process.

    Examples
    --------
    >>> cuda = Runtime("cuda")  # doctest: +SKIP
    >>> try:  # doctest: +SKIP
    ...     cuda.wait()
    ... except DeviceLostError:
    ...     print("start a new process")
    """


class IncompatibleModuleError(TaichiError, ValueError):
    """The module is intact, but needs another backend, version or capability than the runtime has.

    Examples
    --------
    >>> with Runtime("vulkan") as vulkan:  # doctest: +SKIP
    ...     vulkan.load_module("saxpy.tcm")
    Traceback (most recent call last):
    taichi_aot.IncompatibleModuleError: saxpy.tcm was compiled for x64 and cannot run on a runtime of arch
    """

    code = ErrorCode.INCOMPATIBLE_MODULE


class OutOfMemoryError(TaichiError, MemoryError):
    """The host or the device does not have enough memory for an allocation.

    Examples
    --------
    >>> try:
    ...     memory = rt.allocate(2**60)
    ... except OutOfMemoryError as error:
    ...     print(isinstance(error, MemoryError))
    True
    """

    code = ErrorCode.OUT_OF_MEMORY


_CLASSES: dict[int, type[TaichiError]] = {cls.code: cls for cls in TaichiError.__subclasses__()}


def error_class(code: int) -> type[TaichiError]:
    """Return the exception class for an error code of the C library."""
    return _CLASSES.get(code, InvalidStateError)


for _error in (LibraryNotFoundError, TaichiError, DeviceLostError, *TaichiError.__subclasses__()):
    _error.__module__ = "taichi_aot"  # tracebacks name the public place
