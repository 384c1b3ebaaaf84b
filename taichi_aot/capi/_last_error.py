"""The last error of each thread: the library's, or that of a call which was refused before."""

from __future__ import annotations

import threading

from ..driver._library import ffi, lib, load
from ..values._errors import ErrorCode, with_code
from ._enums import TiError
from ._members import as_member, as_text

# The codes of exceptions that Python or the system raises; the first class that fits decides.
CODES = (
    (MemoryError, ErrorCode.OUT_OF_MEMORY),
    (NotImplementedError, ErrorCode.NOT_SUPPORTED),
    ((TypeError, ValueError, LookupError, ArithmeticError, BufferError), ErrorCode.INVALID_ARGUMENT),
    (Exception, ErrorCode.INVALID_STATE),
)


class LastError(str):
    """The message of the last error of a thread, with its code.

    Attributes
    ----------
    code : TiError
        ``TI_ERROR_SUCCESS`` without an error.

    Examples
    --------
    >>> capi.set_last_error(capi.TiError.TI_ERROR_INVALID_STATE, "not today")
    >>> error = capi.get_last_error()
    >>> error.code, error
    (<TiError.TI_ERROR_INVALID_STATE: -9>, 'not today')
    """

    __slots__ = ("code",)

    code: TiError

    def __new__(cls, message: str = "", code: TiError = TiError.TI_ERROR_SUCCESS) -> LastError:
        self = super().__new__(cls, message)
        self.code = code
        return self


class _Thread(threading.local):
    """The last error of a thread. As in C, it stays when later calls succeed."""

    error = LastError()


_thread = _Thread()


def note_error(error: Exception) -> None:
    """Note the exception of a call for `get_last_error`, and give it a code if it has none."""
    code = getattr(error, "code", None)
    if not isinstance(code, ErrorCode):
        code = next(code for classes, code in CODES if isinstance(error, classes))
        with_code(error, code)
    lib.ti_set_last_error(TiError.TI_ERROR_SUCCESS, ffi.NULL)  # what it has later is newer than this
    _thread.error = LastError(str(error), TiError(code))


def get_last_error() -> LastError:
    load()
    size = ffi.new("uint64_t *")
    code = lib.ti_get_last_error(size, ffi.NULL)
    if code >= 0:
        return _thread.error
    message = ffi.new("char[]", size[0] + 1)
    lib.ti_get_last_error(size, message)
    return LastError(ffi.string(message).decode(errors="replace"), TiError(code))


def set_last_error(error: TiError | int, message: str | None) -> None:
    load()
    text = "" if message is None else message
    as_text(text, "message")
    code = as_member(TiError, error, "error")
    lib.ti_set_last_error(code, text.encode(errors="backslashreplace"))
    _thread.error = LastError(text if code < 0 else "", code)
