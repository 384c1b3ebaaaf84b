"""What is behind handles of the C-API, as far as this package knows.

A handle that this package made keeps its owner alive: the private handle of an object, or the `Made` of what a function
of `capi` has made. A handle from a bare address is looked up by the address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar
from weakref import WeakSet, WeakValueDictionary

from ..driver._library import address_of
from ..values._errors import InvalidArgumentError, ObjectStateError
from ._c_types import Handle, TiAotModule, TiComputeGraph, TiImage, TiKernel, TiMemory, TiRuntime
from ._runtime import RuntimeHandle, State, process

if TYPE_CHECKING:
    from .._cdata import Pointer
    from ._memory import AllocationHandle
    from ._module import ModuleHandle

H = TypeVar("H", bound=Handle)
A = TypeVar("A", TiMemory, TiImage)
L = TypeVar("L", TiKernel, TiComputeGraph)


class Made:
    """What a function of `capi` has made on a runtime, and `capi` frees."""

    __slots__ = ("__weakref__", "is_freed", "objects", "runtime")

    def __init__(self, runtime: RuntimeHandle) -> None:
        self.runtime = runtime
        self.is_freed = False
        self.objects: WeakSet[Any] = WeakSet()  # private handles of objects over it, which end with it

    @property
    def closed(self) -> bool:
        return self.is_freed or self.runtime.closed


Key: TypeAlias = tuple[int, Handle]
_known: WeakValueDictionary[Key, Any] = WeakValueDictionary()  # owners of handles of this package
_adopted: WeakValueDictionary[Key, Any] = WeakValueDictionary()  # what other bindings or `capi` made, for objects
_of_capi: WeakSet[RuntimeHandle] = WeakSet()  # runtimes that no object owns


def _key(handle: Handle, runtime: RuntimeHandle | None) -> Key:
    """Return the key of a handle in tables, which keeps nothing alive. Runtimes may have equal handles of memory."""
    return id(runtime) if isinstance(handle, TiMemory | TiImage) else 0, type(handle)(int(handle))


def new_handle(cls: type[H], pointer: Any, owner: Any) -> H:
    """Return a handle with an owner, which other handles of the same address find."""
    handle = cls(address_of(pointer))
    handle._owner = owner
    if owner is not None:
        key = _key(handle, getattr(owner, "runtime", None))
        if _adopted.get(key) is not owner:
            _known[key] = owner
    return handle


def runtime_handle(runtime: RuntimeHandle) -> TiRuntime:
    """Return the handle of an open runtime, on which others can launch from now on."""
    context = runtime.require_library().context
    context.is_shared = True
    return new_handle(TiRuntime, context.ti_runtime, runtime)


def allocation_handle(cls: type[A], allocation: AllocationHandle) -> A:
    """Return the handle of open memory or an open image."""
    return new_handle(cls, allocation.ti_handle, allocation)


def module_handle(module: ModuleHandle) -> TiAotModule:
    return new_handle(TiAotModule, module.require_library(), module)


def kernel_handle(cls: type[L], pointer: Pointer[Any], module: ModuleHandle) -> L:
    return new_handle(cls, pointer, module)


def owner_of(handle: Handle, runtime: RuntimeHandle | None = None) -> Any:
    """Return the owner of a handle, or None if only its address is known; ValueError if it was freed."""
    owner = _known.get(_key(handle, runtime)) if handle._owner is None else handle._owner
    if owner is None:
        return _open_adopted(handle, runtime)
    if owner.closed:
        parent: RuntimeHandle = owner if isinstance(owner, RuntimeHandle) else owner.runtime
        inherited = parent.state == State.INHERITED
        raise parent.closed_error() if inherited else ObjectStateError(f"the {handle!r} was freed")
    return owner


def find_shared(handle: Handle, runtime: RuntimeHandle, *, owned: bool) -> Any:
    """Return the private handle that objects share; None if none has adopted what another binding or `capi` made."""
    owner = owner_of(handle, runtime)
    if owner is not None and owner.runtime is not runtime:
        raise InvalidArgumentError(f"the {handle!r} belongs to another runtime")
    if isinstance(owner, Made):
        owner = _open_adopted(handle, runtime)
    if owner is not None and owned:
        raise _owned_error(handle)
    return owner


def _open_adopted(handle: Handle, runtime: RuntimeHandle | None) -> Any:
    """Return what an open object has adopted: another binding may use the address again."""
    adopted = _adopted.get(_key(handle, runtime))
    return None if adopted is None or adopted.closed else adopted


def note_adopted(handle: Handle, adopted: Any, *, owned: bool) -> None:
    """Note the private handle of an object over what another binding or `capi` made."""
    made = owner_of(handle, adopted.runtime)
    if isinstance(made, Made):
        made.objects.add(adopted)
        if owned:
            handle._owner = adopted
    if not isinstance(handle, TiAotModule):  # each object has its own handle of a module
        _adopted[_key(handle, adopted.runtime)] = adopted


def _owned_error(handle: Handle) -> InvalidArgumentError:
    return InvalidArgumentError(f"the {handle!r} belongs to another object: pass owned=False")


def find_runtime(handle: TiRuntime, *, owned: bool = False) -> RuntimeHandle | None:
    """Return the private handle of an open runtime, or None if this package does not know it."""
    found: RuntimeHandle | None = owner_of(handle)
    if found is None:
        for runtime in process.live_runtimes():
            if runtime.state == State.OPEN and address_of(runtime.context.c.ti_runtime) == int(handle):
                found = runtime
    if found is not None and owned:
        if found not in _of_capi:
            raise _owned_error(handle)
        _of_capi.discard(found)
        found.context.c.is_borrowed = False
    return found


def keep_for_capi(handle: TiRuntime, runtime: RuntimeHandle) -> None:
    """Let a handle of `capi` keep a runtime that no object owns."""
    handle._owner = runtime
    _known[_key(handle, None)] = runtime
    _of_capi.add(runtime)
