"""A driver's shared library, loaded once and never closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._library import ffi, lib

if TYPE_CHECKING:
    from .._cdata import Function


class DriverLibrary:
    """The first of several shared libraries that the system's loader finds; false if it does not find one."""

    def __init__(self, *names: str) -> None:
        self._library = next((library for name in names if (library := lib.taichi_aot_open(name.encode()))), None)

    def __bool__(self) -> bool:
        return self._library is not None

    def function(self, c_type: str, name: str) -> Function[..., Any] | None:
        """Return a function as a cffi pointer of type `c_type`, or None if the library does not export it."""
        symbol = lib.taichi_aot_symbol(self._library, name.encode()) if self._library else None
        return ffi.cast(c_type, symbol) if symbol else None
