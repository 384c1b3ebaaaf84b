"""C pointers as integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._capi import ffi

if TYPE_CHECKING:
    from .._cdata import CData

__all__ = ["address_of"]


def address_of(pointer: CData) -> int:
    """Return the address in a C pointer."""
    return int(ffi.cast("uintptr_t", pointer))
