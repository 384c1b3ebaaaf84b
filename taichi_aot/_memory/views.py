"""Views of memory for the host: of the memory itself, or where the host cannot map it of a copy."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._ffi.library import ffi, lib
from .._ffi.pointers import address_of
from .._ffi.status import Status
from .._handles.memory import Hold, MemoryHandle
from .._handles.resource import Unique
from .._handles.runtime import log_error

__all__ = ["DirectMap", "ShadowMap", "View", "array_address"]


def array_address(array: npt.NDArray[Any]) -> int:
    """Where the numbers of a contiguous array are; ``array.ctypes.data`` takes three times as long."""
    return address_of(ffi.from_buffer(array))


class _Layout(NamedTuple):
    typestr: str  # as numpy names the dtype
    shape: tuple[int, ...]


class View(Unique):
    """What numpy's arrays over memory have as their base: it keeps the memory mapped while one of them is alive."""

    __slots__ = ("_address", "_hold", "_layout", "_writable")

    def __init__(self, memory: MemoryHandle, typestr: str, shape: tuple[int, ...], kind: int) -> None:
        self._initialize_once("_hold")
        self._layout = _Layout(typestr, shape)
        self._writable = memory.host_write
        self._hold = Hold(memory.runtime, memory, kind)
        self._address = memory.address

    @property
    def address(self) -> int:
        return self._address

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return _interface(self._layout, self._address, self._writable)


def _interface(layout: _Layout, address: int, writable: bool) -> dict[str, Any]:
    return {"version": 3, "typestr": layout.typestr, "shape": layout.shape, "data": (address, not writable)}


class DirectMap:
    """Context manager returned by `map`: yields a zero-copy view of the memory, after the device is done."""

    __slots__ = ("_memory", "_shape", "_typestr")

    def __init__(self, memory: MemoryHandle, typestr: str, shape: tuple[int, ...]) -> None:
        self._memory = memory
        self._typestr = typestr
        self._shape = shape

    def __enter__(self) -> npt.NDArray[Any]:
        return np.asarray(View(self._memory, self._typestr, self._shape, lib.TAICHI_AOT_HOLD_VIEW))

    def __exit__(self, *exc_info: object) -> None:
        """Nothing to do: the view and what is made of it stay valid, and keep the memory."""


class ShadowMap:
    """Context manager returned by `map` where the host cannot map the memory: yields a copy, written back at the end.

    Launches with the memory are refused until then.
    """

    __slots__ = ("_entered", "_layout", "_memory")

    def __init__(self, memory: MemoryHandle, typestr: str, shape: tuple[int, ...]) -> None:
        self._memory = memory
        self._layout = _Layout(typestr, shape)
        self._entered: list[tuple[npt.NDArray[Any], _ShadowUse]] = []  # a context may be entered more than once

    def __enter__(self) -> npt.NDArray[Any]:
        use = _ShadowUse(self._memory, self._layout)
        array = np.asarray(use)
        self._entered.append((array, use))
        return array

    def __exit__(self, *exc_info: object) -> None:
        if self._entered:
            array, use = self._entered.pop()
            array.flags.writeable = False  # what is written later would be lost
            use.end()


class _ShadowCopy:
    """The copy of one memory that is in use, by one or more views.

    While one begins or ends, an exception may come at any bytecode. `MemoryHandle.shadow` is set before launches are
    refused and reset after they are allowed, and a use that was interrupted ends with its object: so what is not done
    is recorded.
    """

    __slots__ = ("data", "uses", "written_back")

    def __init__(self, size: int) -> None:
        self.data = np.empty(size, np.uint8)
        self.uses: set[int] = set()
        self.written_back = False


class _ShadowUse:
    """One use of a copy, from entering the context to leaving it; dropped without leaving, it ends with its views."""

    __slots__ = ("__weakref__", "_copy", "_layout", "_memory")

    def __init__(self, memory: MemoryHandle, layout: _Layout) -> None:
        self._memory = memory
        self._layout = layout
        with _shadow_lock(memory):
            try:
                self._copy = memory.shadow or _begin_shadow(memory)
                self._copy.uses.add(id(self))
            except BaseException:
                if memory.shadow is not None and not memory.shadow.uses:
                    _end_shadow(memory)
                raise

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return _interface(self._layout, array_address(self._copy.data), self._memory.host_write)

    def end(self) -> None:
        """End the use; the last one writes the copy back."""
        with _shadow_lock(self._memory):
            try:
                self._end()
            except Exception:  # the device is lost, say
                self._give_up()
                raise

    def release_now(self) -> bool:
        runtime = self._memory.runtime
        if not runtime.is_free or runtime.shadow_lock_is_mine() or not runtime.shadow_lock.acquire(blocking=False):
            return False
        try:
            self._end()
        except Exception as error:
            self._give_up()
            log_error(error, "writing a copy of memory back")
        finally:
            runtime.shadow_lock.release()
        return True

    def _end(self) -> None:
        memory, copy = self._memory, self._copy
        if copy.uses == {id(self)} and memory.shadow is copy:
            if memory.host_write and not memory.closed and not copy.written_back:
                memory.write(copy.data, 0)
            copy.written_back = True
            _end_shadow(memory)
        copy.uses.discard(id(self))

    def _give_up(self) -> None:
        self._copy.written_back = True
        self._end()

    def __del__(self) -> None:
        copy = getattr(self, "_copy", None)
        if copy is not None and id(self) in copy.uses:
            self._memory.runtime.release(self)


def _shadow_lock(memory: MemoryHandle) -> threading._RLock:
    """The lock under which copies begin and end; RuntimeError within itself, where one is half begun."""
    runtime = memory.runtime
    if runtime.shadow_lock_is_mine():
        raise RuntimeError("memory is being mapped or unmapped by the code that this call has interrupted")
    return runtime.shadow_lock


def _begin_shadow(memory: MemoryHandle) -> _ShadowCopy:
    """Refuse launches first, then wait and read: a launch in between would be lost when the copy is written back."""
    runtime = memory.runtime
    memory.require_open()
    copy = memory.shadow = _ShadowCopy(memory.size)
    runtime.check(lib.taichi_aot_memory_shadow(runtime.c, memory.c, memory.generation, True))
    memory.read(copy.data, 0)
    return copy


def _end_shadow(memory: MemoryHandle) -> None:
    status = lib.taichi_aot_memory_shadow(memory.runtime.c, memory.c, memory.generation, False)
    memory.shadow = None
    if status not in (Status.CLOSED, Status.ARRAY_CLOSED):  # launches are refused then anyway
        memory.runtime.check(status)
