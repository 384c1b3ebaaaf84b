"""The objects behind handles of the C-API, as far as this package knows them.

A handle that this package made keeps its object's private handle alive: of a runtime, memory, an image or a module. As
in C, a runtime keeps the objects of `capi` until they are freed (`RuntimeHandle.kept`). Public objects and their
handles keep what the object has created. A handle from a bare address is looked up by the address.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..driver._library import address_of, ffi, lib
from ..values._errors import BufferStateError, InvalidArgumentError, ObjectStateError
from ._c_types import Handle, TiAotModule, TiComputeGraph, TiImage, TiKernel, TiMemory, TiRuntime
from ._runtime import RuntimeHandle, State, process

if TYPE_CHECKING:
    from .._capi import taichi_aot_registered_p
    from .._cdata import Pointer
    from ..bundle._info import ModuleInfo
    from ..values._signature import Parameter, Signature
    from ._memory import AllocationHandle
    from ._module import ModuleHandle

H = TypeVar("H", bound=Handle)
L = TypeVar("L", TiKernel, TiComputeGraph)
A = TypeVar("A", TiMemory, TiImage)


class KnownKernel:
    """A kernel or graph that has a handle."""

    __slots__ = ("__weakref__", "dispatches", "module", "pointer", "signature")

    def __init__(
        self,
        pointer: Pointer[Any],
        module: ModuleHandle | None = None,
        signature: Signature | None = None,
        dispatches: Sequence[Sequence[Parameter]] = (),
    ) -> None:
        self.pointer = pointer  # ``TiKernel`` or ``TiComputeGraph``
        self.module = module  # kept alive
        self.signature = signature  # its parameters, if they are known
        self.dispatches = dispatches  # of a graph: see `kernels.calls._requirements.Dispatches`


class KnownModule:
    """A module that has a handle: its private handle, its description, and the kernels that were looked up."""

    __slots__ = ("__weakref__", "info", "kernels", "module")

    def __init__(self, module: ModuleHandle, info: ModuleInfo) -> None:
        self.module = module
        self.info = info
        self.kernels: dict[tuple[type[Handle], str], KnownKernel] = {}


class _Allocation:
    """Memory or an image that has or had a handle of the C-API. C compares the generation in `c`."""

    __slots__ = ("c", "generation", "handle", "is_read_only", "known")

    def __init__(self, allocation: AllocationHandle, known: taichi_aot_registered_p) -> None:
        self.handle = weakref.ref(allocation)
        self.c, self.generation = allocation.c, allocation.generation
        self.known = known
        self.is_read_only = bool(known.is_read_only)

    @property
    def is_open(self) -> bool:
        return abs(self.c.generation) == self.generation


# Runtimes that `capi` created or saw first, by address, until they are destroyed.
runtimes: dict[int, list[RuntimeHandle]] = {}
# By handle: memory that was imported several times has one handle.
Allocations: TypeAlias = "dict[Handle, list[_Allocation]]"
_allocations: weakref.WeakKeyDictionary[RuntimeHandle, Allocations] = weakref.WeakKeyDictionary()
# Allocations of other bindings, which may free them unnoticed, by the identity of the runtime.
_foreign: weakref.WeakValueDictionary[tuple[int, Handle], AllocationHandle] = weakref.WeakValueDictionary()
_modules: weakref.WeakValueDictionary[int, KnownModule] = weakref.WeakValueDictionary()
_known_runtimes: set[Handle] = set()  # runtimes that had handles: other bindings have no runtimes at their addresses
_destroyed: set[Handle] = set()  # modules, until the library uses their addresses again
_kernels: weakref.WeakValueDictionary[Handle, KnownKernel] = weakref.WeakValueDictionary()


def _key(handle: H) -> H:
    """Return an equal handle for tables: without an owner, so that it keeps nothing alive."""
    return type(handle)(int(handle))


def runtime_handle(runtime: RuntimeHandle) -> TiRuntime:
    """Return the handle of an open runtime, on which others can launch from now on."""
    context = runtime.require_library().context
    context.is_shared = True
    handle = _new_handle(TiRuntime, context.ti_runtime, runtime)
    _known_runtimes.add(_key(handle))
    return handle


def allocation_handle(cls: type[A], allocation: AllocationHandle) -> A:
    """Return the handle of open memory or an open image."""
    handle = _new_handle(cls, allocation.ti_handle, allocation)
    _register(handle, allocation)
    return handle


def module_handle(module: ModuleHandle, info: ModuleInfo) -> TiAotModule:
    known = KnownModule(module, info)
    handle = _new_handle(TiAotModule, module.require_library(), known)
    _modules[int(handle)] = known
    _destroyed.discard(handle)
    return handle


def kernel_handle(cls: type[L], kernel: KnownKernel) -> L:
    handle = _new_handle(cls, kernel.pointer, kernel)
    _kernels[_key(handle)] = kernel
    return handle


def _new_handle(cls: type[H], pointer: Any, owner: object) -> H:
    handle = cls(address_of(pointer))
    handle._owner = owner
    return handle


def _register(handle: Handle, allocation: AllocationHandle) -> None:
    """Register the memory or image of a handle."""
    if _foreign.get((id(allocation.runtime), handle)) is allocation:
        return
    facts = {"handle": int(handle), "memory": allocation.c, "generation": allocation.generation, **allocation.facts()}
    known = ffi.new("taichi_aot_registered *", facts)
    new = _Allocation(allocation, known)
    registered = _allocations.setdefault(allocation.runtime, {})
    registered[_key(handle)] = [*(old for old in registered.pop(handle, []) if old.is_open), new]
    register_largest(handle, allocation.runtime)


def register_largest(handle: Handle, runtime: RuntimeHandle) -> None:
    """Tell C the allocation of a handle: the largest open one, read-only if all open ones are."""
    found = [allocation for allocation in _allocations.get(runtime, {}).get(handle, ()) if allocation.is_open]
    if found:
        largest = max(found, key=lambda allocation: allocation.known.size)
        largest.known.is_read_only = all(allocation.is_read_only for allocation in found)
        runtime.check(lib.taichi_aot_register(runtime.c, largest.known))


def keep_runtime(runtime: RuntimeHandle) -> TiRuntime:
    """Keep a runtime until it is destroyed, and return its handle."""
    handle = runtime_handle(runtime)
    runtimes.setdefault(int(handle), []).append(runtime)
    return handle


def forget_runtime(handle: TiRuntime, runtime: RuntimeHandle) -> None:
    """Stop keeping a runtime. CUDA's are destroyed as often as they were created."""
    found = runtimes.get(int(handle), [])
    if runtime in found:
        found.remove(runtime)
    if not found:
        runtimes.pop(int(handle), None)


