"""C pointers as integers."""

from __future__ import annotations

from typing import Any

from .._capi import ffi

__all__ = ["address_of"]


def address_of(pointer: Any) -> int:
    """Where a C pointer points."""
    return int(ffi.cast("uintptr_t", pointer))
