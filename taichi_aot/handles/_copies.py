"""Allocation and copies, common to all kinds of memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..values._errors import BufferStateError, InvalidArgumentError, OutOfMemoryError, short
from ._memory import MemoryHandle, Request
from ._runtime import RuntimeHandle

if TYPE_CHECKING:
    import numpy.typing as npt

# Machines do not address more, and for sizes near 2^64 the library returns invalid handles.
LARGEST = 1 << 47
FILL_PART = 1 << 20  # bytes of a pattern that are copied at a time
HOST_PART = 8 << 20  # bytes that are copied through the host at a time


def allocate(runtime: RuntimeHandle, request: Request) -> MemoryHandle:
    """Allocate uninitialized memory."""
    if request.size > LARGEST:
        raise OutOfMemoryError(f"cannot allocate {short(request.size)} bytes: devices address at most {LARGEST}")
    runtime.require_open()
    memory: MemoryHandle = runtime.backend.memory.allocate(runtime, request)
    return memory


def write_from(memory: MemoryHandle, source: npt.NDArray[Any], offset: int = 0) -> None:
    """Wait for the device and copy all of `source`."""
    if memory.readonly or memory.c.generation < 0:
        memory.require_open()
        require_writable(memory)
        check_not_mapped(memory)
    memory.write(_contiguous(source), offset)


def write_fresh(memory: MemoryHandle, source: npt.NDArray[Any]) -> None:
    """Copy all of `source` to the beginning of memory that no launch uses yet."""
    memory.write(_contiguous(source), 0, fresh=True)


def _contiguous(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return array if array.flags.c_contiguous else array.copy()


def copy_between(target: MemoryHandle, offset: int, source: MemoryHandle, source_offset: int, size: int) -> None:
    """Copy in launch order: on the device, or between two runtimes. The ranges must lie within the memories."""
    for memory in (source, target):
        memory.require_open()
        check_not_mapped(memory)
    require_writable(target)
    if source is target and max(offset, source_offset) < min(offset, source_offset) + size:
        raise InvalidArgumentError(
            f"cannot copy {size} bytes from offset {source_offset} to {offset}: the ranges overlap"
        )
    if not size:
        return
    if source.runtime.context is target.runtime.context:
        target.copy_from(offset, source, source_offset, size)
    elif not target.copy_from_peer(offset, source, source_offset, size):
        _copy_through_host(target, offset, source, source_offset, size)


def _copy_through_host(target: MemoryHandle, offset: int, source: MemoryHandle, source_offset: int, size: int) -> None:
    """Copy between two runtimes: read after the launches of one, and write before later launches of the other."""
    host = np.empty(min(size, HOST_PART), np.uint8)
    for begin in range(0, size, HOST_PART):
        part = host[: size - begin]
        source.read(part, source_offset + begin)
        target.write(part, offset + begin)


def fill_with(memory: MemoryHandle, pattern: npt.NDArray[Any], size: int, offset: int = 0) -> None:
    """Wait for the device and fill `size` bytes with a number."""
    part = np.empty(max(1, min(size, FILL_PART) // pattern.itemsize), pattern.dtype)
    part.fill(pattern)
    write_from(memory, part[: size // pattern.itemsize], offset)
    for begin in range(part.nbytes, size, part.nbytes):
        copy_between(memory, offset + begin, memory, offset, min(part.nbytes, size - begin))


def require_writable(memory: MemoryHandle) -> None:
    """Raise ValueError for memory that was imported as read-only."""
    if memory.readonly:
        raise InvalidArgumentError("the memory is read-only: it was imported with readonly=True")


def check_not_mapped(memory: MemoryHandle) -> None:
    """Raise BufferError while a copy of the memory is mapped."""
    if memory.c.generation < 0:
        raise BufferStateError("the memory is mapped, and this arch maps a copy; leave the `with` block first")
