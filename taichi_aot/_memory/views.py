"""Views of memory for the host: of the memory itself, or where the host cannot map it of a copy."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._ffi.library import ffi, lib
from .._ffi.pointers import address_of
from .._ffi.status import Status
from .._handles.memory import Hold, MemoryHandle
from .._handles.resource import Unique

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
    """The copy of one memory that is in use, by one or more views."""

    __slots__ = ("data", "uses")

    def __init__(self, size: int) -> None:
        self.data = np.empty(size, np.uint8)
        self.uses: set[int] = set()


class _ShadowUse:
    """One use of a copy, from entering the context to leaving it; dropped without leaving, it ends with its views."""

    __slots__ = ("__weakref__", "_copy", "_layout", "_memory")

    def __init__(self, memory: MemoryHandle, layout: _Layout) -> None:
        self._memory = memory
        self._layout = layout
        with _one_at_a_time(memory):
            if not memory.shadow:
                _begin_shadow(memory)
            self._copy: _ShadowCopy = memory.shadow
            self._copy.uses.add(id(self))

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return _interface(self._layout, array_address(self._copy.data), self._memory.host_write)

    def end(self) -> None:
        """End the use; the last one writes the copy back."""
        with _one_at_a_time(self._memory):
            self._end()

    def _end(self) -> None:
        memory, copy = self._memory, self._copy
        copy.uses.discard(id(self))
        if copy.uses or memory.shadow is not copy:
            return
        try:
            if memory.host_write and not memory.closed:
                memory.write(copy.data, 0)
        finally:
            _end_shadow(memory)

    def release_now(self) -> bool:
        lock = self._memory.runtime.shadow_lock
        if not lock.acquire(blocking=False):
            return False
        try:
            if self._memory.shadow is not _BUSY:
                self._end()
                return True
            return False
        finally:
            lock.release()

    def __del__(self) -> None:
        copy = getattr(self, "_copy", None)
        if copy is not None and id(self) in copy.uses:
            self._memory.runtime.release(self)


_BUSY = _ShadowCopy(0)  # stands for a copy while one begins or ends


@contextmanager
def _one_at_a_time(memory: MemoryHandle) -> Generator[None]:
    with memory.runtime.shadow_lock:
        if memory.shadow is _BUSY:
            raise RuntimeError("the memory is just being mapped or unmapped by the code that this call has interrupted")
        yield


def _begin_shadow(memory: MemoryHandle) -> None:
    """Refuse launches first, then wait and read: a launch in between would be lost when the copy is written back."""
    runtime = memory.runtime
    memory.shadow = _BUSY
    copy = None
    try:
        status = lib.taichi_aot_memory_shadow(runtime.require_open(), memory.require_open(), memory.generation, True)
        runtime.check(status)
        started = _ShadowCopy(memory.size)
        memory.read(started.data, 0)
        copy = started
    finally:
        memory.shadow = copy
        if copy is None:
            _allow_launches(memory)


def _end_shadow(memory: MemoryHandle) -> None:
    try:
        _allow_launches(memory)
    finally:
        memory.shadow = None


def _allow_launches(memory: MemoryHandle) -> None:
    status = lib.taichi_aot_memory_shadow(memory.runtime.c, memory.c, memory.generation, False)
    if status not in (Status.CLOSED, Status.ARRAY_CLOSED):  # launches are refused then anyway
        memory.runtime.check(status)
