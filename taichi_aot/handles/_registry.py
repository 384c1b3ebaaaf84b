"""Handles of the C-API, as typed addresses, and what is behind them, as far as this package knows.

A handle that this package made keeps its owner alive: the private handle of an object, or the `Made` of what a function
of `capi` has made. A handle from a bare address is looked up by the address.
"""

from __future__ import annotations

import ctypes
import gc
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypeVar
from weakref import WeakSet, WeakValueDictionary

from ..driver._library import address_of, ffi
from ..values._errors import (
    ArgumentNullError,
    ArgumentOverflowError,
    ArgumentTypeError,
    InvalidArgumentError,
    ObjectStateError,
    describe,
    short,
)
from ._memory import AllocationHandle, MemoryHandle, Release
from ._runtime import RuntimeHandle, State, process

if TYPE_CHECKING:
    from .._cdata import Pointer
    from ._module import ModuleHandle


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


# What is behind handles of the C-API, as far as this package knows.


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


# Counts of the live objects of this process.


def object_counts() -> dict[str, int]:
    """Count the live objects of this process, to find leaks.

    Returns
    -------
    dict of str to int
        The numbers of ``"runtimes"`` that are not closed; of ``"memories"``, ``"modules"`` and ``"images"`` that are
        neither closed nor collected; and of ``"views"`` of numpy and other libraries that keep memory mapped.
        Memories are arrays, allocations, and the memory for kernels' return values.

    Notes
    -----
    The function scans all objects that the garbage collector tracks, which takes milliseconds. Creating and dropping
    objects costs nothing extra.

    Examples
    --------
    >>> before = object_counts()["memories"]
    >>> memory = rt.allocate(64)
    >>> object_counts()["memories"] - before
    1
    """
    from ._module import ModuleHandle  # with all that loading needs

    counts = {"runtimes": 0, "memories": 0, "modules": 0, "images": 0, "views": 0}
    hold = ffi.typeof("taichi_aot_hold *")
    for thing in gc.get_objects():
        kind = type(thing)  # pyright: ignore[reportUnknownVariableType]
        if kind is RuntimeHandle:
            counts["runtimes"] += thing.state in (State.OPEN, State.CLOSING)
        elif kind is ModuleHandle:
            counts["modules"] += not thing.closed
        elif kind is Release and ffi.typeof(thing.c) is hold:
            counts["views"] += bool(thing.c.is_active)
        elif issubclass(kind, AllocationHandle):
            counts["memories" if issubclass(kind, MemoryHandle) else "images"] += not thing.closed
    return counts