def find_runtime(handle: TiRuntime) -> RuntimeHandle | None:
    """Return the private handle of the open runtime at an address, the latest one."""
    for runtime in [*reversed(runtimes.get(int(handle), [])), *process.live_runtimes()]:
        if runtime.state == State.OPEN and address_of(runtime.context.c.ti_runtime) == int(handle):
            return runtime
    if handle in _known_runtimes:
        raise freed_error(handle)
    return None


def find_allocation(handle: Handle, runtime: RuntimeHandle) -> AllocationHandle | None:
    """Return the private handle of memory or an image; None if this package does not know it."""
    allocation: AllocationHandle | None = handle._owner
    foreign = _foreign.get((id(runtime), handle))
    if allocation is None and foreign is not None and not foreign.closed:
        allocation = foreign
    elif allocation is None:
        known = _allocations.get(runtime, {}).get(handle)
        found = [allocation for each in known or () if each.is_open and (allocation := each.handle()) is not None]
        if known is not None and not found:
            raise freed_error(handle)
        allocation = found[-1] if found else None
    elif allocation.runtime is not runtime and allocation.runtime.context is not runtime.context:
        raise InvalidArgumentError(f"the {handle!r} belongs to another runtime")
    if allocation is not None and allocation.closed:
        raise freed_error(handle)
    return allocation


def register_foreign(handle: TiMemory | TiImage, allocation: AllocationHandle) -> None:
    """Register the private handle of another binding's allocation."""
    _foreign[id(allocation.runtime), _key(handle)] = allocation


def open_runtime_of(handle: TiRuntime) -> RuntimeHandle | None:
    """Return the private handle of an open runtime; None if this package does not know it."""
    runtime: RuntimeHandle | None = handle._owner or find_runtime(handle)
    if runtime is not None and runtime.state != State.OPEN:
        raise runtime.closed_error() if runtime.state == State.INHERITED else freed_error(handle)
    return runtime


def release_runtime(runtime: RuntimeHandle, handle: TiRuntime) -> None:
    """Hand a runtime of `capi` over to an object; ValueError if it belongs to an object."""
    if runtime not in runtimes.get(int(handle), []):
        raise InvalidArgumentError(f"the {handle!r} belongs to another object, which destroys it: pass owned=False")
    forget_runtime(handle, runtime)
    runtime.context.c.is_borrowed = False  # it may be another binding's


def release_allocation(allocation: AllocationHandle, handle: TiMemory | TiImage) -> None:
    """Hand memory or an image of `capi` over to an object; ValueError if it belongs to an object."""
    kept = allocation.runtime.kept
    if allocation not in kept:
        raise InvalidArgumentError(f"the {handle!r} belongs to another object, which frees it: pass owned=False")
    if kept[allocation] is not None:
        raise BufferStateError(f"the {handle!r} is mapped; unmap it first")
    del kept[allocation]


def release_module(known: KnownModule, handle: TiAotModule) -> None:
    """Hand a module of `capi` over to an object; ValueError if it belongs to an object."""
    try:
        del known.module.runtime.kept[known]
    except KeyError:
        raise InvalidArgumentError(
            f"the {handle!r} belongs to its runtime, which destroys it: pass owned=False"
        ) from None


def find_module(handle: TiAotModule) -> KnownModule | None:
    """Return an open module; None if this package does not know it; ValueError if it was destroyed."""
    known: KnownModule | None = handle._owner or _modules.get(int(handle))
    if handle in _destroyed or (known is not None and known.module.closed):
        raise freed_error(handle)
    return known


def forget_module(handle: TiAotModule) -> None:
    """Note that a module was destroyed."""
    _destroyed.add(_key(handle))


def find_kernel(handle: TiKernel | TiComputeGraph) -> KnownKernel:
    """Return a kernel or graph; this package may know only its address."""
    return handle._owner or _kernels.get(handle) or KnownKernel(type(handle)._cast(handle, "handle"))


def freed_error(handle: Handle) -> ValueError:
    return ObjectStateError(f"the {handle!r} was freed")
