"""Host views of memory: of the memory itself, or of a copy if the host cannot map it."""

from __future__ import annotations

import weakref
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import numpy as np

from ..driver._library import Status, address_of, ffi, lib
from ..values._errors import ArgumentTypeError, ObjectStateError
from ._memory import Hold, MemoryHandle
from ._on_device import Release
from ._resource import Unique
from ._runtime import State, process

if TYPE_CHECKING:
    import numpy.typing as npt

    from .._capi import taichi_aot_shadow_use_p

    Layout: TypeAlias = tuple[str, tuple[int, ...]]  # the dtype as numpy names it, and the shape


# Found once, because small arrays are copied in a microsecond.
_cast, _from_buffer, _ADDRESS = ffi.cast, ffi.from_buffer, ffi.typeof("uintptr_t")


def array_address(array: npt.NDArray[Any]) -> int:
    """Return the address of a contiguous array's numbers; ``array.ctypes.data`` takes three times as long."""
    return int(_cast(_ADDRESS, _from_buffer(array)))


def map_for_host(
    memory: MemoryHandle, typestr: str, shape: tuple[int, ...], offset: int = 0
) -> AbstractContextManager[npt.NDArray[Any]]:
    """Return a context manager that yields a numpy view; ValueError if the memory was not allocated for that."""
    if not (memory.host_read or memory.host_write):
        raise ObjectStateError("the memory is not host-accessible: allocate it with host_read=True or host_write=True")
    return memory.map(typestr, shape, offset)


class View(Unique):
    """The base of numpy arrays over memory: it keeps the memory mapped while one of them is alive."""

    __slots__ = ("_hold", "_layout", "_writable", "address")

    def __init__(self, memory: MemoryHandle, typestr: str, shape: tuple[int, ...], kind: int, offset: int = 0) -> None:
        self._initialize_once("_hold")
        self._layout = (typestr, shape)
        self._writable = memory.host_write
        self._hold = Hold(memory.runtime, memory, kind)
        self.address: int = memory.address + offset

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return _interface(self._layout, self.address, self._writable)


def _interface(layout: Layout, address: int, writable: bool) -> dict[str, Any]:
    typestr, shape = layout
    return {"version": 3, "typestr": typestr, "shape": shape, "data": (address, not writable)}


class Exported:
    """The base of numpy arrays over exported memory: it keeps the memory alive, which may be closed meanwhile."""

    __slots__ = ("__array_interface__", "_memory")

    def __init__(self, memory: MemoryHandle, interface: dict[str, Any]) -> None:
        self._memory = memory
        self.__array_interface__ = interface


class _Map:
    """Base of the context managers."""

    __slots__ = ("_memory", "_offset", "_shape", "_typestr")

    def __init__(self, memory: MemoryHandle, typestr: str, shape: tuple[int, ...], offset: int) -> None:
        self._memory = memory
        self._typestr = typestr
        self._shape = shape
        self._offset = offset

    def __array__(self, *args: object, **kwargs: object) -> NoReturn:
        raise ArgumentTypeError("map() returns a context manager: `with array.map() as view:`")


class DirectMap(_Map):
    """Context manager returned by `map`: waits for the device and yields a zero-copy view of the memory."""

    __slots__ = ()

    def __enter__(self) -> npt.NDArray[Any]:
        return np.asarray(View(self._memory, self._typestr, self._shape, lib.TAICHI_AOT_HOLD_VIEW, self._offset))

    def __exit__(self, *exc_info: object) -> None:
        """Do nothing: the view and its slices stay valid and keep the memory alive."""


class ShadowMap(_Map):
    """Context manager returned by `map` if the host cannot map the memory: yields a copy and writes it back at the end.

    The copy has all of the memory, whatever the view shows: arrays over one memory are views of one copy. Until it is
    written back, launches with the memory raise BufferError.
    """

    __slots__ = ("_entered",)

    def __init__(self, memory: MemoryHandle, typestr: str, shape: tuple[int, ...], offset: int) -> None:
        super().__init__(memory, typestr, shape, offset)
        self._entered: list[tuple[npt.NDArray[Any], _ShadowUse]] = []  # a context may be entered more than once

    def __enter__(self) -> npt.NDArray[Any]:
        use = _ShadowUse(self._memory, (self._typestr, self._shape), self._offset)
        array = np.asarray(use)
        self._entered.append((array, use))
        return array

    def __exit__(self, *exc_info: object) -> None:
        if self._entered:
            array, use = self._entered.pop()
            array.flags.writeable = False  # later writes would be lost
            use.end()


class _ShadowRelease(Release):
    """Ends a `_ShadowUse`."""

    __slots__ = ()

    def release(self, *, may_wait: bool) -> bool:
        if not super().release(may_wait=may_wait):
            return False
        lib.taichi_aot_shadow_drop(self.c)
        return True


class _ShadowUse(Unique):
    """One use of a memory's copy: it ends with the context, or with its last view if the context is never left.

    C counts the uses and writes the copy back, in one step.
    """

    __slots__ = ("_layout", "_memory", "_offset", "_release")

    def __init__(self, memory: MemoryHandle, layout: Layout, offset: int) -> None:
        self._initialize_once("_release")
        self._memory = memory
        self._layout = layout
        self._offset = offset
        use: taichi_aot_shadow_use_p = ffi.new("taichi_aot_shadow_use *")
        self._release = _ShadowRelease(use, lib.taichi_aot_shadow_end, "writing a copy of memory back", memory)
        memory.runtime.releases[self._release] = weakref.ref(self)
        use.runtime, use.memory, use.staging = memory.runtime.require_open(), memory.require_open(), memory.staging
        use.size, use.writes_back = memory.size, memory.host_write
        runtime, generation = memory.runtime, memory.generation
        runtime.check(runtime.complete(lambda may_block: lib.taichi_aot_shadow_begin(use, generation, may_block)))

    @property
    def __array_interface__(self) -> dict[str, Any]:
        address = address_of(self._release.c.shadow.data) + self._offset
        return _interface(self._layout, address, self._memory.host_write)

    def end(self) -> None:
        """End the use; the last one writes the copy back."""
        status = lib.taichi_aot_shadow_end(self._release.c, True)
        if status != Status.CLOSED:
            self._memory.runtime.check(status)

    def __del__(self) -> None:
        release = getattr(self, "_release", None)
        if release is None or not process or process.exiting:
            return
        runtime = self._memory.runtime
        runtime.release(release)
        if runtime.state not in (State.OPEN, State.CLOSING):
            lib.taichi_aot_shadow_drop(release.c)
