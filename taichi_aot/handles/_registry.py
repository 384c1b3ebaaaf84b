"""What this package knows of the objects behind handles.

A handle that this package made keeps the private handle of its object: of a runtime, of memory or an image, of a
module. What `capi` itself has created is kept by its runtime until it is freed, as in C (`RuntimeHandle.kept`); what
objects have created only by them and by the handles that they gave. A handle that was made of a bare address is looked
up by it.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from ..backends._image import ImageHandle
from ..capi._launches import Entry
from ..driver._library import ffi, lib
from ..driver._pointers import address_of
from ._c_types import Handle, TiAotModule, TiComputeGraph, TiImage, TiKernel, TiMemory, TiRuntime
from ._memory import AllocationHandle, MemoryHandle
from ._module import ModuleHandle
from ._runtime import RuntimeHandle, State, process

if TYPE_CHECKING:
    from .._capi import taichi_aot_known_p, taichi_aot_memory_p
    from ..formats._info import ModuleInfo

__all__ = [
    "ModuleRecord",
    "entry_handle",
    "find_allocation",
    "find_entry",
    "find_module",
    "find_runtime",
    "forget_module",
    "forget_runtime",
    "freed",
    "image_handle",
    "keep_runtime",
    "know_another",
    "know_foreign",
    "memory_handle",
    "module_handle",
    "open_runtime_of",
    "release_allocation",
    "release_module",
    "release_runtime",
    "runtime_handle",
    "runtimes",
]

H = TypeVar("H", bound=Handle)
L = TypeVar("L", TiKernel, TiComputeGraph)
A = TypeVar("A", bound=AllocationHandle)


class ModuleRecord:
    """A module: its private handle, what its files state, and the kernels and graphs that were looked up."""

    __slots__ = ("__weakref__", "entries", "info", "module")

    def __init__(self, module: ModuleHandle, info: ModuleInfo) -> None:
        self.module = module
        self.info = info
        self.entries: dict[tuple[type[Handle], str], Entry] = {}


class _Allocation(NamedTuple):
    """Memory or an image that has or had a handle of the C-API; `c` stays, because C compares its generation."""

    handle: weakref.ref[AllocationHandle]
    c: taichi_aot_memory_p
    generation: int
    known: taichi_aot_known_p
    is_read_only: bool

    @property
    def is_open(self) -> bool:
        return abs(self.c.generation) == self.generation


# The runtimes that `capi` created or met first, by address, until they are destroyed.
runtimes: dict[int, list[RuntimeHandle]] = {}
# By handle; memory of one address that was imported several times has one handle.
Allocations: TypeAlias = "dict[Handle, list[_Allocation]]"
_allocations: weakref.WeakKeyDictionary[RuntimeHandle, Allocations] = weakref.WeakKeyDictionary()
# What other bindings have allocated, and may free without telling, by the identity of the runtime.
_foreign: weakref.WeakValueDictionary[tuple[int, Handle], AllocationHandle] = weakref.WeakValueDictionary()
_modules: weakref.WeakValueDictionary[int, ModuleRecord] = weakref.WeakValueDictionary()
_met: set[Handle] = set()  # runtimes that had handles: at their addresses there are no others of other bindings
_destroyed: set[Handle] = set()  # modules, until the library uses their addresses again
_entries: weakref.WeakValueDictionary[Handle, Entry] = weakref.WeakValueDictionary()


def _key(handle: H) -> H:
    """An equal handle for tables: without an owner, so that it keeps nothing alive."""
    return type(handle)(int(handle))


def runtime_handle(runtime: RuntimeHandle) -> TiRuntime:
    """The handle of an open runtime."""
    handle = _made(TiRuntime, runtime.require_open().context.ti_runtime, runtime)
    _met.add(_key(handle))
    return handle


def memory_handle(memory: MemoryHandle) -> TiMemory:
    """The handle of open memory."""
    handle = _made(TiMemory, memory.ti_memory_at(0), memory)
    _know(handle, memory, {"size": memory.size}, is_read_only=memory.readonly)
    return handle


def image_handle(image: ImageHandle) -> TiImage:
    """The handle of an open image."""
    image.require_open()
    handle = _made(TiImage, image.image.ti_image, image)
    request = image.request
    width, height, depth = (*request.extent, 1, 1)[:3]
    extent = {"width": width, "height": height, "depth": depth, "array_layer_count": 1}
    _know(handle, image, {"extent": extent, "format": int(request.format), "usage": int(request.usage)})
    return handle


def module_handle(module: ModuleHandle, info: ModuleInfo) -> TiAotModule:
    """The handle of an open module."""
    record = ModuleRecord(module, info)
    handle = _made(TiAotModule, module.require_open(), record)
    _modules[int(handle)] = record
    _destroyed.discard(handle)
    return handle


def entry_handle(cls: type[L], entry: Entry) -> L:
    """The handle of a kernel or graph."""
    handle = _made(cls, entry.c.ti_compute_graph if cls is TiComputeGraph else entry.c.ti_kernel, entry)
    _entries[_key(handle)] = entry
    return handle


def _made(cls: type[H], pointer: Any, owner: object) -> H:
    handle = cls(address_of(pointer))
    handle._owner = owner
    return handle


def _know(handle: Handle, allocation: AllocationHandle, facts: dict[str, Any], *, is_read_only: bool = False) -> None:
    """Record what a handle of memory or an image stands for."""
    if _foreign.get((id(allocation.runtime), handle)) is allocation:
        return
    facts |= {"handle": int(handle), "memory": allocation.c, "generation": allocation.generation}
    known = ffi.new("taichi_aot_known *", facts)
    new = _Allocation(weakref.ref(allocation), allocation.c, allocation.generation, known, is_read_only)
    records = _allocations.setdefault(allocation.runtime, {})
    records[_key(handle)] = [*(old for old in records.pop(handle, []) if old.is_open), new]
    know_another(handle, allocation.runtime)


def know_another(handle: Handle, runtime: RuntimeHandle) -> None:
    """Tell C what a handle stands for: the largest of what is open, read-only if all of it is."""
    found = [allocation for allocation in _allocations.get(runtime, {}).get(handle, ()) if allocation.is_open]
    if found:
        largest = max(found, key=lambda allocation: allocation.known.size)
        largest.known.is_read_only = all(allocation.is_read_only for allocation in found)
        runtime.check(lib.taichi_aot_know(runtime.c, largest.known))


def keep_runtime(runtime: RuntimeHandle) -> TiRuntime:
    """The handle of a runtime that exists until it is destroyed."""
    handle = runtime_handle(runtime)
    runtimes.setdefault(int(handle), []).append(runtime)
    return handle


def forget_runtime(handle: TiRuntime, runtime: RuntimeHandle) -> None:
    """Keep a runtime no longer. Those of CUDA are destroyed as often as they were created."""
    found = runtimes.get(int(handle), [])
    if runtime in found:
        found.remove(runtime)
    if not found:
        runtimes.pop(int(handle), None)


def find_runtime(handle: TiRuntime) -> RuntimeHandle | None:
    """The private handle of the open runtime at an address, the one that was created last.

    Raises
    ------
    ValueError
        If the runtime that this package has known there was destroyed.
    """
    for runtime in [*reversed(runtimes.get(int(handle), [])), *process.live_runtimes()]:
        if runtime.state is State.OPEN and address_of(runtime.context.c.ti_runtime) == int(handle):
            return runtime
    if handle in _met:
        raise freed(handle)
    return None


def find_allocation(handle: Handle, runtime: RuntimeHandle) -> AllocationHandle | None:
    """The private handle of memory or an image; None if this package knows nothing of it.

    Raises
    ------
    ValueError
        If what it has known was freed, or belongs to another runtime.
    """
    allocation: AllocationHandle | None = handle._owner
    foreign = _foreign.get((id(runtime), handle))
    if allocation is None and foreign is not None and not foreign.closed:
        allocation = foreign
    elif allocation is None:
        known = _allocations.get(runtime, {}).get(handle)
        found = [allocation for each in known or () if each.is_open and (allocation := each.handle()) is not None]
        if known is not None and not found:
            raise freed(handle)
        allocation = found[-1] if found else None
    elif allocation.runtime is not runtime and allocation.runtime.context is not runtime.context:
        raise ValueError(f"the {handle!r} belongs to another runtime")
    if allocation is not None and allocation.closed:
        raise freed(handle)
    return allocation


def know_foreign(handle: TiMemory | TiImage, allocation: AllocationHandle) -> None:
    """Record the private handle of what another binding has allocated."""
    _foreign[id(allocation.runtime), _key(handle)] = allocation


def open_runtime_of(handle: TiRuntime) -> RuntimeHandle | None:
    """The private handle of a runtime that is open; None if this package does not know it.

    Raises
    ------
    ValueError
        If it was destroyed.
    """
    runtime: RuntimeHandle | None = handle._owner or find_runtime(handle)
    if runtime is not None and runtime.state is not State.OPEN:
        raise runtime.closed_error() if runtime.state is State.INHERITED else freed(handle)
    return runtime


def release_runtime(runtime: RuntimeHandle, handle: TiRuntime) -> None:
    """Give an object a runtime that `capi` has created; ValueError if it belongs to an object."""
    if runtime not in runtimes.get(int(handle), []):
        raise ValueError(f"the {handle!r} belongs to another object, which destroys it: pass owned=False")
    forget_runtime(handle, runtime)
    runtime.context.c.is_borrowed = False  # `capi` may have met that of another binding


def release_allocation(allocation: AllocationHandle, handle: TiMemory | TiImage) -> None:
    """Give an object memory or an image that `capi` has allocated; ValueError if it belongs to an object."""
    kept = allocation.runtime.kept
    if allocation not in kept:
        raise ValueError(f"the {handle!r} belongs to another object, which frees it: pass owned=False")
    if kept[allocation] is not None:
        raise BufferError(f"the {handle!r} is mapped; unmap it first")
    del kept[allocation]


def release_module(record: ModuleRecord, handle: TiAotModule) -> None:
    """Give an object a module that `capi` has loaded; ValueError if it belongs to an object."""
    try:
        del record.module.runtime.kept[record]
    except KeyError:
        raise ValueError(f"the {handle!r} belongs to its runtime, which destroys it: pass owned=False") from None


def find_module(handle: TiAotModule) -> ModuleRecord | None:
    """The record of a module that is open; None if this package knows nothing of it; ValueError if it was destroyed."""
    record: ModuleRecord | None = handle._owner or _modules.get(int(handle))
    if handle in _destroyed or (record is not None and record.module.closed):
        raise freed(handle)
    return record


def forget_module(handle: TiAotModule) -> None:
    """Record that a module was destroyed."""
    _destroyed.add(_key(handle))


def find_entry(handle: TiKernel | TiComputeGraph) -> Entry:
    """What is known of a kernel or graph, which may be its address alone."""
    if handle._owner is None:
        handle._owner = _entries.get(handle) or Entry(type(handle)._cast(handle, "handle"))
    entry: Entry = handle._owner
    return entry


def freed(handle: Handle) -> ValueError:
    return ValueError(f"the {handle!r} was freed")
