"""Handles of the C-API: typed addresses of the library's objects."""

from __future__ import annotations

import ctypes
from typing import Any, NoReturn

from ..values._errors import ArgumentNullError, ArgumentOverflowError, ArgumentTypeError, describe, short


class Handle:
    """A handle of the C-API: the address of an object of the library, and its type.

    Handles of the same type and address are equal. ``int(handle)`` is the address, for other bindings of the library;
    ``TiRuntime(address)`` makes a handle from one of theirs. Functions of ctypes take handles as they are. The null
    handle is false.

    Parameters
    ----------
    address : int, default 0
        The address.
    """

    __slots__ = ("_address", "_owner")

    _address: int
    _owner: Any  # the known object; None if only its address is known

    def __init_subclass__(cls) -> None:
        cls.__module__ = "taichi_aot.capi"  # where users find it

    def __init__(self, address: int = 0) -> None:
        try:
            number = address.__index__()
        except AttributeError:
            raise ArgumentTypeError(
                f"the address of a {type(self).__name__} must be an int, not {describe(address)}"
            ) from None
        if not 0 <= number < 1 << 64:
            raise ArgumentOverflowError(
                f"the address of a {type(self).__name__} must have 64 bits, not {short(number)}"
            )
        self._address = number
        self._owner = None

    @property
    def value(self) -> int:
        """The address, as ``int(handle)``."""
        return self._address

    @property
    def _as_parameter_(self) -> ctypes.c_void_p:  # the protocol of ctypes
        return ctypes.c_void_p(self._address)

    def __int__(self) -> int:
        return self._address

    def __bool__(self) -> bool:
        return self._address != 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Handle) or type(self) is not type(other):
            return NotImplemented
        return self._address == other._address

    def __hash__(self) -> int:
        return hash((type(self), self._address))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._address:#x})"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise ArgumentTypeError(f"cannot pickle or copy a {type(self).__name__}: it belongs to this process")


class TiRuntime(Handle):
    """A runtime of the library: a device, and all objects on it.

    Examples
    --------
    >>> runtime = capi.create_runtime(capi.TI_ARCH_X64, 0)
    >>> bool(runtime), runtime == capi.TiRuntime(int(runtime))
    (True, True)
    >>> capi.destroy_runtime(runtime)
    """

    __slots__ = ()


class TiAotModule(Handle):
    """A module that a runtime has loaded.

    Examples
    --------
    >>> bool(capi.TiAotModule())
    False
    """

    __slots__ = ()


class TiMemory(Handle):
    """An allocation of memory of a runtime.

    Examples
    --------
    >>> capi.TiMemory(16)
    TiMemory(0x10)
    """

    __slots__ = ()


class TiImage(Handle):
    """An image of a runtime (Vulkan).

    Examples
    --------
    >>> capi.TiImage(16).value
    16
    """

    __slots__ = ()


class TiSampler(Handle):
    """A sampler. Version 1.7 of the library cannot create one; the null handle is its default sampler.

    Examples
    --------
    >>> bool(capi.TiTexture(sampler=capi.TiSampler()).sampler)
    False
    """

    __slots__ = ()


class TiKernel(Handle):
    """A kernel, which belongs to its module.

    Examples
    --------
    >>> capi.TiKernel(16) == capi.TiComputeGraph(16)
    False
    """

    __slots__ = ()


class TiComputeGraph(Handle):
    """A compute graph, which belongs to its module.

    Examples
    --------
    >>> int(capi.TiComputeGraph(16))
    16
    """

    __slots__ = ()


def address_in(kind: type[Handle], handle: object) -> int:
    """Return the address of a handle of type `kind`; TypeError if it is of another type, ValueError if it is null."""
    if not isinstance(handle, kind):
        raise ArgumentTypeError(f"expected a {kind.__name__} of taichi_aot.capi, got {describe(handle)}")
    if not int(handle):
        raise ArgumentNullError(f"the {kind.__name__} is null")
    return int(handle)
