"""What keeps a device or a buffer of this package usable while an import of it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from ..._handles.memory import MemoryHandle
from ..._handles.runtime import RuntimeHandle, process
from ..._memory.gfx import DeviceMemory

__all__ = ["Hold", "begin_device_hold", "begin_memory_hold"]

Handle = TypeVar("Handle", bound=RuntimeHandle | MemoryHandle)


class Hold(Generic[Handle]):
    """A use of a handle of this package, which ends when it is dropped."""

    def __init__(self, owner: Handle, runtime: RuntimeHandle, end: Callable[[], None]) -> None:
        self.owner = owner
        self._runtime = runtime
        self.release = end  # the runtime's lock is held

    def __del__(self) -> None:
        self._runtime.release_later(self)


def begin_device_hold(runtime: RuntimeHandle) -> Hold[RuntimeHandle] | None:
    """Postpone the end of a runtime whose device another one uses; None if it is closed."""

    def end() -> None:
        runtime.mappings -= 1

    with process.lock, runtime.lock:
        if not runtime.open:
            return None
        runtime.mappings += 1
    return Hold(runtime, runtime, end)


def begin_memory_hold(memory: MemoryHandle) -> Hold[MemoryHandle] | None:
    """Keep memory open whose buffer is imported, as a view of it does; None if it is closed."""
    assert isinstance(memory, DeviceMemory)
    key = object()

    def end() -> None:
        memory.views.discard(id(key))
        memory.unmap_now()

    with memory.runtime.lock:
        if memory.closed:
            return None
        memory.views.add(id(key))
    return Hold(memory, memory.runtime, end)
