"""What a call into the library reported, as exceptions."""

from __future__ import annotations

from ..errors import DeviceLostError, error_class
from .library import ffi, lib

__all__ = ["check", "error_of"]


def check(code: int) -> None:
    """Raise what a checked call of this thread reported, unless it is success."""
    if code:
        raise error_of(code)


def error_of(code: int) -> Exception:
    """The exception for what the last checked call of this thread returned: the library's error, or a refusal."""
    if code == lib.TAICHI_AOT_CLOSED:
        return ValueError("the runtime is closed")
    if code == lib.TAICHI_AOT_WRONG_THREAD:
        return ValueError("an OpenGL runtime can be used only by the thread that created it")
    message = ffi.string(lib.taichi_aot_error_message()).decode(errors="replace")
    if code == lib.TAICHI_AOT_LOST:
        return DeviceLostError(
            "the CUDA device is lost to this process, by a kernel that did what it does not survive (an index out of "
            f"range, say); start a new process. The first error was: {message or 'unknown'}"
        )
    return error_class(code)(message or "the library gave no reason")
