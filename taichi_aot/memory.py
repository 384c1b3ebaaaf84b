"""Memory: an allocation, and how the host reaches it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._library import ffi, lib
from .enums import MemoryUsage
from .errors import OutOfMemoryError, TaichiError, check
from .handles import MemoryHandle, Resource, RuntimeHandle

if TYPE_CHECKING:
    from .runtime import Runtime

__all__ = ["Memory", "allocate", "map_bytes"]

# No machine addresses more; the library answers sizes near 2^64 with handles to nothing.
LARGEST = 1 << 47


def allocate(
    runtime: RuntimeHandle,
    size: int,
    *,
    host_read: bool = True,
    host_write: bool = True,
    export_sharing: bool = False,
    usage: MemoryUsage = MemoryUsage.STORAGE,
) -> MemoryHandle:
    """Allocate `size` > 0 bytes with any contents; on CPU archs from the pool of host blocks."""
    if size > LARGEST:
        raise OutOfMemoryError(f"cannot allocate {size} bytes: no device addresses more than {LARGEST}")
    with runtime.lock:
        pointer = runtime.use()
        if runtime.host_pool is not None:
            block = runtime.host_pool.take(runtime, size)
            return MemoryHandle(runtime, block.pointer, size, host_read=host_read, host_write=host_write, block=block)
        info = ffi.new(
            "TiMemoryAllocateInfo *",
            {
                "size": size,
                "host_read": host_read,
                "host_write": host_write,
                "export_sharing": export_sharing,
                "usage": int(usage),
            },
        )
        result = ffi.new("TiMemory *")
        try:
            check(lib.checked_ti_allocate_memory(pointer, info, result))
        except TaichiError as error:
            raise OutOfMemoryError(f"cannot allocate {size} bytes on {runtime.arch}: {error}") from None
        return MemoryHandle(runtime, result[0], size, host_read=host_read, host_write=host_write)


def map_bytes(memory: MemoryHandle) -> npt.NDArray[np.uint8]:
    """A zero-copy view of all bytes, after the device is done. The mapping lives as long as any part of the view."""
    if not (memory.host_read or memory.host_write):
        raise ValueError("the memory is not host-accessible: allocate it with host_read=True or host_write=True")
    with memory.runtime.lock:
        mapping = memory.map()
    return np.asarray(mapping)


class Memory(Resource):
    """An allocation of device memory. Made by `Runtime.allocate`, or the memory of an `NdArray`.

    Attributes
    ----------
    size : int
        Size in bytes.
    runtime : Runtime
        The runtime it belongs to.
    """

    __slots__ = ("_handle", "runtime")

    def __init__(self, runtime: Runtime, handle: MemoryHandle) -> None:
        self.runtime = runtime
        self._handle = handle

    @property
    def size(self) -> int:
        return self._handle.size

    @property
    def closed(self) -> bool:
        return self._handle.closed

    def close(self) -> None:
        """Free the memory. Closing twice is fine.

        Raises
        ------
        BufferError
            While a view that `map` gave still lives.
        """
        self._handle.close()

    @contextmanager
    def map(self) -> Iterator[npt.NDArray[np.uint8]]:
        """Zero-copy view of the bytes, shape ``(size,)``, in a ``with`` statement.

        Entering waits for the device. What was written is visible to the device after the statement. The view, its
        slices and reshapes stay valid as long as they live: the mapping and the allocation live on with them.
        Without ``host_write`` the view is read-only.

        Raises
        ------
        ValueError
            If the memory is closed, or was allocated with neither ``host_read`` nor ``host_write``.
        """
        yield map_bytes(self._handle)

    def read(self, offset: int = 0, size: int | None = None) -> bytes:
        """Copy `size` bytes from `offset` on (default: all to the end) to the host, after the device is done.

        Raises
        ------
        IndexError
            If the range does not lie within the memory.
        ValueError
            If the memory is closed or was not allocated with ``host_read``.
        """
        if not self._handle.host_read:
            raise ValueError("the memory is not readable by the host: allocate it with host_read=True")
        size = self.size - offset if size is None else size
        self._check_range(offset, size)
        return map_bytes(self._handle)[offset : offset + size].tobytes()

    def write(self, data: Any, offset: int = 0) -> None:
        """Copy a bytes-like object or a C-contiguous array to `offset`, after the device is done.

        Raises
        ------
        IndexError
            If the data does not fit between `offset` and the end.
        TypeError
            If `data` is not a C-contiguous buffer.
        ValueError
            If the memory is closed or was not allocated with ``host_write``.
        """
        if not self._handle.host_write:
            raise ValueError("the memory is not writable by the host: allocate it with host_write=True")
        buffer = memoryview(data)
        if not buffer.c_contiguous:
            raise TypeError("the data must be C-contiguous; numpy.ascontiguousarray makes it so")
        source = np.frombuffer(buffer, np.uint8)
        self._check_range(offset, source.size)
        map_bytes(self._handle)[offset : offset + source.size] = source

    def _check_range(self, offset: int, size: int) -> None:
        if offset < 0 or size < 0 or offset + size > self.size:
            raise IndexError(f"bytes {offset} to {offset + size} do not lie within a memory of {self.size} bytes")

    def __repr__(self) -> str:
        state = "closed " if self.closed else ""
        return f"<{state}Memory of {self.size} bytes on {self._handle.runtime.arch}>"
