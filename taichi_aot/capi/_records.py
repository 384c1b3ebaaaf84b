"""What this package knows of the objects behind handles: the private handles of runtimes, memory, images and modules.

A handle of the C-API that this package made refers to its record, which keeps the private handle. What `capi` itself
has created is kept by its runtime until it is freed, as in C; what objects have created only by them and by the handles
that they gave. A handle that was made of a bare address is looked up.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from .._ffi.pointers import address_of
from .._handles.memory import AllocationHandle
from .._handles.module import ModuleHandle
from .._handles.runtime import RuntimeHandle, State, process
from ._handles import Handle, TiAotModule, TiComputeGraph, TiImage, TiKernel, TiMemory, TiRuntime

if TYPE_CHECKING:
    from ..formats.info import ModuleInfo
    from ..signature import Signature

__all__ = [
    "AllocationRecord",
    "LaunchRecord",
    "ModuleRecord",
    "allocation_handle",
    "find_allocation",
    "find_runtime",
    "freed",
    "launch_handle",
    "module_handle",
    "runtime_handle",
]

H = TypeVar("H", bound=Handle)


class AllocationRecord:
    """Memory or an image: its private handle, and how it is mapped."""

    __slots__ = ("__weakref__", "allocation", "mapping")

    def __init__(self, allocation: AllocationHandle) -> None:
        self.allocation = allocation
        self.mapping: Any = None  # the context manager and its view


class ModuleRecord:
    """A module: its private handle, and what its files state, if they are known."""

    __slots__ = ("__weakref__", "info", "launches", "module")

    def __init__(self, module: ModuleHandle, info: ModuleInfo | None) -> None:
        self.module = module
        self.info = info
        self.launches: dict[Handle, LaunchRecord] = {}


class LaunchRecord:
    """A kernel or graph: its module, and its signature, if it is known."""

    __slots__ = ("__weakref__", "module", "signature")

    def __init__(self, module: ModuleHandle, signature: Signature | None) -> None:
        self.module = module
        self.signature = signature


Allocations: TypeAlias = "dict[tuple[type[Handle], int], list[weakref.ref[AllocationRecord]]]"
_allocations: weakref.WeakKeyDictionary[RuntimeHandle, Allocations] = weakref.WeakKeyDictionary()
# By address: the runtimes that `capi` created or met first, until they are destroyed, and the modules and launches.
runtimes: dict[int, list[RuntimeHandle]] = {}
modules: weakref.WeakValueDictionary[int, ModuleRecord] = weakref.WeakValueDictionary()
launches: weakref.WeakValueDictionary[Handle, LaunchRecord] = weakref.WeakValueDictionary()


def runtime_handle(handle: RuntimeHandle) -> TiRuntime:
    """The handle of an open runtime; it keeps the private handle."""
    return _made(TiRuntime, handle.require_open().context.ti_runtime, handle)


def allocation_handle(cls: type[H], allocation: AllocationHandle, pointer: Any) -> H:
    """The handle of memory or an image, whose private handle it keeps."""
    records = _allocations.setdefault(allocation.runtime, {})
    key = cls, address_of(pointer)
    known = records[key] = [reference for reference in records.get(key, []) if reference() is not None]
    found = next((found for reference in known if (found := reference()) and found.allocation is allocation), None)
    if found is None:
        found = AllocationRecord(allocation)
        known.append(weakref.ref(found))
    return _made(cls, pointer, found)


def module_handle(module: ModuleHandle, info: ModuleInfo | None) -> TiAotModule:
    """The handle of an open module, whose private handle it keeps."""
    pointer = module.require_open()
    record = ModuleRecord(module, info)
    modules[address_of(pointer)] = record
    return _made(TiAotModule, pointer, record)


def launch_handle(
    cls: type[TiKernel] | type[TiComputeGraph], module: ModuleHandle, pointer: Any, signature: Signature | None
) -> Any:
    """The handle of a kernel or graph, whose module it keeps."""
    handle = _made(cls, pointer, LaunchRecord(module, signature))
    launches[handle] = handle._owner
    return handle


def _made(cls: type[H], pointer: Any, owner: object) -> H:
    handle = cls(address_of(pointer))
    handle._owner = owner
    return handle


def find_runtime(address: int) -> RuntimeHandle | None:
    """The private handle of an open runtime at an address, the one that was created last."""
    for handle in [*reversed(runtimes.get(address, [])), *process.live_runtimes()]:
        if handle.state is State.OPEN and address_of(handle.context.c.ti_runtime) == address:
            return handle
    return None


def find_allocation(
    cls: type[TiMemory] | type[TiImage], handle: RuntimeHandle, address: int
) -> AllocationRecord | None:
    """The record of the open memory or image at an address; None if this package has never known one there.

    Raises
    ------
    ValueError
        If what it has known there was freed.
    """
    known = _allocations.get(handle, {}).get((cls, address))
    if known is None:
        return None
    records = [record for reference in known if (record := reference()) is not None]
    found = next((record for record in records if not record.allocation.closed), None)
    if found is None:
        raise freed(cls(address))
    return found


def freed(handle: Handle) -> ValueError:
    return ValueError(f"the {handle!r} was freed")
