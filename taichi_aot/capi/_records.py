"""What this package knows of the objects behind handles.

A handle that this package made keeps the private handle of its object: of a runtime, of memory or an image, of a
module. What `capi` itself has created is kept by its runtime until it is freed, as in C (`RuntimeHandle.kept`); what
objects have created only by them and by the handles that they gave. A handle that was made of a bare address is looked
up by it.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from .._ffi.library import ffi, lib
from .._ffi.pointers import address_of
from .._handles.memory import AllocationHandle, MemoryHandle
from .._handles.module import ModuleHandle
from .._handles.runtime import RuntimeHandle, State, process
from .._memory.image import ImageHandle
from ._handles import Handle, TiAotModule, TiComputeGraph, TiImage, TiKernel, TiMemory, TiRuntime
from ._launches import Entry

if TYPE_CHECKING:
    from .._capi import taichi_aot_memory_p
    from ..formats.info import ModuleInfo

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
    "memory_handle",
    "module_handle",
    "runtime_handle",
    "runtimes",
]

H = TypeVar("H", bound=Handle)
L = TypeVar("L", TiKernel, TiComputeGraph)
A = TypeVar("A", bound=AllocationHandle)


class ModuleRecord:
    """A module: its private handle, and what its files state, if that is known."""

    __slots__ = ("__weakref__", "as_words", "info", "module")

    def __init__(self, module: ModuleHandle, info: ModuleInfo | None, *, as_words: bool) -> None:
        self.module = module
        self.info = info
        self.as_words = as_words


class _Allocation(NamedTuple):
    """Memory or an image that had a handle of the C-API last; `c` stays, because C compares its generation."""

    handle: weakref.ref[AllocationHandle]
    c: taichi_aot_memory_p
    generation: int


# The runtimes that `capi` created or met first, by address, until they are destroyed.
runtimes: dict[int, list[RuntimeHandle]] = {}
_allocations: weakref.WeakKeyDictionary[RuntimeHandle, dict[Handle, _Allocation]] = weakref.WeakKeyDictionary()
_modules: weakref.WeakValueDictionary[int, ModuleRecord] = weakref.WeakValueDictionary()
_met: set[Handle] = set()  # runtimes that had handles: at their addresses there are no others of other bindings
_destroyed: set[Handle] = set()  # modules, until the library uses their addresses again
_entries: dict[Handle, Entry] = {}


def runtime_handle(runtime: RuntimeHandle) -> TiRuntime:
    """The handle of an open runtime."""
    handle = _made(TiRuntime, runtime.require_open().context.ti_runtime, runtime)
    _met.add(handle)
    return handle


def memory_handle(memory: MemoryHandle) -> TiMemory:
    """The handle of open memory."""
    handle = _made(TiMemory, memory.ti_memory_at(0), memory)
    _know(handle, memory, {"size": memory.size})
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


def module_handle(module: ModuleHandle, info: ModuleInfo | None, *, as_words: bool) -> TiAotModule:
    """The handle of an open module; `as_words` is explained by `Entry`."""
    record = ModuleRecord(module, info, as_words=as_words)
    handle = _made(TiAotModule, module.require_open(), record)
    _modules[int(handle)] = record
    _destroyed.discard(handle)
    return handle


def entry_handle(cls: type[L], entry: Entry) -> L:
    """The handle of a kernel or graph."""
    handle = _made(cls, entry.c.ti_compute_graph if cls is TiComputeGraph else entry.c.ti_kernel, entry)
    _entries[handle] = entry
    return handle


def _made(cls: type[H], pointer: Any, owner: object) -> H:
    handle = cls(address_of(pointer))
    handle._owner = owner
    return handle


def _know(handle: Handle, allocation: AllocationHandle, facts: dict[str, Any]) -> None:
    """Tell Python and C what a handle of memory or an image stands for."""
    found = _allocations.setdefault(allocation.runtime, {})
    found[handle] = _Allocation(weakref.ref(allocation), allocation.c, allocation.generation)
    facts |= {"handle": int(handle), "memory": allocation.c, "generation": allocation.generation}
    known = ffi.new("taichi_aot_known *", facts)
    allocation.runtime.check(lib.taichi_aot_know(allocation.runtime.c, known))


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
    if allocation is None:
        known = _allocations.get(runtime, {}).get(handle)
        allocation = None if known is None else known.handle()
        if known is not None and (allocation is None or abs(known.c.generation) != known.generation):
            raise freed(handle)
    elif allocation.runtime is not runtime and allocation.runtime.context is not runtime.context:
        raise ValueError(f"the {handle!r} belongs to another runtime")
    if allocation is not None and allocation.closed:
        raise freed(handle)
    return allocation


def find_module(handle: TiAotModule) -> ModuleRecord | None:
    """The record of a module that is open; None if this package knows nothing of it; ValueError if it was destroyed."""
    record: ModuleRecord | None = handle._owner or _modules.get(int(handle))
    if handle in _destroyed or (record is not None and record.module.closed):
        raise freed(handle)
    return record


def forget_module(handle: TiAotModule) -> None:
    """Record that a module was destroyed."""
    _destroyed.add(handle)


def find_entry(handle: TiKernel | TiComputeGraph) -> Entry:
    """What is known of a kernel or graph, which may be its address alone."""
    if handle._owner is None:
        handle._owner = _entries.get(handle) or Entry(type(handle)._cast(handle, "handle"))
    entry: Entry = handle._owner
    return entry


def freed(handle: Handle) -> ValueError:
    return ValueError(f"the {handle!r} was freed")
