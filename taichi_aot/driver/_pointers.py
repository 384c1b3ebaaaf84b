"""C pointers as integers, and Python objects as C pointers."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from .._capi import ffi

if TYPE_CHECKING:
    from .._cdata import CData


def address_of(pointer: CData) -> int:
    return int(ffi.cast("uintptr_t", pointer))


def object_pointer(python_object: object) -> Any:
    """Return the address of an object, which the caller keeps alive during the call."""
    return ffi.cast("void *", id(python_object))


def put_address(contents: Any, stated: dict[str, Any], member: str, address: int, index: int = 0) -> None:
    """Write an address into a member of the struct of the library's runtime, which a plan states."""
    struct.pack_into("<Q", contents, stated["members"][member] + 8 * index, address)
